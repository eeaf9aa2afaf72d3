//! Certificates as readable derivations, in plain text and in LaTeX.

use super::certificate::{Certificate, Proof, ProofStep};
use super::lower::{Base, Integral, ScoreKind, Track};
use super::path::CurveStretch;
use super::relation::{LinearRelation, Potential};
use super::rule_text::{FactText, FactorText};
use super::rules::factor::polynomial;
use super::rules::{Context, Rule};
use super::symbol::Symbol;
use super::typeset::Style;
use crate::statement::{CostDistribution, Statement};
use rocproof_algebra::signed_sum;
use rocproof_arith::{Fraction, Rational, Variable};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::LOSS;
use rocproof_language::Relation;
use std::fmt::Write;

/// The derivation of a certificate in plain text.
///
/// ```
/// use rocproof_prover::statement::Statement;
/// use rocproof_prover::theory::{derivation, prove};
/// let certificate = prove::identity(&Statement::parse("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3")?)?;
/// let text = derivation::text(&certificate);
/// assert!(text.contains("L[rd] = ∫ Q(R) w(R) dR"), "{text}");
/// assert!(text.contains("L[rd] = -2 π0 π1 AUC + 1/3 + π0 π1"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn text(certificate: &Certificate) -> String {
    let line = |block: Block| match block {
        Block::Heading(words) | Block::Words(words) => format!("{words}\n"),
        Block::Formula(formula) => format!("    {formula}\n"),
        Block::End => "∎\n".to_owned(),
    };
    derive(Style::Text, certificate).into_iter().map(line).collect()
}

/// The derivation of a certificate in LaTeX: a statement and its proof, to be set with `amsmath`.
pub fn latex(certificate: &Certificate) -> String {
    let line = |block: Block| match block {
        Block::Heading(words) => format!("\\par\\medskip\\noindent\\textbf{{{words}}}\n"),
        Block::Words(words) => format!("{words}\\par\n"),
        // Inline mathematics can break long formulas at their signs.
        Block::Formula(formula) => format!("\\begin{{flushleft}}$\\displaystyle {formula}$\\end{{flushleft}}\n"),
        Block::End => "\\hfill$\\square$\\par\n".to_owned(),
    };
    blocks(certificate).into_iter().map(line).collect()
}

/// A block of a derivation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A sentence.
    Words(String),
    /// A formula on a line of its own.
    Formula(String),
    /// The end of a proof.
    End,
}

/// The blocks of a derivation, with formulas in LaTeX; within sentences formulas stand between dollars.
pub fn blocks(certificate: &Certificate) -> Vec<Block> {
    derive(Style::Latex, certificate)
}

/// The blocks of a derivation in a style.
fn derive(style: Style, certificate: &Certificate) -> Vec<Block> {
    DerivationWriter { style, statement: &certificate.statement, out: Vec::new() }.derivation(certificate)
}

/// A document around the LaTeX of derivations.
pub fn document(derivations: &[String]) -> String {
    let head = "\\documentclass{article}\n\\usepackage{amsmath,amssymb}\n\\allowdisplaybreaks\n\\begin{document}\n";
    format!("{head}{}\n\\end{{document}}\n", derivations.join("\n\\bigskip\n"))
}

/// Collects the blocks of a derivation.
struct DerivationWriter<'a> {
    style: Style,
    statement: &'a Statement,
    out: Vec<Block>,
}

