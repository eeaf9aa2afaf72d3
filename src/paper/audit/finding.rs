//! Findings: where the paper is not right, and what is.

use super::{Audit, Evidence, Explained, Outcome, Settled};
use crate::functional::Value;
use crate::paper::claim::{Check, Explanation, Kind, Matter};
use crate::search::{Counterexample, Decision};
use crate::statement::{Comparison, Term};
use crate::verdict::Verdict;

/// What is the matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nature {
    /// It is not true as it stands.
    Wrong,
    /// It is true under a hypothesis that it does not state.
    Hypothesis,
    /// The digits are not those of the number.
    Digits,
    /// It does not say enough.
    Underdetermined,
    /// A word or a line of a proof is not right, of what holds all the same or repaired.
    Slip,
}

impl Nature {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Nature::Wrong => "wrong",
            Nature::Hypothesis => "missing hypothesis",
            Nature::Digits => "digits",
            Nature::Underdetermined => "underdetermined",
            Nature::Slip => "slip",
        }
    }

    /// How little it weighs.
    fn lightness(self) -> u8 {
        match self {
            Nature::Wrong | Nature::Hypothesis | Nature::Digits => 0,
            Nature::Underdetermined => 1,
            Nature::Slip => 2,
        }
    }
}

/// A place where the paper is wrong, or does not say enough.
#[derive(Clone, Debug)]
pub struct Finding {
    /// A name of its own.
    pub id: String,
    /// The claim that is not right.
    pub claim: String,
    /// What is the matter.
    pub nature: Nature,
    /// What kind of claim it is.
    pub kind: Kind,
    /// What the paper says.
    pub paper_says: String,
    /// What is true, as it was computed.
    pub true_is: String,
    /// The claims that repair it, by their names.
    pub repairs: Vec<String>,
    /// Why it is not right, and what was meant.
    pub explanation: Option<String>,
    /// How the paper may have come to it.
    pub origin: Option<String>,
}

/// The findings of an audit: theorems first, then what weighs less; what does not say enough, and slips, come last.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let refuted = audit.claims.iter().filter(|s| s.outcome == Outcome::Refuted && s.claim.repairs.is_none());
    let mut all: Vec<Finding> = refuted.map(|settled| finding(audit, settled)).collect();
    // The order of the paper within a kind.
    all.sort_by_key(|finding| (finding.nature.lightness(), finding.kind));
    all
}

fn finding(audit: &Audit, settled: &Settled) -> Finding {
    let claim = &settled.claim;
    let repairs: Vec<&Settled> = audit.repairs(&claim.id).filter(|repair| repair.outcome.holds()).collect();
    let nature = match (&claim.check, claim.matter) {
        (Check::Determined { .. }, _) | (_, Some(Matter::Underdetermined)) => Nature::Underdetermined,
        (_, Some(Matter::Hypothesis)) => Nature::Hypothesis,
        (_, Some(Matter::Slip)) => Nature::Slip,
        (Check::Printed { .. }, _) => Nature::Digits,
        _ if claim.kind == Kind::Step => Nature::Slip,
        _ if repairs.iter().any(|repair| supposes_more(repair, settled)) => Nature::Hypothesis,
        _ => Nature::Wrong,
    };
    let origin = match &settled.evidence {
        Evidence::Printed { explained: Some(explained), digits, .. } => Some(told(explained, &digits.text)),
        _ => None,
    };
    Finding {
        id: format!("finding:{}", claim.id),
        claim: claim.id.clone(),
        nature,
        kind: claim.kind,
        paper_says: claim.words.clone(),
        true_is: shown(settled),
        repairs: repairs.iter().map(|repair| repair.claim.id.clone()).collect(),
        explanation: claim.explanation.clone(),
        origin,
    }
}

/// Whether a repair says the same of fewer models.
fn supposes_more(repair: &Settled, than: &Settled) -> bool {
    match (&repair.evidence, &than.evidence) {
        (Evidence::Everywhere(repaired, _), Evidence::Everywhere(said, _)) => {
            // What the paper denies is not narrowed by what is said of fewer models.
            !than.claim.denied && repaired.claims == said.claims && repaired.models == said.models
        }
        _ => false,
    }
}

