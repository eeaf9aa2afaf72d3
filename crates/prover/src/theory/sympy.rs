//! Certificates as stand-alone SymPy scripts.
//!
//! A script holds the definitions of the functionals as they stand in [`rocproof_engine::functional::definition`], puts the coordinates of a curve
//! into them, and checks every step of the proof with SymPy's own algebra and derivatives.

use super::certificate::{Certificate, Proof, ProofStep};
use super::foundations;
use super::lower::{Integral, Lowering, ScoreKind, Track};
use super::path::CurveStretch;
use super::relation::{LinearRelation, Potential};
use super::rules::factor::{Factor, is_strict, supposed};
use super::rules::{Context, Differential, Fact, Rule};
use super::symbol::Symbol;
use crate::statement::{Asked, CostDistribution, Functional, Statement, Term};
use rocproof_algebra::signed_sum;
use rocproof_arith::{Fraction, Multinomial, Rational, Variable};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::Reading;
use rocproof_language::{Expr, Kind, Op, Relation as Comparing, Source, parse};
use std::fmt::Write;

const PRELUDE: &str = include_str!("sympy_prelude.py");

/// A Python script that needs SymPy alone, prints a line for each step, and fails if one does not hold.
///
/// ```
/// use rocproof_prover::statement::Statement;
/// use rocproof_prover::theory::{prove, sympy};
/// let certificate = prove::identity(&Statement::parse("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3")?)?;
/// let script = sympy::script(&certificate);
/// assert!(script.contains("def AUC(F0, dF1, **_):\n    return F0*dF1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn script(certificate: &Certificate) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "#!/usr/bin/env python3\n# {}", certificate.statement);
    for hypothesis in certificate.hypotheses() {
        let _ = writeln!(out, "# Supposing: {hypothesis}.");
    }
    let _ = writeln!(out, "# Checks the proof with SymPy alone; fails if a step does not hold.\n\n{PRELUDE}\n");
    out += "# Definitions, as integrands along the curve.\n";
    let functions = functions(certificate);
    for function in &functions {
        let _ = write!(out, "\n\n{}", definition(&function.name, &function.text));
    }
    for (k, step) in certificate.steps().enumerate() {
        let _ = write!(out, "\n\n# Step {}: {}\n", k + 1, step.comparison);
        out += &Writer { step, statement: &certificate.statement, functions: &functions }.script();
    }
    for anchor in certificate.foundations().iter().filter(|anchor| anchor.starts_with("lemma-")) {
        let _ = writeln!(out, "\ngranted(\"what is integrated, and along which curve\", {})", quoted(anchor));
    }
    let _ = writeln!(out, "\nprint({})", quoted(&format!("verified: {}", certificate.statement)));
    out
}

/// A function of a script: the functional, its name in Python, and its definition.
struct Function {
    functional: String,
    name: String,
    text: String,
}

/// The functions of a script: what is integrated, and what is read at a place.
fn functions(certificate: &Certificate) -> Vec<Function> {
    let mut found: Vec<Function> = Vec::new();
    let mut add = |functional: String, text: &str| {
        if found.iter().any(|known| known.functional == functional) {
            return;
        }
        let mut name = identifier(&functional);
        // What differs in parentheses only needs another name.
        while found.iter().any(|known| known.name == name) {
            name.push('_');
        }
        found.push(Function { functional, name, text: text.to_owned() });
    };
    for step in certificate.steps() {
        step.lowering.integrals.iter().for_each(|integral| add(integral.name.name().to_owned(), &integral.text));
        for functional in step.comparison.sides().into_iter().flat_map(Term::functionals) {
            if let Some(text) = text_at_place(functional) {
                add(functional.to_string(), text);
            }
        }
    }
    found
}

/// The definition of a functional that looks at one place.
fn text_at_place(functional: &Functional) -> Option<&str> {
    functional.point()?;
    let reading = match &functional.asked {
        Asked::At(name, _) => return Some(name),
        Asked::Metric(definition, Some(_)) => definition.reading,
        Asked::Loss(method) => method.reading(),
        _ => return None,
    };
    match reading {
        Reading::AtScore(text) | Reading::AtRate(text) => Some(text),
        _ => None,
    }
}

