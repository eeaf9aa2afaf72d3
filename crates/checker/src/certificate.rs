//! Certificates: proofs as data.
//!
//! Only the statement, the relations, the rules and the potentials of a JSON certificate are read. Everything else in it is for the reader:
//! the checker writes it again from what was read, and compares.

use crate::foundations;
use crate::inequalities::inequalities;
use crate::lower::{Base, Integral, Lowering};
use crate::relation::{LinearRelation, Potential};
use crate::rules::Rule;
use crate::statement::{Comparison, Statement, Term};
use crate::sum::IntegralSum;
use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Multinomial, Rational, Variable, invariant};
use rocproof_language::{Expr, Kind, Op, Source, parse};
use serde_json::{Map, Value, json};

/// The value of the field `format`.
pub(crate) const FORMAT: &str = "rocproof certificate 2";

/// The longest text that is read. A longer one would only cost time.
const LONGEST_TEXT: usize = 200_000;
/// The longest list that is read. A longer one would only cost time.
const MOST_PARTS: usize = 20_000;
/// The largest exponent of a factor in a rule, and the largest degree of a power in a fraction.
pub(crate) const LARGEST_POWER: u32 = 128;

/// The proof of a statement.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The statement.
    pub statement: Statement,
    /// The proofs of its claims, in order.
    pub claims: Vec<ProvedClaim>,
}

/// The proof of one claim of a statement.
#[derive(Clone, Debug)]
pub struct ProvedClaim {
    /// The claim.
    pub comparison: Comparison,
    /// One step for an equality that is proved by relations; else one for each of the claim's [`inequalities`].
    pub steps: Vec<ProofStep>,
}

/// The proof of one comparison, with its lowering.
#[derive(Clone, Debug)]
pub struct ProofStep {
    /// The comparison.
    pub comparison: Comparison,
    /// The proportions that define `R` and `c`.
    pub base: Base,
    /// The lowering, with all integrals of the proof.
    pub lowering: Lowering,
    /// The left-hand side as a fraction of the integrals.
    pub left: Fraction,
    /// The right-hand side as a fraction of the integrals.
    pub right: Fraction,
    /// The proof.
    pub proof: Proof,
}

/// Why a comparison holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// The difference of the sides is 0 after the relations have been applied, one after the other.
    Vanishes(Vec<LinearRelation>),
    /// `scale·(larger - smaller)` is a sum of quantities that rules show not to be negative, up to differentials of the potentials.
    Sum {
        /// A positive factor.
        scale: Fraction,
        /// The rules with their non-negative multiples.
        terms: Vec<(Rational, Rule)>,
        /// The potentials.
        potentials: Vec<Potential>,
    },
}

impl Certificate {
    /// Makes a certificate from proofs, one list for each claim: one proof by relations for an equality, or else a proof for each of the
    /// claim's [`inequalities`]. Each proof comes with the base that it uses.
    pub fn new(statement: &str, proofs: Vec<Vec<(Base, Proof)>>) -> Result<Certificate, String> {
        let statement = Statement::parse(statement).map_err(|error| error.message)?;
        if statement.claims.is_empty() || statement.claims.len() != proofs.len() {
            return Err(format!("the statement has {} claims, the proof {}", statement.claims.len(), proofs.len()));
        }
        let mut claims = Vec::new();
        for (comparison, proofs) in statement.claims.iter().zip(proofs) {
            let comparisons = match proofs.as_slice() {
                [(_, Proof::Vanishes(_))] => vec![comparison.clone()],
                _ => inequalities(comparison)?,
            };
            if comparisons.len() != proofs.len() {
                return Err(format!("`{comparison}` is shown in {} steps, not in {}", comparisons.len(), proofs.len()));
            }
            let mut steps = Vec::new();
            for (shown, (base, proof)) in comparisons.into_iter().zip(proofs) {
                steps.push(ProofStep::new(&statement, shown, base, proof)?);
            }
            claims.push(ProvedClaim { comparison: comparison.clone(), steps });
        }
        Ok(Certificate { statement, claims })
    }

    /// The steps of all claims.
    pub fn steps(&self) -> impl Iterator<Item = &ProofStep> {
        self.claims.iter().flat_map(|claim| &claim.steps)
    }