/// How wrong digits come about.
fn told(explained: &Explained, digits: &str) -> String {
    match &explained.how {
        Explanation::Cut(_) => format!("{digits} is what is left when further digits are cut off instead of rounded."),
        Explanation::Mean { mean_of, points } => format!(
            "The mean of the {mean_of} curve over {points} equally spaced scores from 0 to 1 is {:.7}, and {digits} when further \
             digits are cut off, as if the sum had been divided by the number of points instead of the number of steps.",
            explained.gives
        ),
    }
}

/// What the evidence against a claim shows, in a sentence or two.
fn shown(settled: &Settled) -> String {
    match &settled.evidence {
        Evidence::Everywhere(_, Verdict::Refuted(found)) => broken(found),
        Evidence::Everywhere(statement, _) => format!("{statement} holds for every model."),
        Evidence::OnModel(model, statement, Decision::Fails(failure)) => {
            let claim = statement.claims.get(failure.claim);
            let [left, right] = &failure.sides;
            format!("On {}, {}.", model.name(), claim.map(|claim| sides(claim, left, right)).unwrap_or_default())
        }
        Evidence::OnModel(model, statement, _) => format!("On {}, {statement} holds.", model.name()),
        Evidence::Printed { value, digits, .. } => match (&settled.claim.check, value) {
            (Check::Printed { value: name, .. }, Some(value)) => {
                let rounded = digits.rounded(value).map_or(String::new(), |r| format!(", to the digits printed {r}"));
                format!("{name} is {value}{rounded}.")
            }
            _ => String::new(),
        },
        Evidence::Intervals { found, exact, .. } => {
            let each = found.iter().enumerate().map(|(k, interval)| {
                let [tau, sigma] = match exact.as_ref().and_then(|all| all.get(k)) {
                    Some(ends) => ends.each_ref().map(|[a, b]| format!("({a}, {b})")),
                    None => [interval.tau, interval.sigma].map(|(a, b)| format!("({a:.6}, {b:.6})")),
                };
                format!("{} with τ = {tau}, σ = {sigma}", interval.kind.name())
            });
            format!("The intervals are: {}.", each.collect::<Vec<_>>().join("; "))
        }
        Evidence::Class(_, member) => {
            let is = if *member == Some(true) { "is" } else { "is not" };
            match &settled.claim.check {
                Check::Class(class) => format!("The model {is} {class}."),
                _ => String::new(),
            }
        }
        Evidence::NoModel(why) => format!("No model: {why}."),
        Evidence::Model(model) => format!("There is such a model, {}.", model.name()),
        Evidence::Two { models: [_, second], differ, met } => {
            let differ = differ.as_ref().map(|(name, [a, b])| format!("{name} is {a} on one and {b} on the other"));
            let (f0, f1) = (second.density(0).text(), second.density(1).text());
            format!(
                "All that is said ({}) is met by f0 = {f0}, f1 = {f1}, π0 = {} as well; {}.",
                met.len(),
                second.pi0(),
                differ.unwrap_or_default()
            )
        }
        Evidence::Fault(why) => why.clone(),
    }
}

/// What a counterexample shows.
fn broken(found: &Counterexample) -> String {
    let several = found.models.len() > 1;
    let models = found.models.iter().map(|(name, t)| {
        let name = if several { format!("{name}: ") } else { String::new() };
        format!("{name}f0 = {}, f1 = {}, π0 = {}", t.f0, t.f1, t.pi0)
    });
    let parameters = found.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let cost = found.cost.iter().map(|cost| format!("w = {cost}"));
    let on: Vec<String> = models.chain(parameters).chain(cost).collect();
    let separator = if several { "; " } else { ", " };
    format!("With {}: {}.", on.join(separator), sides(&found.claim, &found.lhs, &found.rhs))
}

/// Both sides of a comparison with their values; a side that is a number already needs no saying what it is.
fn sides(claim: &Comparison, left: &Value, right: &Value) -> String {
    let told = |side: &Term, value: &Value| {
        let (side, value) = (side.to_string(), value.to_string());
        if value.split(" = ").next() == Some(side.as_str()) { None } else { Some(format!("{side} is {value}")) }
    };
    match (told(&claim.left, left), told(&claim.right, right)) {
        (Some(left), Some(right)) => format!("{left}, and {right}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => format!("{} is not {}", claim.left, claim.right),
    }
}
