//! From densities to a sampled curve.
//!
//! The score axis is cut at knots: every declared breakpoint and atom. Between two knots lies an arc (or a gap), covered by panels that are
//! halved until the 21 nodes of each resolve both densities, and whatever the caller wants resolved. The distribution functions are the
//! running integrals of the densities; no special function is needed for them.

use super::arc_panel::{arc_panel, chord, class_log_density, shares};
use super::curve::{Curve, Leftover};
use super::density::{Atom, Component, Density};
use super::family::End;
use crate::calculus::Estimate;
use crate::calculus::coordinate::{ArcScore, Coordinate, Places, end_reach};
use crate::calculus::panel::{CoordinateRange, Panel, Point};
use crate::calculus::rule::{Lane, NODES, RESOLVED, RULE, SITES, dot};
use crate::constant::Constant;

/// The excess up to which panels are accepted on an arc that rounding keeps from being resolved to an excess of 1.
const ROUGH: f64 = 1e3;
/// The largest number of panels of one arc. Beyond it panels are not cut, and their defects count as error.
const MOST_PANELS: usize = 3000;
/// The largest number of panels between two marks of a density that is known by its values only.
const MOST_ROUGH_PANELS: usize = 200;
/// How often a coordinate range is halved at most.
const MOST_HALVINGS: u32 = 48;
/// Mass up to this bound, next to a singular end, is a gap on the curve.
const NEGLIGIBLE: f64 = 1e-17;
/// Singularities outside of an interval are resolved if they are closer than this times its length. Bisection resolves the others.
const CLOSE: f64 = 1e-6;
/// Slopes of two log-densities that differ by less than this, relative to their size, may be equal but for rounding.
const EQUAL_SLOPES: f64 = 1e-9;

/// The densities of one class.
#[derive(Clone, Copy)]
struct Class<'a> {
    components: &'a [Component],
    atoms: &'a [Atom],
}

/// The scores at which components and atoms are not smooth; sorted, without infinite ends.
pub(super) fn breakpoints(components: &[Component], atoms: &[Atom]) -> Vec<f64> {
    let mut points: Vec<f64> = atoms.iter().map(|a| a.x).collect();
    for component in components {
        points.extend([component.lo, component.hi].into_iter().filter(|x| x.is_finite()));
        points.extend(component.density.breakpoints().into_iter().filter(|x| component.lo < *x && *x < component.hi));
    }
    sorted(points)
}

/// Sorts, without duplicates.
fn sorted(mut points: Vec<f64>) -> Vec<f64> {
    points.sort_by(f64::total_cmp);
    points.dedup();
    points
}

/// The smallest interval that contains all the given intervals; `(∞, -∞)` if there are none.
fn hull_of_intervals(intervals: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    intervals.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)))
}

/// The mass of components and atoms, to full relative accuracy even where it is tiny.
pub(super) fn mass(components: &[Component], atoms: &[Atom]) -> Estimate {
    let of_atoms: f64 = atoms.iter().map(|a| a.mass).sum();
    // A family knows its mass on its whole support, not on a part of it.
    let known_mass = |c: &Component| c.density.known_mass().filter(|_| (c.lo, c.hi) == c.density.support());
    let known: f64 = components.iter().filter_map(|c| known_mass(c).map(|mass| c.weight * mass)).sum();
    let unknown = components.iter().filter(|c| known_mass(c).is_none()).cloned().collect();
    let integrated = integrate(unknown);
    Estimate { value: known + of_atoms + integrated.value, error: integrated.error }
}

/// The mass of components by numerical integration.
fn integrate(mut components: Vec<Component>) -> Estimate {
    // Far in a tail all values are tiny: weights are scaled until the largest mass is of order one, and the result is scaled back.
    let log_scale = highest_log_mass(&components);
    // No component is positive anywhere on the grid, or there is no component.
    if !log_scale.is_finite() {
        return Estimate::exact(0.0);
    }
    // The clamp keeps the factor within the range of floating point.
    let factor = log_scale.clamp(-650.0, 650.0).exp();
    components.iter_mut().for_each(|c| c.weight /= factor);
    // The components are one class; the other is empty, and nothing but the mass is to be resolved.
    let classes = [Class { components: &components, atoms: &[] }, Class { components: &[], atoms: &[] }];
    let curve = UnscaledCurve::new(classes, &mut |_| 0.0);
    let rounding = components.iter().map(|c| c.density.rounding()).fold(0.0, f64::max);
    let error = factor * (curve.defect[0] + rounding * curve.total[0]);
    Estimate { value: factor * curve.total[0], error }
}

