//! Proofs as objects: what `verify` checks anew, and what derivations and scripts are printed from.
//!
//! Of a certificate only the statement, the relations and the rules are read; all else in it says what the reader may expect, and is
//! written anew from these when the certificate is checked.

use super::inequality::parts;
use super::lower::{Base, Integral, Setting};
use super::relations::{Potential, Relation};
use super::rules::Rule;
use super::sum::Sum;
use crate::arith::{Fraction, Multinomial, Rational, Variable};
use crate::lang::{Expr, Kind, Op, Source, parse};
use crate::model::Transform;
use crate::statement::{Class, Comparison, Functional, Place, Statement, Term};
use serde_json::{Map, Value, json};

/// What the first field of a certificate says.
pub const FORMAT: &str = "rocproof certificate 1";

/// The proof of a statement.
///
/// ```
/// use rocproof::statement::Statement;
/// use rocproof::theory::{certificate::Certificate, check, prove};
/// let statement = Statement::parse("L[ru] == L[rd] + 1/6")?;
/// let certificate = prove::identity(&statement)?;
/// let text = certificate.to_json().to_string();
/// let again = Certificate::from_json(&serde_json::from_str(&text)?)?;
/// assert_eq!(again.to_json().to_string(), text);
/// assert!(check::verify(&certificate.to_json()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Certificate {
    /// What is proved.
    pub statement: Statement,
    /// The proofs of its claims, in order.
    pub claims: Vec<Claim>,
}

/// The proof of one claim of a statement.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed.
    pub comparison: Comparison,
    /// An equality is shown in one step; other claims by one step for each of their [`parts`].
    pub steps: Vec<Step>,
}

/// The proof of one comparison, and how its sides are read.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it shows.
    pub comparison: Comparison,
    /// The proportions behind `R` and `c`.
    pub base: Base,
    /// The integrals, in the coordinates of the curve.
    pub setting: Setting,
    /// The left-hand side, in these integrals.
    pub left: Fraction,
    /// The right-hand side.
    pub right: Fraction,
    /// Why.
    pub proof: Proof,
}

/// Why sides compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Proof {
    /// The difference of the sides vanishes once integrals are replaced by what they equal, one relation after the other.
    Vanishes(Vec<Relation>),
    /// `scale·(larger - smaller)` is a sum of what rules say is not negative, but for differentials of the potentials.
    Sum {
        /// Positive.
        scale: Fraction,
        /// The rules, and how often each is taken.
        terms: Vec<(Rational, Rule)>,
        /// The potentials.
        potentials: Vec<Potential>,
    },
}

impl Certificate {
    /// The certificate of proofs, one list for each claim: either the relations behind an equality, or what shows each of the [`parts`].
    pub fn new(statement: &str, proofs: Vec<Vec<(Base, Proof)>>) -> Result<Certificate, String> {
        let statement = Statement::parse(statement).map_err(|error| error.message)?;
        if statement.claims.is_empty() || statement.claims.len() != proofs.len() {
            return Err(format!("the statement has {} claims, the proof {}", statement.claims.len(), proofs.len()));
        }
        let mut claims = Vec::new();
        for (comparison, proofs) in statement.claims.iter().zip(proofs) {
            let wanted = match proofs.as_slice() {
                [(_, Proof::Vanishes(_))] => vec![comparison.clone()],
                _ => parts(comparison)?,
            };
            if wanted.len() != proofs.len() {
                return Err(format!("`{comparison}` is shown in {} steps, not in {}", wanted.len(), proofs.len()));
            }
            let steps =
                wanted.into_iter().zip(proofs).map(|(part, (base, proof))| Step::new(&statement, part, base, proof));
            claims.push(Claim { comparison: comparison.clone(), steps: steps.collect::<Result<_, _>>()? });
        }
        Ok(Certificate { statement, claims })
    }

