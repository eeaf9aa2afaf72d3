//! Certificates as stand-alone SymPy scripts.
//!
//! A script contains the definitions of the functionals as text, substitutes the coordinates of a curve, and checks every step of the proof
//! with SymPy's own algebra and derivatives.

use super::certificate::{Certificate, Proof, ProofStep};
use super::foundations;
use super::lower::{Integral, Lowering, ScoreKind, Track};
use super::path::CurveStretch;
use super::python::{expression, fraction, number, pair, quoted, rational, symbol, term, track};
use super::relation::{LinearRelation, Potential};
use super::rule_text::{FactText, track_of};
use super::rules::factor::{Factor, is_strict, polynomial, supposed};
use super::rules::{Context, Fact, Rule};
use super::typeset::Style;
use crate::statement::{Asked, CostDistribution, Functional, Statement, Term};
use rocproof_arith::{Fraction, Rational, Variable};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::Reading;
use rocproof_language::{Relation, Source, parse};
use std::fmt::Write;

/// The Python functions that every script begins with.
const PRELUDE: &str = include_str!("sympy_prelude.py");

/// A Python script that checks a certificate. It needs SymPy only, prints a line for each step, and fails if a step does not hold.
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
        out += &ScriptWriter { step, statement: &certificate.statement, functions: &functions }.script();
    }
    for anchor in certificate.foundations().iter().filter(|anchor| anchor.starts_with("lemma-")) {
        let _ = writeln!(
            out,
            "\ngranted(\"the integrand, and the curve that it is integrated along\", {})",
            quoted(anchor)
        );
    }
    let _ = writeln!(out, "\nprint({})", quoted(&format!("verified: {}", certificate.statement)));
    out
}

/// A function of a script.
struct PythonFunction {
    /// The functional, as the language writes it.
    functional: String,
    /// The name in Python.
    name: String,
    /// The definition, an expression of the language.
    text: String,
}

/// The functions of a script: integrands, and definitions of functionals at a point.
fn functions(certificate: &Certificate) -> Vec<PythonFunction> {
    let mut functions: Vec<PythonFunction> = Vec::new();
    let mut add = |functional: String, text: &str| {
        if functions.iter().any(|known| known.functional == functional) {
            return;
        }
        let mut name = identifier(&functional);
        // Two functionals whose texts differ only in punctuation would get the same identifier: append underscores.
        while functions.iter().any(|known| known.name == name) {
            name.push('_');
        }
        functions.push(PythonFunction { functional, name, text: text.to_owned() });
    };
    for step in certificate.steps() {
        step.lowering.integrals.iter().for_each(|integral| add(integral.name.name().to_owned(), &integral.text));
        for functional in step.comparison.sides().into_iter().flat_map(Term::functionals) {
            if let Some(text) = text_at_point(functional) {
                add(functional.to_string(), text);
            }
        }
    }
    functions
}

