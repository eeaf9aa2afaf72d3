//! Verdicts: a statement is proved, refuted, supported by a search that found nothing against it, or undecided.

use crate::search::{Budget, Ceiling, Counterexample, SearchOutcome, Support, Witness, guard, refute, witness};
use crate::statement::{Class, Comparison, Functional, Statement, Term};
use crate::theory::Unproved;
use crate::theory::certificate::Certificate;
use crate::theory::effort::Effort;
use crate::theory::identity::Difference;
use crate::theory::lower::Base;
use crate::theory::prove;
use crate::theory::readable::in_proportions;
use crate::theory::symbol::Symbol;
use rocproof_language::{Literal, Op, Relation};
use std::time::Duration;

/// The work on a proof and on a counterexample in each stage. The first stage is short: it settles most statements.
const STAGES: [(u64, usize); 2] = [(Effort::LITTLE, 1500), (Effort::USUAL, 24_000)];
/// The work on a counterexample to a nearby statement.
const NEARBY_WORK: usize = 1500;
/// The default ceiling on the time of a verdict. The counted work usually ends long before.
pub const CEILING: Duration = Duration::from_secs(60);

/// The least number of models that a nearby statement must hold on to be suggested without proof.
const LEAST_SUPPORT: usize = 500;

/// The verdict on a statement.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds for every model of the class, by a proof that was checked.
    Proved(Box<Certificate>),
    /// It fails on a model, by proof.
    Refuted(Box<Counterexample>),
    /// A search found nothing against it.
    Supported(Support),
    /// Nothing is known, for this reason.
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

/// Whether the premises of a proved statement can be satisfied.
#[derive(Clone, Debug)]
pub enum Premises {
    /// A model satisfies them.
    Satisfied(Box<Witness>),
    /// No model was found that satisfies them.
    Open,
    /// No model satisfies them, by proof, so that the statement is vacuous; the reason, as a sentence.
    Contradictory(String),
}

impl Premises {
    /// Whether the statement is vacuous; `None` if that is unknown.
    pub fn is_vacuous(&self) -> Option<bool> {
        match self {
            Premises::Satisfied(_) => Some(false),
            Premises::Contradictory(_) => Some(true),
            Premises::Open => None,
        }
    }
}

/// A verdict with further findings.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The statement.
    pub statement: Statement,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether its premises can be satisfied, if it is proved.
    pub premises: Option<Premises>,
    /// The difference of the sides of a refuted equation, if it is the same for every model of a class proportion.
    pub always_off_by: Option<String>,
    /// Nearby statements that are proved or supported: with a further hypothesis, or a weaker relation.
    pub nearby: Vec<(Statement, Verdict)>,
    /// Whether the ceiling on time cut a search off.
    pub stopped: bool,
}

/// Settles a statement: looks for a proof and for a counterexample, then for a witness of the premises. The verdict is the same on every
/// machine, unless the ceiling on time cuts a search off.
///
/// ```
/// use rocproof_prover::statement::Statement;
/// use rocproof_prover::verdict::{CEILING, Premises, Verdict, settle};
/// let judged = settle(&Statement::parse("L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3")?, CEILING);
/// assert!(matches!(judged.verdict, Verdict::Proved(_)));
/// let judged = settle(&Statement::parse("L[o] == RL")?, CEILING);
/// assert!(matches!(judged.verdict, Verdict::Refuted(_)));
/// assert_eq!(judged.nearby[0].0.to_string(), "for convex m: L[o] == RL");
/// let judged = settle(&Statement::parse("AUC >= 3/2 implies BS == 7")?, CEILING);
/// assert!(matches!(judged.premises, Some(Premises::Contradictory(_))));
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn settle(statement: &Statement, time: Duration) -> Judgement {
    let ceiling = Ceiling::after(time);
    let (verdict, mut stopped) = judge(statement, time);
    let (mut verdict, premises) = revise_by_premises(statement, verdict, &ceiling);
    if matches!(verdict, Verdict::Undecided(_))
        && statement.models.len() == 1
        && let Premises::Contradictory(why) = judge_premises(statement, &ceiling)
    {
        verdict = vacuous(&why);
    }
    let (mut always_off_by, mut nearby) = (None, Vec::new());
    match &verdict {
        Verdict::Refuted(_) => {
            always_off_by = constant_difference(statement);
            nearby = find_nearby(statement, &ceiling);
        }
        Verdict::Proved(_) | Verdict::Supported(_) | Verdict::Undecided(_) => {}
    }
    stopped |= ceiling.was_reached();
    Judgement { statement: statement.clone(), verdict, premises, always_off_by, nearby, stopped }
}