    /// The steps of all claims.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.claims.iter().flat_map(|claim| &claim.steps)
    }

    /// What is supposed: what the statement says, and what its terms need to have a meaning.
    pub fn hypotheses(&self) -> Vec<String> {
        let mut found = self.statement.hypotheses();
        let rates = self.statement.functionals().into_iter().filter(|functional| self.looks_at_rate(functional));
        for parameter in rates.filter_map(Functional::parameter) {
            found.push(format!("{parameter} lies in [0, 1]"));
        }
        for step in self.steps() {
            let divisors = step.comparison.sides().into_iter().flat_map(divisors);
            found.extend(divisors.filter(|by| step.may_vanish(by)).map(|by| format!("{by} is not 0")));
        }
        let mut seen = Vec::new();
        found.retain(|text| {
            !seen.contains(text) && {
                seen.push(text.clone());
                true
            }
        });
        found
    }

    /// Whether a functional looks where a rate, or a score that is a rate, is its parameter.
    fn looks_at_rate(&self, functional: &Functional) -> bool {
        let even = functional.transforms.contains(&Transform::Even) || self.statement.classes.contains(&Class::Even);
        matches!(functional.place(), Some(Place::Rate(_))) || (even && functional.place().is_some())
    }

    /// The certificate as JSON.
    pub fn to_json(&self) -> Value {
        let classes: Vec<&str> = self.statement.classes.iter().map(|class| class.name()).collect();
        let claims: Vec<Value> = self
            .claims
            .iter()
            .map(|claim| {
                let steps: Vec<Value> = claim.steps.iter().map(|step| step.to_json(&self.statement)).collect();
                json!({"claim": claim.comparison.to_string(), "steps": steps})
            })
            .collect();
        json!({
            "format": FORMAT,
            "statement": self.statement.to_string(),
            "class": if classes.is_empty() { "all".to_owned() } else { classes.join(" ") },
            "hypotheses": self.hypotheses(),
            "claims": claims,
        })
    }

    /// Reads a certificate; why not, if it is none. Nothing is checked but that it can be read.
    pub fn from_json(value: &Value) -> Result<Certificate, String> {
        if text(value, "format")? != FORMAT {
            return Err(format!("not a certificate of this kind: `format` must be \"{FORMAT}\""));
        }
        let proofs = list(value, "claims")?
            .iter()
            .map(|claim| list(claim, "steps")?.iter().map(|step| Ok((read_base(step)?, read_proof(step)?))).collect());
        Certificate::new(text(value, "statement")?, proofs.collect::<Result<_, String>>()?)
    }
}

impl Step {
    fn new(statement: &Statement, comparison: Comparison, base: Base, mut proof: Proof) -> Result<Step, String> {
        let mut setting = Setting::new(statement, base).map_err(|why| why.to_string())?;
        let left = setting.term(&comparison.left).map_err(|why| why.to_string())?;
        let right = setting.term(&comparison.right).map_err(|why| why.to_string())?;
        match &mut proof {
            // Rules may speak of further integrals.
            Proof::Sum { terms, .. } => {
                terms.iter().try_for_each(|(_, rule)| rule.non_negative(&mut setting, statement).map(|_| ()))?;
            }
            // What an integral equals beside others is what the potentials grow by.
            Proof::Vanishes(relations) => {
                for relation in relations {
                    relation.constant =
                        relation.potentials.iter().map(|p| growth(p, &setting)).sum::<Result<_, _>>()?;
                }
            }
        }
        Ok(Step { comparison, base, setting, left, right, proof })
    }

    /// Whether a divisor may be zero for some model: it is not a product of class proportions and the length of the scale.
    fn may_vanish(&self, divisor: &Term) -> bool {
        let value = self.setting.clone().term(divisor).ok();
        value.is_none_or(|value| !never_vanishes(value.numerator(), &self.setting))
    }

