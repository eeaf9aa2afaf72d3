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

/// A stage of the search for a verdict.
struct Stage {
    /// The work on a proof, in units of [`Effort`].
    proof: u64,
    /// The work on a counterexample, in units of [`Budget`].
    counterexample: usize,
}

/// The stages. The first is short: it settles most statements.
const STAGES: [Stage; 2] =
    [Stage { proof: Effort::LITTLE, counterexample: 1500 }, Stage { proof: Effort::USUAL, counterexample: 24_000 }];
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

/// Settles a statement: looks for a proof and for a counterexample, then for a witness of the premises; for a refuted statement also for nearby
/// statements. The verdict is the same on every machine, unless the ceiling on time cuts a search off.
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
    if matches!(verdict, Verdict::Refuted(_)) {
        always_off_by = constant_difference(statement);
        nearby = find_nearby(statement, &ceiling);
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

/// Revises a verdict by whether a model satisfies the premises. A proof that supposes the domain of a parameter, and a search, count only if
/// some model is known to satisfy them. Gives the judgement of the premises for proved statements only.
fn revise_by_premises(statement: &Statement, verdict: Verdict, ceiling: &Ceiling) -> (Verdict, Option<Premises>) {
    let has_suppositions = !statement.premises.is_empty() || !statement.conditions.is_empty();
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
        Verdict::Supported(support) if has_suppositions && statement.models.len() == 1 => {
            match judge_premises(statement, ceiling) {
                Premises::Satisfied(_) => (Verdict::Supported(support), None),
                Premises::Contradictory(why) => (vacuous(&why), None),
                Premises::Open => {
                    let why = "no model was found that satisfies the premises, and there is no proof";
                    (Verdict::Undecided(why.into()), None)
                }
            }
        }
        unrevised => (unrevised, None),
    }
}

/// The verdict on an unproved statement whose premises no model satisfies.
fn vacuous(why: &str) -> Verdict {
    Verdict::Undecided(format!("it says nothing, because no model satisfies the premises: {why}"))
}

/// Looks for a proof and for a counterexample, stage by stage. The flag says whether the ceiling on time cut a search off.
pub fn judge(statement: &Statement, time: Duration) -> (Verdict, bool) {
    if let Err(diagnostic) = statement.meaning() {
        return (Verdict::Undecided(format!("it has no meaning: {}", diagnostic.message)), false);
    }
    let ceiling = Ceiling::after(time);
    let (mut verdict, mut stopped) = (Verdict::Undecided("nothing was tried".into()), false);
    for Stage { proof, counterexample } in STAGES {
        let (result, was_cut_off) = prove::within(statement, Effort::new(proof, ceiling.left()));
        stopped |= was_cut_off;
        let unproved = match result {
            Ok(certificate) => {
                guard(statement);
                return (Verdict::Proved(Box::new(certificate)), false);
            }
            Err(why) => why,
        };
        if let Some(why) = Class::why_empty(&statement.classes) {
            return (vacuous(why), stopped);
        }
        let budget = Budget { work: counterexample, ceiling: ceiling.left(), ..Budget::default() };
        verdict = match refute(statement, &budget) {
            SearchOutcome::Refuted(counterexample) => return (Verdict::Refuted(counterexample), false),
            SearchOutcome::NotFound(support) => {
                stopped |= support.stopped;
                if support.models > 0 {
                    Verdict::Supported(support)
                } else {
                    let why = format!("no model was found to try it on, and there is no proof: {unproved}");
                    Verdict::Undecided(why)
                }
            }
        };
        if ceiling.is_reached() {
            stopped = true;
            break;
        }
    }
    (verdict, stopped)
}

/// Looks for a model that satisfies the premises of a statement, then for a proof that none does.
pub(crate) fn judge_premises(statement: &Statement, ceiling: &Ceiling) -> Premises {
    if let Some(why) = Class::why_empty(&statement.classes) {
        return Premises::Contradictory(why.to_owned());
    }
    if let Some(witness) = witness(statement, ceiling) {
        return Premises::Satisfied(Box::new(witness));
    }
    let count = statement.premises.len() + statement.conditions.len();
    let contradiction = (0..count).find_map(|k| prove_contradiction(statement, k, ceiling));
    contradiction.map_or(Premises::Open, Premises::Contradictory)
}

/// Proves that supposition `k`, counted through premises and conditions, fails under the others; the reason, as a sentence. A proof that
/// supposes the domain of a parameter does not count.
fn prove_contradiction(statement: &Statement, k: usize, ceiling: &Ceiling) -> Option<String> {
    let has_domains = !statement.domains().is_empty();
    let mut others = statement.clone();
    let supposed = if k < statement.premises.len() {
        others.premises.remove(k)
    } else {
        others.conditions.remove(k - statement.premises.len())
    };
    contradictions(&supposed).into_iter().find_map(|claim| {
        let why = format!("`{claim}` is proved, which contradicts `{supposed}`");
        // The claim may borrow a functional of the statement, for its scores. One with a parameter would also bring the domain of the
        // parameter into the proof.
        let is_allowed = |functional: &Functional| !has_domains || functional.parameter().is_none();
        let negated = others.with_claim(&with_scores_of(claim, statement, is_allowed));
        let (result, _) = prove::within(&negated, Effort::new(Effort::LITTLE, ceiling.left()));
        (result.is_ok() && negated.domains().is_empty()).then_some(why)
    })
}

