//! How each fact and each factor of a proof is presented: its formula and its reason in a derivation, its check in a SymPy script.
//!
//! A new [`Fact`] needs one function of [`Presenter`], with all its texts side by side; a new [`Factor`] needs one arm in
//! [`FactorPresenter::reason`], if it has a reason of its own. The checker decides by itself whether a rule holds, and shares nothing with
//! these texts.
//!
//! Facts and factors are data: polynomials and functionals in them are texts. To read one, the checker lowers its functionals, and a lowering
//! collects the integrals of all functionals that it has lowered. The texts here read into a clone, so that the step of the proof keeps the
//! integrals that it has.

use super::certificate::ProofStep;
use super::lower::Track;
use super::python::{self, quoted};
use super::rules::factor::{Factor, functional, polynomial, supposed};
use super::rules::{Context, Differential, Fact, HullComparison, Rule};
use super::typeset::Style;
use crate::statement::{Asked, Functional, Statement, Term};
use rocproof_algebra::signed_sum;
use rocproof_arith::Fraction;
use rocproof_language::Relation;
use rocproof_language::definition::Method;
use std::fmt::Write;

/// The texts of a fact.
#[derive(Default)]
pub(super) struct FactText {
    /// In a derivation: the fact times the product of its factors.
    pub formula: String,
    /// In a derivation: why the fact is not negative; `None` if that follows from its factors.
    pub reason: Option<String>,
    /// In a script: the comment above the check, which the factors complete.
    pub comment: String,
    /// In a script: the sign that it takes from the foundations. SymPy checks the algebra only.
    pub granted: Option<String>,
    /// In a script: the code that sets `known` to the fact times `product`.
    pub python: String,
}

impl FactText {
    /// The texts of a fact in a step of a proof; `product` is the formula of its factors, empty if it has none.
    pub fn new(step: &ProofStep, statement: &Statement, style: Style, fact: &Fact, product: &str) -> FactText {
        let presenter = Presenter { step, statement, style, product };
        let text = match fact {
            Fact::One => Some(presenter.one()),
            Fact::Share(share) => presenter.share(share),
            Fact::Along { track, stretch, differential } => Some(presenter.along(*track, *stretch, *differential)),
            Fact::Optimality { loss } => presenter.optimality(loss),
            Fact::Hull(comparison) => presenter.hull(comparison),
            Fact::Triangle { .. } => presenter.triangle(fact),
            Fact::Value { functional, times } => presenter.value(functional, times),
            Fact::Supposed { condition, turned } => presenter.supposed(*condition, *turned),
        };
        // A fact that cannot be read is none of a checked certificate.
        text.unwrap_or_default()
    }
}

/// Writes the facts of a step of a proof. The functions return `None` for a fact that cannot be read.
///
/// In a script `product` is a variable: the value of all factors and the square. It multiplies every fact, and `known` is the sum of integrals
/// that results.
struct Presenter<'a> {
    step: &'a ProofStep,
    statement: &'a Statement,
    style: Style,
    /// The factors and the square of the rule as a formula; empty if there are none.
    product: &'a str,
}

