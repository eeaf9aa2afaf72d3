//! A density that is known by its values only.

use super::{Behaviour, End, NoDensity, NumericDensity, Places, Sites, mass_and_mean_beyond};
use crate::calculus::rule::{NODES, RULE, at_nodes, dot};
use std::fmt;
use std::sync::Arc;

/// Gives the values of a density at many places at once.
pub type Values = dyn Fn(&[f64]) -> Vec<f64> + Send + Sync;

/// The distance from an end at which its power is estimated, in lengths of the support.
const CLOSE: f64 = 1e-9;
/// A power this close to a whole number is that number.
const WHOLE: f64 = 1e-5;
/// Within this distance from an end, in lengths of the support, floats are too coarse for a density that goes like a broken power. There
/// the power is used in place of the values.
const TOO_CLOSE: f64 = 1e-11;
/// The number of steps between two marks in which values that are negative or not finite are looked for.
const LOOKS: usize = 32;

/// A density without a formula: a function gives its values, and marks say where to look.
///
/// Nothing can be proved of it, so it is served by the numeric level alone. Its derivative is that of the polynomials by which it is
/// resolved.
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
    /// Values at `z`; scores are `location + scale·z`.
    values: Arc<Values>,
    location: f64,
    scale: f64,
    /// Ends and marks, in `z`.
    ends: (f64, f64),
    marks: Vec<f64>,
    powers: [Power; 2],
}

/// How a density goes towards an end.
#[derive(Clone, Copy, Debug)]
struct Power {
    behaviour: Behaviour,
    /// The distance within which the power replaces the values, and the logarithm of the density at that distance.
    replaces_within: Option<(f64, f64)>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Function").field("ends", &self.ends).field("marks", &self.marks).finish_non_exhaustive()
    }
}

