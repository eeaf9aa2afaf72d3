//! The sampled curve of a model, fine enough for everything that is read along it.

use super::group::sampling_excess;
use super::numeric::mean_score;
use crate::model::{Curve, Density, Model, sample};
use crate::transform;

impl Model {
    /// The curve, sampled until the refinement loss and the optimal loss are resolved; then transformed.
    pub fn curve(&self) -> Curve {
        let (pi0, pi1) = self.proportions();
        let sampled = sample::curve([self.density(0), self.density(1)], &mut sampling_excess(pi0, pi1));
        self.transforms().iter().fold(sampled, |curve, t| transform::apply(&curve, *t, (pi0, pi1)))
    }
}

impl Density {
    /// The mean score.
    pub fn mean(&self) -> f64 {
        mean_score(self.curve_of_density(), 0)
    }
}