/// The largest logarithm of weight × density × width of the support over a coarse grid: an estimate of the logarithm of the mass.
fn highest_log_mass(components: &[Component]) -> f64 {
    let mut highest = f64::NEG_INFINITY;
    for component in components {
        let (a, b) = component.effective_range();
        let places = Coordinate::FromLeft { a, b }.places(0.0, b - a);
        let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
        component.density.log_density(&places, &mut log, &mut slope);
        let weighted = log.iter().map(|l| l + (component.weight * (b - a)).ln());
        highest = weighted.filter(|l| l.is_finite()).fold(highest, f64::max);
    }
    highest
}

/// The curve of a model with these class densities.
///
/// `excess` says how far a panel is from resolving the functionals that will be computed on it: at most 1 if it resolves them.
pub(crate) fn curve(densities: [&Density; 2], excess: &mut dyn FnMut(&Panel) -> f64) -> Curve {
    let classes = densities.map(|d| Class { components: &d.components, atoms: &d.atoms });
    let unscaled = UnscaledCurve::new(classes, excess);
    let mut rounding = 16.0 * f64::EPSILON;
    for density in densities {
        rounding += density.tails().0;
        rounding += density.rounding;
        rounding += density.components.iter().map(|c| c.density.rounding()).fold(0.0, f64::max);
    }
    rounding += rounding_of_positions(densities);
    let mut curve = unscaled.finish(rounding);
    curve.mean_tail = densities.map(|d| d.tails().1);
    curve.positions = densities.iter().map(|d| d.positions.clone()).filter(|positions| !positions.is_empty()).collect();
    look_into_tails(&mut curve, classes);
    curve
}

/// A bound on the error of `F0` and `F1` that comes from rounded knots.
///
/// The curve has its knots at floats close to what the user wrote. A density that starts and ends at its knots moves and stretches with them;
/// at other knots its distribution function is off by the mass between the knot and its float.
fn rounding_of_positions(densities: [&Density; 2]) -> f64 {
    let mut positions: Vec<&Constant> = densities.iter().flat_map(|d| d.positions.iter()).collect();
    positions.sort_by(|p, q| p.value.total_cmp(&q.value));
    let rounded: Vec<Knot> = positions.iter().map(|p| Knot { x: p.value, error: p.rounding() }).collect();
    let rounded: Vec<Knot> = rounded.into_iter().filter(|knot| knot.error > 0.0).collect();
    if rounded.is_empty() {
        return 0.0;
    }
    // Floats that stand for different numbers.
    let differ = |pair: &&[&Constant]| pair[0].value == pair[1].value && pair[0] != pair[1];
    let shared: Vec<f64> = positions.windows(2).filter(differ).map(|pair| pair[0].value).collect();
    let mut worst: f64 = 0.0;
    for density in densities {
        let mut stretching = 0.0;
        let mut at_knots = vec![0.0; rounded.len()];
        for component in &density.components {
            stretching += component.weight * error_by_stretching(component);
            let (lo, hi) = component.density.support();
            for ((sum, knot), mass) in at_knots.iter_mut().zip(&rounded).zip(masses_around(component, &rounded)) {
                let moves_along =
                    (knot.x == lo && component.rounding[0] > 0.0) || (knot.x == hi && component.rounding[1] > 0.0);
                if !moves_along || shared.contains(&knot.x) {
                    *sum += component.weight * mass;
                }
            }
        }
        // An atom is on the wrong side of another knot with its float, or on neither.
        for (sum, knot) in at_knots.iter_mut().zip(&rounded).filter(|(_, knot)| shared.contains(&knot.x)) {
            *sum += density.atoms.iter().filter(|atom| atom.x == knot.x).map(|atom| atom.mass).sum::<f64>();
        }
        worst = worst.max(stretching + at_knots.into_iter().fold(0.0, f64::max));
    }
    worst
}

/// The float of a knot, with a bound on its error.
#[derive(Clone, Copy)]
struct Knot {
    x: f64,
    error: f64,
}