/// A definition as a function of the names in it.
fn definition(name: &str, text: &str) -> String {
    let Ok(expr) = parse(&Source::new("definition", text)) else { return String::new() };
    let mut names = Vec::new();
    let body = python(&expr, &mut names);
    names.push("**_".into());
    format!("def {name}({}):\n    return {body}\n", names.join(", "))
}

/// An expression of the language in Python; the names in it are added to a list.
fn python(expr: &Expr, names: &mut Vec<String>) -> String {
    let mut note = |name: &String| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    };
    match &expr.kind {
        Kind::Number(value) => number(value),
        Kind::Name(name) => {
            note(name);
            name.clone()
        }
        Kind::Call(name, _, arguments) => {
            note(name);
            let arguments: Vec<String> = arguments.iter().map(|argument| python(argument, names)).collect();
            format!("{name}({})", arguments.join(", "))
        }
        Kind::Negate(inner) => format!("-{}", grouped(inner, names, 2)),
        Kind::Binary(op, left, right) => {
            let (symbol, [l, r]) = match op {
                Op::Add => (" + ", [1, 1]),
                Op::Sub => (" - ", [1, 2]),
                Op::Mul => ("*", [2, 2]),
                Op::Div => ("/", [2, 3]),
                Op::Pow => ("**", [4, 4]),
            };
            let (left, mut by) = (grouped(left, names, l), grouped(right, names, r));
            if *op == Op::Div && !by.contains(|letter: char| letter.is_alphabetic()) {
                by = format!("Integer({by})");
            }
            format!("{left}{symbol}{by}")
        }
        _ => String::new(),
    }
}

/// An expression, in parentheses if it holds together less tightly than `least`.
fn grouped(expr: &Expr, names: &mut Vec<String>, least: u8) -> String {
    let binding = match &expr.kind {
        Kind::Binary(Op::Add | Op::Sub, ..) | Kind::Negate(_) => 1,
        Kind::Binary(Op::Mul | Op::Div, ..) => 2,
        Kind::Binary(Op::Pow, ..) => 3,
        _ => 4,
    };
    let text = python(expr, names);
    if binding < least { format!("({text})") } else { text }
}

fn number(value: &Rational) -> String {
    if value.is_int() { value.to_string() } else { format!("Rational({}, {})", value.numerator(), value.denominator()) }
}

/// A name that Python accepts: `L[rd; beta(2, 2)]` as `L_rd_beta_2_2`.
fn identifier(name: &str) -> String {
    let signs = name
        .replace('+', " plus ")
        .replace('-', " minus ")
        .replace('*', " ")
        .replace('/', " over ")
        .replace('^', " to ");
    let parts = signs.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A symbol of the script.
fn symbol(variable: Variable) -> String {
    match Symbol::of(variable) {
        Symbol::Border => "border".into(),
        // A weight that nothing is known of.
        Symbol::Weight(at) => format!("any_weight({})", at.replace('^', "**")),
        Symbol::Parameter(_) | Symbol::Distance(_) | Symbol::At { .. } | Symbol::Integral(_) => {
            format!("V[{}]", quoted(variable.name()))
        }
        plain => plain.to_string(),
    }
}

fn polynomial(of: &Multinomial) -> String {
    let term = |(powers, coefficient): (&[(Variable, u32)], &Rational)| {
        let negative = *coefficient < Rational::ZERO;
        let size = if negative { -coefficient } else { coefficient.clone() };
        let mut factors: Vec<String> = powers
            .iter()
            .map(|(variable, power)| {
                let name = symbol(*variable);
                if *power == 1 { name } else { format!("{name}**{power}") }
            })
            .collect();
        if size != Rational::ONE || factors.is_empty() {
            factors.insert(0, number(&size));
        }
        (negative, factors.join("*"))
    };
    if of.is_zero() { "Integer(0)".into() } else { signed_sum(of.terms().map(term)) }
}

fn fraction(of: &Fraction) -> String {
    let above = polynomial(of.numerator());
    let below: Vec<String> = of.factors().map(|(factor, power)| format!("({})**{power}", polynomial(factor))).collect();
    if below.is_empty() { above } else { format!("({above})/({})", below.join("*")) }
}

fn pair([a, b]: &[Fraction; 2]) -> String {
    format!("({}, {})", fraction(a), fraction(b))
}

fn track(track: Track) -> &'static str {
    match track {
        Track::Own => "\"own\"",
        Track::Hull => "\"hull\"",
    }
}

