//! Why no proof was found.

use super::lower::Unsupported;

/// Why no proof was found; its text completes "there is no proof: …".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// An integrand has no meaning for some model of the class, for this reason.
    #[error("it has no meaning: {0}")]
    NoMeaning(String),
    /// A claim divides by a term, given as text, that is zero for every model.
    #[error("it divides by {0}, which is zero for every model")]
    ZeroDivisor(String),
    /// A side has a denominator whose sign is not known.
    #[error("it divides by what may be negative")]
    DivisorOfUnknownSign,
    /// The sides of an equation differ by an expression that is not zero.
    #[error("the sides differ by {0}")]
    SidesDiffer(String),
    /// An integrand cannot be split into a differential and a remainder.
    #[error("an integrand has no normal form")]
    NoNormalForm,
    /// The inequality is proved with equality allowed, and claimed without.
    #[error("the sides compare, but nothing shows that they cannot be equal")]
    MayBeEqual,
    /// No combination of the rules that were offered is the difference of the sides.
    #[error("no rules that prove it were found")]
    NoRules,
    /// The budget of work was spent.
    #[error("no proof was found within the budget of work")]
    OutOfWork,
    /// The ceiling on time was reached.
    #[error("no proof was found in time")]
    OutOfTime,
    /// Proofs cannot work on a term.
    #[error("{0}")]
    Unsupported(String),
    /// The checker refuses a term, a rule or the certificate, for this reason.
    #[error("{0}")]
    Refused(String),
}

impl From<Unsupported> for Unproved {
    fn from(why: Unsupported) -> Unproved {
        Unproved::Unsupported(why.to_string())
    }
}

/// The checker gives its reasons as sentences.
impl From<String> for Unproved {
    fn from(why: String) -> Unproved {
        Unproved::Refused(why)
    }
}
