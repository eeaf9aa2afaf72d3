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
use super::rules::factor::{Factor, is_strict, supposed};
use super::rules::{Context, Fact, Rule};
use super::typeset::Style;
use crate::statement::{Asked, CostDistribution, Functional, Statement, Term};
use rocproof_arith::{Fraction, Rational};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::Reading;
use rocproof_language::{Relation, Source, parse};
use std::fmt::Write;

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
        let _ = writeln!(out, "\ngranted(\"what is integrated, and along which curve\", {})", quoted(anchor));
    }
    let _ = writeln!(out, "\nprint({})", quoted(&format!("verified: {}", certificate.statement)));
    out
}

/// A function of a script: the functional, its name in Python, and its definition.
struct PythonFunction {
    functional: String,
    name: String,
    text: String,
}

/// The functions of a script: integrands, and definitions of functionals at a point.
fn functions(certificate: &Certificate) -> Vec<PythonFunction> {
    let mut found: Vec<PythonFunction> = Vec::new();
    let mut add = |functional: String, text: &str| {
        if found.iter().any(|known| known.functional == functional) {
            return;
        }
        let mut name = identifier(&functional);
        // Two functionals whose texts differ only in punctuation would get the same identifier: append underscores.
        while found.iter().any(|known| known.name == name) {
            name.push('_');
        }
        found.push(PythonFunction { functional, name, text: text.to_owned() });
    };
    for step in certificate.steps() {
        step.lowering.integrals.iter().for_each(|integral| add(integral.name.name().to_owned(), &integral.text));
        for functional in step.comparison.sides().into_iter().flat_map(Term::functionals) {
            if let Some(text) = text_at_point(functional) {
                add(functional.to_string(), text);
            }
        }
    }
    found
}

/// The definition of a functional that reads one point of the curve.
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

/// A definition as a function of the names in it.
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
            let reading = self.reading(&integral.functional, integral.score_kind, None);
            let name = integral.name.name();
            let form = format!("form({}(**{reading}))", self.function(name));
            let _ = writeln!(out, "    {}: ({}, {form}),", quoted(name), track(integral.track));
        }
        out += "}\n";
        self.derived_values(&mut out);
        let _ = writeln!(
            out,
            "left, right = {}, {}",
            term(&self.step.comparison.left, self.lowering()),
            term(&self.step.comparison.right, self.lowering())
        );
        match &self.step.proof {
            Proof::Vanishes(relations) => self.equality(&mut out, relations),
            Proof::Sum { scale, terms, potentials } => self.sum(&mut out, scale, terms, potentials),
        }
        out
    }

    /// The names of the symbols of a step, quoted: integrals, values at points of the curve, parameters.
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

    /// The values of the names in the definition of a functional.
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

    /// Writes the values of functionals that are not integrals: those at a point, and those defined by integrals.
    fn derived_values(&self, out: &mut String) {
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

    /// Writes the check of an equation.
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

    /// The factors of a rule: name, value and power.
    fn factors(&self, rule: &Rule) -> Vec<(String, Fraction, u32)> {
        let mut lowering = self.lowering().clone();
        let context = &mut Context { lowering: &mut lowering, statement: self.statement };
        let mut value = |factor: &Factor| factor.value(context, track_of(rule)).unwrap_or_else(|_| Fraction::zero());
        rule.factors.iter().map(|(factor, power)| (factor.name(), value(factor), *power)).collect()
    }

    /// Writes the check of an inequality.
    fn sum(&self, out: &mut String, scale: &Fraction, terms: &[(Rational, Rule)], potentials: &[Potential]) {
        let (larger, smaller) = match self.step.comparison.relation {
            Relation::AtMost | Relation::Less => ("right", "left"),
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
            let fact = FactText::new(self.step, self.statement, Style::Text, &rule.fact, "");
            let _ = writeln!(out, "{} {named}{square}", fact.comment);
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
            if let Some(granted) = &fact.granted {
                let anchor =
                    foundations::of_rule(&Rule::of(rule.fact.clone())).first().copied().unwrap_or("certificates");
                let _ = writeln!(out, "granted({}, {})", quoted(granted), quoted(anchor));
            }
            let product = if product.is_empty() { "Integer(1)".into() } else { product.join("*") };
            let _ = writeln!(out, "product = {product}");
            out.push_str(&fact.python);
            let known = rule.non_negative(&mut self.lowering().clone(), self.statement);
            let _ = writeln!(out, "times = {}", rational(times));
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
}

/// A stretch as a Python dictionary.
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

/// Potentials as a Python dictionary.
fn potentials_text(potentials: &[Potential]) -> String {
    let all: Vec<String> =
        potentials.iter().map(|p| format!("({}, {}): {}", track(p.track), p.stretch, fraction(&p.function))).collect();
    format!("{{{}}}", all.join(", "))
}