/// A bound on the error of the distribution function of a component whose ends are rounded, at scores between them: the relative error of
/// its width times the largest product of density and distance from an end.
fn error_by_stretching(component: &Component) -> f64 {
    let error = component.rounding[0] + component.rounding[1];
    let (a, b) = (component.lo, component.hi);
    if error == 0.0 || !(b - a).is_finite() {
        return 0.0;
    }
    if component.density.height().is_some() {
        return error / (b - a);
    }
    let places = Coordinate::FromLeft { a, b }.places(0.0, b - a);
    let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
    component.density.log_density(&places, &mut log, &mut slope);
    let products = (0..NODES).map(|i| log[i].exp() * places.left[i].min(places.right[i]));
    // Between the nodes the product may be larger.
    4.0 * products.fold(1.0, f64::max) * error / (b - a)
}

/// Bounds on the masses of a component, without its weight, between each knot and its float.
fn masses_around(component: &Component, knots: &[Knot]) -> Vec<f64> {
    if let Some(height) = component.density.height() {
        let is_inside = |knot: &Knot| component.lo <= knot.x + knot.error && knot.x - knot.error <= component.hi;
        return knots.iter().map(|knot| if is_inside(knot) { height * knot.error } else { 0.0 }).collect();
    }
    let (a, b) = component.density.support();
    // The mass is the integral of the density over the error, or, from an end of the support on, f(x)·distance/(p+1) for a density that
    // goes like distance^p. The density is looked up at the float or at the far end of the error.
    let is_near = |from_end: f64, knot: &Knot| from_end <= 4.0 * knot.error;
    let mut masses = Vec::with_capacity(knots.len());
    for chunk in knots.chunks(SITES) {
        let mut places = Places::at((a, b), chunk[0].x, chunk[0].x - a, b - chunk[0].x);
        for (i, knot) in chunk.iter().enumerate() {
            let (left, right) = (knot.x - a, b - knot.x);
            (places.x[i], places.left[i], places.right[i]) = if is_near(left, knot) {
                let reach = left.max(0.0) + knot.error;
                (a + reach, reach, (b - a) - reach)
            } else if is_near(right, knot) {
                let reach = right.max(0.0) + knot.error;
                (b - reach, (b - a) - reach, reach)
            } else {
                (knot.x, left, right)
            };
        }
        let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
        component.density.log_density(&places, &mut log, &mut slope);
        for (i, knot) in chunk.iter().enumerate() {
            let (left, right) = (knot.x - a, b - knot.x);
            let end =
                [(left, End::Left), (right, End::Right)].into_iter().find(|(distance, _)| is_near(*distance, knot));
            // Nearby the density may be larger, but not twice as large.
            let log_mass = match end {
                Some((_, end)) => {
                    let power = component.density.behaviour(end).exponent + 1.0;
                    log[i] + (2.0 * places.left[i].min(places.right[i]) / power.min(1.0)).ln()
                }
                None => log[i] + (2.0 * knot.error).ln(),
            };
            let is_outside = knot.x + knot.error < component.lo || component.hi < knot.x - knot.error;
            let mass = log_mass.exp();
            // A density that is not a number may have any mass there.
            masses.push(if is_outside { 0.0 } else { mass.min(1.0) });
        }
    }
    masses
}

/// Determines the limits of the direction of the curve at infinite ends, and whether `f1/f0` falls there.
fn look_into_tails(curve: &mut Curve, classes: [Class; 2]) {
    let width = curve.end().x - curve.start().x;
    if curve.support.0.is_infinite() {
        // The components of each class that reach to minus infinity.
        let active = classes.map(|class| class.components.iter().filter(|c| c.lo == curve.support.0).collect());
        let tail = look_into_tail(&active, curve.start().x, -width);
        (curve.limits[0], curve.tails_fall[0]) = (tail.limit, tail.falls);
    }
    if curve.support.1.is_infinite() {
        let active = classes.map(|class| class.components.iter().filter(|c| c.hi == curve.support.1).collect());
        let tail = look_into_tail(&active, curve.end().x, width);
        (curve.limits[1], curve.tails_fall[1]) = (tail.limit, tail.falls);
    }
}

/// The direction of the curve in a tail beyond all noticeable mass.
struct TailDirection {
    /// The shares of the densities in their sum at the farthest score at which they were compared, if there is one.
    limit: Option<[f64; 2]>,
    /// Whether `f1/f0` falls somewhere in the tail, as scores grow.
    falls: bool,
}

