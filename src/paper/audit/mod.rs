//! The paper audited: every claim settled, from nothing but the data.
//!
//! | file | what it does |
//! | --- | --- |
//! | `settle` | one claim: which question is put to the engine, and what its answer means for the claim |
//! | `printed` | printed digits against values |
//! | `finding` | what is not right, beside what is |

mod finding;
mod printed;
mod settle;

pub use finding::{Finding, Nature};
pub use printed::{Digits, Explained};

use super::claim::Claim;
use crate::functional::Value;
use crate::model::Model;
use crate::search::Decision;
use crate::statement::Statement;
use crate::transform::Interval;
use crate::verdict::Verdict;
use rayon::prelude::*;
use std::time::Duration;

/// How long a claim may take; each takes a fraction of a second.
pub const TIME: Duration = Duration::from_secs(60);

/// How a claim turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Both sides are the same by definition, or by a lemma of the foundations: for every model, and nothing was to be proved.
    ByDefinition,
    /// It holds for every model that it is about, by a proof that was checked.
    Proved,
    /// It holds of the models that it is about, each looked at: exactly, or by enclosures.
    Confirmed,
    /// It does not hold, and that is shown.
    Refuted,
    /// It could not be settled.
    Undecided,
}

impl Outcome {
    /// Its name in JSON.
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

/// What a verdict rests on.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// A statement about all models: a proof or a counterexample.
    Everywhere(Statement, Verdict),
    /// A statement on one model: both sides of what it claims.
    OnModel(Model, Statement, Decision),
    /// The value beside the digits that are printed.
    Printed {
        /// The model.
        model: Model,
        /// What was decided: that the value rounds to the digits.
        statement: Statement,
        /// The value; `None` if it has none.
        value: Option<Value>,
        /// The digits.
        digits: Digits,
        /// How they may have come about, if they are not right.
        explained: Option<Explained>,
    },
    /// The intervals of the model beside those that are printed.
    Intervals {
        /// The model.
        model: Model,
        /// Its intervals.
        found: Vec<Interval>,
        /// Their ends written out, where they are known exactly: those of `tau` and of `sigma`.
        exact: Option<Vec<[[String; 2]; 2]>>,
    },
    /// Whether a model is in a class.
    Class(Model, Option<bool>),
    /// What makes of words no model.
    NoModel(String),
    /// Words that make a model.
    Model(Model),
    /// Two models that meet everything that is said, and a value in which they differ.
    Two {
        /// The model that stands for the paper's, and another one.
        models: [Model; 2],
        /// What was tried on both.
        met: Vec<String>,
        /// The name of a value, and what it is on each, if there is one in which they differ.
        differ: Option<(&'static str, [Value; 2])>,
    },
    /// Nothing could be asked: the data are at fault.
    Fault(String),
}

/// A claim with how it turned out.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The claim.
    pub claim: Claim,
    /// How it turned out.
    pub outcome: Outcome,
    /// What that rests on.
    pub evidence: Evidence,
}

/// The paper, audited.
#[derive(Clone, Debug)]
pub struct Audit {
    /// All claims, in the paper's order; each is followed by its repairs.
    pub claims: Vec<Settled>,
}

impl Audit {
    /// Settles claims, on all cores, each within a time; `done` is told of each as it is settled.
    pub fn of(claims: &[Claim], time: Duration, done: impl Fn(&Settled) + Sync) -> Audit {
        let settled = claims.par_iter().map(|claim| {
            let settled = settle::settle(claim, claims, time);
            done(&settled);
            settled
        });
        Audit { claims: settled.collect() }
    }

    /// The claims that repair one.
    pub fn repairs<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Settled> {
        self.claims.iter().filter(move |settled| settled.claim.repairs.as_deref() == Some(id))
    }

    /// What is not right in the paper, the weightiest first.
    pub fn findings(&self) -> Vec<Finding> {
        finding::findings(self)
    }

    /// How many claims of the paper itself turned out so.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.claims.iter().filter(|s| s.claim.repairs.is_none() && s.outcome == outcome).count()
    }
}
