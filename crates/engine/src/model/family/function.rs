//! A density that is known by its values only.

use super::{Behaviour, End, NoDensity, NumericDensity, Places, Sites, mass_and_mean_beyond};
use crate::calculus::rule::{NODES, RULE, at_nodes, dot};
use std::fmt;
use std::sync::Arc;

/// A function that gives the values of a density at many scores at once.
pub type Values = dyn Fn(&[f64]) -> Vec<f64> + Send + Sync;

/// The distance from an end at which the exponent of the density is estimated, in lengths of the support (see [`length`]).
const CLOSE: f64 = 1e-9;
/// An estimated exponent this close to a whole number counts as that number.
const WHOLE: f64 = 1e-5;
/// Within this distance from an end, in lengths of the support, floats are too coarse for a density that goes like a fractional power. There
/// the power is used in place of the values.
const TOO_CLOSE: f64 = 1e-11;
/// The number of steps between two marks of the scan for values that are negative or not finite.
const LOOKS: usize = 32;

/// A density without a formula. A function gives its values; marks are scores that cut the support into parts without narrow features.
///
/// Nothing can be proved of such a density, so only the numeric level serves it. Its derivative is that of the polynomials through the values
/// at the nodes of each panel.
///
/// # Errors
///
/// [`Function::new`] wants values that are finite and not negative, and a density that can be integrated towards its ends.
///
/// # Examples
///
/// ```
/// use rocproof_language::Source;
/// use rocproof_engine::model::Density;
/// use rocproof_engine::model::family::Function;
/// let values = |z: &[f64]| z.iter().map(|z| z * (-z).exp()).collect();
/// let gamma = Function::new((0.0, f64::INFINITY), vec![0.01, 0.1, 1.0, 3.0, 10.0, 30.0, 60.0], values)?;
/// let density = Density::of_function(Source::new("f0", "gamma(2)"), gamma).unwrap();
/// assert!((density.mean() - 2.0).abs() < 1e-13);
/// assert!((density.cdf(1.0) - (1.0 - 2.0 / std::f64::consts::E)).abs() < 1e-14);
/// # Ok::<(), rocproof_engine::model::family::NoDensity>(())
/// ```
#[derive(Clone)]
pub struct Function {
    /// The density of the standardized score `z`.
    values: Arc<Values>,
    /// The score is `location + scale·z`.
    location: f64,
    scale: f64,
    /// The ends of the support, in `z`.
    ends: (f64, f64),
    /// The marks, in `z`; sorted, strictly inside the support.
    marks: Vec<f64>,
    /// The powers at the left and at the right end.
    powers: [Power; 2],
}

/// The power of the distance that describes a density near an end.
#[derive(Clone, Copy, Debug)]
struct Power {
    behaviour: Behaviour,
    /// Where the power replaces the values, if it does.
    replacement: Option<Replacement>,
}

/// The neighbourhood of an end where a power replaces the values of a density.
#[derive(Clone, Copy, Debug)]
struct Replacement {
    /// The distance from the end within which the power is used.
    radius: f64,
    /// The logarithm of the density at that distance, which fixes the factor of the power.
    log_density: f64,
}

impl Power {
    /// The power of a density that is analytic and positive at the end.
    const REGULAR: Power = Power { behaviour: Behaviour::REGULAR, replacement: None };
}

impl fmt::Debug for Function {
    /// Writes ends and marks; the function that gives the values cannot be shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("ends", &self.ends).field("marks", &self.marks).finish_non_exhaustive()
    }
}

impl Function {
    /// A density on an interval by its values. Between two neighbouring marks the density must be smooth and without narrow peaks; an
    /// infinite end is cut at the outermost mark.
    pub fn new(
        ends: (f64, f64),
        mut marks: Vec<f64>,
        values: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static,
    ) -> Result<Function, NoDensity> {
        marks.retain(|mark| mark.is_finite() && ends.0 < *mark && *mark < ends.1);
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        let length = length(ends, &marks);
        // Marks so close to an end that a power may replace the values there are dropped. An end at 0 needs no replacement.
        let is_clear_of =
            |end: f64, mark: f64| end == 0.0 || end.is_infinite() || (mark - end).abs() > TOO_CLOSE * length;
        marks.retain(|mark| is_clear_of(ends.0, *mark) && is_clear_of(ends.1, *mark));
        let powers = [Power::REGULAR; 2];
        let mut function = Function { values: Arc::new(values), location: 0.0, scale: 1.0, ends, marks, powers };
        function.check()?;
        function.powers = [function.estimate_power(End::Left)?, function.estimate_power(End::Right)?];
        Ok(function)
    }

    /// The density of `location + scale·z`, for a positive scale.
    pub fn moved(mut self, location: f64, scale: f64) -> Function {
        (self.location, self.scale) = (self.location * scale + location, self.scale * scale);
        self
    }

