//! Statements about models, such as `for convex m: L[o] == RL where pi0 == 1/2`, with resolved names.
//!
//! A statement claims comparisons for every model of a class that satisfies its premises and conditions. Names are resolved once, here;
//! proofs and counterexamples both start from the result.

mod class;
mod functional;
mod resolve;
mod term;

pub use class::Class;
pub use functional::{Amount, Asked, CostDistribution, Functional, Integrand, SCORES, reads};
pub use rocproof_language::question::CurvePoint;
pub use term::{Comparison, Term, TermFunction};

use resolve::Resolver;
use rocproof_language::definition::Scores;
use rocproof_language::meaning::{after, meaning};
use rocproof_language::{Diagnostic, Expr, Source, Span, parse_statement};
use std::fmt;

/// A statement about all models of a class.
///
/// ```
/// use rocproof_checker::statement::Statement;
/// let statement = Statement::parse("for convex m: L[o](m) == RL(m)")?;
/// assert_eq!(statement.to_string(), "for convex m: L[o] == RL");
/// assert!(Statement::parse("AUC + m == 1").is_err());
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The text it was read from.
    pub source: Source,
    /// The classes that every model belongs to.
    pub classes: Vec<Class>,
    /// The names of the models; they share one class proportion.
    pub models: Vec<String>,
    /// The premises before `implies`.
    pub premises: Vec<Comparison>,
    /// The claims, all of which are to hold.
    pub claims: Vec<Comparison>,
    /// The conditions after `where`.
    pub conditions: Vec<Comparison>,
}

impl Statement {
    /// Parses a statement.
    pub fn parse(text: &str) -> Result<Statement, Diagnostic> {
        Statement::read(Source::new("statement", text))
    }

    /// Parses a statement from a named text, resolves its names, and checks that its functionals apply to its classes.
    pub fn read(source: Source) -> Result<Statement, Diagnostic> {
        let syntax = parse_statement(&source)?;
        let mut models: Vec<String> = syntax.models.iter().map(|(name, _)| name.clone()).collect();
        if models.is_empty() {
            models.push(functional::ONLY_MODEL.to_owned());
        }
        for (i, (name, span)) in syntax.models.iter().enumerate() {
            if models[..i].contains(name) {
                return Err(source.error(*span, format!("two models are called `{name}`"), "the second"));
            }
        }
        let resolver = Resolver { source: &source, models };
        let classes = resolver.classes(&syntax.classes)?;
        let resolve_all = |comparisons: &[rocproof_language::ComparisonSyntax]| {
            comparisons.iter().map(|c| resolver.comparison(c)).collect::<Result<Vec<_>, _>>()
        };
        let premises = resolve_all(&syntax.premises)?;
        let claims = resolve_all(&syntax.claims)?;
        let conditions = resolve_all(&syntax.conditions)?;
        let models = resolver.models;
        let statement = Statement { classes, models, premises, claims, conditions, source };
        statement.check_applicability()?;
        Ok(statement)
    }

    /// Refuses a functional that does not apply to models of the classes.
    fn check_applicability(&self) -> Result<(), Diagnostic> {
        for comparison in self.comparisons() {
            for functional in comparison.sides().into_iter().flat_map(Term::functionals) {
                let refusal = self.classes.iter().find_map(|class| Some((class, class.refusal(functional.scores())?)));
                if let Some((class, why)) = refusal {
                    let message = format!("{} models have no {functional}", class.name());
                    return Err(self.source.error(self.span_of(functional, comparison.span), message, why));
                }
            }
        }
        Ok(())
    }

    /// Refuses an integrand that has no meaning for some model of the classes.
    ///
    /// ```
    /// use rocproof_checker::statement::Statement;
    /// assert!(Statement::parse("int(c dx) <= h - l")?.meaning().is_err());
    /// assert!(Statement::parse("for even m: int(c dx) == pi1")?.meaning().is_ok());
    /// assert!(Statement::parse("int(c dx on arcs) <= h - l")?.meaning().is_ok());
    /// # Ok::<(), rocproof_language::Diagnostic>(())
    /// ```
    pub fn meaning(&self) -> Result<(), Diagnostic> {
        for functional in self.functionals() {
            if let Asked::Integral(integrand) = &functional.asked {
                let pieces = after(Class::pieces(&self.classes), &functional.transforms);
                meaning(integrand.expr(), pieces).map_err(|lacks| lacks.diagnostic(&self.source))?;
            }
        }
        Ok(())
    }

    /// The span of a functional inside a comparison, found by its text; the whole comparison if it is not found.
    fn span_of(&self, functional: &Functional, within: Span) -> Span {
        let text = functional.to_string();
        let offset = self.source.text.get(within.start..within.end).and_then(|comparison| comparison.find(&text));
        // The span may come from another source text, if the comparison was added by `with_suppositions`.
        let within = if within.end <= self.source.text.len() { within } else { self.source.whole() };
        offset.map_or(within, |offset| {
            let start = within.start + offset;
            Span { start, end: start + text.len() }
        })
    }