/// Compares the log-densities of both classes at growing distances from `edge`, the last score of the curve. The distances are multiples of
/// `width`, which is negative in a left tail.
fn look_into_tail(active: &[Vec<&Component>; 2], edge: f64, width: f64) -> TailDirection {
    /// From the edge of the curve to far out, where all but the leading term of a log-density are negligible.
    const MULTIPLES: [f64; 8] = [0.0, 0.1, 1.0, 1e1, 1e2, 1e4, 1e6, 1e8];
    let mut tail = TailDirection { limit: None, falls: false };
    for multiple in MULTIPLES {
        let line = (f64::NEG_INFINITY, f64::INFINITY);
        let places = Places::at(line, edge + width * multiple, f64::INFINITY, f64::INFINITY);
        let [(log0, slope0), (log1, slope1)] = active.each_ref().map(|components| {
            // All sites are the same score, so the first one is enough.
            let (log, slope) = class_log_density(components, &places);
            (log[0], slope[0])
        });
        // An expression that underflows has no logarithm to compare, neither here nor farther out.
        let underflows = |class: usize, log: f64| !active[class].is_empty() && log == f64::NEG_INFINITY;
        if underflows(0, log0) || underflows(1, log1) {
            break;
        }
        let Some(direction) = shares(log0, log1) else { continue };
        tail.falls |= slope0 - slope1 > EQUAL_SLOPES * (slope0.abs() + slope1.abs());
        tail.limit = Some(direction);
    }
    tail
}

/// The curve of a model both of whose classes have this density; its distribution function and quantiles are read from it.
pub(super) fn curve_of_density(density: &Density) -> Curve {
    curve([density, density], &mut |_| 0.0)
}

/// The interval of scores from one knot to the next, with the components of each class that have mass on it.
struct KnotInterval<'a> {
    a: f64,
    b: f64,
    active: [Vec<&'a Component>; 2],
}