struct Writer<'a> {
    step: &'a ProofStep,
    statement: &'a Statement,
    functions: &'a [Function],
}

impl Writer<'_> {
    /// The Python function of a functional.
    fn function(&self, functional: &str) -> &str {
        self.functions.iter().find(|known| known.functional == functional).map_or("", |known| &known.name)
    }

    fn lowering(&self) -> &Lowering {
        &self.step.lowering
    }

    fn script(&self) -> String {
        let mut out = String::new();
        let lowering = self.lowering();
        let _ = writeln!(out, "print({})", quoted(&self.step.comparison.to_string()));
        let _ = writeln!(
            out,
            "model, base, scale = {}, {}, {}",
            pair(&lowering.pi),
            pair(&lowering.base),
            pair(&lowering.range)
        );
        out += "# The stretches of the model's own curve, and of its hull: where they start and end in (x, F0, F1, c).\ncurves = {\n";
        for whose in [Track::Own, Track::Hull] {
            let _ = writeln!(out, "    {}: [", track(whose));
            lowering.stretches(whose).iter().for_each(|stretch| out += &stretch_text(stretch));
            out += "    ],\n";
        }
        out += "}\n";
        let _ = writeln!(out, "V = {{name: sp.Symbol(name) for name in [{}]}}", self.symbols().join(", "));
        out += "integrals = {\n";
        for integral in &lowering.integrals {
            let reading = self.reading(&integral.functional, integral.label, None);
            let name = integral.name.name();
            let form = format!("form({}(**{reading}))", self.function(name));
            let _ = writeln!(out, "    {}: ({}, {form}),", quoted(name), track(integral.track));
        }
        out += "}\n";
        self.others(&mut out);
        let _ = writeln!(
            out,
            "left, right = {}, {}",
            self.term(&self.step.comparison.left),
            self.term(&self.step.comparison.right)
        );
        match &self.step.proof {
            Proof::Vanishes(relations) => self.equality(&mut out, relations),
            Proof::Sum { scale, terms, potentials } => self.sum(&mut out, scale, terms, potentials),
        }
        out
    }

    /// The names that need a symbol: integrals, points of the curve, parameters.
    fn symbols(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.lowering().integrals.iter().map(|integral: &Integral| integral.name.name().to_owned()).collect();
        let mut add = |fraction: &Fraction| {
            for variable in fraction.variables() {
                let name = variable.name();
                if symbol(variable).starts_with('V') && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        };
        add(&self.step.left);
        add(&self.step.right);
        for functional in self.functionals() {
            functional
                .point()
                .and_then(|place| self.lowering().coordinates_at(functional, place).ok())
                .iter()
                .flatten()
                .for_each(&mut add);
        }
        if let Proof::Sum { terms, potentials, .. } = &self.step.proof {
            potentials.iter().for_each(|potential| add(&potential.function));
            for (_, rule) in terms {
                let known = rule.non_negative(&mut self.lowering().clone(), self.statement);
                known.iter().flat_map(|known| known.sum.fractions()).for_each(&mut add);
                self.factors(rule).iter().for_each(|(_, value, _)| add(value));
            }
        }
        names.iter().map(|name| quoted(name)).collect()
    }

    /// The functionals of the comparison and of the conditions that its proof uses.
    fn functionals(&self) -> Vec<&Functional> {
        let mut found: Vec<&Functional> =
            self.step.comparison.sides().into_iter().flat_map(Term::functionals).collect();
        if let Proof::Sum { terms, .. } = &self.step.proof {
            for (_, rule) in terms {
                if let Fact::Supposed { condition, .. } = &rule.fact
                    && let Ok(condition) = supposed(self.statement, *condition)
                {
                    found.extend(condition.sides().into_iter().flat_map(Term::functionals));
                }
            }
        }
        found
    }

    /// What a definition speaks of, for a functional.
    fn reading(&self, functional: &Functional, label: ScoreKind, at: Option<[Fraction; 2]>) -> String {
        let half = [1, 1].map(|one| Fraction::constant(Rational::from(one) / Rational::from(2)));
        let pi = if functional.condition == Condition::Skew { pair(&half) } else { "model".into() };
        let mut options = String::new();
        match label {
            ScoreKind::Score => {
                let _ = write!(options, ", scale=scale");
            }
            ScoreKind::Rate => options += ", score=\"rate\"",
            ScoreKind::Posterior => options += ", score=\"posterior\"",
        }
        match &functional.weight {
            CostDistribution::Any => options += ", weight=any_weight, mean=mean",
            CostDistribution::Known(cost) if cost.is_uniform() => {}
            CostDistribution::Known(cost) => {
                if let Some([a, b]) = cost.exact() {
                    let mean = number(&(&a / (&a + &b)));
                    let _ = write!(options, ", weight=beta_weight({}, {}), mean={mean}", number(&a), number(&b));
                }
            }
        }
        if let Some(at) = at {
            let _ = write!(options, ", at={}", pair(&at));
        }
        format!("reading(base, model, {pi}{options})")
    }

    /// Functionals that are no integrals: what is read at a place, and what is made of integrals.
    fn others(&self, out: &mut String) {
        let lowering = self.lowering();
        let mut seen: Vec<String> = lowering.integrals.iter().map(|integral| integral.name.name().to_owned()).collect();
        for functional in self.functionals() {
            let name = functional.to_string();
            if seen.contains(&name) {
                continue;
            }
            let spot = functional.point().and_then(|place| lowering.coordinates_at(functional, place).ok());
            let value = match spot {
                Some([_, f0, f1]) => {
                    let reading = self.reading(functional, ScoreKind::Score, Some([f0, f1]));
                    format!("{}(**{reading})", self.function(&name))
                }
                None => match lowering.clone().term(&Term::Value(Box::new(functional.clone()))) {
                    Ok(value) => fraction(&value),
                    Err(_) => continue,
                },
            };
            let _ = writeln!(out, "V[{}] = {value}", quoted(&name));
            seen.push(name);
        }
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Number(value) => value
                .exact
                .as_ref()
                .map_or_else(String::new, |v| format!("Rational({}, {})", v.numerator(), v.denominator())),
            Term::Symbol(name) => match name.as_str() {
                "pi0" => "model[0]".into(),
                "pi1" => "model[1]".into(),
                "l" => "scale[0]".into(),
                "h" => "scale[1]".into(),
                _ => self.lowering().clone().term(term).map_or_else(|_| String::new(), |value| fraction(&value)),
            },
            Term::Value(functional) => format!("V[{}]", quoted(&functional.to_string())),
            Term::Binary(op, left, right) => {
                let symbol = match op {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    _ => "/",
                };
                format!("({} {symbol} {})", self.term(left), self.term(right))
            }
            Term::Power(base, exponent) => format!("{}**({exponent})", self.term(base)),
            Term::Function(..) => String::new(),
        }
    }

    fn equality(&self, out: &mut String, relations: &[LinearRelation]) {
        out.push_str("difference = sp.sympify(left - right)\n");
        for relation in relations {
            let name = quoted(relation.integral.name());
            let others = relation
                .others
                .iter()
                .map(|(other, factor)| format!("({})*V[{}]", fraction(factor), quoted(other.name())));
            let others: Vec<String> = others.collect();
            let others = if others.is_empty() { "0".into() } else { others.join(" + ") };
            let constant = fraction(&relation.constant);
            let _ = writeln!(out, "others, constant = {others}, {constant}");
            let _ = writeln!(out, "rest = combination(V[{name}] - (others), V, integrals, curves)");
            let _ = writeln!(
                out,
                "if not is_zero(rest.value({}, curves, base) - constant):",
                potentials_text(&relation.potentials)
            );
            let _ = writeln!(out, "    fail(\"the potentials do not grow by the constant\")");
            let _ = writeln!(out, "print(\"  \", {name}, \"=\", sp.sympify(others + constant))");
            let _ = writeln!(out, "difference = difference.subs(V[{name}], others + constant)");
        }
        out.push_str("if not is_zero(difference):\n    fail(f\"the sides differ by {difference}\")\n");
        out.push_str("print(\"   the difference of the sides vanishes\")\n");
    }

    /// The factors of a rule: how each is written, its value, and its power.
    fn factors(&self, rule: &Rule) -> Vec<(String, Fraction, u32)> {
        let place = match &rule.fact {
            Fact::Along { track, stretch, .. } => Some((*track, *stretch)),
            _ => None,
        };
        let mut lowering = self.lowering().clone();
        let context = &mut Context { lowering: &mut lowering, statement: self.statement };
        let mut value = |factor: &Factor| factor.value(context, place).unwrap_or_else(|_| Fraction::zero());
        rule.factors.iter().map(|(factor, power)| (factor.name(), value(factor), *power)).collect()
    }

    fn sum(&self, out: &mut String, scale: &Fraction, terms: &[(Rational, Rule)], potentials: &[Potential]) {
        let (larger, smaller) = match self.step.comparison.relation {
            Comparing::AtMost | Comparing::Less => ("right", "left"),
            _ => ("left", "right"),
        };
        let _ = writeln!(out, "rest = combination(({})*({larger} - {smaller}), V, integrals, curves)", fraction(scale));
        let _ = writeln!(out, "if not is_positive({}):\n    fail(\"the scale is not positive\")", fraction(scale));
        let _ = writeln!(out, "strict = False");
        for (times, rule) in terms {
            out.push_str("# Not negative: ");
            let factors = self.factors(rule);
            let named =
                factors.iter().map(|(name, _, power)| format!("({name})^{power}")).collect::<Vec<_>>().join(" ");
            let square = rule.square.as_ref().map_or_else(String::new, |root| format!(" ({root})^2"));
            let _ = writeln!(out, "{} {named}{square}", fact_text(&rule.fact));
            let mut product: Vec<String> =
                factors.iter().map(|(_, value, power)| format!("({})**{power}", fraction(value))).collect();
            if let Some(root) = &rule.square {
                let mut lowering = self.lowering().clone();
                let context = &mut Context { lowering: &mut lowering, statement: self.statement };
                let root = super::rules::factor::polynomial(context, root).unwrap_or_else(|_| Fraction::zero());
                product.push(format!("({})**2", fraction(&root)));
            }
            for ((factor, _), (name, value, _)) in rule.factors.iter().zip(&factors) {
                let (name, anchor) = (quoted(name), quoted(foundations::of_factor(factor)));
                let _ = writeln!(out, "factor({name}, {}, {anchor}, base, scale)", fraction(value));
            }
            if let Some(fact) = granted(&rule.fact) {
                let anchor =
                    foundations::of_rule(&Rule::of(rule.fact.clone())).first().copied().unwrap_or("certificates");
                let _ = writeln!(out, "granted({}, {})", quoted(&fact), quoted(anchor));
            }
            let product = if product.is_empty() { "Integer(1)".into() } else { product.join("*") };
            let _ = writeln!(out, "product = {product}");
            self.fact(out, &rule.fact);
            let known = rule.non_negative(&mut self.lowering().clone(), self.statement);
            let _ = writeln!(out, "times = {}", number_in(times));
            match known {
                Ok(known) if known.positive && is_strict(self.step.comparison.relation) => match &rule.fact {
                    Fact::Supposed { .. } => {
                        out.push_str(
                            "# The condition is strict.\nstrict = strict or (times > 0 and is_positive(product))\n",
                        );
                    }
                    _ if known.sum.forms.is_empty() => {
                        out.push_str("strict = strict or (times > 0 and is_positive(known.number))\n");
                    }
                    _ => {}
                },
                _ => {}
            }
            out.push_str("if times < 0:\n    fail(\"a term is taken negatively often\")\nrest.plus(known, -times)\n");
        }
        if is_strict(self.step.comparison.relation) {
            out.push_str("if not strict:\n    fail(\"no term is positive\")\n");
        }
        let _ = writeln!(out, "if not is_zero(rest.value({}, curves, base)):", potentials_text(potentials));
        let _ = writeln!(out, "    fail(\"the difference is not the sum\")");
        let _ = writeln!(out, "print(\"   the difference is a sum of {} terms that are not negative\")", terms.len());
    }

    fn fact(&self, out: &mut String, fact: &Fact) {
        match fact {
            Fact::One => out.push_str("known = Sum(product)\n"),
            Fact::Share(text) => {
                let mut lowering = self.lowering().clone();
                let context = &mut Context { lowering: &mut lowering, statement: self.statement };
                let share = super::rules::factor::polynomial(context, text).unwrap_or_else(|_| Fraction::zero());
                let _ = writeln!(out, "share = {}", fraction(&share));
                out.push_str("if not never_negative(share):\n    fail(f\"{share} is negative somewhere\")\nknown = Sum(share*product)\n");
            }
            Fact::Along { track: whose, stretch, differential } => {
                let whose = if self.lowering().is_convex(Track::Own) { Track::Own } else { *whose };
                let parts = match differential {
                    Differential::Score => "[product, 0, 0]",
                    Differential::F0 => "[0, (1 - c)*product, 0]",
                    Differential::F1 => "[0, c*product, 0]",
                    Differential::Rate => "[0, product, 0]",
                    Differential::Posterior => "[0, 0, product]",
                };
                let stretch = stretch.map_or_else(|| "None".to_owned(), |k| k.to_string());
                let _ = writeln!(out, "known = along({}, {parts}, curves, {stretch})", track(whose));
            }
            Fact::Triangle { .. } | Fact::Value { .. } => self.valued(out, fact),
            Fact::Optimality { .. } | Fact::Hull(_) | Fact::Supposed { .. } => self.compared(out, fact),
        }
    }

    /// Facts that compare two integrals.
    fn compared(&self, out: &mut String, fact: &Fact) {
        match fact {
            Fact::Optimality { loss } => {
                let mut lowering = self.lowering().clone();
                let context = Context { lowering: &mut lowering, statement: self.statement };
                let Ok(functional) = super::rules::factor::functional(&context, loss) else { return };
                let mut optimal = functional.clone();
                optimal.asked = Asked::Loss(rocproof_language::definition::Method::Optimal);
                optimal.transforms.clear();
                let value = |of: &Functional| {
                    let term = Term::Value(Box::new(of.clone()));
                    self.lowering().clone().term(&term).map_or_else(|_| String::new(), |value| fraction(&value))
                };
                let _ = writeln!(
                    out,
                    "known = Sum().plus(combination(product*({} - {}), V, integrals, curves))",
                    value(&functional),
                    value(&optimal)
                );
            }
            Fact::Hull(hulled) => {
                let Ok(sum) = hulled.sum(self.lowering()) else { return };
                out.push_str("known = Sum()\n");
                for ((whose, k), form) in &sum.forms {
                    let parts: Vec<String> =
                        form.parts().iter().map(|part| format!("product*({})", fraction(part))).collect();
                    let _ = writeln!(out, "known.add(({}, {k}), [{}])", track(*whose), parts.join(", "));
                }
            }
            Fact::Supposed { condition, turned } => {
                let Ok(condition) = supposed(self.statement, *condition) else { return };
                let [left, right] = condition.sides().map(|side| self.term(side));
                let left_is_larger = !matches!(condition.relation, Comparing::AtMost | Comparing::Less) != *turned;
                let (larger, smaller) = if left_is_larger { (left, right) } else { (right, left) };
                let _ = writeln!(out, "known = combination(product*({larger} - {smaller}), V, integrals, curves)");
            }
            _ => {}
        }
    }

    /// Facts about areas below hulls, and about integrals and their values.
    fn valued(&self, out: &mut String, fact: &Fact) {
        let mut lowering = self.lowering().clone();
        match fact {
            Fact::Triangle { .. } => {
                let Ok(known) = Rule::of(fact.clone()).non_negative(&mut lowering, self.statement) else { return };
                let hull = if lowering.is_convex(Track::Own) { Track::Own } else { Track::Hull };
                let _ = writeln!(out, "known = along({}, [0, product*2*F0*c/base[1], 0], curves)", track(hull));
                let _ = writeln!(out, "known.number += product*({})", fraction(&known.sum.value));
            }
            Fact::Value { functional, times } => {
                let context = &mut Context { lowering: &mut lowering, statement: self.statement };
                let mut read =
                    |text: &str| super::rules::factor::polynomial(context, text).unwrap_or_else(|_| Fraction::zero());
                let (times, value) = (read(times), read(functional));
                let Some(name) = value.variables().into_iter().next() else { return };
                let _ = writeln!(out, "times = product*({})", fraction(&times));
                let _ = writeln!(out, "track, parts = integrals[{}]", quoted(name.name()));
                out.push_str("known = Sum().plus(along(track, parts, curves), times)\n");
                let _ = writeln!(out, "known.number -= times*V[{}]", quoted(name.name()));
            }
            _ => {}
        }
    }
}