    /// The hypotheses: those of the statement, the domains of its parameters, and that divisors are not 0.
    pub fn hypotheses(&self) -> Vec<String> {
        let mut hypotheses = self.statement.hypotheses();
        // Rules may only use points that the statement uses, so they add no domains.
        hypotheses.extend(self.statement.domains());
        for step in self.steps() {
            let suppositions = self.statement.premises.iter().chain(&self.statement.conditions);
            let comparisons = suppositions.chain([&step.comparison]);
            let divisors = comparisons.flat_map(Comparison::sides).flat_map(divisors);
            let may_vanish = divisors.filter(|divisor| step.may_vanish(divisor));
            hypotheses.extend(may_vanish.map(|divisor| format!("{divisor} is not 0")));
        }
        // Steps repeat the same divisors: keep the first of equal sentences.
        let mut distinct: Vec<String> = Vec::new();
        for hypothesis in hypotheses {
            if !distinct.contains(&hypothesis) {
                distinct.push(hypothesis);
            }
        }
        distinct
    }

    /// Whether every claim holds by algebra of the integrands alone: all potentials are 0.
    pub fn integrates_nothing(&self) -> bool {
        self.holds_with(|relation| relation.potentials.iter().all(|p| p.function.is_zero()))
    }

    /// Whether both sides of every claim are the same integral or value under two names: by a definition, or by a lemma of the
    /// foundations.
    pub fn holds_by_reading(&self) -> bool {
        // The relation says `integral = other`.
        let renames = |relation: &LinearRelation| match relation.others.as_slice() {
            [(_, factor)] => factor.as_rational().is_some_and(|factor| factor.is_one()) && relation.constant.is_zero(),
            _ => false,
        };
        self.integrates_nothing() && self.holds_with(renames)
    }

    /// Whether the claims have functionals and are proved only by relations that satisfy a predicate.
    fn holds_with(&self, predicate: impl Fn(&LinearRelation) -> bool) -> bool {
        let has_functionals =
            self.statement.claims.iter().flat_map(Comparison::sides).any(|side| !side.functionals().is_empty());
        has_functionals
            && self.steps().all(|step| match &step.proof {
                Proof::Vanishes(relations) => relations.iter().all(&predicate),
                Proof::Sum { .. } => false,
            })
    }

    /// The anchors in `docs/foundations.md` of the lemmas and rules that the proof uses, each once, in the order of their use.
    pub fn foundations(&self) -> Vec<&'static str> {
        let mut anchors: Vec<&'static str> = Vec::new();
        let mut add = |anchor: &'static str| {
            if !anchors.contains(&anchor) {
                anchors.push(anchor);
            }
        };
        for step in self.steps() {
            let integrals = step.lowering.integrals.iter().map(|integral| &integral.functional);
            let compared = step.comparison.sides().into_iter().flat_map(Term::functionals);
            for functional in integrals.chain(compared) {
                foundations::of_functional(functional).into_iter().for_each(&mut add);
            }
            self.statement.classes.iter().filter_map(|class| foundations::of_class(*class)).for_each(&mut add);
            match &step.proof {
                Proof::Vanishes(relations) if relations.is_empty() => {}
                Proof::Vanishes(_) => add("lemma-forms"),
                Proof::Sum { terms, .. } => {
                    add("lemma-forms");
                    terms.iter().flat_map(|(_, rule)| foundations::of_rule(rule)).for_each(&mut add);
                }
            }
        }
        anchors
    }

    /// The certificate as JSON.
    pub fn to_json(&self) -> Value {
        let classes: Vec<&str> = self.statement.classes.iter().map(|class| class.name()).collect();
        let claim_json = |claim: &ProvedClaim| {
            let steps: Vec<Value> = claim.steps.iter().map(|step| step.to_json(&self.statement)).collect();
            json!({"claim": claim.comparison.to_string(), "steps": steps})
        };
        let claims: Vec<Value> = self.claims.iter().map(claim_json).collect();
        json!({
            "format": FORMAT,
            "statement": self.statement.to_string(),
            "class": if classes.is_empty() { "all".to_owned() } else { classes.join(" ") },
            "hypotheses": self.hypotheses(),
            "foundations": self.foundations(),
            "claims": claims,
        })
    }

    /// Reads a certificate. Only its syntax is checked. The error says which part cannot be read.
    pub fn from_json(value: &Value) -> Result<Certificate, String> {
        if text(value, "format")? != FORMAT {
            return Err(format!("not a certificate of this kind: `format` must be \"{FORMAT}\""));
        }
        let statement = text(value, "statement")?;
        let parsed = Statement::parse(statement).map_err(|error| error.message)?;
        let reader = CertificateReader { model: parsed.models.first().map_or("m", String::as_str) };
        let mut proofs = Vec::new();
        for claim in list(value, "claims")? {
            let mut steps = Vec::new();
            for step in list(claim, "steps")? {
                steps.push((typed(step, "base")?, reader.proof(step)?));
            }
            proofs.push(steps);
        }
        Certificate::new(statement, proofs)
    }
}