impl<'a> KnotInterval<'a> {
    /// The interval between the neighbouring knots `a` and `b`. A component either covers it or has no mass on it.
    fn new(classes: [Class<'a>; 2], a: f64, b: f64) -> KnotInterval<'a> {
        let active = classes.map(|class| class.components.iter().filter(|c| c.lo <= a && b <= c.hi).collect());
        KnotInterval { a, b, active }
    }

    /// The active components of both classes.
    fn components(&self) -> impl Iterator<Item = &'a Component> {
        self.active.iter().flatten().copied()
    }

    /// The masses of both classes on the interval; `None` unless all densities are constant on it.
    fn constant_masses(&self) -> Option<[f64; 2]> {
        let mut masses = [0.0; 2];
        for (mass, components) in masses.iter_mut().zip(&self.active) {
            for component in components {
                *mass += component.weight * (component.density.height()? * (self.b - self.a));
            }
        }
        Some(masses)
    }

    /// The landmarks of all components inside the interval, sorted.
    fn landmarks(&self) -> Vec<f64> {
        let is_inside = |x: &f64| self.a < *x && *x < self.b;
        let mut landmarks: Vec<f64> = self.components().flat_map(|c| c.density.landmarks()).filter(is_inside).collect();
        landmarks.sort_by(f64::total_cmp);
        landmarks
    }

    /// The exponent `p` with which the mass between an end and a score vanishes, `distance^p`; `None` if the end is regular.
    fn singular_exponent(&self, end: End) -> Option<f64> {
        let at_end = self.components().filter(|c| if end == End::Left { c.lo == self.a } else { c.hi == self.b });
        let behaviours: Vec<_> = at_end.map(|c| c.behaviour(end)).collect();
        let is_singular = behaviours.iter().any(|b| !b.analytic);
        is_singular.then(|| behaviours.iter().fold(1.0, |p: f64, b| p.min(b.exponent + 1.0)))
    }

    /// The nearest end of a support that lies outside of the interval on this side, close to it compared with `length`, if a density is
    /// singular there. A breakpoint or an atom then cuts the axis next to the singularity, and on the interval the densities are analytic,
    /// but only on the scale of that distance.
    fn singularity_beyond(&self, end: End, length: f64) -> Option<f64> {
        let distance = |s: f64| if end == End::Left { self.a - s } else { s - self.b };
        let singular = self.components().filter(|c| !c.density.behaviour(end).analytic);
        let ends = singular.map(|c| if end == End::Left { c.density.support().0 } else { c.density.support().1 });
        let is_close = |s: &f64| distance(*s) > 0.0 && distance(*s) < CLOSE * length;
        ends.filter(is_close).min_by(|s, t| distance(*s).total_cmp(&distance(*t)))
    }

    /// Coordinates with ranges that cover the interval from left to right. Between regular ends they are linear, one for each half. An
    /// exponential coordinate resolves a singular end, and covers the whole interval if the other end is regular. Between two singular ends
    /// two of them meet at the middle landmark, or at the midpoint if there are no landmarks.
    fn coordinate_ranges(&self, landmarks: &[f64]) -> Vec<CoordinateRange> {
        let (a, b) = (self.a, self.b);
        let is_hard = |end| self.singular_exponent(end).is_some() || self.singularity_beyond(end, b - a).is_some();
        match [End::Left, End::Right].map(is_hard) {
            [false, false] => {
                let half = (b - a) / 2.0;
                let left = CoordinateRange { coordinate: Coordinate::FromLeft { a, b }, from: 0.0, to: half };
                let right = CoordinateRange { coordinate: Coordinate::FromRight { a, b }, from: -half, to: 0.0 };
                vec![left, right]
            }
            [true, false] => self.ranges_from_left(b),
            [false, true] => self.ranges_to_right(a),
            [true, true] => {
                let middle = landmarks.get(landmarks.len() / 2).copied().unwrap_or(a + (b - a) / 2.0);
                self.ranges_from_left(middle).into_iter().chain(self.ranges_to_right(middle)).collect()
            }
        }
    }

    /// Coordinates with ranges from the left end, which is singular or close to a singularity, to `b`.
    fn ranges_from_left(&self, b: f64) -> Vec<CoordinateRange> {
        let a = self.a;
        // Distances from the end itself, up to `longest`.
        let own = |longest: f64| match self.singular_exponent(End::Left) {
            Some(p) => {
                let coordinate = Coordinate::Left { a, b };
                let to = coordinate.of_distance(longest);
                CoordinateRange { coordinate, from: to - end_reach(p, longest), to }
            }
            None => CoordinateRange { coordinate: Coordinate::FromLeft { a, b }, from: 0.0, to: longest },
        };
        match self.singularity_beyond(End::Left, b - a) {
            None => vec![own(b - a)],
            // From twice the distance between both, the distance from the singularity is exponential in the coordinate.
            Some(singularity) => {
                let step = a - singularity;
                let coordinate = Coordinate::Left { a: singularity, b };
                vec![own(step), CoordinateRange { coordinate, from: coordinate.of_distance(2.0 * step), to: 0.0 }]
            }
        }
    }

    /// Coordinates with ranges from `a` to the right end, which is singular or close to a singularity.
    fn ranges_to_right(&self, a: f64) -> Vec<CoordinateRange> {
        let b = self.b;
        // Distances from the end itself, up to `longest`.
        let own = |longest: f64| match self.singular_exponent(End::Right) {
            Some(q) => {
                let coordinate = Coordinate::Right { a, b };
                let from = coordinate.of_distance(longest);
                CoordinateRange { coordinate, from, to: from + end_reach(q, longest) }
            }
            None => CoordinateRange { coordinate: Coordinate::FromRight { a, b }, from: -longest, to: 0.0 },
        };
        match self.singularity_beyond(End::Right, b - a) {
            None => vec![own(b - a)],
            Some(singularity) => {
                let step = singularity - b;
                let coordinate = Coordinate::Right { a, b: singularity };
                vec![CoordinateRange { coordinate, from: 0.0, to: coordinate.of_distance(2.0 * step) }, own(step)]
            }
        }
    }
}

/// The coordinates at which a range is cut before its panels are halved: the landmarks inside it, and its end.
fn cuts_at_landmarks(CoordinateRange { coordinate, from, to }: CoordinateRange, landmarks: &[f64]) -> Vec<f64> {
    let (a, b) = coordinate.ends();
    let mut cuts: Vec<f64> = landmarks.iter().filter(|x| a < **x && **x < b).map(|x| coordinate.of(*x)).collect();
    cuts.retain(|v| from < *v && *v < to);
    cuts.push(to);
    cuts
}

/// Multiplies the rates and the masses below of class `k` by a factor.
fn scale_class(panel: &mut Panel, k: usize, factor: f64) {
    panel.rate[k].iter_mut().for_each(|rate| *rate *= factor);
    // Rounding must not push a distribution function above 1.
    let scaled = |mass: f64| (mass * factor).min(1.0);
    panel.below[k] = panel.below[k].map(scaled);
    panel.start.below[k] = scaled(panel.start.below[k]);
    panel.end.below[k] = scaled(panel.end.below[k]);
}

/// The masses of a class above each node of a panel, given its rates on the panel and its mass to the right of the panel.
fn masses_above(rate: &Lane, right_of_panel: f64) -> Lane {
    // The nodes are symmetric, so the weights of the running integral from the right are those from the left, mirrored.
    let mut above = [right_of_panel; NODES];
    for (i, node_rate) in rate.iter().enumerate() {
        let mirrored = &RULE.running[NODES - 1 - i];
        for (j, sum) in above.iter_mut().enumerate() {
            *sum += node_rate * mirrored[NODES - 1 - j];
        }
    }
    above
}

/// The panels of a curve before the masses of both classes are scaled to one.
struct UnscaledCurve {
    panels: Vec<Panel>,
    /// The mass of each class.
    total: [f64; 2],
    /// Estimates of the error of both masses.
    defect: [f64; 2],
    support: (f64, f64),
    range: (f64, f64),
    /// Mass next to singular ends.
    leftovers: Vec<Leftover>,
}

impl UnscaledCurve {
    /// Covers the score axis with panels, from knot to knot: atoms and intervals of constant density are straight, all others arcs.
    fn new(classes: [Class; 2], excess: &mut dyn FnMut(&Panel) -> f64) -> UnscaledCurve {
        let components = || classes.iter().flat_map(|c| c.components);
        let atoms = || classes.iter().flat_map(|c| c.atoms);
        let support = hull_of_intervals(components().map(|c| (c.lo, c.hi)).chain(atoms().map(|a| (a.x, a.x))));
        let is_probability = support.0 >= 0.0 && support.1 <= 1.0;
        let range = if is_probability { (0.0, 1.0) } else { support };

        let mut knots: Vec<f64> = classes.iter().flat_map(|c| breakpoints(c.components, c.atoms)).collect();
        let (first, last) = hull_of_intervals(components().map(Component::effective_range));
        knots.extend([first, last].into_iter().filter(|x| x.is_finite()));
        if is_probability {
            knots.extend([0.0, 1.0]);
        }
        let knots = sorted(knots);

        let x = knots.first().copied().unwrap_or(0.0);
        let mut point = Point { x, x_complement: 1.0 - x, below: [0.0; 2], above: [1.0; 2] };
        let panels = Vec::with_capacity(64);
        let mut curve =
            UnscaledCurve { panels, total: [0.0; 2], defect: [0.0; 2], support, range, leftovers: Vec::new() };
        for (i, knot) in knots.iter().enumerate() {
            let mass = classes.map(|c| c.atoms.iter().filter(|a| a.x == *knot).map(|a| a.mass).sum::<f64>());
            if mass != [0.0, 0.0] {
                point = curve.add_straight(point, *knot, mass);
            }
            let Some(next) = knots.get(i + 1) else { break };
            let interval = KnotInterval::new(classes, *knot, *next);
            point = match interval.constant_masses() {
                // Densities that are constant, perhaps 0, make a straight piece.
                Some(mass) => curve.add_straight(point, *next, mass),
                None => curve.add_arc(point, &interval, excess),
            };
        }
        curve.total = point.below;
        curve
    }