/// Looks for a proof of a statement, and for no counterexample.
pub fn prove_only(statement: &Statement, time: Duration) -> Judgement {
    let ceiling = Ceiling::after(time);
    let (result, stopped) = match statement.meaning() {
        Ok(()) => prove::within(statement, Effort::usual(ceiling.left())),
        Err(diagnostic) => (Err(Unproved::NoMeaning(diagnostic.message)), false),
    };
    let verdict = match result {
        Ok(certificate) => {
            guard(statement);
            Verdict::Proved(Box::new(certificate))
        }
        Err(why) => Verdict::Undecided(format!("there is no proof: {why}")),
    };
    let (verdict, premises) = revise_by_premises(statement, verdict, &ceiling);
    let stopped = stopped || ceiling.was_reached();
    Judgement { statement: statement.clone(), verdict, premises, always_off_by: None, nearby: Vec::new(), stopped }
}

/// Revises a verdict by whether a model satisfies the premises.
fn revise_by_premises(statement: &Statement, verdict: Verdict, ceiling: &Ceiling) -> (Verdict, Option<Premises>) {
    let supposes = !(statement.premises.is_empty() && statement.conditions.is_empty());
    match verdict {
        Verdict::Proved(certificate) => match judge_premises(statement, ceiling) {
            // The conditions may hold only where a parameter leaves the domain that the proof supposes.
            Premises::Open if statement.restricts_domains() => {
                let domains = statement.domains().join(", ");
                let why =
                    format!("a proof supposes that {domains}; no model was found that satisfies the premises there");
                (Verdict::Undecided(why), None)
            }
            premises => (Verdict::Proved(certificate), Some(premises)),
        },
        // A search supports a statement only if some model is known to satisfy the premises.
        Verdict::Supported(support) if supposes && statement.models.len() == 1 => {
            match judge_premises(statement, ceiling) {
                Premises::Satisfied(_) => (Verdict::Supported(support), None),
                Premises::Contradictory(why) => (vacuous(&why), None),
                Premises::Open => {
                    let why = "no model was found that satisfies the premises, and there is no proof";
                    (Verdict::Undecided(why.into()), None)
                }
            }
        }
        other => (other, None),
    }
}

/// The verdict on an unproved statement whose premises no model satisfies.
fn vacuous(why: &str) -> Verdict {
    Verdict::Undecided(format!("it says nothing, because no model satisfies the premises: {why}"))
}

/// Looks for a proof and for a counterexample, stage by stage. Also whether the ceiling on time cut a search off.
pub fn judge(statement: &Statement, time: Duration) -> (Verdict, bool) {
    if let Err(diagnostic) = statement.meaning() {
        return (Verdict::Undecided(format!("it has no meaning: {}", diagnostic.message)), false);
    }
    let ceiling = Ceiling::after(time);
    let (mut last, mut stopped) = (Verdict::Undecided("nothing was tried".into()), false);
    for (for_proof, for_counterexample) in STAGES {
        let (result, cut_off) = prove::within(statement, Effort::new(for_proof, ceiling.left()));
        stopped |= cut_off;
        let obstacle = match result {
            Ok(certificate) => {
                guard(statement);
                return (Verdict::Proved(Box::new(certificate)), false);
            }
            Err(why) => why,
        };
        if let Some(why) = Class::empty(&statement.classes) {
            return (vacuous(why), stopped);
        }
        let budget = Budget { work: for_counterexample, ceiling: ceiling.left(), ..Budget::default() };
        last = match refute(statement, &budget) {
            SearchOutcome::Refuted(counterexample) => return (Verdict::Refuted(counterexample), false),
            SearchOutcome::NotFound(support) => {
                stopped |= support.stopped;
                if support.models > 0 {
                    Verdict::Supported(support)
                } else {
                    let why = format!("no model was found to try it on, and there is no proof: {obstacle}");
                    Verdict::Undecided(why)
                }
            }
        };
        if ceiling.is_reached() {
            stopped = true;
            break;
        }
    }
    (last, stopped)
}

/// Looks for a model that satisfies the premises of a statement, then for a proof that none does.
pub(crate) fn judge_premises(statement: &Statement, ceiling: &Ceiling) -> Premises {
    if let Some(why) = Class::empty(&statement.classes) {
        return Premises::Contradictory(why.to_owned());
    }
    if let Some(witness) = witness(statement, ceiling) {
        return Premises::Satisfied(Box::new(witness));
    }
    // A premise that is proved to fail under the others contradicts them, unless the proof supposes a domain of a parameter.
    let no_domains = statement.domains().is_empty();
    let all = statement.premises.len() + statement.conditions.len();
    let contradiction = |k: usize| {
        let mut others = statement.clone();
        let supposed = if k < statement.premises.len() {
            others.premises.remove(k)
        } else {
            others.conditions.remove(k - statement.premises.len())
        };
        contradictions(&supposed).into_iter().find_map(|claim| {
            let why = format!("`{claim}` is proved, which contradicts `{supposed}`");
            let claim = with_scores_of(claim, statement, |functional| no_domains || functional.parameter().is_none());
            let negated = others.with_claim(&claim);
            let (result, _) = prove::within(&negated, Effort::new(Effort::LITTLE, ceiling.left()));
            (result.is_ok() && negated.domains().is_empty()).then_some(why)
        })
    };
    (0..all).find_map(contradiction).map_or(Premises::Open, Premises::Contradictory)
}

