//! Verdicts: a statement is proved, refuted, supported by a search that found nothing against it, or undecided.

use crate::lang::Relation;
use crate::search::{Budget, Counterexample, Outcome, Support, refute};
use crate::statement::{Class, Comparison, Statement};
use crate::theory::certificate::Certificate;
use crate::theory::identity::Difference;
use crate::theory::lower::Base;
use crate::theory::prove;
use crate::theory::readable::in_proportions;
use std::time::{Duration, Instant};

/// What share of the time a proof may be looked for before counterexamples are.
const SHARE_FOR_PROOFS: u32 = 2;
/// How long each of the nearby statements is looked at, and all of them together.
const FOR_EACH_NEARBY: Duration = Duration::from_millis(200);
const FOR_ALL_NEARBY: Duration = Duration::from_millis(1500);

/// How many models a hypothesis must have been tried on to be worth telling.
const TELLING: usize = 1000;

/// How a statement turned out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds for every model of the class, by a proof that was checked.
    Proved(Box<Certificate>),
    /// It fails on a model, by proof.
    Refuted(Box<Counterexample>),
    /// A search found nothing against it.
    Supported(Support),
    /// Nothing could be told, and why.
    Undecided(String),
}

impl Verdict {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Proved(_) => "proved",
            Verdict::Refuted(_) => "refuted",
            Verdict::Supported(_) => "supported",
            Verdict::Undecided(_) => "undecided",
        }
    }
}

/// A verdict with what else is worth knowing.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The statement.
    pub statement: Statement,
    /// How it turned out.
    pub verdict: Verdict,
    /// By how much two sides differ for every model, where a refuted equation has such a difference.
    pub always_off_by: Option<String>,
    /// Nearby statements and how they turned out: with a hypothesis more, or a weaker relation.
    pub nearby: Vec<(Statement, Verdict)>,
}

/// Settles a statement within a time.
///
/// ```
/// use rocproof::statement::Statement;
/// use rocproof::verdict::{Verdict, settle};
/// use std::time::Duration;
/// let time = Duration::from_secs(10);
/// let judged = settle(&Statement::parse("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3")?, time);
/// assert!(matches!(judged.verdict, Verdict::Proved(_)));
/// let judged = settle(&Statement::parse("L[o] == RL")?, time);
/// assert!(matches!(judged.verdict, Verdict::Refuted(_)));
/// assert_eq!(judged.nearby[0].0.to_string(), "for convex m: L[o] == RL");
/// # Ok::<(), rocproof::lang::Diagnostic>(())
/// ```
pub fn settle(statement: &Statement, time: Duration) -> Judgement {
    let verdict = judge(statement, time);
    let mut judgement = Judgement { statement: statement.clone(), verdict, always_off_by: None, nearby: Vec::new() };
    if matches!(judgement.verdict, Verdict::Refuted(_)) {
        judgement.always_off_by = always_off_by(statement);
        judgement.nearby = nearby(statement);
    }
    judgement
}

/// Proves a statement, or else looks for a counterexample, within a time.
pub fn judge(statement: &Statement, time: Duration) -> Verdict {
    let until = Instant::now() + time;
    let obstacle = match prove::within(statement, time / SHARE_FOR_PROOFS) {
        Ok(certificate) => return Verdict::Proved(Box::new(certificate)),
        Err(why) => why,
    };
    let left = until.saturating_duration_since(Instant::now());
    match refute(statement, &Budget { time: left, ..Budget::default() }) {
        Outcome::Refuted(found) => Verdict::Refuted(found),
        Outcome::NotFound(support) if support.models > 0 => Verdict::Supported(support),
        Outcome::NotFound(_) => {
            Verdict::Undecided(format!("no model was found to try it on, and there is no proof: {obstacle}"))
        }
    }
}

/// By how much the sides of a single equation differ, if that is the same for every model up to its class proportion.
fn always_off_by(statement: &Statement) -> Option<String> {
    let [claim] = statement.claims.as_slice() else { return None };
    if claim.relation != Relation::Equal {
        return None;
    }
    let difference = Difference::new(statement, claim, Base::Given).ok()?;
    let known = |name: &str| ["pi0", "l", "h"].contains(&name);
    let is_number = difference.value.variables().iter().all(|variable| known(variable.name()));
    is_number.then(|| in_proportions(&difference.value))
}

/// What a refuted statement could have meant: under the natural hypotheses, and with equality allowed.
fn nearby(statement: &Statement) -> Vec<(Statement, Verdict)> {
    let until = Instant::now() + FOR_ALL_NEARBY;
    let mut found: Vec<(Statement, Verdict)> = Vec::new();
    if let Some(weaker) = with_equality(statement)
        && let Ok(certificate) = prove::within(&weaker, FOR_EACH_NEARBY)
    {
        found.push((weaker, Verdict::Proved(Box::new(certificate))));
    }
    let classes = [Class::Convex, Class::Calibrated, Class::Even, Class::Continuous];
    let hypotheses = classes.map(|class| (vec![class], vec![])).into_iter().chain([(vec![], vec!["pi0 == 1/2"])]);
    let mut open = Vec::new();
    let mut proved: Vec<Class> = Vec::new();
    for (classes, conditions) in hypotheses {
        let says_more = classes.iter().any(|class| !statement.classes.contains(class)) || classes.is_empty();
        let implied =
            proved.contains(&Class::Convex) && classes.iter().all(|class| class.is_convex() && *class != Class::Convex);
        let Ok(stronger) = statement.supposing(&classes, &conditions) else { continue };
        if !says_more || (implied && !classes.is_empty()) || stronger.to_string() == statement.to_string() {
            continue;
        }
        match prove::within(&stronger, FOR_EACH_NEARBY) {
            Ok(certificate) => {
                proved.extend(classes);
                found.push((stronger, Verdict::Proved(Box::new(certificate))));
            }
            Err(_) => open.push(stronger),
        }
    }
    if found.is_empty() {
        for stronger in open.into_iter().take_while(|_| Instant::now() < until) {
            let budget = Budget { time: FOR_EACH_NEARBY, ..Budget::default() };
            if let Outcome::NotFound(support) = refute(&stronger, &budget)
                && support.models >= TELLING
            {
                found.push((stronger, Verdict::Supported(support)));
            }
        }
    }
    found
}

/// The statement with `<=` for `<` and `>=` for `>`, if it has one of those.
fn with_equality(statement: &Statement) -> Option<Statement> {
    let mut weaker = statement.clone();
    for Comparison { relation, .. } in &mut weaker.claims {
        match *relation {
            Relation::Less => *relation = Relation::AtMost,
            Relation::Greater => *relation = Relation::AtLeast,
            _ => {}
        }
    }
    (weaker.claims != statement.claims).then(|| weaker.supposing(&[], &[]).ok()).flatten()
}