    /// Adds a straight panel with the given masses from the last point up to the score `x`; returns its end.
    fn add_straight(&mut self, from: Point, x: f64, mass: [f64; 2]) -> Point {
        let below = [0, 1].map(|k| from.below[k] + mass[k]);
        let to = Point { x, x_complement: 1.0 - x, below, above: from.above };
        self.panels.push(Panel::straight_with_mass(from, to, mass));
        to
    }

    /// Covers an interval of smooth densities with panels, starting from its first point; returns its last point.
    ///
    /// Panels are accepted at an excess of 1. If that takes too many of them, rounding keeps some from being resolved: the whole arc is then
    /// covered again with a larger excess allowed. Densities without an accurate derivative are treated like that at once.
    fn add_arc(&mut self, start: Point, interval: &KnotInterval, excess: &mut dyn FnMut(&Panel) -> f64) -> Point {
        let (panels_before, defect_before, leftovers_before) = (self.panels.len(), self.defect, self.leftovers.len());
        let is_fine = interval.components().all(|component| component.density.has_derivative());
        if is_fine {
            let end = self.cover(start, interval, MOST_PANELS, &mut |panel| excess(panel) <= 1.0);
            if self.panels.len() - panels_before <= MOST_PANELS {
                return end;
            }
            self.panels.truncate(panels_before);
            self.defect = defect_before;
            self.leftovers.truncate(leftovers_before);
        }
        let most = if is_fine { MOST_PANELS } else { MOST_ROUGH_PANELS };
        let end = self.cover(start, interval, most, &mut |panel| excess(panel) <= ROUGH);
        self.panels[panels_before..].iter_mut().for_each(|panel| panel.unresolved = true);
        end
    }