    /// Premises, claims and conditions.
    pub(crate) fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        self.premises.iter().chain(&self.claims).chain(&self.conditions)
    }

    /// All functionals of the statement.
    pub fn functionals(&self) -> Vec<&Functional> {
        self.comparisons().flat_map(|comparison| comparison.sides()).flat_map(Term::functionals).collect()
    }

    /// The names of the parameters, sorted: thresholds and rates without a number.
    pub fn parameters(&self) -> Vec<&str> {
        let mut parameters: Vec<&str> =
            self.comparisons().flat_map(Comparison::sides).flat_map(Term::symbols).collect();
        parameters.retain(|name| !["pi0", "pi1", "l", "h"].contains(name));
        parameters.sort_unstable();
        parameters.dedup();
        parameters
    }

    /// The strongest requirement of its functionals on the scores.
    pub fn scores(&self) -> Scores {
        let required: Vec<Scores> = self.functionals().into_iter().map(Functional::scores).collect();
        [Scores::Probabilities, Scores::Bounded].into_iter().find(|s| required.contains(s)).unwrap_or(Scores::Any)
    }

    /// Whether it supposes that the scores lie in a bounded interval `[l, h]` with `l < h`: it reads the scores, or `l` or `h`, and need not
    /// suppose that they are probabilities.
    pub fn supposes_scale(&self) -> bool {
        let symbols = || self.comparisons().flat_map(Comparison::sides).flat_map(Term::symbols);
        match self.scores() {
            Scores::Probabilities => false,
            Scores::Bounded => true,
            Scores::Any => {
                self.functionals().iter().any(|functional| functional.reads_scores())
                    || symbols().any(|name| name == "l" || name == "h")
            }
        }
    }

    /// The hypotheses as sentences.
    pub fn hypotheses(&self) -> Vec<String> {
        let mut hypotheses: Vec<String> = self.classes.iter().map(|class| class.hypothesis().to_owned()).collect();
        if self.scores() == Scores::Probabilities {
            hypotheses.push("scores lie in [0, 1]".to_owned());
        }
        if self.supposes_scale() {
            hypotheses.push("scores lie in a bounded interval [l, h], l < h".to_owned());
        }
        if self.functionals().iter().any(|functional| functional.weight == CostDistribution::Any) {
            // Integrals `int(…)` may contain powers of the density, or its values at single points. So it must be continuous.
            let is_integral_of_density = |functional: &&Functional| {
                functional.weight == CostDistribution::Any && matches!(functional.asked, Asked::Integral(_))
            };
            let article = if self.functionals().iter().any(is_integral_of_density) { "a continuous" } else { "a" };
            hypotheses.push(format!("w is {article} probability density on [0, 1]"));
        }
        if self.models.len() > 1 {
            hypotheses.push("the models share one class proportion π0".to_owned());
        }
        hypotheses.extend(self.premises.iter().chain(&self.conditions).map(Comparison::to_string));
        hypotheses
    }

    /// The parameters that are rates, sorted by name.
    fn rates(&self) -> Vec<&str> {
        let rates = self.functionals().into_iter().filter(|functional| functional.looks_at_rate(self));
        let mut parameters: Vec<&str> = rates.filter_map(Functional::parameter).collect();
        parameters.sort_unstable();
        parameters.dedup();
        parameters
    }

    /// The domains of the parameters that are rates, as sentences.
    pub fn domains(&self) -> Vec<String> {
        self.rates().into_iter().map(|parameter| format!("{parameter} lies in [0, 1]")).collect()
    }

    /// Whether a premise or condition contains a parameter that is a rate.
    pub fn restricts_domains(&self) -> bool {
        let rates = self.rates();
        let mut sides = self.premises.iter().chain(&self.conditions).flat_map(Comparison::sides);
        sides.any(|side| side.symbols().into_iter().any(|name| rates.contains(&name)))
    }

    /// This statement with one claim in place of its claims.
    pub fn with_claim(&self, claim: &Comparison) -> Statement {
        let mut statement = Statement { claims: vec![claim.clone()], ..self.clone() };
        statement.source = Source::new(&self.source.name, statement.to_string());
        statement
    }

    /// This statement with further classes and conditions; conditions are texts of comparisons. Fails if one does not parse, or the result
    /// does not apply.
    pub fn with_suppositions(&self, classes: &[Class], conditions: &[&str]) -> Result<Statement, Diagnostic> {
        let mut statement = self.clone();
        statement.classes.extend(classes);
        statement.classes.sort();
        statement.classes.dedup();
        for condition in conditions {
            statement.conditions.extend(Statement::parse(condition)?.claims);
        }
        statement.source = Source::new(&self.source.name, statement.to_string());
        statement.check_applicability()?;
        Ok(statement)
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // A model is named if the text refers to it by its name.
        let is_named = self.models.len() > 1
            || self.models[0] != functional::ONLY_MODEL
            || self.functionals().iter().any(|functional| !functional.transforms.is_empty());
        if !self.classes.is_empty() || is_named {
            f.write_str("for ")?;
            for class in &self.classes {
                write!(f, "{} ", class.name())?;
            }
            write!(f, "{}: ", self.models.join(", "))?;
        }
        if !self.premises.is_empty() {
            write!(f, "{} implies ", chain(&self.premises))?;
        }
        f.write_str(&chain(&self.claims))?;
        let conditions: Vec<String> = self.conditions.iter().map(Comparison::to_string).collect();
        if !conditions.is_empty() {
            write!(f, " where {}", conditions.join(", "))?;
        }
        Ok(())
    }
}