impl DerivationWriter<'_> {
    /// Writes the statement, the hypotheses, and the proof step by step.
    fn derivation(mut self, certificate: &Certificate) -> Vec<Block> {
        let style = self.style;
        self.heading("Statement.");
        for claim in &certificate.claims {
            self.show(&style.comparison(&claim.comparison));
        }
        let hypotheses = certificate.hypotheses();
        if hypotheses.is_empty() {
            self.say("For every model.");
        } else {
            let hypotheses: Vec<String> = hypotheses.iter().map(|text| style.hypothesis(text)).collect();
            self.say(&format!("For every model, supposing: {}.", hypotheses.join("; ")));
        }
        self.heading("Proof.");
        // A description of the curve or a definition that an earlier step has is not repeated. Definitions depend on the curve.
        let (mut curve, mut definitions) = (String::new(), Vec::new());
        for step in certificate.steps() {
            let description = self.curve_description(step);
            if description != curve {
                self.say(&description);
                curve = description;
                definitions.clear();
            }
            if certificate.steps().count() > 1 {
                self.say(&format!("Claim: {}.", style.inline(&style.comparison(&step.comparison))));
            }
            self.definitions(step, &mut definitions);
            match &step.proof {
                Proof::Vanishes(relations) => self.equality(step, relations),
                Proof::Sum { scale, terms, potentials } => self.sum(step, scale, terms, potentials),
            }
        }
        let anchors = certificate.foundations();
        if !anchors.is_empty() {
            self.say(&style.foundations(&anchors));
        }
        self.out.push(Block::End);
        self.out
    }

    /// Appends a heading.
    fn heading(&mut self, words: &str) {
        self.out.push(Block::Heading(words.to_owned()));
    }

    /// Appends a paragraph.
    fn say(&mut self, words: &str) {
        self.out.push(Block::Words(words.to_owned()));
    }

    /// Appends a displayed formula.
    fn show(&mut self, formula: &str) {
        self.out.push(Block::Formula(formula.to_owned()));
    }

    /// Describes the curve that the integrals of a step follow: its coordinates, the relations between their differentials, and its stretches.
    fn curve_description(&self, step: &ProofStep) -> String {
        let (style, lowering) = (self.style, &step.lowering);
        let [beta0, beta1] = &lowering.base;
        let coordinates = style.inline(&style.point(["x", "F0", "F1", "c"]));
        let base = match step.base {
            Base::Given => "",
            Base::Balanced => ", made with balanced classes",
        };
        // `beta dF = share dR` for each class.
        let relation = |name: &str, beta: &Fraction, share: &str| {
            let beta = parenthesize_spaced(style.fraction(beta));
            let [differential, rate] = [style.differential(name), style.differential("dR")];
            style.inline(&format!("{beta} {differential} = {share} {rate}"))
        };
        let rate = style.fraction(&(beta0 * &Symbol::F0.fraction() + beta1 * &Symbol::F1.fraction()));
        let mut words = format!(
            "Follow the curve of a model in {coordinates}: score, distribution functions and posterior{base}. Along it {} and {}, where {}.",
            relation("dF0", beta0, "(1 - c)"),
            relation("dF1", beta1, "c"),
            style.inline(&format!("{} = {rate}", style.variable("R"))),
        );
        let has_hull = lowering.integrals.iter().any(|integral| integral.track == Track::Hull);
        let tracks: &[Track] = if has_hull { &[Track::Own, Track::Hull] } else { &[Track::Own] };
        for track in tracks {
            let whose = if *track == Track::Own { "curve" } else { "hull of the curve" };
            let stretches: Vec<String> =
                lowering.stretches(*track).iter().map(|stretch| describe_stretch(style, stretch)).collect();
            let _ = write!(words, " The {whose} goes {}.", stretches.join(", then "));
        }
        words
    }

    /// Writes the definitions of the functionals of a step, except those in `written`; adds the new ones there.
    fn definitions(&mut self, step: &ProofStep, written: &mut Vec<String>) {
        let style = self.style;
        let mut lines = Vec::new();
        for integral in &step.lowering.integrals {
            let name = style.functional(&integral.functional);
            let texts = [style.definition(&integral.text), style.form(&integral.form)];
            let [definition, form] = texts.map(|text| style.integral(&text));
            let line = format!("{name} = {definition} = {form}{}", style.note(&remarks(integral)));
            if !written.contains(&line) {
                written.push(line.clone());
                lines.push(line);
            }
        }
        if lines.is_empty() {
            return;
        }
        self.say("Integrals:");
        lines.iter().for_each(|line| self.show(line));
        let names = self.names_in_definitions(step);
        if !names.is_empty() {
            let words = format!("Here {}.", names.join("; "));
            if !written.contains(&words) {
                self.say(&words);
                written.push(words);
            }
        }
    }

    /// Explains the names `Q`, `w` and `mean` that the definitions of a step use, a clause for each.
    fn names_in_definitions(&self, step: &ProofStep) -> Vec<String> {
        let (style, integrals) = (self.style, &step.lowering.integrals);
        let uses = |name: &str| integrals.iter().any(|integral| integral.text.contains(name));
        let mut clauses = Vec::new();
        if uses("Q(") {
            clauses.push(style.inline(&format!("Q(c) = {}", style.definition(LOSS))));
        }
        if uses("w(") {
            let is_any = integrals.iter().any(|integral| integral.functional.weight == CostDistribution::Any);
            let density = if is_any {
                "any density of operating conditions"
            } else {
                "the density of operating conditions (1 if it is not given)"
            };
            clauses.push(format!("{} is {density}", style.inline("w")));
        }
        if uses("mean") {
            clauses.push(format!(
                "{} is the mean operating condition (one half if none is given)",
                style.inline(&style.variable("mean"))
            ));
        }
        clauses
    }

    /// Writes the relations by which an equation holds, and the value of both sides that follows.
    fn equality(&mut self, step: &ProofStep, relations: &[LinearRelation]) {
        for relation in relations {
            self.relation(step, relation);
        }
        let reduce = |side: &Fraction| {
            let reduced = relations.iter().try_fold(side.clone(), |value, relation| relation.apply(&value));
            reduced.unwrap_or_else(|| side.clone())
        };
        let [left, right] = [reduce(&step.left), reduce(&step.right)];
        if left == right {
            let value = self.style.fraction_of_integrals(&step.lowering, &left);
            self.say(&format!("Both sides are {}.", self.style.inline(&value)));
        }
    }

    /// Writes a relation `integral = Σ factor·other + constant`: the integrand of `integral - Σ factor·other` is a differential.
    fn relation(&mut self, step: &ProofStep, relation: &LinearRelation) {
        let style = self.style;
        let name = |variable: Variable| style.integral_name(&step.lowering, variable);
        let integral = name(relation.integral);
        let others: Vec<(String, &Fraction)> =
            relation.others.iter().map(|(other, factor)| (name(*other), factor)).collect();
        let subtracted = others.iter().map(|(other, factor)| style.multiple(&-*factor, other));
        let left = signed_sum(std::iter::once((false, integral.clone())).chain(subtracted));
        let left = style.inline(&left);
        if relation.potentials.iter().all(|potential| potential.function.is_zero()) {
            self.say(&format!("The integrand of {left} vanishes, hence"));
        } else {
            self.say(&format!("The integrand of {left} is the differential {} of", style.inline("dG")));
            self.potentials(step, &relation.potentials);
            self.say("hence");
        }
        let multiples = others.iter().map(|(other, factor)| style.multiple(factor, other));
        let shows_constant = !relation.constant.is_zero() || others.is_empty();
        let constant = shows_constant.then(|| style.summand(&relation.constant));
        self.show(&format!("{integral} = {}", signed_sum(multiples.chain(constant))));
    }

    /// Writes the potentials that are not zero, each with its values at both ends of its stretch.
    fn potentials(&mut self, step: &ProofStep, potentials: &[Potential]) {
        let style = self.style;
        for potential in potentials.iter().filter(|potential| !potential.function.is_zero()) {
            let stretches = step.lowering.stretches(potential.track);
            let Some(stretch) = stretches.get(potential.stretch) else { continue };
            let which = if stretches.len() > 1 { format!(" ({})", stretch.name) } else { String::new() };
            let track = if potential.track == Track::Hull { " (along the hull)" } else { "" };
            let note = style.note(&format!("{which}{track}"));
            self.show(&format!("G = {}{note}", style.fraction(&potential.function)));
            if let Some(values) = stretch.ends(&potential.function) {
                let [start, end] = values.map(|value| style.inline(&style.fraction(&value)));
                self.say(&format!(
                    "which goes from {start} at {} to {end} at {},",
                    describe_roc_point(style, &stretch.start),
                    describe_roc_point(style, &stretch.end)
                ));
            }
        }
    }

    /// Writes the difference of the sides, times the scale, as a sum of rules with their coefficients.
    fn sum(&mut self, step: &ProofStep, scale: &Fraction, terms: &[(Rational, Rule)], potentials: &[Potential]) {
        let style = self.style;
        let difference = self.scaled_difference(step, scale);
        let has_potentials = potentials.iter().any(|potential| !potential.function.is_zero());
        // One rule that is the difference itself needs its reason only.
        if let [(times, rule)] = terms
            && times.is_one()
            && !has_potentials
            && let RuleText { formula, reason } = self.rule(step, rule)
            && formula.trim() == format!("({difference})")
        {
            self.say(&format!("{} is not negative, since {reason}.", style.inline(&difference)));
            return;
        }
        if terms.is_empty() {
            self.say(&format!("{} vanishes.", style.inline(&difference)));
        } else {
            let verb = if terms.len() == 1 { "this is" } else { "each of these is" };
            self.say(&format!("{} is the sum of the following; {verb} not negative:", style.inline(&difference)));
        }
        for (times, rule) in terms {
            let RuleText { formula, reason } = self.rule(step, rule);
            let multiple = match formula.trim() {
                "1" => style.number(times),
                formula if times.is_one() => formula.to_owned(),
                formula => format!("{} {formula}", style.number(times)),
            };
            self.show(&multiple);
            self.say(&format!("since {reason};"));
        }
        if terms.iter().any(|(_, rule)| !rule.factors.is_empty()) {
            self.bounds(step);
        }
        if has_potentials {
            self.say(&format!("For the integrands on both sides differ by the differential {} of", style.inline("dG")));
            self.potentials(step, potentials);
            self.say("and the numbers on both sides differ by as much.");
        }
    }

    /// The larger side minus the smaller one, times the scale, as a formula.
    fn scaled_difference(&self, step: &ProofStep, scale: &Fraction) -> String {
        let [left, right] = step.comparison.sides().map(|side| self.style.term(side));
        let (larger, smaller) = match step.comparison.relation {
            Relation::AtMost | Relation::Less => (right, left),
            Relation::AtLeast | Relation::Greater | Relation::Equal => (left, right),
        };
        let smaller = parenthesize_spaced(smaller);
        let difference = if smaller == "0" { larger } else { format!("{larger} - {smaller}") };
        if scale.as_rational().is_some_and(|scale| scale.is_one()) {
            return difference;
        }
        format!("{} ({difference})", self.style.factor(scale))
    }

    /// Writes the bounds of the coordinates, which give the signs of most factors.
    fn bounds(&mut self, step: &ProofStep) {
        let style = self.style;
        let [f0, f1] = ["F0", "F1"].map(|name| style.inline(&style.variable(name)));
        let [r, c, x] = ["R", "c", "x"].map(|name| style.inline(name));
        let [l, h] = step.lowering.range.each_ref().map(|end| style.inline(&style.fraction(end)));
        let has_scores = step.lowering.integrals.iter().any(|integral| integral.form.depends_on(Symbol::Score));
        let scores = if has_scores { format!(", scores {x} between {l} and {h}") } else { String::new() };
        self.say(&format!(
            "Throughout, {f0}, {f1}, {r} and {c} lie between 0 and 1{scores}; class proportions are positive."
        ));
    }

    /// The formula that a rule proves not to be negative, and the reason: those of its fact and of its factors, each once.
    fn rule(&self, step: &ProofStep, rule: &Rule) -> RuleText {
        let style = self.style;
        let factors: Vec<FactorText> =
            rule.factors.iter().map(|(factor, _)| FactorText::new(step, self.statement, style, rule, factor)).collect();
        let powers = factors.iter().zip(&rule.factors);
        let mut product: Vec<String> = powers.map(|(text, (_, power))| style.power(&text.formula, *power)).collect();
        if let Some(root) = &rule.square {
            let mut lowering = step.lowering.clone();
            let context = &mut Context { lowering: &mut lowering, statement: self.statement };
            let root = polynomial(context, root).map_or_else(|_| style.prose(root), |value| style.fraction(&value));
            product.push(style.power(&root, 2));
        }
        let fact = FactText::new(step, self.statement, style, &rule.fact, &product.join(" "));
        let mut reasons: Vec<String> = fact.reason.into_iter().collect();
        for FactorText { formula, reason } in &factors {
            let Some(reason) = reason else { continue };
            let reason = format!("{} is not negative: {reason}", style.inline(formula));
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let reason = if !reasons.is_empty() {
            reasons.join(", and ")
        } else if rule.square.is_some() {
            "it is a square".into()
        } else {
            "its factors are not negative".into()
        };
        RuleText { formula: fact.formula, reason }
    }
}

