//! Classes of models as parametrised curves: the stretches of their curves.
//!
//! On a stretch some coordinates are fixed. A random model is a diagonal between two corners, a perfect one a corner between two sides;
//! any other curve is one stretch on which everything may move.

use crate::form::{OneForm, Proportions};
use crate::statement::Class;
use crate::symbol::Symbol;
use rocproof_algebra::Fraction;

/// A stretch of a curve. Some coordinates are fixed, as functions of the others; the others move freely.
#[derive(Clone, Debug)]
pub struct CurveStretch {
    /// The name in certificates.
    pub name: &'static str,
    /// The fixed coordinates with their values.
    pub fixed: Vec<(Symbol, Fraction)>,
    /// Whether `x`, `R` and `c` move.
    pub moves: [bool; 3],
    /// `x`, `F0`, `F1` and `c` at the start.
    pub start: [Fraction; 4],
    /// `x`, `F0`, `F1` and `c` at the end.
    pub end: [Fraction; 4],
}

impl CurveStretch {
    /// Substitutes the fixed coordinates in a fraction; `None` if it then divides by 0.
    pub(crate) fn substitute(&self, fraction: &Fraction) -> Option<Fraction> {
        self.fixed.iter().try_fold(fraction.clone(), |f, (symbol, value)| f.substitute(symbol, value))
    }

    /// Restricts a form: differentials of coordinates that do not move are dropped. `None` if the form is not defined on the stretch.
    pub fn restrict(&self, form: &OneForm) -> Option<OneForm> {
        let coefficient =
            |of_form: &Fraction, moves: bool| if moves { self.substitute(of_form) } else { Some(Fraction::zero()) };
        let [x, r, c] = self.moves;
        Some(OneForm { dx: coefficient(&form.dx, x)?, dr: coefficient(&form.dr, r)?, dc: coefficient(&form.dc, c)? })
    }

    /// The values of a function of the coordinates at the start and at the end; `None` if it divides by 0 there.
    pub fn ends(&self, function: &Fraction) -> Option<[Fraction; 2]> {
        let value_at = |point: &[Fraction; 4]| {
            let mut coordinates = Symbol::COORDINATES.iter().zip(point);
            coordinates.try_fold(function.clone(), |f, (symbol, value)| f.substitute(symbol, value))
        };
        Some([value_at(&self.start)?, value_at(&self.end)?])
    }

    /// The growth of a function of the coordinates from start to end; `None` if it divides by 0 at one of them.
    pub fn growth(&self, function: &Fraction) -> Option<Fraction> {
        let [start, end] = self.ends(function)?;
        Some(end - start)
    }
}

/// The stretches of the curves of models that belong to all the given classes, with scores on `[l, h]`.
pub(crate) fn stretches(classes: &[Class], [_, beta1]: &Proportions, [l, h]: &[Fraction; 2]) -> Vec<CurveStretch> {
    let [zero, one] = [Fraction::zero(), Fraction::one()];
    let point = |x: &Fraction, f0: &Fraction, f1: &Fraction, c: &Fraction| [x, f0, f1, c].map(Clone::clone);
    let fixed = |pairs: &[(Symbol, &Fraction)]| pairs.iter().map(|(s, v)| (s.clone(), (*v).clone())).collect();
    // At a corner only the posterior moves.
    let corner = |name, x: &Fraction, f: [&Fraction; 2], first_c: &Fraction, last_c: &Fraction| CurveStretch {
        name,
        fixed: fixed(&[(Symbol::Score, x), (Symbol::F0, f[0]), (Symbol::F1, f[1])]),
        moves: [false, false, true],
        start: point(x, f[0], f[1], first_c),
        end: point(x, f[0], f[1], last_c),
    };
    if classes.contains(&Class::Random) {
        let f0 = Symbol::F0.fraction();
        return vec![
            corner("corner at (0, 0)", l, [&zero, &zero], &zero, beta1),
            CurveStretch {
                name: "diagonal",
                fixed: fixed(&[(Symbol::F1, &f0), (Symbol::Posterior, beta1)]),
                moves: [true, true, false],
                start: point(l, &zero, &zero, beta1),
                end: point(h, &one, &one, beta1),
            },
            corner("corner at (1, 1)", h, [&one, &one], beta1, &one),
        ];
    }
    if classes.contains(&Class::Perfect) {
        let border = Symbol::Border.fraction();
        return vec![
            CurveStretch {
                name: "class 0",
                fixed: fixed(&[(Symbol::F1, &zero), (Symbol::Posterior, &zero)]),
                moves: [true, true, false],
                start: point(l, &zero, &zero, &zero),
                end: point(&border, &one, &zero, &zero),
            },
            corner("corner at (0, 1)", &border, [&one, &zero], &zero, &one),
            CurveStretch {
                name: "class 1",
                fixed: fixed(&[(Symbol::F0, &one), (Symbol::Posterior, &one)]),
                moves: [true, true, false],
                start: point(&border, &one, &zero, &one),
                end: point(h, &one, &one, &one),
            },
        ];
    }
    vec![CurveStretch {
        name: "curve",
        fixed: Vec::new(),
        moves: [true; 3],
        start: point(l, &zero, &zero, &zero),
        end: point(h, &one, &one, &one),
    }]
}