impl Presenter<'_> {
    /// [`Fact::One`]: the product of the factors is not negative; 1 if there are none.
    fn one(&self) -> FactText {
        let (formula, reason) = match self.product {
            "" => ("1", Some("1 is positive".to_owned())),
            product => (product, None),
        };
        FactText {
            formula: formula.to_owned(),
            reason,
            comment: "1 times".into(),
            granted: None,
            python: "known = Sum(product)\n".into(),
        }
    }

    /// [`Fact::Share`]: a polynomial in `pi0` is not negative for `0 < pi0 < 1`. The script checks the sign.
    fn share(&self, text: &str) -> Option<FactText> {
        let style = self.style;
        let share = style.definition(text);
        let range = style.inline(&format!("0 < {} < 1", style.variable("pi0")));
        let check =
            "if not never_negative(share):\n    fail(f\"{share} is negative somewhere\")\nknown = Sum(share*product)\n";
        Some(FactText {
            formula: if self.product.is_empty() { share } else { format!("({share}) {}", self.product) },
            reason: Some(format!("it is not negative for {range}")),
            comment: format!("{text} for 0 < pi0 < 1, times"),
            granted: None,
            python: format!("share = {}\n{check}", python::fraction(&self.polynomial(text)?)),
        })
    }

    /// [`Fact::Along`]: `∫ product dz >= 0` along a track, for a coordinate `z` that never falls. The script writes `product dz` as a one-form
    /// in `dx`, `dR` and `dc`, with `beta0 dF0 = (1 - c) dR` and `beta1 dF1 = c dR`.
    fn along(&self, track: Track, stretch: Option<usize>, differential: Differential) -> FactText {
        let (style, base) = (self.style, &self.step.lowering.base);
        let of_class = |k: usize| format!("{} {}", style.factor(&base[k]), style.differential(&format!("dF{k}")));
        let never_falls = "scores and distribution functions never fall";
        let (formula, python, granted) = match differential {
            Differential::Score => (style.differential("dx"), "[product, 0, 0]", never_falls),
            Differential::F0 => (of_class(0), "[0, (1 - c)*product, 0]", never_falls),
            Differential::F1 => (of_class(1), "[0, c*product, 0]", never_falls),
            Differential::Rate => (style.differential("dR"), "[0, product, 0]", never_falls),
            Differential::Posterior => (style.differential("dc"), "[0, 0, product]", "c never falls along this curve"),
        };
        let along = if track == Track::Hull { " along the hull" } else { "" };
        let name = serde_json::to_value(differential).ok().and_then(|v| v.as_str().map(str::to_owned));
        // A convex curve is its own hull.
        let whose = if self.step.lowering.is_convex(Track::Own) { Track::Own } else { track };
        let stretch = stretch.map_or_else(|| "None".to_owned(), |k| k.to_string());
        FactText {
            formula: style.integral(&format!("{} {formula}", self.product)),
            reason: Some(format!("{} is not negative{along}", style.inline(&formula))),
            comment: format!("the integral with respect to {}, which never falls, of", name.unwrap_or_default()),
            granted: Some(granted.into()),
            python: format!("known = along({}, {python}, curves, {stretch})\n", python::track(whose)),
        }
    }

    /// [`Fact::Optimality`]: a loss is at least the optimal loss of the untransformed model under the same operating conditions. The script
    /// writes both as combinations of integrals.
    fn optimality(&self, text: &str) -> Option<FactText> {
        let mut lowering = self.step.lowering.clone();
        let loss = functional(&Context { lowering: &mut lowering, statement: self.statement }, text).ok()?;
        let mut optimal = loss.clone();
        (optimal.asked, optimal.transforms) = (Asked::Loss(Method::Optimal), Vec::new());
        let value = |of: &Functional| {
            let value = self.step.lowering.clone().term(&Term::Value(Box::new(of.clone())));
            value.map_or_else(|_| String::new(), |value| python::fraction(&value))
        };
        let difference = format!("product*({} - {})", value(&loss), value(&optimal));
        Some(FactText {
            formula: format!("{} {}", self.product, self.style.difference(&loss, &optimal)),
            reason: Some("no threshold does better than the optimal one".into()),
            comment: format!("{text} minus the optimal loss under the same operating conditions, times"),
            granted: Some(format!("{text} is at least the optimal loss")),
            python: format!("known = Sum().plus(combination({difference}, V, integrals, curves))\n"),
        })
    }

    /// [`Fact::Hull`]: the larger of two integrals, one along the curve and one along its hull, minus the smaller one.
    fn hull(&self, comparison: &HullComparison) -> Option<FactText> {
        let sum = comparison.sum(&self.step.lowering).ok()?;
        let integrals = sum.forms.iter().map(|((track, _), form)| {
            let whose = if *track == Track::Own { "curve" } else { "hull" };
            self.style.integral_along(&self.style.form(form), whose)
        });
        let reason = match comparison {
            HullComparison::Pooled { .. } => {
                "on a chord the posterior of the hull is the mean of that of the curve (Jensen)"
            }
            HullComparison::Errors { .. } | HullComparison::Successes { .. } => {
                "at equal R the hull has the larger F0 and the smaller F1"
            }
        };
        let mut python = String::from("known = Sum()\n");
        for ((track, k), form) in &sum.forms {
            let coefficients = form.parts().map(|part| format!("product*({})", python::fraction(part))).join(", ");
            let _ = writeln!(python, "known.add(({}, {k}), [{coefficients}])", python::track(*track));
        }
        Some(FactText {
            formula: format!("{} ({})", self.product, integrals.collect::<Vec<_>>().join(" + ")),
            reason: Some(reason.into()),
            comment: "the difference of two integrals, along the curve and along its hull, times".into(),
            granted: Some("this difference is not negative".into()),
            python,
        })
    }

    /// [`Fact::Triangle`]: `2∫F0 dF1 - 1` along the hull is at least `F0 - F1` at a point of the curve. The checker gives the number
    /// `-1 - (F0 - F1)`; the integral is written as in its definition, with `dF1 = c dR/beta1` in the script.
    fn triangle(&self, fact: &Fact) -> Option<FactText> {
        let mut lowering = self.step.lowering.clone();
        let known = Rule::of(fact.clone()).non_negative(&mut lowering, self.statement).ok()?;
        let area = self.style.integral_along(&self.style.definition("2*F0*dF1"), "hull");
        let difference = signed_sum([(false, area), self.style.summand(&known.sum.value)]);
        let hull = if lowering.is_convex(Track::Own) { Track::Own } else { Track::Hull };
        let mut python = format!("known = along({}, [0, product*2*F0*c/base[1], 0], curves)\n", python::track(hull));
        let _ = writeln!(python, "known.number += product*({})", python::fraction(&known.sum.value));
        Some(FactText {
            formula: format!("{} ({difference})", self.product),
            reason: Some(
                "the area below the hull is at least that below the chords from the corners to a point of the curve"
                    .into(),
            ),
            comment: "twice the area below the hull, less 1 and the height of a point above the diagonal, times".into(),
            granted: Some("the area below the hull is at least that below two chords".into()),
            python,
        })
    }

    /// [`Fact::Value`]: `times (∫form - variable) = 0`, where `variable` stands for the value of the functional `text`, and `∫form` is the
    /// integral that defines it. A proof uses this to exchange the value and the integral.
    fn value(&self, text: &str, times: &str) -> Option<FactText> {
        let style = self.style;
        let mut lowering = self.step.lowering.clone();
        let context = &mut Context { lowering: &mut lowering, statement: self.statement };
        let factor = polynomial(context, times).ok()?;
        // The functional is lowered to a single variable: the name of an integral.
        let variable = polynomial(context, text).ok()?.variables().into_iter().next()?;
        let integral = lowering.integrals.iter().find(|integral| integral.name == variable)?;
        let name = style.functional(&integral.functional);
        let difference = format!("({} - {name})", style.integral(&style.form(&integral.form)));
        let times = style.fraction_of_integrals(&self.step.lowering, &factor);
        let times = if times.contains(' ') { format!("({times})") } else { times };
        let key = quoted(variable.name());
        let mut python = format!("times = product*({})\n", python::fraction(&factor));
        let _ = writeln!(python, "track, parts = integrals[{key}]");
        python.push_str("known = Sum().plus(along(track, parts, curves), times)\n");
        let _ = writeln!(python, "known.number -= times*V[{key}]");
        Some(FactText {
            formula: format!("{} {times} {difference}", self.product),
            reason: Some(format!("it is zero: {} is that integral", style.inline(&name))),
            comment: format!("0, the integral of {text} less its value, times"),
            granted: None,
            python,
        })
    }

    /// [`Fact::Supposed`]: the larger side of premise or condition `k` minus the smaller one; for a `turned` equality, the right side minus the
    /// left one.
    fn supposed(&self, k: usize, turned: bool) -> Option<FactText> {
        let condition = supposed(self.statement, k).ok()?;
        let text = condition.to_string();
        let [left, right] = condition.sides().map(|side| python::term(side, &self.step.lowering));
        let left_is_larger = !matches!(condition.relation, Relation::AtMost | Relation::Less) != turned;
        let (larger, smaller) = if left_is_larger { (left, right) } else { (right, left) };
        Some(FactText {
            formula: format!("{} {}", self.product, self.style.difference_of(&text)),
            reason: Some(format!("it is supposed that {}", self.style.hypothesis(&text))),
            comment: format!("condition {} of the statement, times", k + 1),
            granted: Some(format!("condition {} of the statement is supposed", k + 1)),
            python: format!("known = combination(product*({larger} - {smaller}), V, integrals, curves)\n"),
        })
    }

    /// Reads a polynomial of a rule.
    fn polynomial(&self, text: &str) -> Option<Fraction> {
        let mut lowering = self.step.lowering.clone();
        polynomial(&mut Context { lowering: &mut lowering, statement: self.statement }, text).ok()
    }
}