    /// The score `location + scale·z`.
    fn score(&self, z: f64) -> f64 {
        self.location + self.scale * z
    }

    /// The ends in `z`, infinite ones replaced by the outermost marks, or by 0 if there are no marks.
    fn cut(&self) -> (f64, f64) {
        let (lo, hi) = self.ends;
        let (first, last) = (self.marks.first().copied().unwrap_or(0.0), self.marks.last().copied().unwrap_or(0.0));
        (if lo.is_finite() { lo } else { first }, if hi.is_finite() { hi } else { last })
    }

    /// Scans the values between the marks, and reports one that is negative or not finite.
    fn check(&self) -> Result<(), NoDensity> {
        let (lo, hi) = self.cut();
        let knots: Vec<f64> = [lo].into_iter().chain(self.marks.iter().copied()).chain([hi]).collect();
        for pair in knots.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let grid: Vec<f64> = (1..LOOKS).map(|k| from + (to - from) * k as f64 / LOOKS as f64).collect();
            for (z, value) in grid.iter().zip((self.values)(&grid)) {
                let at = self.score(*z);
                if !value.is_finite() {
                    return Err(NoDensity::NotFinite { at });
                }
                if value < 0.0 {
                    return Err(NoDensity::Negative { at, value });
                }
            }
        }
        Ok(())
    }

    /// Estimates the exponent of the density towards an end from its values at the distances `d` and `2d`: `log2(f(2d)/f(d))`. Errors if a
    /// density with that exponent has no integral.
    fn estimate_power(&self, end: End) -> Result<Power, NoDensity> {
        let (at, sign) = if end == End::Left { (self.ends.0, 1.0) } else { (self.ends.1, -1.0) };
        if !at.is_finite() {
            return Ok(Power::REGULAR);
        }
        let length = length(self.ends, &self.marks);
        let log = |distance: f64| (self.values)(&[at + sign * distance]).first().map_or(f64::NAN, |value| value.ln());
        let exponent = (log(2.0 * CLOSE * length) - log(CLOSE * length)) / std::f64::consts::LN_2;
        // A density that underflows near the end, since it vanishes faster than any power, counts as regular.
        if !exponent.is_finite() {
            return Ok(Power::REGULAR);
        }
        if exponent <= -1.0 {
            return Err(NoDensity::Diverges { at: self.score(at) });
        }
        if (exponent - exponent.round()).abs() < WHOLE {
            return Ok(Power { behaviour: Behaviour::power(exponent.round()), replacement: None });
        }
        // Floats near 0 have full relative precision, so an end at 0 needs no replacement.
        let radius = TOO_CLOSE * length;
        let replacement = (at != 0.0).then(|| Replacement { radius, log_density: log(radius) });
        Ok(Power { behaviour: Behaviour { exponent, analytic: false }, replacement })
    }

    /// The derivative of the log-density with respect to the score at one `z`, by a central difference; 0 if that is not finite.
    fn slope_at(&self, z: f64) -> f64 {
        /// The relative step that balances truncation and rounding of a central difference.
        const STEP: f64 = 1e-5;
        let step = STEP * z.abs().max(1.0);
        let values = (self.values)(&[z - step, z + step]);
        let slope = match values.as_slice() {
            [before, after] => (after.ln() - before.ln()) / (2.0 * step * self.scale),
            _ => f64::NAN,
        };
        if slope.is_finite() { slope } else { 0.0 }
    }

    /// The log-density in `z` by the power towards an end; `None` unless the distance from the end is so small that the power replaces the
    /// values.
    fn log_by_power(&self, end: End, distance: f64) -> Option<f64> {
        let Power { behaviour, replacement } = self.powers[usize::from(end == End::Right)];
        let Replacement { radius, log_density } = replacement.filter(|near_end| distance < near_end.radius)?;
        Some(log_density + behaviour.exponent * (distance / radius).ln())
    }
}

/// The length of the support, by which distances from a finite end are measured. A half-infinite support counts as twice the distance from
/// its end to the middle mark: the outermost mark of a heavy tail is too far away to tell how the density behaves at the end.
fn length((lo, hi): (f64, f64), marks: &[f64]) -> f64 {
    let from_middle = |end: f64| marks.get(marks.len() / 2).map_or(1.0, |middle| 2.0 * (middle - end).abs());
    match (lo.is_finite(), hi.is_finite()) {
        (true, false) => from_middle(lo),
        (false, true) => from_middle(hi),
        _ => hi - lo,
    }
}

impl NumericDensity for Function {
    fn support(&self) -> (f64, f64) {
        (self.score(self.ends.0), self.score(self.ends.1))
    }

    /// The marks. Panels between two of them measure distances from the marks, which resolves features of very different widths.
    fn breakpoints(&self) -> Vec<f64> {
        self.marks.iter().map(|mark| self.score(*mark)).collect()
    }