impl ProofStep {
    /// Lowers a comparison, records the integrals of the rules, and computes the constants of the relations.
    fn new(statement: &Statement, comparison: Comparison, base: Base, mut proof: Proof) -> Result<ProofStep, String> {
        let mut lowering = Lowering::new(statement, base).map_err(|why| why.to_string())?;
        let left = lowering.term(&comparison.left).map_err(|why| why.to_string())?;
        let right = lowering.term(&comparison.right).map_err(|why| why.to_string())?;
        match &mut proof {
            // Reading the rules records their integrals.
            Proof::Sum { terms, .. } => {
                terms.iter().try_for_each(|(_, rule)| rule.non_negative(&mut lowering, statement).map(|_| ()))?;
            }
            // The constant of a relation is the growth of its potentials.
            Proof::Vanishes(relations) => {
                for relation in relations {
                    relation.constant =
                        relation.potentials.iter().map(|p| growth(p, &lowering)).sum::<Result<_, _>>()?;
                }
            }
        }
        Ok(ProofStep { comparison, base, lowering, left, right, proof })
    }

    /// Whether a divisor may be 0 for some model: it is not a product of class proportions and the length of the scale.
    fn may_vanish(&self, divisor: &Term) -> bool {
        let value = self.lowering.clone().term(divisor).ok();
        value.is_none_or(|value| !never_vanishes(value.numerator(), &self.lowering))
    }

    /// The step as JSON.
    fn to_json(&self, statement: &Statement) -> Value {
        let lowering = &self.lowering;
        let integrals: Vec<Value> = lowering.integrals.iter().map(integral_json).collect();
        let mut object = Map::new();
        object.insert("shows".into(), self.comparison.to_string().into());
        object.insert("base".into(), json!(self.base));
        object.insert("integrals".into(), integrals.into());
        object.insert("left".into(), self.left.to_string().into());
        object.insert("right".into(), self.right.to_string().into());
        match &self.proof {
            Proof::Vanishes(relations) => {
                let relations = relations.iter().map(|relation| relation_json(relation, lowering));
                object.insert("relations".into(), relations.collect::<Vec<_>>().into());
                object.insert("conclusion".into(), "the difference vanishes".into());
            }
            Proof::Sum { scale, terms, potentials } => {
                object.insert("scale".into(), scale.to_string().into());
                let terms = terms.iter().map(|(times, rule)| {
                    let quantity = match rule.non_negative(&mut lowering.clone(), statement) {
                        Ok(quantity) => sum_text(&quantity.sum),
                        Err(why) => invariant!("a rule that was read does not hold: {why}"),
                    };
                    json!({"times": times.to_string(), "rule": rule, "not negative": quantity})
                });
                object.insert("terms".into(), terms.collect::<Vec<_>>().into());
                object.insert("potentials".into(), potentials_json(potentials, lowering).into());
                object.insert("conclusion".into(), "the difference is a sum of what is not negative".into());
            }
        }
        Value::Object(object)
    }
}

/// The growth of a potential along its stretch.
pub(crate) fn growth(potential: &Potential, lowering: &Lowering) -> Result<Fraction, String> {
    let stretches = lowering.stretches(potential.track);
    let stretch = stretches.get(potential.stretch).ok_or("a potential stands on a stretch that does not exist")?;
    stretch.growth(&potential.function).ok_or_else(|| "a potential has no value where its stretch ends".into())
}

/// Whether a polynomial is a product of class proportions, the length of the scale of scores, and a number that is not 0.
pub(crate) fn never_vanishes(polynomial: &Multinomial, lowering: &Lowering) -> bool {
    let mut cofactor = polynomial.clone();
    let positive = [&lowering.pi[0], &lowering.pi[1], &(&lowering.range[1] - &lowering.range[0])];
    // The statement may fix them to numbers; these are part of the constant.
    let polynomials = positive.iter().filter_map(|factor| factor.as_polynomial());
    for factor in polynomials.filter(|factor| !factor.is_constant()) {
        while !cofactor.is_constant()
            && let Some(quotient) = cofactor.divided_exactly_by(factor)
        {
            cofactor = quotient;
        }
    }
    cofactor.as_constant().is_some_and(|value| !value.is_zero())
}

