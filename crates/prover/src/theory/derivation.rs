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
    fn derivation(mut self, certificate: &Certificate) -> Vec<Block> {
        let style = self.style;
        let claims: Vec<String> = certificate.claims.iter().map(|claim| style.comparison(&claim.comparison)).collect();
        self.heading("Statement.");
        for claim in &claims {
            self.show(claim);
        }
        let hypotheses = certificate.hypotheses();
        if hypotheses.is_empty() {
            self.say("For every model.");
        } else {
            let all: Vec<String> = hypotheses.iter().map(|text| style.hypothesis(text)).collect();
            self.say(&format!("For every model, supposing: {}.", all.join("; ")));
        }
        self.heading("Proof.");
        let (mut described, mut said) = (String::new(), Vec::new());
        for step in certificate.steps() {
            if self.describe_curve(step, &mut described) {
                said.clear();
            }
            if certificate.steps().count() > 1 {
                self.say(&format!("Claim: {}.", style.inline(&style.comparison(&step.comparison))));
            }
            self.definitions(step, &mut said);
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

    /// Describes the curve that integrals follow, unless `described` says that the step before had the same; whether it was written.
    fn describe_curve(&mut self, step: &ProofStep, described: &mut String) -> bool {
        let (style, lowering) = (self.style, &step.lowering);
        let [b0, b1] = lowering.base.each_ref().map(|beta| style.fraction(beta));
        let rate =
            style.fraction(&(&lowering.base[0] * &Symbol::F0.fraction() + &lowering.base[1] * &Symbol::F1.fraction()));
        let coordinates = style.inline(&style.list(["x", "F0", "F1", "c"]));
        let base = match step.base {
            Base::Given => String::new(),
            Base::Balanced => ", made with balanced classes".into(),
        };
        let relations = [
            ("F0", format!("(1 - c) {}", style.differential("dR")), &b0),
            ("F1", format!("c {}", style.differential("dR")), &b1),
        ];
        let relations = relations.map(|(of, share, beta)| {
            let beta = if beta.contains(' ') { format!("({beta})") } else { beta.clone() };
            style.inline(&format!("{beta} {} = {share}", style.differential(&format!("d{of}"))))
        });
        let mut words = format!(
            "Follow the curve of a model in {coordinates}: score, distribution functions and posterior{base}. Along it {} and {}, where {}.",
            relations[0],
            relations[1],
            style.inline(&format!("{} = {rate}", style.variable("R"))),
        );
        let tracks: &[Track] = if lowering.integrals.iter().any(|i| i.track == Track::Hull) {
            &[Track::Own, Track::Hull]
        } else {
            &[Track::Own]
        };
        for track in tracks {
            let whose = if *track == Track::Own { "curve" } else { "hull of the curve" };
            let places: Vec<String> =
                lowering.stretches(*track).iter().map(|stretch| describe_stretch(style, stretch)).collect();
            let _ = write!(words, " The {whose} goes {}.", places.join(", then "));
        }
        let is_new = *described != words;
        if is_new {
            self.say(&words);
            *described = words;
        }
        is_new
    }

    /// Writes the definitions of the functionals of a step, except those in `said`.
    fn definitions(&mut self, step: &ProofStep, said: &mut Vec<String>) {
        let style = self.style;
        let mut lines = Vec::new();
        for integral in &step.lowering.integrals {
            let name = style.functional(&integral.functional);
            let texts = [style.definition(&integral.text), style.form(&integral.form)];
            let [definition, form] = texts.map(|text| style.integral(&text));
            let line = format!("{name} = {definition} = {form}{}", style.note(&remarks(integral)));
            if !said.contains(&line) {
                said.push(line.clone());
                lines.push(line);
            }
        }
        if lines.is_empty() {
            return;
        }
        self.say("What is integrated:");
        lines.iter().for_each(|line| self.show(line));
        let uses = |what: &str| step.lowering.integrals.iter().any(|integral| integral.text.contains(what));
        let any = step.lowering.integrals.iter().any(|integral| integral.functional.weight == CostDistribution::Any);
        let mut words = Vec::new();
        if uses("Q(") {
            words.push(style.inline(&format!("Q(c) = {}", style.definition(LOSS))));
        }
        if uses("w(") {
            let which = if any {
                "any density of operating conditions"
            } else {
                "the density of operating conditions (1 if it is not given)"
            };
            words.push(format!("{} is {which}", style.inline("w")));
        }
        if uses("mean") {
            words.push(format!(
                "{} is the mean operating condition (one half if none is given)",
                style.inline(&style.variable("mean"))
            ));
        }
        if !words.is_empty() {
            let words = format!("Here {}.", words.join("; "));
            if !said.contains(&words) {
                self.say(&words);
                said.push(words);
            }
        }
    }

    /// Writes the relations by which an equation holds.
    fn equality(&mut self, step: &ProofStep, relations: &[LinearRelation]) {
        let style = self.style;
        for relation in relations {
            let name = |of: Variable| style.integral_name(&step.lowering, of);
            let others: Vec<(String, &Fraction)> = relation.others.iter().map(|(of, by)| (name(*of), by)).collect();
            let moved = others.iter().map(|(other, factor)| style.multiple(&-*factor, other));
            let left = signed_sum(std::iter::once((false, name(relation.integral))).chain(moved));
            let multiples = others.iter().map(|(other, factor)| style.multiple(factor, other));
            let has_constant = !relation.constant.is_zero() || others.is_empty();
            let right = signed_sum(multiples.chain(has_constant.then(|| style.summand(&relation.constant))));
            let result = format!("{} = {right}", name(relation.integral));
            let trivial = relation.potentials.iter().all(|p| p.function.is_zero());
            if trivial {
                self.say(&format!("The integrand of {} vanishes, hence", style.inline(&left)));
            } else {
                self.say(&format!(
                    "The integrand of {} is the differential {} of",
                    style.inline(&left),
                    style.inline("dG")
                ));
                self.potentials(step, &relation.potentials);
                self.say("hence");
            }
            self.show(&result);
        }
        let sides = [&step.left, &step.right].map(|side| {
            relations
                .iter()
                .try_fold(side.clone(), |value, relation| relation.apply(&value))
                .unwrap_or_else(|| side.clone())
        });
        let both = style.fraction_of_integrals(&step.lowering, &sides[0]);
        if sides[0] == sides[1] {
            self.say(&format!("Both sides are {}.", style.inline(&both)));
        }
    }

    /// Writes the potentials and their values at both ends of their stretches.
    fn potentials(&mut self, step: &ProofStep, potentials: &[Potential]) {
        let style = self.style;
        for potential in potentials.iter().filter(|p| !p.function.is_zero()) {
            let stretches = step.lowering.stretches(potential.track);
            let Some(stretch) = stretches.get(potential.stretch) else { continue };
            let of = if stretches.len() > 1 { format!(" ({})", stretch.name) } else { String::new() };
            let track = if potential.track == Track::Hull { " (along the hull)" } else { "" };
            let values = stretch.ends(&potential.function);
            self.show(&format!("G = {}{}", style.fraction(&potential.function), style.note(&format!("{of}{track}"))));
            if let Some([start, end]) = values {
                let [start, end] = [start, end].map(|value| style.inline(&style.fraction(&value)));
                self.say(&format!(
                    "which goes from {start} at {} to {end} at {},",
                    roc_point(style, &stretch.start),
                    roc_point(style, &stretch.end)
                ));
            }
        }
    }

    /// Writes the difference of the sides as a sum of rules.
    fn sum(&mut self, step: &ProofStep, scale: &Fraction, terms: &[(Rational, Rule)], potentials: &[Potential]) {
        let style = self.style;
        let [left, right] = step.comparison.sides().map(|side| style.term(side));
        let (larger, smaller) = match step.comparison.relation {
            rocproof_language::Relation::AtMost | rocproof_language::Relation::Less => (right, left),
            _ => (left, right),
        };
        let smaller = if smaller.contains(' ') { format!("({smaller})") } else { smaller };
        let difference = if smaller == "0" { larger } else { format!("{larger} - {smaller}") };
        let whole = match scale.as_rational() {
            Some(one) if one.is_one() => difference,
            _ => format!("{} ({difference})", style.factor(scale)),
        };
        let without_potentials = potentials.iter().all(|potential| potential.function.is_zero());
        if let [(times, rule)] = terms
            && let (formula, reason) = self.rule(step, rule)
            && times.is_one()
            && without_potentials
            && formula.trim() == format!("({whole})")
        {
            self.say(&format!("{} is not negative, since {reason}.", style.inline(&whole)));
            return;
        }
        if terms.is_empty() {
            self.say(&format!("{} vanishes.", style.inline(&whole)));
        } else {
            let verb = if terms.len() == 1 { "this is" } else { "each of these is" };
            self.say(&format!("{} is the sum of the following; {verb} not negative:", style.inline(&whole)));
        }
        for (times, rule) in terms {
            let (formula, reason) = self.rule(step, rule);
            let formula = match formula.trim() {
                "1" => style.number(times),
                formula if times.is_one() => formula.to_owned(),
                formula => format!("{} {formula}", style.number(times)),
            };
            self.show(&formula);
            self.say(&format!("since {reason};"));
        }
        if terms.iter().any(|(_, rule)| !rule.factors.is_empty()) {
            let [f0, f1] = ["F0", "F1"].map(|name| style.inline(&style.variable(name)));
            let [r, c, x] = ["R", "c", "x"].map(|name| style.inline(name));
            let [l, h] = step.lowering.range.each_ref().map(|end| style.inline(&style.fraction(end)));
            let scores = if step.lowering.integrals.iter().any(|integral| integral.form.depends_on(Symbol::Score)) {
                format!(", scores {x} between {l} and {h}")
            } else {
                String::new()
            };
            self.say(&format!(
                "Throughout, {f0}, {f1}, {r} and {c} lie between 0 and 1{scores}; class proportions are positive."
            ));
        }
        if !without_potentials {
            self.say(&format!("For the integrands on both sides differ by the differential {} of", style.inline("dG")));
            self.potentials(step, potentials);
            self.say("and the numbers on both sides differ by as much.");
        }
    }

    /// The formula that a rule proves not to be negative, and the reason.
    fn rule(&self, step: &ProofStep, rule: &Rule) -> (String, String) {
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
        // Each factor gives its reason once.
        let mut reasons: Vec<String> = fact.reason.into_iter().collect();
        for FactorText { formula, reason } in &factors {
            let Some(reason) = reason else { continue };
            let reason = format!("{} is not negative: {reason}", style.inline(formula));
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let reason = match (reasons.is_empty(), &rule.square) {
            (false, _) => reasons.join(", and "),
            (true, Some(_)) => "it is a square".into(),
            (true, None) => "its factors are not negative".into(),
        };
        (fact.formula, reason)
    }
}

/// The start and the end of a stretch, in words.
fn describe_stretch(style: Style, stretch: &CurveStretch) -> String {
    let place = |place: &[Fraction; 4]| style.inline(&style.list(place.each_ref().map(|value| style.fraction(value))));
    format!("from {} to {}", place(&stretch.start), place(&stretch.end))
}

/// A point in the plane of `(F0, F1)`.
fn roc_point(style: Style, [_, f0, f1, _]: &[Fraction; 4]) -> String {
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