    fn behaviour(&self, end: End) -> Behaviour {
        self.powers[usize::from(end == End::Right)].behaviour
    }

    /// The support, cut at the outermost marks where it is infinite.
    fn effective_support(&self) -> (f64, f64) {
        let (lo, hi) = self.cut();
        (self.score(lo), self.score(hi))
    }

    /// The log-density from the values, or from the power close to an end. Its derivative is that of the polynomial through the values at the
    /// nodes, or a central difference if all sites are one score.
    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (lo, hi) = self.support();
        let z: Vec<f64> = (0..log.len()).map(|i| places.signed_distance(self.location, i) / self.scale).collect();
        let values = (self.values)(&z);
        for (i, site_log) in log.iter_mut().enumerate() {
            let by_left_power = self.log_by_power(End::Left, places.above(lo, i) / self.scale);
            let by_power = by_left_power.or_else(|| self.log_by_power(End::Right, places.below(hi, i) / self.scale));
            let value = values.get(i).copied().unwrap_or(f64::NAN);
            // The density in scores is the density in z divided by the scale.
            *site_log = by_power.unwrap_or_else(|| value.max(0.0).ln()) - self.scale.ln();
        }
        let is_single_score = places.x[0] == places.x[NODES - 1];
        if is_single_score {
            slope.fill(self.slope_at(z[0]));
            return;
        }
        let at_nodes = at_nodes(log);
        if at_nodes.iter().any(|log| !log.is_finite()) {
            // Where the density vanishes, its logarithm is infinite and has no derivative.
            slope.fill(0.0);
            return;
        }
        for (i, site_slope) in slope.iter_mut().enumerate() {
            // No caller uses the derivatives at the ends of a panel.
            *site_slope = if i < NODES { dot(&RULE.slope[i], &at_nodes) / places.dx[i] } else { 0.0 };
        }
    }

    /// Differentiating the interpolating polynomial amplifies the rounding of the values.
    fn has_derivative(&self) -> bool {
        false
    }

    /// The error of the given values is not known; this is a guess for values computed with ordinary care.
    fn rounding(&self) -> f64 {
        128.0 * f64::EPSILON
    }

    /// Estimates of the mass, and of the part of the mean, beyond the cuts of infinite ends.
    fn tails(&self) -> (f64, f64) {
        let ((lo, hi), (cut_lo, cut_hi)) = (self.ends, self.cut());
        let (mut total_mass, mut total_mean) = (0.0, 0.0);
        for (end, cut) in [(lo, cut_lo), (hi, cut_hi)] {
            if end != cut {
                let value = (self.values)(&[cut]).first().copied().unwrap_or(f64::NAN) / self.scale;
                let (mass, mean) = mass_and_mean_beyond(self.score(cut), value);
                total_mass += mass;
                total_mean += mean;
            }
        }
        (total_mass, total_mean)
    }

    /// The mass must be integrated.
    fn known_mass(&self) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Density;
    use rocproof_language::Source;

    /// The exponent at the end was estimated at a distance of the outermost mark times 1e-9, where this density falls like `x^-2`. So it was
    /// refused as one without an integral.
    #[test]
    fn a_heavy_tail_does_not_count_as_the_behaviour_at_the_finite_end() {
        let pareto = |z: &[f64]| z.iter().map(|z| z.powi(-2)).collect();
        // Quantiles: the mass above the score 1/p is p.
        let masses = (1..64).map(|k| f64::from(k) / 64.0);
        let small = (2..21).map(|k| 0.1f64.powi(k));
        let marks = small.clone().chain(masses).chain(small.map(|p| 1.0 - p)).map(|p| 1.0 / p).collect();
        let function = Function::new((1.0, f64::INFINITY), marks, pareto).unwrap();
        assert_eq!(function.behaviour(End::Left).exponent, 0.0);
        let density = Density::of_function(Source::new("f0", "pareto(1)"), function).unwrap();
        assert!((density.cdf(4.0) - 0.75).abs() < 1e-12, "{}", density.cdf(4.0));
    }

    /// Marks next to the end were kept on half-infinite supports. The scan for negative values then fell on the end itself, where the density
    /// is infinite.
    #[test]
    fn marks_too_close_to_a_singular_end_are_dropped_on_half_infinite_supports() {
        let values =
            |z: &[f64]| z.iter().map(|z| (1.0 - z).exp() / ((z - 1.0) * std::f64::consts::PI).sqrt()).collect();
        let marks = vec![1.0 + f64::EPSILON, 1.1, 1.5, 2.0, 3.0, 6.0, 12.0, 24.0, 40.0];
        let function = Function::new((1.0, f64::INFINITY), marks, values).unwrap();
        assert_eq!(function.marks.first(), Some(&1.1));
        let density = Density::of_function(Source::new("f0", "1 + gamma(1/2)"), function).unwrap();
        assert!((density.mean() - 1.5).abs() < 1e-9, "{}", density.mean());
    }
}