    /// Covers an interval with panels, starting from its first point; returns its last point. Panels are halved until `accept` takes them,
    /// or until there are more than `most`.
    fn cover(
        &mut self,
        start: Point,
        interval: &KnotInterval,
        most: usize,
        accept: &mut dyn FnMut(&Panel) -> bool,
    ) -> Point {
        let mut point = start;
        let most_in_all = self.panels.len() + most;
        let landmarks = interval.landmarks();
        for range in interval.coordinate_ranges(&landmarks) {
            // An exponential coordinate never reaches the singular end that it leads to, unless that lies beyond the interval.
            if let Coordinate::Left { a, .. } = range.coordinate
                && a == interval.a
            {
                point = self.add_leftover(point, range.coordinate, range.from, interval, End::Left);
            }
            let mut from = range.from;
            for to in cuts_at_landmarks(range, &landmarks) {
                // Two landmarks may coincide in the coordinate.
                if to > from {
                    let part = CoordinateRange { from, to, ..range };
                    point = self.cover_range(point, part, interval, most_in_all, accept);
                    from = to;
                }
            }
            if let Coordinate::Right { b, .. } = range.coordinate
                && b == interval.b
            {
                point = self.add_leftover(point, range.coordinate, range.to, interval, End::Right);
            }
        }
        point
    }

    /// Covers a range of a coordinate with panels by bisection, from left to right. Panels are no longer halved once there are more than
    /// `most_in_all` on the whole curve. Returns the last point.
    fn cover_range(
        &mut self,
        start: Point,
        range: CoordinateRange,
        interval: &KnotInterval,
        most_in_all: usize,
        accept: &mut dyn FnMut(&Panel) -> bool,
    ) -> Point {
        let mut point = start;
        // Ranges not covered yet, the leftmost on top, each with the number of halvings that made it.
        let mut pending = vec![(range, 0)];
        while let Some((range, halvings)) = pending.pop() {
            let (panel, end_defect) = arc_panel(point, range, &interval.active);
            let defect = [0, 1].map(|k| dot(&RULE.defect, &panel.rate[k]).abs() + end_defect[k]);
            let CoordinateRange { from, to, .. } = range;
            let middle = from + (to - from) / 2.0;
            let is_divisible = halvings < MOST_HALVINGS && from < middle && middle < to;
            // An exponential coordinate must resolve the score, too.
            let is_score_resolved = dot(&RULE.defect, &panel.dx).abs() <= RESOLVED * (1.0 + panel.end.x.abs());
            let is_resolved = is_score_resolved && defect.iter().all(|d| *d <= RESOLVED) && accept(&panel);
            if is_resolved || !is_divisible || self.panels.len() > most_in_all {
                point = panel.end;
                self.defect = [0, 1].map(|k| self.defect[k] + defect[k]);
                // A turn within a panel too small to cut becomes a straight piece between two corners.
                let is_speck = !is_resolved && !is_divisible;
                // A panel whose mass underflows is a gap, in whatever direction the densities point.
                let is_empty = panel.rate.iter().all(|lane| lane.iter().all(|rate| *rate == 0.0));
                self.panels.push(if is_speck || is_empty { chord(&panel) } else { panel });
            } else {
                pending.push((CoordinateRange { from: middle, ..range }, halvings + 1));
                pending.push((CoordinateRange { to: middle, ..range }, halvings + 1));
            }
        }
        point
    }