    fn to_json(&self, statement: &Statement) -> Value {
        let setting = &self.setting;
        let integrals: Vec<Value> = setting.integrals.iter().map(integral_json).collect();
        let mut object = Map::new();
        object.insert("shows".into(), self.comparison.to_string().into());
        object.insert("base".into(), serde_json::to_value(self.base).unwrap_or_default());
        object.insert("integrals".into(), integrals.into());
        object.insert("left".into(), self.left.to_string().into());
        object.insert("right".into(), self.right.to_string().into());
        let potentials = |all: &[Potential]| all.iter().map(|p| potential_json(p, setting)).collect::<Vec<_>>();
        match &self.proof {
            Proof::Vanishes(relations) => {
                let relations = relations.iter().map(|relation| {
                    let others = relation.others.iter();
                    let others =
                        others.map(|(name, factor)| json!({"integral": name.name(), "factor": factor.to_string()}));
                    json!({
                        "integral": relation.integral.name(),
                        "others": others.collect::<Vec<_>>(),
                        "constant": relation.constant.to_string(),
                        "potentials": potentials(&relation.potentials),
                    })
                });
                object.insert("relations".into(), relations.collect::<Vec<_>>().into());
                object.insert("conclusion".into(), "the difference vanishes".into());
            }
            Proof::Sum { scale, terms, potentials: functions } => {
                object.insert("scale".into(), scale.to_string().into());
                let terms = terms.iter().map(|(times, rule)| {
                    let says = rule.non_negative(&mut setting.clone(), statement).map(|known| sum_text(&known.sum));
                    json!({"times": times.to_string(), "rule": rule, "not negative": says.unwrap_or_default()})
                });
                object.insert("terms".into(), terms.collect::<Vec<_>>().into());
                object.insert("potentials".into(), potentials(functions).into());
                object.insert("conclusion".into(), "the difference is a sum of what is not negative".into());
            }
        }
        Value::Object(object)
    }
}

/// What a potential grows by along its stretch.
pub fn growth(potential: &Potential, setting: &Setting) -> Result<Fraction, String> {
    let stretches = setting.stretches(potential.track);
    let stretch = stretches.get(potential.stretch).ok_or("a potential stands on a stretch that there is not")?;
    stretch.growth(&potential.function).ok_or_else(|| "a potential has no value where its stretch ends".into())
}

/// Whether a polynomial is a product of class proportions, the length of the scale of scores and a number that is not zero.
pub fn never_vanishes(polynomial: &Multinomial, setting: &Setting) -> bool {
    let mut rest = polynomial.clone();
    let known = [&setting.pi[0], &setting.pi[1], &(&setting.range[1] - &setting.range[0])];
    for factor in known.iter().filter_map(|factor| factor.as_polynomial()).filter(|factor| !factor.is_constant()) {
        while !rest.is_constant()
            && let Some(quotient) = rest.divided_exactly_by(factor)
        {
            rest = quotient;
        }
    }
    rest.as_constant().is_some_and(|value| !value.is_zero())
}

/// What a term divides by.
pub fn divisors(term: &Term) -> Vec<&Term> {
    let mut found = Vec::new();
    term.visit(&mut |part| match part {
        Term::Binary(Op::Div, _, by) => found.push(&**by),
        Term::Power(by, exponent) if *exponent < 0 => found.push(&**by),
        _ => {}
    });
    found
}

fn integral_json(integral: &Integral) -> Value {
    json!({
        "name": integral.name.name(),
        "definition": integral.text,
        "track": integral.track,
        "form": integral.form.to_string(),
    })
}

fn potential_json(potential: &Potential, setting: &Setting) -> Value {
    let name = setting.stretches(potential.track).get(potential.stretch).map_or("", |stretch| stretch.name);
    json!({
        "track": potential.track,
        "stretch": potential.stretch,
        "name": name,
        "function": potential.function.to_string(),
        "growth": growth(potential, setting).map_or_else(|why| why, |growth| growth.to_string()),
    })
}

/// A sum of integrals in words of the language.
pub fn sum_text(sum: &Sum) -> String {
    let forms = sum.forms.iter().filter(|(_, form)| !form.is_zero());
    let mut parts: Vec<String> = forms.map(|((track, k), form)| format!("∫ {form} along {track:?} {k}")).collect();
    if !sum.value.is_zero() {
        parts.push(sum.value.to_string());
    }
    if parts.is_empty() { "0".into() } else { parts.join(" + ") }
}

