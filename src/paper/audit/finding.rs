//! Findings: claims of the paper that are not right, and what is true instead.

use super::{Audit, AuditedClaim, Evidence, Explained, Outcome};
use crate::functional::Value;
use crate::paper::claim::{Check, Defect, Explanation, Kind};
use crate::search::{Counterexample, Decision};
use crate::statement::{Comparison, Term};
use crate::transform::ScoreInterval;
use crate::verdict::Verdict;

/// The defect of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nature {
    /// It is not true as it stands.
    Wrong,
    /// It needs a hypothesis that it does not state.
    Hypothesis,
    /// The printed digits are not those of the number.
    Digits,
    /// It does not determine its subject.
    Underdetermined,
    /// A word or a line of a proof is wrong; the result holds all the same, or after a repair.
    Slip,
}

impl Nature {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Nature::Wrong => "wrong",
            Nature::Hypothesis => "missing hypothesis",
            Nature::Digits => "digits",
            Nature::Underdetermined => "underdetermined",
            Nature::Slip => "slip",
        }
    }

    /// Sort key: findings that weigh less come later.
    fn lightness(self) -> u8 {
        match self {
            Nature::Wrong | Nature::Hypothesis | Nature::Digits => 0,
            Nature::Underdetermined => 1,
            Nature::Slip => 2,
        }
    }
}

/// A claim of the paper that is wrong or does not say enough.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The identifier.
    pub id: String,
    /// The identifier of the claim.
    pub claim: String,
    /// The defect.
    pub nature: Nature,
    /// The kind of claim.
    pub kind: Kind,
    /// The claim of the paper, in our words.
    pub paper_says: String,
    /// The truth, as computed.
    pub true_is: String,
    /// The identifiers of the claims that repair it.
    pub repairs: Vec<String>,
    /// Why it is not right, and what was meant.
    pub explanation: Option<String>,
    /// How the paper may have come to the wrong number.
    pub origin: Option<String>,
}

/// The findings of an audit, sorted by weight: theorems first; claims that do not say enough, and slips, last.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let is_refuted = |audited: &&AuditedClaim| audited.outcome == Outcome::Refuted && audited.claim.repairs.is_none();
    let refuted = audit.claims.iter().filter(is_refuted);
    let mut findings: Vec<Finding> = refuted.map(|audited| finding(audit, audited)).collect();
    // The sort is stable: within a kind, the order of the paper stays.
    findings.sort_by_key(|finding| (finding.nature.lightness(), finding.kind));
    findings
}

/// The finding of a refuted claim.
fn finding(audit: &Audit, audited: &AuditedClaim) -> Finding {
    let claim = &audited.claim;
    let repairs: Vec<&AuditedClaim> = audit.repairs(&claim.id).filter(|repair| repair.outcome.holds()).collect();
    // The data may name the defect. Otherwise it follows from the kind of claim, or from the repairs.
    let nature = match (&claim.check, claim.defect) {
        (Check::Determined { .. }, _) | (_, Some(Defect::Underdetermined)) => Nature::Underdetermined,
        (_, Some(Defect::Hypothesis)) => Nature::Hypothesis,
        (_, Some(Defect::Slip)) => Nature::Slip,
        (Check::Printed { .. }, _) => Nature::Digits,
        _ if claim.kind == Kind::Step => Nature::Slip,
        _ if repairs.iter().any(|repair| supposes_more(repair, audited)) => Nature::Hypothesis,
        _ => Nature::Wrong,
    };
    let origin = match &audited.evidence {
        Evidence::Printed { explained: Some(explained), digits, .. } => Some(explain_digits(explained, &digits.text)),
        _ => None,
    };
    Finding {
        id: format!("finding:{}", claim.id),
        claim: claim.id.clone(),
        nature,
        kind: claim.kind,
        paper_says: claim.words.clone(),
        true_is: describe_truth(audited),
        repairs: repairs.iter().map(|repair| repair.claim.id.clone()).collect(),
        explanation: claim.explanation.clone(),
        origin,
    }
}

