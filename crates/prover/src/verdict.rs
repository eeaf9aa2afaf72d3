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

/// The work on a proof and on a counterexample, by turns: little first, since most statements need no more.
const STAGES: [(u64, usize); 2] = [(Effort::LITTLE, 1500), (Effort::USUAL, 24_000)];
/// The work on a counterexample to a nearby statement.
const FOR_NEARBY: usize = 1500;
/// How long a verdict may take unless told otherwise. Work is counted, and ends long before.
pub const CEILING: Duration = Duration::from_secs(60);

/// How many models a hypothesis must have been tried on to be worth telling.
const TELLING: usize = 500;

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

/// What is known of the premises of a statement that is proved.
#[derive(Clone, Debug)]
pub enum Premises {
    /// A model satisfies them.
    Satisfied(Box<Witness>),
    /// No model was found that satisfies them.
    Open,
    /// No model satisfies them, by proof: the statement says nothing. And why, as a sentence.
    Contradictory(String),
}

impl Premises {
    /// Whether the statement says nothing, if that is known.
    pub fn is_vacuous(&self) -> Option<bool> {
        match self {
            Premises::Satisfied(_) => Some(false),
            Premises::Contradictory(_) => Some(true),
            Premises::Open => None,
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
    /// What is known of its premises, if it is proved.
    pub premises: Option<Premises>,
    /// By how much two sides differ for every model, where a refuted equation has such a difference.
    pub always_off_by: Option<String>,
    /// Nearby statements and how they turned out: with a hypothesis more, or a weaker relation.
    pub nearby: Vec<(Statement, Verdict)>,
    /// Whether the ceiling on time cut something off.
    pub stopped: bool,
}

/// Settles a statement. The same statement gets the same verdict on every machine, unless the ceiling on time cuts something off.
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
    let (mut verdict, premises) = with_premises(statement, verdict, &ceiling);
    if matches!(verdict, Verdict::Undecided(_))
        && statement.models.len() == 1
        && let Premises::Contradictory(why) = self::premises(statement, &ceiling)
    {
        verdict = says_nothing(&why);
    }
    let (mut always, mut near) = (None, Vec::new());
    match &verdict {
        Verdict::Refuted(_) => {
            always = always_off_by(statement);
            near = nearby(statement, &ceiling);
        }
        Verdict::Proved(_) | Verdict::Supported(_) | Verdict::Undecided(_) => {}
    }
    stopped |= ceiling.was_reached();
    Judgement { statement: statement.clone(), verdict, premises, always_off_by: always, nearby: near, stopped }
}

/// Looks for a proof of a statement, and for no counterexample.
pub fn prove_only(statement: &Statement, time: Duration) -> Judgement {
    let ceiling = Ceiling::after(time);
    let (found, stopped) = match statement.meaning() {
        Ok(()) => prove::within(statement, Effort::usual(ceiling.left())),
        Err(diagnostic) => (Err(Unproved::NoMeaning(diagnostic.message)), false),
    };
    let verdict = match found {
        Ok(certificate) => {
            guard(statement);
            Verdict::Proved(Box::new(certificate))
        }
        Err(why) => Verdict::Undecided(format!("there is no proof: {why}")),
    };
    let (verdict, premises) = with_premises(statement, verdict, &ceiling);
    let stopped = stopped || ceiling.was_reached();
    Judgement { statement: statement.clone(), verdict, premises, always_off_by: None, nearby: Vec::new(), stopped }
}

/// A verdict, once it is asked whether any model satisfies the premises.
fn with_premises(statement: &Statement, verdict: Verdict, ceiling: &Ceiling) -> (Verdict, Option<Premises>) {
    let supposes = !(statement.premises.is_empty() && statement.conditions.is_empty());
    match verdict {
        Verdict::Proved(certificate) => match premises(statement, ceiling) {
            // The conditions may hold only where a parameter leaves the domain that the proof supposes.
            Premises::Open if statement.restricts_domains() => {
                let domains = statement.domains().join(", ");
                let why =
                    format!("a proof supposes that {domains}; no model was found that satisfies the premises there");
                (Verdict::Undecided(why), None)
            }
            known => (Verdict::Proved(certificate), Some(known)),
        },
        // Models that may or may not satisfy the premises are no support.
        Verdict::Supported(support) if supposes && statement.models.len() == 1 => match premises(statement, ceiling) {
            Premises::Satisfied(_) => (Verdict::Supported(support), None),
            Premises::Contradictory(why) => (says_nothing(&why), None),
            Premises::Open => {
                let why = "no model was found that satisfies the premises, and there is no proof";
                (Verdict::Undecided(why.into()), None)
            }
        },
        other => (other, None),
    }
}

/// The verdict on a statement whose premises no model satisfies, and that is not proved as it stands.
fn says_nothing(why: &str) -> Verdict {
    Verdict::Undecided(format!("it says nothing, because no model satisfies the premises: {why}"))
}

/// Proves a statement, or else looks for a counterexample; also whether the ceiling on time cut something off.
pub fn judge(statement: &Statement, time: Duration) -> (Verdict, bool) {
    if let Err(diagnostic) = statement.meaning() {
        return (Verdict::Undecided(format!("it has no meaning: {}", diagnostic.message)), false);
    }
    let ceiling = Ceiling::after(time);
    let (mut last, mut stopped) = (Verdict::Undecided("nothing was tried".into()), false);
    for (for_proof, for_counterexample) in STAGES {
        let (found, cut) = prove::within(statement, Effort::new(for_proof, ceiling.left()));
        stopped |= cut;
        let obstacle = match found {
            Ok(certificate) => {
                guard(statement);
                return (Verdict::Proved(Box::new(certificate)), false);
            }
            Err(why) => why,
        };
        if let Some(why) = Class::empty(&statement.classes) {
            return (says_nothing(why), stopped);
        }
        let budget = Budget { work: for_counterexample, ceiling: ceiling.left(), ..Budget::default() };
        last = match refute(statement, &budget) {
            SearchOutcome::Refuted(found) => return (Verdict::Refuted(found), false),
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

/// What is known of the premises of a statement: a model that satisfies them, or a proof that none does.
pub fn premises(statement: &Statement, ceiling: &Ceiling) -> Premises {
    if let Some(why) = Class::empty(&statement.classes) {
        return Premises::Contradictory(why.to_owned());
    }
    if let Some(found) = witness(statement, ceiling) {
        return Premises::Satisfied(Box::new(found));
    }
    // If one of them is proved to fail under the others, no model satisfies all: unless the proof supposes a domain.
    let no_domains = statement.domains().is_empty();
    let all = statement.premises.len() + statement.conditions.len();
    let contradiction = |k: usize| {
        let mut others = statement.clone();
        let supposed = if k < statement.premises.len() {
            others.premises.remove(k)
        } else {
            others.conditions.remove(k - statement.premises.len())
        };
        negations(&supposed).into_iter().find_map(|claim| {
            let why = format!("`{claim}` is proved, which contradicts `{supposed}`");
            let claim = mentioning(claim, statement, |functional| no_domains || functional.parameter().is_none());
            let negated = others.with_claim(&claim);
            let (found, _) = prove::within(&negated, Effort::new(Effort::LITTLE, ceiling.left()));
            (found.is_ok() && negated.domains().is_empty()).then_some(why)
        })
    };
    (0..all).find_map(contradiction).map_or(Premises::Open, Premises::Contradictory)
}

/// Comparisons each of which excludes one.
fn negations(of: &Comparison) -> Vec<Comparison> {
    let with = |relation: Relation| Comparison { relation, ..of.clone() };
    match of.relation {
        Relation::Equal => vec![with(Relation::Less), with(Relation::Greater)],
        Relation::AtMost => vec![with(Relation::Greater)],
        Relation::Less => vec![with(Relation::AtLeast)],
        Relation::AtLeast => vec![with(Relation::Less)],
        Relation::Greater => vec![with(Relation::AtMost)],
    }
}

/// A claim that mentions, with a factor 0, what a statement asks of scores: so that it supposes the same.
fn mentioning(mut claim: Comparison, statement: &Statement, may: impl Fn(&Functional) -> bool) -> Comparison {
    let asks = |functional: &&Functional| functional.scores() == statement.scores() && may(functional);
    if let Some(functional) = statement.functionals().into_iter().find(asks) {
        let zero = Term::Number(Literal::rational(0u8.into()));
        let nothing = Term::Binary(Op::Mul, Box::new(zero), Box::new(Term::Value(Box::new(functional.clone()))));
        claim.left = Term::Binary(Op::Add, Box::new(claim.left), Box::new(nothing));
    }
    claim
}

/// By how much the sides of a single equation differ, if that is the same for every model up to its class proportion.
fn always_off_by(statement: &Statement) -> Option<String> {
    let [claim] = statement.claims.as_slice() else { return None };
    if claim.relation != Relation::Equal {
        return None;
    }
    let difference = Difference::new(statement, claim, Base::Given).ok()?;
    let known = |symbol: Symbol| matches!(symbol, Symbol::Pi0 | Symbol::Low | Symbol::High);
    let is_number = difference.value.variables().iter().all(|variable| known(Symbol::of(*variable)));
    is_number.then(|| in_proportions(&difference.value))
}

/// What a refuted statement could have meant: under the natural hypotheses, and with equality allowed.
fn nearby(statement: &Statement, ceiling: &Ceiling) -> Vec<(Statement, Verdict)> {
    let proof = |of: &Statement| {
        of.meaning().ok()?;
        let (found, _) = prove::within(of, Effort::new(Effort::LITTLE, ceiling.left()));
        let certificate = found.ok()?;
        guard(of);
        Some(certificate)
    };
    let mut found: Vec<(Statement, Verdict)> = Vec::new();
    if let Some(weaker) = with_equality(statement)
        && let Some(certificate) = proof(&weaker)
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
        match proof(&stronger) {
            // A hypothesis that no model satisfies is no repair.
            Some(certificate) if matches!(premises(&stronger, ceiling), Premises::Satisfied(_)) => {
                proved.extend(classes);
                found.push((stronger, Verdict::Proved(Box::new(certificate))));
            }
            Some(_) => {}
            None => open.push(stronger),
        }
    }
    if found.is_empty() {
        for stronger in open.into_iter().filter(|stronger| stronger.meaning().is_ok()) {
            let budget = Budget { work: FOR_NEARBY, ceiling: ceiling.left(), ..Budget::default() };
            if let SearchOutcome::NotFound(support) = refute(&stronger, &budget)
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