fn field<'a>(value: &'a Value, name: &str) -> Result<&'a Value, String> {
    value.get(name).ok_or_else(|| format!("`{name}` is missing"))
}

fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    field(value, name)?.as_str().ok_or_else(|| format!("`{name}` is not a text"))
}

fn list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], String> {
    field(value, name)?.as_array().map(Vec::as_slice).ok_or_else(|| format!("`{name}` is not a list"))
}

fn typed<T: serde::de::DeserializeOwned>(value: &Value, name: &str) -> Result<T, String> {
    serde_json::from_value(field(value, name)?.clone()).map_err(|error| format!("`{name}`: {error}"))
}

fn read_base(step: &Value) -> Result<Base, String> {
    typed(step, "base")
}

/// Numbers of a model and of a weight of operating conditions, and parameters.
pub const NUMBERS: [&str; 13] = ["pi0", "l", "h", "mean", "KS", "t", "r", "t0", "t1", "t2", "r0", "r1", "r2"];

/// A fraction of coordinates, numbers and functionals; which of these it may have in it is for the check to say.
fn fraction(value: &Value, name: &str) -> Result<Fraction, String> {
    let source = Source::new(name, text(value, name)?);
    let read = parse(&source).ok().and_then(|expr| expression(&source.text, &expr));
    read.ok_or_else(|| format!("`{name}`: `{}` is not a fraction", source.text))
}

fn expression(text: &str, expr: &Expr) -> Option<Fraction> {
    Some(match &expr.kind {
        Kind::Number(value) => Fraction::constant(value.clone()),
        Kind::Negate(inner) => -&expression(text, inner)?,
        Kind::Binary(Op::Pow, base, exponent) => {
            let power = expression(text, exponent)?.as_rational().filter(Rational::is_int)?;
            expression(text, base)?.power(i32::try_from(power.numerator()).ok()?)?
        }
        Kind::Binary(op, left, right) => {
            let (left, right) = (expression(text, left)?, expression(text, right)?);
            match op {
                Op::Add => left + right,
                Op::Sub => left - right,
                Op::Mul => left * right,
                _ => left.over(&right)?,
            }
        }
        Kind::Name(_) | Kind::Call(..) | Kind::Bracket(..) | Kind::Apply(..) => {
            Fraction::variable(text.get(expr.span.start..expr.span.end)?)
        }
        _ => return None,
    })
}

fn read_potentials(value: &Value) -> Result<Vec<Potential>, String> {
    let read = |value: &Value| {
        let function = fraction(value, "function")?;
        Ok(Potential { track: typed(value, "track")?, stretch: typed(value, "stretch")?, function })
    };
    list(value, "potentials")?.iter().map(read).collect()
}

fn read_proof(step: &Value) -> Result<Proof, String> {
    if step.get("relations").is_none() {
        let terms = list(step, "terms")?.iter().map(|term| {
            let times = text(term, "times")?;
            let times = times.parse().map_err(|_| format!("`times`: `{times}` is not a rational number"))?;
            Ok((times, typed(term, "rule")?))
        });
        let terms = terms.collect::<Result<_, String>>()?;
        return Ok(Proof::Sum { scale: fraction(step, "scale")?, terms, potentials: read_potentials(step)? });
    }
    let relations = list(step, "relations")?.iter().map(|relation| {
        let others = list(relation, "others")?.iter();
        let others = others.map(|other| Ok((Variable::new(text(other, "integral")?), fraction(other, "factor")?)));
        Ok(Relation {
            integral: Variable::new(text(relation, "integral")?),
            others: others.collect::<Result<_, String>>()?,
            constant: Fraction::zero(),
            potentials: read_potentials(relation)?,
        })
    });
    Ok(Proof::Vanishes(relations.collect::<Result<_, String>>()?))
}