/// The divisors in a term: denominators, and the bases of negative powers.
pub fn divisors(term: &Term) -> Vec<&Term> {
    let mut divisors = Vec::new();
    term.visit(&mut |subterm| match subterm {
        Term::Binary(Op::Div, _, denominator) => divisors.push(&**denominator),
        Term::Power(base, exponent) if *exponent < 0 => divisors.push(&**base),
        _ => {}
    });
    divisors
}

/// An integral as JSON.
fn integral_json(integral: &Integral) -> Value {
    json!({
        "name": integral.name.name(),
        "definition": integral.text,
        "track": integral.track,
        "form": integral.form.to_string(),
    })
}

/// A relation as JSON.
fn relation_json(relation: &LinearRelation, lowering: &Lowering) -> Value {
    let other_json =
        |(name, factor): &(Variable, Fraction)| json!({"integral": name.name(), "factor": factor.to_string()});
    json!({
        "integral": relation.integral.name(),
        "others": relation.others.iter().map(other_json).collect::<Vec<_>>(),
        "constant": relation.constant.to_string(),
        "potentials": potentials_json(&relation.potentials, lowering),
    })
}

/// Potentials as JSON.
fn potentials_json(potentials: &[Potential], lowering: &Lowering) -> Vec<Value> {
    potentials.iter().map(|potential| potential_json(potential, lowering)).collect()
}

/// A potential as JSON.
fn potential_json(potential: &Potential, lowering: &Lowering) -> Value {
    let name = lowering.stretches(potential.track).get(potential.stretch).map_or("", |stretch| stretch.name);
    json!({
        "track": potential.track,
        "stretch": potential.stretch,
        "name": name,
        "function": potential.function.to_string(),
        "growth": growth(potential, lowering).map_or_else(|why| why, |growth| growth.to_string()),
    })
}

/// Prints a sum of integrals; forms that are 0 are left out.
pub(crate) fn sum_text(sum: &IntegralSum) -> String {
    let forms = sum.forms.iter().filter(|(_, form)| !form.is_zero());
    let mut parts: Vec<String> = forms.map(|((track, k), form)| format!("∫ {form} along {track:?} {k}")).collect();
    if !sum.value.is_zero() {
        parts.push(sum.value.to_string());
    }
    if parts.is_empty() { "0".into() } else { parts.join(" + ") }
}

/// A field of an object.
fn field<'a>(value: &'a Value, name: &str) -> Result<&'a Value, String> {
    value.get(name).ok_or_else(|| format!("`{name}` is missing"))
}

/// A field that is a text of limited length.
fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    let text = field(value, name)?.as_str().ok_or_else(|| format!("`{name}` is not a text"))?;
    if text.len() > LONGEST_TEXT {
        return Err(format!("`{name}` has more than {LONGEST_TEXT} characters"));
    }
    Ok(text)
}

/// A field that is a list of limited length.
fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], String> {
    let list = field(value, name)?.as_array().ok_or_else(|| format!("`{name}` is not a list"))?;
    if list.len() > MOST_PARTS {
        return Err(format!("`{name}` has more than {MOST_PARTS} parts"));
    }
    Ok(list)
}

/// A field, deserialised to a type.
fn typed<T: serde::de::DeserializeOwned>(value: &Value, name: &str) -> Result<T, String> {
    serde_json::from_value(field(value, name)?.clone()).map_err(|error| format!("`{name}`: {error}"))
}

/// Reads the fractions and proofs of a certificate.
struct CertificateReader<'a> {
    /// The name of the model in the statement.
    model: &'a str,
}

