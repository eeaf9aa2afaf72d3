//! One-forms along the curve of a model.
//!
//! The coordinates of a curve are `(x, F0, F1, c)`: the score, the two distribution functions, and the posterior `c = β1 dF1/dR` of
//! `R = β0 F0 + β1 F1`, where `(β0, β1)` are the class proportions or one half each. At a corner of the ROC curve only `c` moves, in a gap
//! only `x`. So the curve is connected, from `(l, 0, 0, 0)` to `(h, 1, 1, 1)`, and everywhere along it
//!
//! ```text
//! β0 dF0 = (1 - c) dR,    β1 dF1 = c dR.
//! ```
//!
//! Every integrand is therefore a one-form `a dx + b dR + g dc`. The integral of the differential of a function `G(x, F0, F1, c)` is the
//! growth of `G`, so two integrals differ by a constant for every curve if their forms differ by such a differential.

use crate::symbol::Symbol;
use rocproof_algebra::{Fraction, Rational, Variable};
use rocproof_language::meaning::Piece;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// `a dx + b dR + g dc`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneForm {
    /// The coefficient of `dx`.
    pub dx: Fraction,
    /// The coefficient of `dR`.
    pub dr: Fraction,
    /// The coefficient of `dc`.
    pub dc: Fraction,
}

/// The proportions `(β0, β1)` that define `R` and `c`.
pub(crate) type Proportions = [Fraction; 2];

impl OneForm {
    /// The form 0.
    pub(crate) fn zero() -> OneForm {
        OneForm { dx: Fraction::zero(), dr: Fraction::zero(), dc: Fraction::zero() }
    }

    /// Whether it is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.parts().iter().all(|part| part.is_zero())
    }

    /// The coefficients of `dx`, `dR` and `dc`.
    pub fn parts(&self) -> [&Fraction; 3] {
        [&self.dx, &self.dr, &self.dc]
    }

    /// The product with a function of the coordinates.
    pub(crate) fn times(&self, function: &Fraction) -> OneForm {
        OneForm { dx: &self.dx * function, dr: &self.dr * function, dc: &self.dc * function }
    }

    /// The differential of a function `G` of the coordinates: `G_x dx + ((1-c)/β0 G_F0 + c/β1 G_F1) dR + G_c dc`, where `G_x` is the
    /// partial derivative in `x`. `None` if a proportion is 0.
    ///
    /// ```
    /// use rocproof_algebra::Fraction;
    /// use rocproof_checker::{form::OneForm, symbol::Symbol};
    /// let half = Fraction::one().scaled(&"1/2".parse().unwrap());
    /// let g = Symbol::F0.fraction() * Symbol::Score.fraction();
    /// let d = OneForm::differential(&g, &[half.clone(), half]).unwrap();
    /// assert_eq!(d.to_string(), "(F0) dx + (-2*c*x + 2*x) dR");
    /// ```
    pub fn differential(function: &Fraction, [beta0, beta1]: &Proportions) -> Option<OneForm> {
        let c = Symbol::Posterior.fraction();
        let [df0_by_dr, df1_by_dr] = [(Fraction::one() - &c).over(beta0)?, c.over(beta1)?];
        let dr = &df0_by_dr * &function.derivative(Symbol::F0) + &df1_by_dr * &function.derivative(Symbol::F1);
        Some(OneForm { dx: function.derivative(Symbol::Score), dr, dc: function.derivative(Symbol::Posterior) })
    }

    /// Reads a fraction as a form; `None` unless it is linear and homogeneous in `dx`, `dR`, `dc`.
    pub(crate) fn of(fraction: &Fraction) -> Option<OneForm> {
        let zero = Fraction::zero();
        // Linear: the derivative in each differential does not contain differentials. It is the coefficient.
        let coefficient = |differential: Symbol| {
            let derivative = fraction.derivative(differential);
            (!Symbol::DIFFERENTIALS.iter().any(|d| derivative.depends_on(d))).then_some(derivative)
        };
        let form = OneForm { dx: coefficient(Symbol::Dx)?, dr: coefficient(Symbol::Dr)?, dc: coefficient(Symbol::Dc)? };
        // Homogeneous: 0 if all differentials are 0.
        let without_differentials =
            Symbol::DIFFERENTIALS.iter().try_fold(fraction.clone(), |f, d| f.substitute(d, &zero))?;
        without_differentials.is_zero().then_some(form)
    }

    /// Restricts the form to a kind of piece: differentials of coordinates that stand still there are dropped.
    pub(crate) fn on(&self, piece: Piece) -> OneForm {
        let keep = |coefficient: &Fraction, differential: &str| {
            if piece.still().contains(&differential) { Fraction::zero() } else { coefficient.clone() }
        };
        OneForm { dx: keep(&self.dx, "dx"), dr: keep(&self.dr, "dR"), dc: keep(&self.dc, "dc") }
    }

    /// Whether a variable occurs.
    pub fn depends_on(&self, variable: impl Into<Variable>) -> bool {
        let variable = variable.into();
        self.parts().iter().any(|part| part.depends_on(variable))
    }
}

impl Add for &OneForm {
    type Output = OneForm;
    fn add(self, other: &OneForm) -> OneForm {
        OneForm { dx: &self.dx + &other.dx, dr: &self.dr + &other.dr, dc: &self.dc + &other.dc }
    }
}

impl Neg for &OneForm {
    type Output = OneForm;
    fn neg(self) -> OneForm {
        self.times(&Fraction::constant(-Rational::ONE))
    }
}

impl Sub for &OneForm {
    type Output = OneForm;
    fn sub(self, other: &OneForm) -> OneForm {
        self + &-other
    }
}

impl fmt::Display for OneForm {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parts = self.parts().into_iter().zip(Symbol::DIFFERENTIALS).filter(|(part, _)| !part.is_zero());
        let text: Vec<String> = parts.map(|(part, differential)| format!("({part}) {differential}")).collect();
        f.write_str(if text.is_empty() { "0" } else { "" })?;
        f.write_str(&text.join(" + "))
    }
}