/// The definition of a functional that reads one point of the curve; `None` for other functionals.
fn text_at_point(functional: &Functional) -> Option<&str> {
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

/// A definition as a Python function of the names in it; it ignores other arguments.
fn definition(name: &str, text: &str) -> String {
    let Ok(expr) = parse(&Source::new("definition", text)) else { return String::new() };
    let mut names = Vec::new();
    let body = expression(&expr, &mut names);
    names.push("**_".into());
    format!("def {name}({}):\n    return {body}\n", names.join(", "))
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

/// Writes the script of one step.
struct ScriptWriter<'a> {
    step: &'a ProofStep,
    statement: &'a Statement,
    functions: &'a [PythonFunction],
}

impl ScriptWriter<'_> {
    /// The Python function of a functional.
    fn function(&self, functional: &str) -> &str {
        self.functions.iter().find(|known| known.functional == functional).map_or("", |known| &known.name)
    }

    fn lowering(&self) -> &Lowering {
        &self.step.lowering
    }

    /// The checks of the step. They use the variables that are set before: the curves, the symbols `V`, the integrals, and both sides.
    fn script(&self) -> String {
        let mut out = String::new();
        let lowering = self.lowering();
        let _ = writeln!(out, "print({})", quoted(&self.step.comparison.to_string()));
        let [model, base, scale] = [&lowering.pi, &lowering.base, &lowering.range].map(pair);
        let _ = writeln!(out, "model, base, scale = {model}, {base}, {scale}");
        self.curves(&mut out);
        let _ = writeln!(out, "V = {{name: sp.Symbol(name) for name in [{}]}}", self.symbols().join(", "));
        out += "integrals = {\n";
        for integral in &lowering.integrals {
            let reading = self.reading(&integral.functional, integral.score_kind, None);
            let name = integral.name.name();
            let form = format!("form({}(**{reading}))", self.function(name));
            let _ = writeln!(out, "    {}: ({}, {form}),", quoted(name), track(integral.track));
        }
        out += "}\n";
        self.derived_values(&mut out);
        let [left, right] = self.step.comparison.sides().map(|side| term(side, lowering));
        let _ = writeln!(out, "left, right = {left}, {right}");
        match &self.step.proof {
            Proof::Vanishes(relations) => self.equality(&mut out, relations),
            Proof::Sum { scale, terms, potentials } => self.sum(&mut out, scale, terms, potentials),
        }
        out
    }

    /// Writes the stretches of both tracks.
    fn curves(&self, out: &mut String) {
        *out += "# The stretches of the model's own curve, and of its hull: where they start and end in (x, F0, F1, c).\ncurves = {\n";
        for whose in [Track::Own, Track::Hull] {
            let _ = writeln!(out, "    {}: [", track(whose));
            self.lowering().stretches(whose).iter().for_each(|stretch| *out += &stretch_text(stretch));
            *out += "    ],\n";
        }
        *out += "}\n";
    }

    /// The names of the symbols of a step, quoted: integrals, values at points of the curve, parameters.
    fn symbols(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.lowering().integrals.iter().map(|integral: &Integral| integral.name.name().to_owned()).collect();
        // Symbols that the script writes as `V[name]`; the prelude defines the others.
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
            self.coordinates(functional).iter().flatten().for_each(&mut add);
        }
        if let Proof::Sum { terms, potentials, .. } = &self.step.proof {
            potentials.iter().for_each(|potential| add(&potential.function));
            for (_, rule) in terms {
                let known = rule.non_negative(&mut self.lowering().clone(), self.statement);
                known.iter().flat_map(|known| known.sum.fractions()).for_each(&mut add);
                self.factors(rule).iter().for_each(|factor| add(&factor.value));
            }
        }
        names.iter().map(|name| quoted(name)).collect()
    }

    /// The coordinates of the point that a functional reads: score or rate, `F0` and `F1`. `None` if it reads no point.
    fn coordinates(&self, functional: &Functional) -> Option<[Fraction; 3]> {
        self.lowering().coordinates_at(functional, functional.point()?).ok()
    }

    /// The functionals of the comparison and of the conditions that its proof uses.
    fn functionals(&self) -> Vec<&Functional> {
        let mut functionals: Vec<&Functional> =
            self.step.comparison.sides().into_iter().flat_map(Term::functionals).collect();
        if let Proof::Sum { terms, .. } = &self.step.proof {
            for (_, rule) in terms {
                if let Fact::Supposed { condition, .. } = &rule.fact
                    && let Ok(condition) = supposed(self.statement, *condition)
                {
                    functionals.extend(condition.sides().into_iter().flat_map(Term::functionals));
                }
            }
        }
        functionals
    }

    /// A call that gives the values of the names in the definition of a functional: along the curve, or at the point with these `F0` and `F1`.
    fn reading(&self, functional: &Functional, score_kind: ScoreKind, point: Option<[Fraction; 2]>) -> String {
        let half = Fraction::constant(Rational::from(1) / Rational::from(2));
        let is_balanced = functional.condition == Condition::Skew;
        let pi = if is_balanced { pair(&[half.clone(), half]) } else { "model".into() };
        let mut options = String::new();
        options += match score_kind {
            ScoreKind::Score => ", scale=scale",
            ScoreKind::Rate => ", score=\"rate\"",
            ScoreKind::Posterior => ", score=\"posterior\"",
        };
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
        if let Some(point) = point {
            let _ = write!(options, ", at={}", pair(&point));
        }
        format!("reading(base, model, {pi}{options})")
    }

    /// Writes the values of functionals that are not integrals: those at a point, and those defined by integrals.
    fn derived_values(&self, out: &mut String) {
        let lowering = self.lowering();
        let mut written: Vec<String> =
            lowering.integrals.iter().map(|integral| integral.name.name().to_owned()).collect();
        for functional in self.functionals() {
            let name = functional.to_string();
            if written.contains(&name) {
                continue;
            }
            let value = if let Some([_, f0, f1]) = self.coordinates(functional) {
                let reading = self.reading(functional, ScoreKind::Score, Some([f0, f1]));
                format!("{}(**{reading})", self.function(&name))
            } else if let Ok(value) = lowering.clone().term(&Term::Value(Box::new(functional.clone()))) {
                fraction(&value)
            } else {
                continue;
            };
            let _ = writeln!(out, "V[{}] = {value}", quoted(&name));
            written.push(name);
        }
    }

    /// Writes the check of an equation: each relation holds, and after their substitution the difference of the sides is 0.
    fn equality(&self, out: &mut String, relations: &[LinearRelation]) {
        out.push_str("difference = sp.sympify(left - right)\n");
        for relation in relations {
            let name = quoted(relation.integral.name());
            let multiple =
                |(other, factor): &(Variable, Fraction)| format!("({})*V[{}]", fraction(factor), quoted(other.name()));
            let others: Vec<String> = relation.others.iter().map(multiple).collect();
            let others = if others.is_empty() { "0".into() } else { others.join(" + ") };
            let constant = fraction(&relation.constant);
            let potentials = potentials_text(&relation.potentials);
            let _ = writeln!(out, "others, constant = {others}, {constant}");
            let _ = writeln!(out, "rest = combination(V[{name}] - (others), V, integrals, curves)");
            let _ = writeln!(out, "if not is_zero(rest.value({potentials}, curves, base) - constant):");
            let _ = writeln!(out, "    fail(\"the potentials do not grow by the constant\")");
            let _ = writeln!(out, "print(\"  \", {name}, \"=\", sp.sympify(others + constant))");
            let _ = writeln!(out, "difference = difference.subs(V[{name}], others + constant)");
        }
        out.push_str("if not is_zero(difference):\n    fail(f\"the sides differ by {difference}\")\n");
        out.push_str("print(\"   the difference of the sides vanishes\")\n");
    }

    /// The factors of a rule.
    fn factors(&self, rule: &Rule) -> Vec<FactorValue> {
        let mut lowering = self.lowering().clone();
        let context = &mut Context { lowering: &mut lowering, statement: self.statement };
        let value = |(factor, power): &(Factor, u32)| FactorValue {
            name: factor.name(),
            value: factor.value(context, track_of(rule)).unwrap_or_else(|_| Fraction::zero()),
            power: *power,
            anchor: foundations::of_factor(factor),
        };
        rule.factors.iter().map(value).collect()
    }

    /// Writes the check of an inequality: the difference of the sides minus the sum of rules is a differential, and each rule is not negative.
    fn sum(&self, out: &mut String, scale: &Fraction, terms: &[(Rational, Rule)], potentials: &[Potential]) {
        let relation = self.step.comparison.relation;
        let (larger, smaller) = match relation {
            Relation::AtMost | Relation::Less => ("right", "left"),
            Relation::AtLeast | Relation::Greater | Relation::Equal => ("left", "right"),
        };
        let scale = fraction(scale);
        let _ = writeln!(out, "rest = combination(({scale})*({larger} - {smaller}), V, integrals, curves)");
        let _ = writeln!(out, "if not is_positive({scale}):\n    fail(\"the scale is not positive\")");
        let _ = writeln!(out, "strict = False");
        for (times, rule) in terms {
            self.rule(out, rule);
            let _ = writeln!(out, "times = {}", rational(times));
            if is_strict(relation) {
                out.push_str(self.strictness(rule));
            }
            out.push_str("if times < 0:\n    fail(\"a term is taken negatively often\")\nrest.plus(known, -times)\n");
        }
        if is_strict(relation) {
            out.push_str("if not strict:\n    fail(\"no term is positive\")\n");
        }
        let _ = writeln!(out, "if not is_zero(rest.value({}, curves, base)):", potentials_text(potentials));
        let _ = writeln!(out, "    fail(\"the difference is not the sum\")");
        let _ = writeln!(out, "print(\"   the difference is a sum of {} terms that are not negative\")", terms.len());
    }

    /// Writes the check of a rule: the signs of its factors, their `product`, and the sum `known` that is not negative.
    fn rule(&self, out: &mut String, rule: &Rule) {
        let factors = self.factors(rule);
        let fact = FactText::new(self.step, self.statement, Style::Text, &rule.fact, "");
        let names: Vec<String> = factors.iter().map(|factor| format!("({})^{}", factor.name, factor.power)).collect();
        let square = rule.square.as_ref().map_or_else(String::new, |root| format!(" ({root})^2"));
        let _ = writeln!(out, "# Not negative: {} {}{square}", fact.comment, names.join(" "));
        for FactorValue { name, value, anchor, .. } in &factors {
            let _ = writeln!(out, "factor({}, {}, {}, base, scale)", quoted(name), fraction(value), quoted(anchor));
        }
        if let Some(granted) = &fact.granted {
            let anchors = foundations::of_rule(&Rule::of(rule.fact.clone()));
            let anchor = anchors.first().copied().unwrap_or("certificates");
            let _ = writeln!(out, "granted({}, {})", quoted(granted), quoted(anchor));
        }
        let mut product: Vec<String> =
            factors.iter().map(|factor| format!("({})**{}", fraction(&factor.value), factor.power)).collect();
        if let Some(root) = &rule.square {
            let mut lowering = self.lowering().clone();
            let context = &mut Context { lowering: &mut lowering, statement: self.statement };
            let root = polynomial(context, root).unwrap_or_else(|_| Fraction::zero());
            product.push(format!("({})**2", fraction(&root)));
        }
        let product = if product.is_empty() { "Integer(1)".into() } else { product.join("*") };
        let _ = writeln!(out, "product = {product}");
        out.push_str(&fact.python);
    }

    /// The code that sets `strict` if a rule is positive, for a strict inequality; empty if the rule may be 0.
    fn strictness(&self, rule: &Rule) -> &'static str {
        match rule.non_negative(&mut self.lowering().clone(), self.statement) {
            Ok(known) if !known.positive => "",
            Ok(_) if matches!(rule.fact, Fact::Supposed { .. }) => {
                "# The condition is strict.\nstrict = strict or (times > 0 and is_positive(product))\n"
            }
            Ok(known) if known.sum.forms.is_empty() => "strict = strict or (times > 0 and is_positive(known.number))\n",
            _ => "",
        }
    }
}

/// A factor of a rule.
struct FactorValue {
    name: String,
    value: Fraction,
    power: u32,
    /// Where the foundations prove that the factor is not negative.
    anchor: &'static str,
}

/// A stretch as an element of a Python list: a call of `dict`.
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

/// Potentials as a Python dictionary, by track and number of the stretch.
fn potentials_text(potentials: &[Potential]) -> String {
    let all: Vec<String> =
        potentials.iter().map(|p| format!("({}, {}): {}", track(p.track), p.stretch, fraction(&p.function))).collect();
    format!("{{{}}}", all.join(", "))
}
