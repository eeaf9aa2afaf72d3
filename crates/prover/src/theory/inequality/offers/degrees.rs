//! The degrees of the goal, up to which integrands are offered.

use super::{Offers, degree};
use crate::theory::lower::Track;
use crate::theory::rules::Differential;
use crate::theory::symbol::Symbol;
use rocproof_arith::Fraction;

/// Degrees of integrands along a track.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Degrees {
    /// In `x`, with respect to `dx`.
    pub x_in_score: u32,
    /// In `x`, with respect to `dF0`, `dF1` and `dR`.
    pub x_in_class: u32,
    /// In `F0`.
    pub f0: u32,
    /// In `F1`.
    pub f1: u32,
    /// In `c`, with respect to `dF0`, `dF1` and `dR`.
    pub c_in_class: u32,
    /// In `c`, with respect to `dc`.
    pub c_in_posterior: u32,
    /// Whether the integrands depend on scores.
    pub has_scores: bool,
}

impl Degrees {
    /// The degrees in `x` and in `c` with respect to a differential.
    pub fn in_x_and_c(&self, differential: Differential) -> [u32; 2] {
        match differential {
            Differential::Score => [self.x_in_score, 0],
            Differential::Posterior => [0, self.c_in_posterior],
            Differential::F0 | Differential::F1 | Differential::Rate => [self.x_in_class, self.c_in_class],
        }
    }

    /// The degrees raised by one: in `F0` and `F1`, in `c` where it occurs, and in `x` if there are scores.
    pub fn raised(self) -> Degrees {
        let raise_c = |c: u32| if c > 0 { c + 1 } else { 0 };
        let raise_x = |x: u32| if self.has_scores { x + 1 } else { 0 };
        Degrees {
            x_in_score: raise_x(self.x_in_score),
            x_in_class: raise_x(self.x_in_class),
            f0: self.f0 + 1,
            f1: self.f1 + 1,
            c_in_class: raise_c(self.c_in_class),
            c_in_posterior: raise_c(self.c_in_posterior),
            has_scores: self.has_scores,
        }
    }

    /// Raises the degrees to those of a coefficient of differential 0 (`dx`), 1 (`dR`) or 2 (`dc`), and of the integrands that integration
    /// by parts makes of it: `x^n dx` and `x^(n+1) dR`, `c^n dF1` and `c^(n-1) dc` go together.
    fn include(&mut self, differential: usize, coefficient: &Fraction) {
        self.f0 = self.f0.max(degree(coefficient, Symbol::F0));
        self.f1 = self.f1.max(degree(coefficient, Symbol::F1));
        let x = degree(coefficient, Symbol::Score);
        let c = degree(coefficient, Symbol::Posterior);
        self.has_scores |= differential == 0 || x > 0;
        match differential {
            0 => {
                self.x_in_score = self.x_in_score.max(x);
                self.x_in_class = self.x_in_class.max(x + 1);
            }
            1 => {
                self.x_in_score = self.x_in_score.max(x.saturating_sub(1));
                self.x_in_class = self.x_in_class.max(x);
                // With respect to `dF1` one power of `c` is saved, for `beta1 dF1 = c dR`.
                self.c_in_class = self.c_in_class.max(c.saturating_sub(1));
                self.c_in_posterior = self.c_in_posterior.max(c.saturating_sub(2));
            }
            _ => self.c_in_posterior = self.c_in_posterior.max(c),
        }
    }
}

impl Offers<'_> {
    /// The degrees of the goal and of its normal form along a track.
    pub(super) fn degrees(&self, track: Track) -> Degrees {
        let mut degrees = Degrees::default();
        for (_, form) in self.goal.forms.iter().filter(|((known, _), _)| *known == track) {
            for (differential, coefficient) in form.parts().into_iter().enumerate() {
                if !coefficient.is_zero() {
                    degrees.include(differential, coefficient);
                }
            }
        }
        for (slot, coefficient) in &self.normal.slots {
            if let Some((known, _, differential)) = slot
                && *known == track
            {
                degrees.include(*differential, coefficient);
            }
        }
        degrees
    }
}