/// Whether a repair makes the same claim about fewer models.
fn supposes_more(repair: &AuditedClaim, than: &AuditedClaim) -> bool {
    match (&repair.evidence, &than.evidence) {
        (Evidence::Everywhere(repaired, _), Evidence::Everywhere(said, _)) => {
            // A denied statement is not repaired by restricting it.
            !than.claim.denied && repaired.claims == said.claims && repaired.models == said.models
        }
        _ => false,
    }
}

/// How wrong digits come about, in a sentence.
fn explain_digits(explained: &Explained, digits: &str) -> String {
    match &explained.how {
        Explanation::Cut(_) => format!("{digits} is what is left when further digits are cut off instead of rounded."),
        Explanation::Mean { mean_of, points } => format!(
            "The mean of the {mean_of} curve over {points} equally spaced scores from 0 to 1 is {:.7}, and {digits} when further \
             digits are cut off, as if the sum had been divided by the number of points instead of the number of steps.",
            explained.gives
        ),
    }
}

/// The truth that the evidence shows instead of a claim.
fn describe_truth(audited: &AuditedClaim) -> String {
    match &audited.evidence {
        Evidence::Everywhere(_, Verdict::Refuted(found)) => describe_counterexample(found),
        Evidence::Everywhere(statement, _) => format!("{statement} holds for every model."),
        Evidence::OnModel(model, statement, Decision::Fails(failure)) => {
            let claim = statement.claims.get(failure.claim);
            let [left, right] = &failure.sides;
            format!("On {}, {}.", model.name(), claim.map(|claim| sides(claim, left, right)).unwrap_or_default())
        }
        Evidence::OnModel(model, statement, _) => format!("On {}, {statement} holds.", model.name()),
        Evidence::Printed { value, digits, .. } => match (&audited.claim.check, value) {
            (Check::Printed { value: name, .. }, Some(value)) => {
                let rounded = digits.rounded(value).map_or(String::new(), |r| format!(", to the digits printed {r}"));
                format!("{name} is {value}{rounded}.")
            }
            _ => String::new(),
        },
        Evidence::Intervals { found, exact, .. } => describe_intervals(found, exact.as_deref()),
        Evidence::Class(_, member) => {
            let is = if *member == Some(true) { "is" } else { "is not" };
            match &audited.claim.check {
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

/// The intervals of a model, with exact ends if they are known.
fn describe_intervals(intervals: &[ScoreInterval], exact: Option<&[[[String; 2]; 2]]>) -> String {
    let describe = |(k, interval): (usize, &ScoreInterval)| {
        let [tau, sigma] = match exact.and_then(|all| all.get(k)) {
            Some(ends) => ends.each_ref().map(|[a, b]| format!("({a}, {b})")),
            None => [interval.tau, interval.sigma].map(|(a, b)| format!("({a:.6}, {b:.6})")),
        };
        format!("{} with τ = {tau}, σ = {sigma}", interval.kind.name())
    };
    let described: Vec<String> = intervals.iter().enumerate().map(describe).collect();
    format!("The intervals are: {}.", described.join("; "))
}

/// A counterexample with both sides of the comparison that fails.
fn describe_counterexample(found: &Counterexample) -> String {
    let several = found.models.len() > 1;
    let models = found.models.iter().map(|(name, t)| {
        let name = if several { format!("{name}: ") } else { String::new() };
        format!("{name}f0 = {}, f1 = {}, π0 = {}", t.f0, t.f1, t.pi0)
    });
    let parameters = found.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
    let cost = found.cost.iter().map(|cost| format!("w = {cost}"));
    let setting: Vec<String> = models.chain(parameters).chain(cost).collect();
    let separator = if several { "; " } else { ", " };
    format!("With {}: {}.", setting.join(separator), sides(&found.claim, &found.lhs, &found.rhs))
}

/// Both sides of a comparison with their values. The value of a side that is a number is left out.
fn sides(claim: &Comparison, left: &Value, right: &Value) -> String {
    let describe = |side: &Term, value: &Value| {
        let (side, value) = (side.to_string(), value.to_string());
        // A value prints as its closed form, then ` = ` and digits.
        let is_number = value.split(" = ").next() == Some(side.as_str());
        (!is_number).then(|| format!("{side} is {value}"))
    };
    match (describe(&claim.left, left), describe(&claim.right, right)) {
        (Some(left), Some(right)) => format!("{left}, and {right}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => format!("{} is not {}", claim.left, claim.right),
    }
}