/// The track that the factors of a rule stand on, and perhaps a stretch of it, if the rule integrates along a track.
pub(super) fn track_of(rule: &Rule) -> Option<(Track, Option<usize>)> {
    match &rule.fact {
        Fact::Along { track, stretch, .. } => Some((*track, *stretch)),
        _ => None,
    }
}

/// The texts of a factor in a derivation. A script checks its value, and needs no text.
pub(super) struct FactorText {
    /// The factor as a formula.
    pub formula: String,
    /// Why it is not negative; `None` for coordinates and numbers that lie between known bounds.
    pub reason: Option<String>,
}

impl FactorText {
    /// The texts of a factor of a rule.
    pub fn new(step: &ProofStep, statement: &Statement, style: Style, rule: &Rule, factor: &Factor) -> FactorText {
        let presenter = FactorPresenter { step, statement, style, track: track_of(rule) };
        FactorText { formula: presenter.formula(factor), reason: presenter.reason(factor) }
    }
}

/// Writes the factors of a rule.
struct FactorPresenter<'a> {
    step: &'a ProofStep,
    statement: &'a Statement,
    style: Style,
    /// The track and stretch that the rule integrates along, if it does.
    track: Option<(Track, Option<usize>)>,
}

impl FactorPresenter<'_> {
    /// `beta1` and `F1`, written.
    fn beta1_and_f1(&self) -> [String; 2] {
        [self.style.factor(&self.step.lowering.base[1]), self.style.variable("F1")]
    }

    /// A factor as a formula: as it is defined where that contains `R`, which its value would multiply out; else its value, or its name if it
    /// has none.
    fn formula(&self, factor: &Factor) -> String {
        let [beta1, f1] = self.beta1_and_f1();
        match factor {
            Factor::Rate => "R".into(),
            Factor::NotRate => "1 - R".into(),
            Factor::TangentAtZero => format!("c R - {beta1} {f1}"),
            Factor::TangentAtOne => format!("{beta1} (1 - {f1}) - c (1 - R)"),
            _ => {
                let mut lowering = self.step.lowering.clone();
                let context = &mut Context { lowering: &mut lowering, statement: self.statement };
                let value = factor.value(context, self.track);
                value.map_or_else(|_| self.style.prose(&factor.name()), |value| self.style.fraction(&value))
            }
        }
    }

    /// Why a factor is not negative; `None` for coordinates and numbers that lie between known bounds.
    fn reason(&self, factor: &Factor) -> Option<String> {
        let style = self.style;
        let [beta1, f1] = self.beta1_and_f1();
        let integral = style.integral(&format!("c {}", style.differential("dR")));
        Some(match factor {
            Factor::Above => "a curve along which c never falls lies above its chord".into(),
            Factor::TangentAtZero => {
                let bound = style.inline(&format!("{beta1} {f1} = {integral} {} c R", style.at_most()));
                format!("{bound}, for c never falls")
            }
            Factor::TangentAtOne => {
                let bound = style.inline(&format!("c (1 - R) {} {integral} = {beta1} (1 - {f1})", style.at_most()));
                format!("from here to the end {bound}, for c never falls")
            }
            Factor::BeforeBorder => "class 0 scores up to the border".into(),
            Factor::AfterBorder => "class 1 scores from the border on".into(),
            Factor::Density(_) => "it is a density".into(),
            Factor::DistanceAbove | Factor::DistanceBelow => "KS is the largest distance of the two".into(),
            Factor::At { factor: inner, .. } => return self.reason(inner),
            Factor::Supposed(_) => "it is supposed".into(),
            _ => return None,
        })
    }
}