/// Prints comparisons as chains `a <= b <= c`. A comparison whose left side is not the last right side begins a new chain after a comma.
fn chain(comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    let mut last: Option<&Term> = None;
    for Comparison { left, relation, right, .. } in comparisons {
        if last != Some(left) {
            text += &format!("{}{left}", if last.is_some() { ", " } else { "" });
        }
        text += &format!(" {} {right}", relation.symbol());
        last = Some(right);
    }
    text
}

/// Resolves the names in an expression about one model `m`.
pub fn term(source: &Source, expr: &Expr) -> Result<Term, Diagnostic> {
    Resolver { source, models: vec![functional::ONLY_MODEL.to_owned()] }.term(expr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_statements_read_back() {
        for text in [
            "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3",
            "for m: L[o] == RL(Conv(m))",
            "for calibrated m: BS == MAE/2",
            "Lz[rd] == (1 - 2*AUC)/4 + 1/3",
            "L[rd; beta(2,2)] >= L[o; beta(2,2)]",
            "L[sf(t)] == 1 - Acc(t)",
            "int(F0^2*dF1) <= AUC",
            "for perfect m: L[ru] == 1/4 where pi0 == 1/2",
            "for m, n: AUC(m) >= AUC(n) implies L[o](m) <= L[o](n)",
            "AUC >= 1/2, KS < H > 1/4 implies BS <= 1",
            "L[rf(r)] == 1 - Acc(Rinv(r))",
            "for m: BS(Cal(Conv(m))) == MRL <= max(pi0, pi1)^2 - (1 - t) where t <= 1",
        ] {
            let statement = Statement::parse(text).unwrap();
            let printed = statement.to_string();
            let again = Statement::parse(&printed).unwrap();
            assert_eq!(printed, again.to_string(), "{text}");
        }
        assert_eq!(Statement::parse("MMAE == MBS").unwrap().to_string(), "MMAE == MBS");
    }

    #[test]
    fn hypotheses_are_written_out() {
        let hypotheses = |text: &str| Statement::parse(text).unwrap().hypotheses().join("; ");
        assert_eq!(hypotheses("AUC >= 0"), "");
        assert_eq!(hypotheses("BS >= RL"), "scores lie in [0, 1]");
        assert_eq!(hypotheses("s1 - s0 == int((F0 - F1) dx)"), "scores lie in a bounded interval [l, h], l < h");
        assert_eq!(hypotheses("L[su] >= L[o]"), "scores lie in a bounded interval [l, h], l < h");
        assert_eq!(hypotheses("BS(Cal(m)) == L[o] where pi0 < 1/2"), "pi0 < 1/2");
        assert!(hypotheses("for even m: AUC >= 0").starts_with("scores are evenly spaced"));
    }

    #[test]
    fn errors_point_at_the_mistake() {
        let underlined_and_message = |text: &str| {
            let error = Statement::parse(text).unwrap_err();
            (text[error.span.start..error.span.end].to_owned(), error.message)
        };
        for (text, underlined, message) in [
            ("AUC + m == 1", "m", "`m` is a model, not a number"),
            ("AUK == 1", "AUK", "unknown name `AUK`"),
            ("abs(AUC, 1) == 1", "abs(AUC, 1)", "`abs` takes one number"),
            ("min(AUC) == 1", "min(AUC)", "`min` takes two or more numbers"),
            ("L[xx] == 1", "xx", "`xx` is not a threshold choice method"),
            ("for convx m: AUC == 1", "convx", "unknown class `convx`"),
            ("int(F0^2) <= AUC", "F0^2", "an integrand has one differential"),
            (
                "int(F0 dF1 + F1) <= AUC",
                "F0 dF1 + F1",
                "the terms of an integrand have the same number of differentials",
            ),
            ("int(G dF1) <= AUC", "G", "unknown name `G`"),
            ("Acc == 1", "Acc", "`Acc` needs a threshold"),
            ("for binormal m: AUC == L[sd]", "L[sd]", "binormal models have no L[sd]"),
            ("for m, n: AUC == 1", "AUC", "which model?"),
            ("L[o; beta(0, 2)] == 1", "0", "the parameters of a cost distribution must lie between 0.05 and 1e6"),
            ("RL(Cnv(m)) == 1", "Cnv", "`Cnv` is not a transform"),
            ("Conv(m) == m", "Conv(m)", "`Conv(…)` is a model, not a number"),
            ("F0 == 1", "F0", "`F0` varies along the curve"),
            ("AUC^AUC == 1", "AUC", "unknown name `AUC`"),
        ] {
            assert_eq!(underlined_and_message(text), (underlined.to_owned(), message.to_owned()), "{text}");
        }
    }
}