impl Function {
    /// A density on an interval by its values. Between two neighbouring marks nothing may hide; an infinite end is cut at the outermost mark.
    pub fn new(
        ends: (f64, f64),
        mut marks: Vec<f64>,
        values: impl Fn(&[f64]) -> Vec<f64> + Send + Sync + 'static,
    ) -> Result<Function, NoDensity> {
        marks.retain(|mark| mark.is_finite() && ends.0 < *mark && *mark < ends.1);
        let span = ends.1 - ends.0;
        let is_clear = |mark: f64, end: f64| end == 0.0 || span.is_infinite() || (mark - end).abs() > TOO_CLOSE * span;
        marks.retain(|mark| is_clear(*mark, ends.0) && is_clear(*mark, ends.1));
        marks.sort_by(f64::total_cmp);
        marks.dedup();
        let regular = Power { behaviour: Behaviour::REGULAR, replaces_within: None };
        let mut function =
            Function { values: Arc::new(values), location: 0.0, scale: 1.0, ends, marks, powers: [regular; 2] };
        function.check()?;
        function.powers = [function.power(End::Left)?, function.power(End::Right)?];
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

    /// The ends, infinite ones replaced by the outermost marks.
    fn cut(&self) -> (f64, f64) {
        let (lo, hi) = self.ends;
        let (first, last) = (self.marks.first().copied().unwrap_or(0.0), self.marks.last().copied().unwrap_or(0.0));
        (if lo.is_finite() { lo } else { first }, if hi.is_finite() { hi } else { last })
    }

    /// Looks for values that no density has.
    fn check(&self) -> Result<(), NoDensity> {
        let (lo, hi) = self.cut();
        let knots: Vec<f64> = [lo].into_iter().chain(self.marks.iter().copied()).chain([hi]).collect();
        for pair in knots.windows(2) {
            let places: Vec<f64> =
                (1..LOOKS).map(|k| pair[0] + (pair[1] - pair[0]) * k as f64 / LOOKS as f64).collect();
            for (z, value) in places.iter().zip((self.values)(&places)) {
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

    /// The power with which the density goes towards an end: from two places close to it.
    fn power(&self, end: End) -> Result<Power, NoDensity> {
        let regular = Power { behaviour: Behaviour::REGULAR, replaces_within: None };
        let (at, sign) = if end == End::Left { (self.ends.0, 1.0) } else { (self.ends.1, -1.0) };
        if !at.is_finite() {
            return Ok(regular);
        }
        let (lo, hi) = self.cut();
        let span = hi - lo;
        let log = |distance: f64| (self.values)(&[at + sign * distance]).first().map_or(f64::NAN, |value| value.ln());
        let exponent = (log(2.0 * CLOSE * span) - log(CLOSE * span)) / std::f64::consts::LN_2;
        // A density that vanishes faster than any power counts as regular.
        if !exponent.is_finite() {
            return Ok(regular);
        }
        if exponent <= -1.0 {
            return Err(NoDensity::Diverges { at: self.score(at) });
        }
        if (exponent - exponent.round()).abs() < WHOLE {
            return Ok(Power { behaviour: Behaviour::power(exponent.round()), replaces_within: None });
        }
        // Around 0 floats are as fine as they are close.
        let replaces_within = (at != 0.0).then(|| (TOO_CLOSE * span, log(TOO_CLOSE * span)));
        Ok(Power { behaviour: Behaviour { exponent, analytic: false }, replaces_within })
    }

    /// The derivative of the logarithm at one place, by differences.
    fn slope_at(&self, z: f64) -> f64 {
        const STEP: f64 = 1e-5;
        let step = STEP * z.abs().max(1.0);
        let values = (self.values)(&[z - step, z + step]);
        let slope = match values.as_slice() {
            [before, after] => (after.ln() - before.ln()) / (2.0 * step * self.scale),
            _ => f64::NAN,
        };
        if slope.is_finite() { slope } else { 0.0 }
    }

    /// The logarithm of the density by the power towards an end, so close to it that the power replaces the values.
    fn log_by_power(&self, end: End, distance: f64) -> Option<f64> {
        let Power { behaviour, replaces_within } = self.powers[usize::from(end == End::Right)];
        let (radius, log) = replaces_within.filter(|(radius, _)| distance < *radius)?;
        Some(log + behaviour.exponent * (distance / radius).ln())
    }
}

impl NumericDensity for Function {
    fn support(&self) -> (f64, f64) {
        (self.score(self.ends.0), self.score(self.ends.1))
    }

    /// Between marks distances count from the marks, so that scales of many sizes can lie side by side.
    fn breakpoints(&self) -> Vec<f64> {
        self.marks.iter().map(|mark| self.score(*mark)).collect()
    }

    fn behaviour(&self, end: End) -> Behaviour {
        self.powers[usize::from(end == End::Right)].behaviour
    }

    fn effective_support(&self) -> (f64, f64) {
        let (lo, hi) = self.cut();
        (self.score(lo), self.score(hi))
    }

    fn log_density(&self, places: &Places, log: &mut Sites, slope: &mut Sites) {
        let (lo, hi) = self.support();
        let z: Vec<f64> = (0..log.len()).map(|i| places.signed_distance(self.location, i) / self.scale).collect();
        let values = (self.values)(&z);
        for (i, log) in log.iter_mut().enumerate() {
            let by_left_power = self.log_by_power(End::Left, places.above(lo, i) / self.scale);
            let by_power = by_left_power.or_else(|| self.log_by_power(End::Right, places.below(hi, i) / self.scale));
            let value = values.get(i).copied().unwrap_or(f64::NAN);
            *log = by_power.unwrap_or_else(|| value.max(0.0).ln()) - self.scale.ln();
        }
        if places.x[0] == places.x[NODES - 1] {
            slope.fill(self.slope_at(z[0]));
            return;
        }
        let at_nodes = at_nodes(log);
        if at_nodes.iter().any(|log| !log.is_finite()) {
            // Where the density vanishes its logarithm is no polynomial to differentiate.
            slope.fill(0.0);
            return;
        }
        for (i, slope) in slope.iter_mut().enumerate() {
            // Nothing asks for derivatives at the ends.
            *slope = if i < NODES { dot(&RULE.slope[i], &at_nodes) / places.dx[i] } else { 0.0 };
        }
    }

    fn has_derivative(&self) -> bool {
        false
    }

    fn rounding(&self) -> f64 {
        128.0 * f64::EPSILON
    }

    fn tails(&self) -> (f64, f64) {
        let ((lo, hi), cut) = (self.ends, self.cut());
        let ends = [(lo, cut.0), (hi, cut.1)].into_iter().filter(|(end, at)| end != at);
        let value = |z: f64| (self.values)(&[z]).first().copied().unwrap_or(f64::NAN) / self.scale;
        ends.fold((0.0, 0.0), |(mass, mean), (_, z)| {
            let (more_mass, more_mean) = mass_and_mean_beyond(self.score(z), value(z));
            (mass + more_mass, mean + more_mean)
        })
    }

    fn known_mass(&self) -> Option<f64> {
        None
    }
}
