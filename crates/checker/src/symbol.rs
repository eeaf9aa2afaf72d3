//! The symbols behind the variables of forms and fractions.
//!
//! A variable is made from a symbol, and a global table leads back from the variable to the symbol. So no code parses the name of a
//! variable.

use crate::lower::Track;
use rocproof_algebra::{Fraction, Variable, invariant};
use std::collections::HashMap;
use std::fmt;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The meaning of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// The score `x`.
    Score,
    /// `F0`.
    F0,
    /// `F1`.
    F1,
    /// The posterior `c`.
    Posterior,
    /// `dx`.
    Dx,
    /// `dR`.
    Dr,
    /// `dc`.
    Dc,
    /// The proportion of class 0.
    Pi0,
    /// The lower end of the scale of scores.
    Low,
    /// The upper end.
    High,
    /// The mean of an unknown distribution of operating conditions.
    Mean,
    /// The score at which a perfect ranking passes from class 0 to class 1.
    Border,
    /// The largest distance between `F0` and `F1`, along the curve or its hull.
    Distance(Track),
    /// A threshold or a rate that the statement does not fix, by its name.
    Parameter(String),
    /// The value of an unknown density of operating conditions, by its argument as text.
    Weight(String),
    /// `F0` or `F1` at one point of the curve.
    At {
        /// The class: 0 or 1.
        class: u8,
        /// The coordinate that fixes the point.
        by: FixedCoordinate,
        /// The value of that coordinate, as text.
        amount: String,
        /// Whether the point is on the hull.
        hull: bool,
    },
    /// The value of an integral, by the text of its functional.
    Integral(String),
}

/// The coordinate that fixes a point on a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FixedCoordinate {
    /// The score.
    Score,
    /// The predicted positive rate.
    Rate,
    /// The predicted positive rate with balanced classes.
    BalancedRate,
    /// The posterior.
    Posterior,
}

impl fmt::Display for FixedCoordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FixedCoordinate::Score => "x",
            FixedCoordinate::Rate => "R",
            FixedCoordinate::BalancedRate => "Rz",
            FixedCoordinate::Posterior => "c",
        })
    }
}

/// The names of parameters: thresholds and rates.
pub(crate) const PARAMETERS: [&str; 8] = ["t", "r", "t0", "t1", "t2", "r0", "r1", "r2"];

impl Symbol {
    /// The coordinates of a curve.
    pub const COORDINATES: [Symbol; 4] = [Symbol::Score, Symbol::F0, Symbol::F1, Symbol::Posterior];
    /// The differentials.
    pub(crate) const DIFFERENTIALS: [Symbol; 3] = [Symbol::Dx, Symbol::Dr, Symbol::Dc];
    /// The symbols without a text in them.
    const PLAIN: [Symbol; 14] = [
        Symbol::Score,
        Symbol::F0,
        Symbol::F1,
        Symbol::Posterior,
        Symbol::Dx,
        Symbol::Dr,
        Symbol::Dc,
        Symbol::Pi0,
        Symbol::Low,
        Symbol::High,
        Symbol::Mean,
        Symbol::Border,
        Symbol::Distance(Track::Own),
        Symbol::Distance(Track::Hull),
    ];

    /// The symbol that is written as `text` in certificates, if it is a coordinate, a differential, a number of the model, or a parameter.
    pub(crate) fn named(text: &str) -> Option<Symbol> {
        let parameter = || PARAMETERS.contains(&text).then(|| Symbol::Parameter(text.to_owned()));
        Symbol::PLAIN.into_iter().find(|symbol| symbol.to_string() == text).or_else(parameter)
    }

    /// The symbol of a variable. Every variable of a proof was made from a symbol, or has the name of one.
    pub fn of(variable: Variable) -> Symbol {
        let registered = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner).get(&variable).cloned();
        match registered.or_else(|| Symbol::named(variable.name())) {
            Some(symbol) => symbol,
            None => invariant!("the variable {variable} stands for nothing"),
        }
    }

    /// Whether it varies along a curve: a coordinate, or a weight.
    pub fn varies(&self) -> bool {
        Symbol::COORDINATES.contains(self) || matches!(self, Symbol::Weight(_))
    }

    /// Whether it is a number of the model or of its operating conditions, or a parameter: the numbers that factors of relations and
    /// potentials may contain. Integrals, values at points, the border and the hull's distance do not count.
    pub(crate) fn is_number(&self) -> bool {
        use Symbol::{Distance, High, Low, Mean, Parameter, Pi0};
        matches!(self, Pi0 | Low | High | Mean | Distance(Track::Own) | Parameter(_))
    }

    /// The symbol as a fraction.
    pub fn fraction(self) -> Fraction {
        Fraction::variable(self)
    }
}

/// The symbols from which variables were made.
static SYMBOLS: LazyLock<Mutex<HashMap<Variable, Symbol>>> = LazyLock::new(Mutex::default);

impl From<Symbol> for Variable {
    fn from(symbol: Symbol) -> Variable {
        Variable::from(&symbol)
    }
}

impl From<&Symbol> for Variable {
    fn from(symbol: &Symbol) -> Variable {
        let variable = Variable::new(&symbol.to_string());
        let mut symbols = SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner);
        let registered = symbols.entry(variable).or_insert_with(|| symbol.clone());
        if registered != symbol {
            invariant!("{registered:?} and {symbol:?} are both written {symbol}");
        }
        variable
    }
}

/// The text is the name of the variable. Different symbols have different texts.
impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Score => f.write_str("x"),
            Symbol::F0 => f.write_str("F0"),
            Symbol::F1 => f.write_str("F1"),
            Symbol::Posterior => f.write_str("c"),
            Symbol::Dx => f.write_str("dx"),
            Symbol::Dr => f.write_str("dR"),
            Symbol::Dc => f.write_str("dc"),
            Symbol::Pi0 => f.write_str("pi0"),
            Symbol::Low => f.write_str("l"),
            Symbol::High => f.write_str("h"),
            Symbol::Mean => f.write_str("mean"),
            Symbol::Border => f.write_str("x*"),
            Symbol::Distance(Track::Own) => f.write_str("KS"),
            Symbol::Distance(Track::Hull) => f.write_str("KS on the hull"),
            Symbol::Parameter(name) => f.write_str(name),
            Symbol::Weight(at) => write!(f, "w({at})"),
            Symbol::At { class, by, amount, hull } => {
                write!(f, "F{class}[{by} = {amount}{}]", if *hull { " on the hull" } else { "" })
            }
            Symbol::Integral(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_lead_back_to_symbols() {
        let at = Symbol::At { class: 1, by: FixedCoordinate::Rate, amount: "r".into(), hull: true };
        let all = Symbol::PLAIN.into_iter().chain([at, Symbol::Weight("c".into()), Symbol::Parameter("t".into())]);
        for symbol in all {
            assert_eq!(Symbol::of(Variable::from(&symbol)), symbol);
        }
        assert_eq!(Symbol::named("F1"), Some(Symbol::F1));
        assert_eq!(Symbol::named("t2"), Some(Symbol::Parameter("t2".into())));
        assert_eq!(Symbol::named("w(c)"), None);
        assert_eq!(Symbol::named("F1[R = r]"), None);
    }
}