    /// Adds a straight panel between a singular `end` and `v`, the value at which the exponential coordinate stops short of it.
    ///
    /// For a density `f ~ distance^p` the mass there is `f(x)·distance/(p+1)`, and `distance = dx/dv` in an exponential coordinate. How far
    /// the density is from that power counts as error, and so does the shape of the curve, which is not resolved: the curve runs inside a
    /// rectangle with the masses as sides. Returns the last point.
    fn add_leftover(
        &mut self,
        point: Point,
        coordinate: Coordinate,
        v: f64,
        interval: &KnotInterval,
        end: End,
    ) -> Point {
        let (a, b) = coordinate.ends();
        let ArcScore { x, left, right, dx } = coordinate.place(v);
        let places = Places::at((a, b), x, left, right);
        let (mut mass, mut defect) = ([0.0; 2], [0.0; 2]);
        for (k, component) in [0, 1].into_iter().flat_map(|k| interval.active[k].iter().map(move |c| (k, c))) {
            let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
            component.density.log_density(&places, &mut log, &mut slope);
            let (touches, sign) = match end {
                End::Left => (component.lo == a, 1.0),
                End::Right => (component.hi == b, -1.0),
            };
            let exponent = if touches { component.behaviour(end).exponent } else { 0.0 };
            // The product of density and distance may be finite where the density is not.
            let component_mass = component.weight * (log[0] + dx.ln()).exp() / (exponent + 1.0);
            mass[k] += component_mass;
            // The mass is f(x)·distance/(e+1) for a mean `e` of the elasticities from here to the end, where they tend to the exponent. The
            // doubt is 1 where the elasticity is not a number.
            let from_exponent = (sign * slope[0] * dx - exponent).abs() + f64::EPSILON;
            let doubt = (2.0 * from_exponent / (exponent + 1.0)).min(1.0);
            defect[k] += component_mass * doubt;
        }
        let shape = mass[0].min(mass[1]);
        self.defect = [0, 1].map(|k| self.defect[k] + defect[k] + shape);
        let panel_end = if end == End::Left { x } else { b };
        let most = mass[0].max(mass[1]);
        if most > NEGLIGIBLE {
            self.leftovers.push(Leftover { scores: (point.x, panel_end), mass: most });
        }
        // Negligible mass is added to the sums, but on the curve the panel is a gap.
        if mass[0] + mass[1] <= NEGLIGIBLE {
            let to = self.add_straight(point, panel_end, [0.0; 2]);
            return Point { below: [0, 1].map(|k| to.below[k] + mass[k]), ..to };
        }
        self.add_straight(point, panel_end, mass)
    }

    /// Scales both masses to one. Computes the masses above each point by integrating from the right, so that they keep their relative
    /// accuracy where they are small.
    fn finish(mut self, rounding: f64) -> Curve {
        let scale = self.total.map(|t| if t > 0.0 { 1.0 / t } else { 1.0 });
        // The masses to the right of the current panel.
        let mut above = [0.0; 2];
        for panel in self.panels.iter_mut().rev() {
            panel.end.above = above;
            for k in 0..2 {
                scale_class(panel, k, scale[k]);
                panel.above[k] = masses_above(&panel.rate[k], above[k]);
                above[k] += dot(&RULE.kronrod, &panel.rate[k]);
            }
            panel.start.above = above;
        }
        // Mass that was missing or in excess before scaling counts as error.
        let error = [0, 1].map(|k| (self.total[k] - 1.0).abs() + self.defect[k]);
        // Roundings of a running sum add up like the square root of their number.
        let steps = self.panels.len() as f64;
        // The sum is NaN if one of both is, and then nothing is known of the curve.
        let largest = if (error[0] + error[1]).is_nan() { f64::INFINITY } else { error[0].max(error[1]) };
        let uncertainty = largest + rounding + 2.0 * steps.sqrt() * f64::EPSILON;
        Curve {
            panels: self.panels,
            range: self.range,
            support: self.support,
            uncertainty,
            score_noise: 0.0,
            mean_tail: [0.0; 2],
            limits: [None; 2],
            tails_fall: [false; 2],
            positions: Vec::new(),
            leftovers: self.leftovers,
        }
    }
}
