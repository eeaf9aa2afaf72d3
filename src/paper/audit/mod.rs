//! The audit of the paper: every claim settled, from the data alone.
//!
//! | file | content |
//! | --- | --- |
//! | `evidence` | one claim: the question put to the engine, and what the answer means for the claim |
//! | `printed` | printed digits against values |
//! | `finding` | claims that are not right, beside what is true |

mod evidence;
mod finding;
mod printed;

pub use finding::{Finding, Nature};
pub use printed::{Digits, Explained};

use super::claim::Claim;
use crate::functional::Value;
use crate::model::Model;
use crate::search::Decision;
use crate::statement::Statement;
use crate::transform::ScoreInterval;
use crate::verdict::Verdict;
use rayon::prelude::*;
use std::time::Duration;

/// The usual ceiling of time for one claim. Each takes a fraction of a second.
pub const TIME: Duration = Duration::from_secs(60);

/// The outcome of the audit of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides are the same by definition, or by a lemma of the foundations: it holds for every model, and there was nothing to prove.
    ByDefinition,
    /// It holds for every model that it is about, by a checked proof.
    Proved,
    /// It holds on each model that it is about, exactly or by enclosures.
    Confirmed,
    /// It does not hold, and the evidence shows it.
    Refuted,
    /// It could not be settled.
    Undecided,
}

impl Outcome {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::ByDefinition => "by-definition",
            Outcome::Proved => "proved",
            Outcome::Confirmed => "confirmed",
            Outcome::Refuted => "refuted",
            Outcome::Undecided => "undecided",
        }
    }

    /// Whether the claim is right.
    pub fn holds(self) -> bool {
        matches!(self, Outcome::ByDefinition | Outcome::Proved | Outcome::Confirmed)
    }
}

/// The evidence behind an outcome.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A statement about all models, with its proof or counterexample.
    Everywhere(Statement, Verdict),
    /// A statement on one model, with both sides of each comparison.
    OnModel(Model, Statement, Decision),
    /// A value beside its printed digits.
    Printed {
        /// The model.
        model: Model,
        /// The decided statement: that the value rounds to the digits.
        statement: Statement,
        /// The value, if there is one.
        value: Option<Value>,
        /// The printed digits.
        digits: Digits,
        /// How wrong digits may have come about.
        explained: Option<Explained>,
    },
    /// The intervals of a model, beside the printed ones of the claim.
    Intervals {
        /// The model.
        model: Model,
        /// Its intervals.
        found: Vec<ScoreInterval>,
        /// The ends of `tau` and of `sigma` as text, where they are known exactly.
        exact: Option<Vec<[[String; 2]; 2]>>,
    },
    /// Whether a model is in a class, if that is known.
    Class(Model, Option<bool>),
    /// The reason why the paper's words make no model.
    NoModel(String),
    /// A model that the paper's words make.
    Model(Model),
    /// Two models that meet the same claims.
    Two {
        /// The model that stands for the paper's, and another one.
        models: [Model; 2],
        /// The claims that both meet.
        met: Vec<String>,
        /// A metric in which they differ, with its value on each.
        differ: Option<(&'static str, [Value; 2])>,
    },
    /// The claim could not be read or asked: its data are at fault.
    Fault(String),
}

/// A claim with its outcome and evidence.
#[derive(Clone, Debug)]
pub struct AuditedClaim {
    /// The claim.
    pub claim: Claim,
    /// The outcome.
    pub outcome: Outcome,
    /// The evidence behind the outcome.
    pub evidence: Evidence,
}

/// The audit of the paper.
#[derive(Clone, Debug)]
pub struct Audit {
    /// All claims in the paper's order. Repairs follow the claim that they repair.
    pub claims: Vec<AuditedClaim>,
}

impl Audit {
    /// Audits claims on all cores, each within a ceiling of time. `done` is called with each claim when it is finished.
    pub fn of(claims: &[Claim], time: Duration, done: impl Fn(&AuditedClaim) + Sync) -> Audit {
        let audited = claims.par_iter().map(|claim| {
            let audited = evidence::audit(claim, claims, time);
            done(&audited);
            audited
        });
        Audit { claims: audited.collect() }
    }

    /// The claims that repair a given one.
    pub fn repairs<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a AuditedClaim> {
        self.claims.iter().filter(move |audited| audited.claim.repairs.as_deref() == Some(id))
    }

    /// The findings, the weightiest first.
    pub fn findings(&self) -> Vec<Finding> {
        finding::findings(self)
    }

    /// The number of claims with an outcome, repairs not counted.
    pub fn count(&self, outcome: Outcome) -> usize {
        let is_counted = |audited: &&AuditedClaim| audited.claim.repairs.is_none() && audited.outcome == outcome;
        self.claims.iter().filter(is_counted).count()
    }
}