/// Comparisons of the same two sides that contradict a comparison: any one of them disproves it.
fn contradictions(comparison: &Comparison) -> Vec<Comparison> {
    let relations = match comparison.relation {
        Relation::Equal => vec![Relation::Less, Relation::Greater],
        Relation::AtMost => vec![Relation::Greater],
        Relation::Less => vec![Relation::AtLeast],
        Relation::AtLeast => vec![Relation::Less],
        Relation::Greater => vec![Relation::AtMost],
    };
    relations.into_iter().map(|relation| Comparison { relation, ..comparison.clone() }).collect()
}

/// Adds 0 times a functional of the statement to a claim, so that the claim asks the same of scores as the statement. Only functionals that
/// `is_allowed` accepts are added; without one the claim stays as it is.
fn with_scores_of(
    mut claim: Comparison,
    statement: &Statement,
    is_allowed: impl Fn(&Functional) -> bool,
) -> Comparison {
    let is_suitable = |functional: &&Functional| functional.scores() == statement.scores() && is_allowed(functional);
    if let Some(functional) = statement.functionals().into_iter().find(is_suitable) {
        let zero = Term::Number(Literal::rational(0u8.into()));
        let product = Term::Binary(Op::Mul, Box::new(zero), Box::new(Term::Value(Box::new(functional.clone()))));
        claim.left = Term::Binary(Op::Add, Box::new(claim.left), Box::new(product));
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

/// Statements near a refuted one that are proved or supported: with equality allowed, or under a further natural hypothesis. Supported ones are
/// given only if none is proved.
fn find_nearby(statement: &Statement, ceiling: &Ceiling) -> Vec<(Statement, Verdict)> {
    let mut nearby: Vec<(Statement, Verdict)> = Vec::new();
    if let Some(weaker) = with_equality(statement)
        && let Some(certificate) = prove_nearby(&weaker, ceiling)
    {
        nearby.push((weaker, Verdict::Proved(Box::new(certificate))));
    }
    let mut unproved = Vec::new();
    let mut is_proved_for_convex = false;
    for hypothesis in FURTHER_HYPOTHESES {
        let Some(stronger) = hypothesis.add_to(statement) else { continue };
        if is_proved_for_convex && hypothesis.is_about_convex_subclass() {
            continue;
        }
        match prove_nearby(&stronger, ceiling) {
            // A hypothesis that no model satisfies repairs nothing.
            Some(certificate) if matches!(judge_premises(&stronger, ceiling), Premises::Satisfied(_)) => {
                is_proved_for_convex |= matches!(hypothesis, FurtherHypothesis::Class(Class::Convex));
                nearby.push((stronger, Verdict::Proved(Box::new(certificate))));
            }
            Some(_) => {}
            None => unproved.push(stronger),
        }
    }
    if nearby.is_empty() {
        nearby.extend(unproved.into_iter().filter_map(|stronger| support_nearby(stronger, ceiling)));
    }
    nearby
}

/// A hypothesis that may repair a refuted statement.
enum FurtherHypothesis {
    /// The models belong to a class.
    Class(Class),
    /// A condition of the language holds.
    Condition(&'static str),
}

/// The hypotheses that are tried, in this order.
const FURTHER_HYPOTHESES: [FurtherHypothesis; 5] = [
    FurtherHypothesis::Class(Class::Convex),
    FurtherHypothesis::Class(Class::Calibrated),
    FurtherHypothesis::Class(Class::Even),
    FurtherHypothesis::Class(Class::Continuous),
    FurtherHypothesis::Condition("pi0 == 1/2"),
];

impl FurtherHypothesis {
    /// The statement under this hypothesis; `None` if the statement has it already, or it cannot be added.
    fn add_to(&self, statement: &Statement) -> Option<Statement> {
        let stronger = match self {
            FurtherHypothesis::Class(class) if statement.classes.contains(class) => return None,
            FurtherHypothesis::Class(class) => statement.with_suppositions(&[*class], &[]),
            FurtherHypothesis::Condition(condition) => statement.with_suppositions(&[], &[condition]),
        };
        stronger.ok().filter(|stronger| stronger.to_string() != statement.to_string())
    }

    /// Whether the hypothesis is a class of convex models other than that of all convex ones.
    fn is_about_convex_subclass(&self) -> bool {
        matches!(self, FurtherHypothesis::Class(class) if class.is_convex() && *class != Class::Convex)
    }
}

/// Proves a nearby statement with little work; `None` if it has no meaning or no proof was found.
fn prove_nearby(nearby: &Statement, ceiling: &Ceiling) -> Option<Certificate> {
    nearby.meaning().ok()?;
    let (result, _) = prove::within(nearby, Effort::new(Effort::LITTLE, ceiling.left()));
    let certificate = result.ok()?;
    guard(nearby);
    Some(certificate)
}

/// Searches for a counterexample to a nearby statement; gives the statement as supported if it holds on enough models.
fn support_nearby(nearby: Statement, ceiling: &Ceiling) -> Option<(Statement, Verdict)> {
    nearby.meaning().ok()?;
    let budget = Budget { work: NEARBY_WORK, ceiling: ceiling.left(), ..Budget::default() };
    match refute(&nearby, &budget) {
        SearchOutcome::NotFound(support) if support.models >= LEAST_SUPPORT => {
            Some((nearby, Verdict::Supported(support)))
        }
        SearchOutcome::NotFound(_) | SearchOutcome::Refuted(_) => None,
    }
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