fn number_in(value: &Rational) -> String {
    format!("Rational({}, {})", value.numerator(), value.denominator())
}

/// What a script takes for granted of a fact, if there is something: SymPy knows the algebra of it, not its sign.
fn granted(fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::One | Fact::Share(_) | Fact::Value { .. } => return None,
        Fact::Along { differential: Differential::Posterior, .. } => "c never falls along this curve".into(),
        Fact::Along { .. } => "scores and distribution functions never fall".into(),
        Fact::Optimality { loss } => format!("{loss} is at least the optimal loss"),
        Fact::Hull(_) => "the curve and its hull compare so".into(),
        Fact::Triangle { .. } => "the area below the hull is at least that below two chords".into(),
        Fact::Supposed { condition, .. } => format!("condition {} of the statement is supposed", condition + 1),
    })
}

/// A fact in words.
fn fact_text(fact: &Fact) -> String {
    match fact {
        Fact::One => "1 times".into(),
        Fact::Share(text) => format!("{text} for 0 < pi0 < 1, times"),
        Fact::Along { differential, .. } => {
            let what = serde_json::to_value(differential).ok().and_then(|v| v.as_str().map(str::to_owned));
            format!("the integral with respect to {}, which never falls, of", what.unwrap_or_default())
        }
        Fact::Optimality { loss } => {
            format!("{loss} minus the optimal loss under the same operating conditions, times")
        }
        Fact::Triangle { .. } => {
            "twice the area below the hull, less 1 and the height of a point above the diagonal, times".into()
        }
        Fact::Value { functional, .. } => format!("0, the integral of {functional} less its value, times"),
        Fact::Hull(_) => "what the curve and its hull differ by, times".into(),
        Fact::Supposed { condition, .. } => format!("condition {} of the statement, times", condition + 1),
    }
}

fn stretch_text(stretch: &CurveStretch) -> String {
    let fixed: Vec<String> = stretch.fixed.iter().map(|(name, value)| format!("{name}: {}", fraction(value))).collect();
    let moves = stretch.moves.map(|moves| if moves { "True" } else { "False" }).join(", ");
    let ends = [&stretch.start, &stretch.end].map(|end| end.each_ref().map(fraction).join(", "));
    format!(
        "        dict(name={}, fixed={{{}}}, moves=({moves}),\n             start=({}), end=({})),\n",
        quoted(stretch.name),
        fixed.join(", "),
        ends[0],
        ends[1]
    )
}

fn potentials_text(potentials: &[Potential]) -> String {
    let all: Vec<String> =
        potentials.iter().map(|p| format!("({}, {}): {}", track(p.track), p.stretch, fraction(&p.function))).collect();
    format!("{{{}}}", all.join(", "))
}