/// A rule in a derivation.
struct RuleText {
    /// The formula that is not negative.
    formula: String,
    /// Why it is not negative.
    reason: String,
}

/// Puts a formula in parentheses if it has spaces, as sums and products have.
fn parenthesize_spaced(formula: String) -> String {
    if formula.contains(' ') { format!("({formula})") } else { formula }
}

/// The start and the end of a stretch, in words.
fn describe_stretch(style: Style, stretch: &CurveStretch) -> String {
    let point = |point: &[Fraction; 4]| style.inline(&style.point(point.each_ref().map(|value| style.fraction(value))));
    format!("from {} to {}", point(&stretch.start), point(&stretch.end))
}

/// The point `(F0, F1)` of a curve point `[x, F0, F1, c]`, typeset.
fn describe_roc_point(style: Style, [_, f0, f1, _]: &[Fraction; 4]) -> String {
    style.inline(&format!("({}, {})", style.fraction(f0), style.fraction(f1)))
}

/// Remarks on an integral beside its definition: its track, its proportions, its scores.
fn remarks(integral: &Integral) -> String {
    let mut notes = Vec::new();
    if integral.track == Track::Hull {
        notes.push("along the hull");
    }
    if integral.functional.condition == Condition::Skew {
        notes.push("defined with π0 = π1 = 1/2");
    }
    match integral.score_kind {
        ScoreKind::Score => {}
        ScoreKind::Rate => notes.push("the score is the rate R"),
        ScoreKind::Posterior => notes.push("the score is the posterior c"),
    }
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}