impl CertificateReader<'_> {
    /// Reads a fraction of coordinates, numbers and functionals. The check decides which of these may occur.
    fn fraction(&self, value: &Value, name: &str) -> Result<Fraction, String> {
        let source = Source::new(name, text(value, name)?);
        let fraction = parse(&source).ok().and_then(|expr| self.expression(&source.text, &expr));
        fraction.ok_or_else(|| format!("`{name}`: `{}` is not a fraction", shortened(&source.text)))
    }

    /// Reads an expression as a fraction; `text` is its source. `None` if it is not one, divides by 0, or is too large.
    fn expression(&self, text: &str, expr: &Expr) -> Option<Fraction> {
        Some(match &expr.kind {
            Kind::Number(value) => Fraction::constant(value.clone()),
            Kind::Negate(inner) => -&self.expression(text, inner)?,
            Kind::Binary(Op::Pow, base, exponent) => {
                let power = self.expression(text, exponent)?.as_rational().filter(Rational::is_int)?;
                let power = i32::try_from(power.numerator()).ok().filter(|n| n.unsigned_abs() <= LARGEST_POWER)?;
                let base = self.expression(text, base)?;
                let degree = base.numerator().degree().max(base.denominator().degree()).max(1);
                if degree.saturating_mul(power.unsigned_abs()) > LARGEST_POWER {
                    return None;
                }
                base.power(power)?
            }
            Kind::Binary(op, left, right) => {
                let (left, right) = (self.expression(text, left)?, self.expression(text, right)?);
                if !is_manageable(&left, &right) {
                    return None;
                }
                match op {
                    Op::Add => left + right,
                    Op::Sub => left - right,
                    Op::Mul => left * right,
                    _ => left.over(&right)?,
                }
            }
            Kind::Name(_) | Kind::Call(..) | Kind::Bracket(..) | Kind::Apply(..) => {
                self.symbol(text.get(expr.span.start..expr.span.end)?)?.fraction()
            }
            _ => return None,
        })
    }

    /// Reads a coordinate, a number of the model, a parameter, or a functional that stands for its integral.
    fn symbol(&self, text: &str) -> Option<Symbol> {
        Symbol::named(text).or_else(|| {
            let parsed = Statement::parse(&format!("for {}: {text} >= 0", self.model)).ok()?;
            match &parsed.claims.first()?.left {
                Term::Value(functional) => Some(Symbol::Integral(functional.to_string())),
                _ => None,
            }
        })
    }

    /// Reads the field `potentials`.
    fn potentials(&self, value: &Value) -> Result<Vec<Potential>, String> {
        let potential = |value: &Value| {
            let function = self.fraction(value, "function")?;
            Ok(Potential { track: typed(value, "track")?, stretch: typed(value, "stretch")?, function })
        };
        list(value, "potentials")?.iter().map(potential).collect()
    }

    /// Reads the field `integral`: a functional that stands for its integral.
    fn integral(&self, value: &Value) -> Result<Variable, String> {
        let name = text(value, "integral")?;
        match self.symbol(name) {
            Some(symbol @ Symbol::Integral(_)) => Ok(Variable::from(symbol)),
            _ => Err(format!("`{}` is not an integral", shortened(name))),
        }
    }

    /// Reads the proof of a step: relations if it has that field, else a sum of rules.
    fn proof(&self, step: &Value) -> Result<Proof, String> {
        if step.get("relations").is_some() {
            let relations = list(step, "relations")?.iter().map(|relation| self.relation(relation));
            return Ok(Proof::Vanishes(relations.collect::<Result<_, String>>()?));
        }
        let mut terms = Vec::new();
        for term in list(step, "terms")? {
            let times = text(term, "times")?;
            let times =
                rational(times).ok_or_else(|| format!("`times`: `{}` is not a rational number", shortened(times)))?;
            terms.push((times, typed(term, "rule")?));
        }
        Ok(Proof::Sum { scale: self.fraction(step, "scale")?, terms, potentials: self.potentials(step)? })
    }

    /// Reads a relation. Its constant is not read: [`ProofStep::new`] computes it from the potentials.
    fn relation(&self, relation: &Value) -> Result<LinearRelation, String> {
        let other_values = list(relation, "others")?;
        let integral = self.integral(relation)?;
        let mut others = Vec::new();
        for other in other_values {
            others.push((self.integral(other)?, self.fraction(other, "factor")?));
        }
        Ok(LinearRelation { integral, others, constant: Fraction::zero(), potentials: self.potentials(relation)? })
    }
}

/// The largest number of products of terms when two fractions are multiplied. It bounds time and memory.
const MOST_PRODUCTS: usize = 1_000_000;

/// Whether the product of two fractions is small enough to be expanded.
pub(crate) fn is_manageable(left: &Fraction, right: &Fraction) -> bool {
    let terms = |fraction: &Fraction| {
        fraction.factors().map(|(f, _)| f.terms().len()).sum::<usize>() + fraction.numerator().terms().len()
    };
    terms(left).saturating_mul(terms(right)) <= MOST_PRODUCTS
}

/// Reads a rational: an integer, or an integer over a positive one.
fn rational(text: &str) -> Option<Rational> {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    let is_integer = is_digits(numerator.strip_prefix('-').unwrap_or(numerator));
    let is_positive = is_digits(denominator) && denominator.bytes().any(|byte| byte != b'0');
    if is_integer && is_positive { text.parse().ok() } else { None }
}

/// The first 80 characters of a text, for a message.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 80;
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