/// The comparisons of the same sides, each of which contradicts a comparison.
fn contradictions(comparison: &Comparison) -> Vec<Comparison> {
    let with = |relation: Relation| Comparison { relation, ..comparison.clone() };
    match comparison.relation {
        Relation::Equal => vec![with(Relation::Less), with(Relation::Greater)],
        Relation::AtMost => vec![with(Relation::Greater)],
        Relation::Less => vec![with(Relation::AtLeast)],
        Relation::AtLeast => vec![with(Relation::Less)],
        Relation::Greater => vec![with(Relation::AtMost)],
    }
}

/// Adds 0 times a functional of the statement to a claim, so that the claim asks the same of scores as the statement.
fn with_scores_of(
    mut claim: Comparison,
    statement: &Statement,
    is_allowed: impl Fn(&Functional) -> bool,
) -> Comparison {
    let asks = |functional: &&Functional| functional.scores() == statement.scores() && is_allowed(functional);
    if let Some(functional) = statement.functionals().into_iter().find(asks) {
        let zero = Term::Number(Literal::rational(0u8.into()));
        let no_change = Term::Binary(Op::Mul, Box::new(zero), Box::new(Term::Value(Box::new(functional.clone()))));
        claim.left = Term::Binary(Op::Add, Box::new(claim.left), Box::new(no_change));
    }
    claim
}

/// The difference of the sides of a single equation, if it depends on the class proportion and the scale only.
fn constant_difference(statement: &Statement) -> Option<String> {
    let [claim] = statement.claims.as_slice() else { return None };
    if claim.relation != Relation::Equal {
        return None;
    }
    let difference = Difference::new(statement, claim, Base::Given).ok()?;
    let known = |symbol: Symbol| matches!(symbol, Symbol::Pi0 | Symbol::Low | Symbol::High);
    let is_number = difference.value.variables().iter().all(|variable| known(Symbol::of(*variable)));
    is_number.then(|| in_proportions(&difference.value))
}

/// Statements near a refuted one that are proved or supported: with equality allowed, or under a further natural hypothesis.
fn find_nearby(statement: &Statement, ceiling: &Ceiling) -> Vec<(Statement, Verdict)> {
    let prove = |nearby: &Statement| {
        nearby.meaning().ok()?;
        let (result, _) = prove::within(nearby, Effort::new(Effort::LITTLE, ceiling.left()));
        let certificate = result.ok()?;
        guard(nearby);
        Some(certificate)
    };
    let mut nearby: Vec<(Statement, Verdict)> = Vec::new();
    if let Some(weaker) = with_equality(statement)
        && let Some(certificate) = prove(&weaker)
    {
        nearby.push((weaker, Verdict::Proved(Box::new(certificate))));
    }
    let classes = [Class::Convex, Class::Calibrated, Class::Even, Class::Continuous];
    let hypotheses = classes.map(|class| (vec![class], vec![])).into_iter().chain([(vec![], vec!["pi0 == 1/2"])]);
    let mut unproved = Vec::new();
    let mut proved: Vec<Class> = Vec::new();
    for (classes, conditions) in hypotheses {
        let says_more = classes.iter().any(|class| !statement.classes.contains(class)) || classes.is_empty();
        let implied =
            proved.contains(&Class::Convex) && classes.iter().all(|class| class.is_convex() && *class != Class::Convex);
        let Ok(stronger) = statement.with_suppositions(&classes, &conditions) else { continue };
        if !says_more || (implied && !classes.is_empty()) || stronger.to_string() == statement.to_string() {
            continue;
        }
        match prove(&stronger) {
            // A hypothesis that no model satisfies repairs nothing.
            Some(certificate) if matches!(judge_premises(&stronger, ceiling), Premises::Satisfied(_)) => {
                proved.extend(classes);
                nearby.push((stronger, Verdict::Proved(Box::new(certificate))));
            }
            Some(_) => {}
            None => unproved.push(stronger),
        }
    }
    if nearby.is_empty() {
        for stronger in unproved.into_iter().filter(|stronger| stronger.meaning().is_ok()) {
            let budget = Budget { work: NEARBY_WORK, ceiling: ceiling.left(), ..Budget::default() };
            if let SearchOutcome::NotFound(support) = refute(&stronger, &budget)
                && support.models >= LEAST_SUPPORT
            {
                nearby.push((stronger, Verdict::Supported(support)));
            }
        }
    }
    nearby
}

/// The statement with `<=` for `<` and `>=` for `>`; `None` if no claim is strict.
fn with_equality(statement: &Statement) -> Option<Statement> {
    let mut weaker = statement.clone();
    for Comparison { relation, .. } in &mut weaker.claims {
        match *relation {
            Relation::Less => *relation = Relation::AtMost,
            Relation::Greater => *relation = Relation::AtLeast,
            _ => {}
        }
    }
    (weaker.claims != statement.claims).then(|| weaker.with_suppositions(&[], &[]).ok()).flatten()
}
