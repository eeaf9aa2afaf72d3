//! From densities to a sampled curve.
//!
//! The score axis is cut at every declared breakpoint. Between two of them lies an arc (or a gap), covered by panels
//! that are halved until both densities, and whatever the caller wants resolved, are polynomials on each. The distribution
//! functions are the running integrals of the densities; no special function is needed for them.

use super::curve::Curve;
use super::density::{Atom, Component, Density};
use super::family::End;
use crate::calculus::Estimate;
use crate::calculus::coordinate::{Coordinate, Places, end_reach};
use crate::calculus::panel::{CoordinateRange, Motion, Panel, Point};
use crate::calculus::rule::{NODES, RESOLVED, RULE, SHARE_OF_END, SITES, Sites, at_nodes, dot};

/// The largest excess of a panel on an arc that rounding keeps from being resolved.
const ROUGH: f64 = 1e3;
/// The largest number of panels of one arc. Beyond it panels are not cut, and their defects count as error.
const MOST_PANELS: usize = 3000;
/// The largest number of panels between two marks of a density that is known by its values only.
const MOST_ROUGH_PANELS: usize = 200;

/// How often a coordinate range is halved at most.
const MOST_HALVINGS: u32 = 48;

/// The densities of one class.
#[derive(Clone, Copy)]
struct Class<'a> {
    components: &'a [Component],
    atoms: &'a [Atom],
}

/// Where components and atoms are not smooth; sorted, infinite ends left out.
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

/// The mass of components and atoms, to full relative accuracy even where it is tiny.
pub(super) fn mass(components: &[Component], atoms: &[Atom]) -> Estimate {
    let of_atoms: f64 = atoms.iter().map(|a| a.mass).sum();
    // Families know their mass as long as they are whole.
    let known_mass = |c: &Component| c.density.known_mass().filter(|_| (c.lo, c.hi) == c.density.support());
    let known: f64 = components.iter().filter_map(|c| known_mass(c).map(|mass| c.weight * mass)).sum();
    let mut to_integrate: Vec<Component> = components.iter().filter(|c| known_mass(c).is_none()).cloned().collect();
    if to_integrate.is_empty() {
        return Estimate::exact(known + of_atoms);
    }
    // Far in a tail all values are tiny: weights are scaled until the largest mass is of order one.
    let log_scale = highest_log_mass(&to_integrate);
    // No density anywhere on the grid.
    if !log_scale.is_finite() {
        return Estimate::exact(known + of_atoms);
    }
    // The clamp keeps the factor within floating point.
    let factor = log_scale.clamp(-650.0, 650.0).exp();
    to_integrate.iter_mut().for_each(|c| c.weight /= factor);
    // `Raw` takes two classes. The second is empty, and no criterion beyond the masses is to be resolved.
    let raw =
        Raw::new([Class { components: &to_integrate, atoms: &[] }, Class { components: &[], atoms: &[] }], &mut |_| {
            0.0
        });
    let rounding = to_integrate.iter().map(|c| c.density.rounding()).fold(0.0, f64::max);
    let error = factor * (raw.defect[0] + rounding * raw.total[0]);
    Estimate { value: known + of_atoms + factor * raw.total[0], error }
}

/// The largest logarithm of density times width over a coarse grid.
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
/// `excess` says how far a panel is from resolving what will be computed on it: at most 1 if it does.
pub(crate) fn curve(densities: [&Density; 2], excess: &mut dyn FnMut(&Panel) -> f64) -> Curve {
    let classes = densities.map(|d| Class { components: &d.components, atoms: &d.atoms });
    let raw = Raw::new(classes, excess);
    let mut rounding = 16.0 * f64::EPSILON;
    for density in densities {
        rounding += density.tails().0;
        rounding += density.rounding;
        rounding += density.components.iter().map(|c| c.density.rounding()).fold(0.0, f64::max);
    }
    let mut curve = raw.finish(rounding);
    curve.mean_tail = densities.map(|d| d.tails().1);
    look_into_tails(&mut curve, classes);
    curve
}

/// Determines the limits of the direction of the curve at infinite ends, and whether it falls there: by the log-densities at growing
/// distances beyond all noticeable mass.
fn look_into_tails(curve: &mut Curve, classes: [Class; 2]) {
    let ends = [(curve.support.0, curve.start().x, -1.0), (curve.support.1, curve.end().x, 1.0)];
    let width = curve.end().x - curve.start().x;
    for (side, (support, edge, sign)) in ends.into_iter().enumerate() {
        if support.is_finite() {
            continue;
        }
        let active = classes.map(|c| {
            let reaches = |c: &&Component| if side == 0 { c.lo == support } else { c.hi == support };
            c.components.iter().filter(reaches).collect::<Vec<_>>()
        });
        for far in [0.0, 0.1, 1.0, 1e1, 1e2, 1e4, 1e6, 1e8] {
            let x = edge + sign * width * far;
            let line = (f64::NEG_INFINITY, f64::INFINITY);
            let places = Places::at(line, x, f64::INFINITY, f64::INFINITY);
            let [(log0, slope0), (log1, slope1)] = active.each_ref().map(|c| class_log_density(c, &places));
            // An expression that underflows has no logarithm to compare.
            let underflows = |class: usize, log: &Sites| !active[class].is_empty() && log[0] == f64::NEG_INFINITY;
            if underflows(0, &log0) || underflows(1, &log1) {
                break;
            }
            let Some(limit) = shares(log0[0], log1[0]) else { continue };
            // The threshold excludes a difference of equal slopes by rounding.
            let fall = slope0[0] - slope1[0];
            curve.tails_fall[side] |= fall > 1e-9 * (slope0[0].abs() + slope1[0].abs());
            curve.limits[side] = Some(limit);
        }
    }
}

/// The curve of a density against itself.
pub(super) fn alone(density: &Density) -> Curve {
    curve([density, density], &mut |_| 0.0)
}

/// Panels before the masses of both classes are scaled to one.
struct Raw {
    panels: Vec<Panel>,
    /// The mass of each class.
    total: [f64; 2],
    /// Estimates of the error of both masses.
    defect: [f64; 2],
    support: (f64, f64),
    range: (f64, f64),
}

impl Raw {
    /// Covers the score axis with panels, from knot to knot: atoms and intervals of constant density are straight, all others arcs.
    fn new(classes: [Class; 2], excess: &mut dyn FnMut(&Panel) -> f64) -> Raw {
        let components = || classes.iter().flat_map(|c| c.components);
        let atoms = || classes.iter().flat_map(|c| c.atoms);
        let ends = components().map(|c| (c.lo, c.hi)).chain(atoms().map(|a| (a.x, a.x)));
        let support = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
        let is_probability = support.0 >= 0.0 && support.1 <= 1.0;
        let range = if is_probability { (0.0, 1.0) } else { support };

        let mut knots: Vec<f64> = classes.iter().flat_map(|c| breakpoints(c.components, c.atoms)).collect();
        let effective = components().map(Component::effective_range);
        let (first, last) =
            effective.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)));
        knots.extend([first, last].into_iter().filter(|x| x.is_finite()));
        if is_probability {
            knots.extend([0.0, 1.0]);
        }
        let knots = sorted(knots);

        let x = knots.first().copied().unwrap_or(0.0);
        let start = Point { x, x_complement: 1.0 - x, below: [0.0; 2], above: [1.0; 2] };
        let mut raw = Raw { panels: Vec::with_capacity(64), total: [0.0; 2], defect: [0.0; 2], support, range };
        let mut point = start;
        for (i, knot) in knots.iter().enumerate() {
            let mass = classes.map(|c| c.atoms.iter().filter(|a| a.x == *knot).map(|a| a.mass).sum::<f64>());
            if mass != [0.0, 0.0] {
                point = raw.straight(point, *knot, 1.0 - *knot, mass);
            }
            let Some(next) = knots.get(i + 1) else { break };
            let active = classes
                .map(|c| c.components.iter().filter(|c| c.lo <= *knot && *next <= c.hi).collect::<Vec<&Component>>());
            point = match constant_masses(&active, *next - *knot) {
                // Densities that are constant, perhaps 0, make a straight piece.
                Some(mass) => raw.straight(point, *next, 1.0 - *next, mass),
                None => raw.arc(point, *knot, *next, &active, excess),
            };
        }
        raw.total = point.below;
        raw
    }

    /// Adds a straight panel with the given mass up to a score; returns its last point.
    fn straight(&mut self, from: Point, x: f64, x_complement: f64, mass: [f64; 2]) -> Point {
        let below = [0, 1].map(|k| from.below[k] + mass[k]);
        let to = Point { x, x_complement, below, above: from.above };
        self.panels.push(Panel::straight_with_mass(from, to, mass));
        to
    }

    /// Covers the arc from `a` to `b` with panels; returns its last point.
    fn arc(
        &mut self,
        at: Point,
        a: f64,
        b: f64,
        active: &[Vec<&Component>; 2],
        excess: &mut dyn FnMut(&Panel) -> f64,
    ) -> Point {
        let (before, defect) = (self.panels.len(), self.defect);
        let is_fine = active.iter().flatten().all(|component| component.density.has_derivative());
        if is_fine {
            let end = self.cover(at, a, b, active, MOST_PANELS, &mut |panel| excess(panel) <= 1.0);
            if self.panels.len() - before <= MOST_PANELS {
                return end;
            }
            self.panels.truncate(before);
            self.defect = defect;
        }
        // Rounding keeps some panels from being resolved: the whole arc is covered again, with a larger excess allowed.
        let most = if is_fine { MOST_PANELS } else { MOST_ROUGH_PANELS };
        let end = self.cover(at, a, b, active, most, &mut |panel| excess(panel) <= ROUGH);
        self.panels[before..].iter_mut().for_each(|panel| panel.unresolved = true);
        end
    }

    /// Covers an arc with panels; returns its last point. Panels are halved until they are accepted, or there are more than `most`.
    fn cover(
        &mut self,
        mut at: Point,
        a: f64,
        b: f64,
        active: &[Vec<&Component>; 2],
        most: usize,
        accept: &mut dyn FnMut(&Panel) -> bool,
    ) -> Point {
        let components = || active.iter().flatten().copied();
        let mut landmarks: Vec<f64> =
            components().flat_map(|c| c.density.landmarks()).filter(|x| a < *x && *x < b).collect();
        landmarks.sort_by(f64::total_cmp);
        // The exponent of the mass towards each end, if the end is singular.
        let singular = |end: End| {
            let at_end = components().filter(|c| if end == End::Left { c.lo == a } else { c.hi == b });
            let behaviours: Vec<_> = at_end.map(|c| c.behaviour(end)).collect();
            let is_singular = behaviours.iter().any(|b| !b.analytic);
            is_singular.then(|| behaviours.iter().fold(1.0, |p: f64, b| p.min(b.exponent + 1.0)))
        };
        // Coordinates with the ranges that cover the arc: linear ones towards regular ends, exponential ones towards singular ends.
        let ranges = match (singular(End::Left), singular(End::Right)) {
            (None, None) => {
                let half = (b - a) / 2.0;
                vec![(Coordinate::FromLeft { a, b }, 0.0, half), (Coordinate::FromRight { a, b }, -half, 0.0)]
            }
            (Some(p), None) => vec![(Coordinate::Left { a, b }, -end_reach(p), 0.0)],
            (None, Some(p)) => vec![(Coordinate::Right { a, b }, 0.0, end_reach(p))],
            (Some(p), Some(q)) => {
                let m = landmarks.get(landmarks.len() / 2).copied().unwrap_or(a + (b - a) / 2.0);
                vec![
                    (Coordinate::Left { a, b: m }, -end_reach(p), 0.0),
                    (Coordinate::Right { a: m, b }, 0.0, end_reach(q)),
                ]
            }
        };
        let mut pending: Vec<(f64, f64, u32)> = Vec::new();
        let before = self.panels.len();
        for (coordinate, v0, v1) in ranges {
            let ends = coordinate.ends();
            if let Coordinate::Left { a, .. } = coordinate {
                at = self.leftover(at, coordinate, v0, a, 1.0 - a, active, End::Left);
            }
            let mut cuts: Vec<f64> =
                landmarks.iter().filter(|x| ends.0 < **x && **x < ends.1).map(|x| coordinate.of(*x)).collect();
            cuts.retain(|v| v0 < *v && *v < v1);
            cuts.push(v1);
            let mut from = v0;
            for to in cuts {
                if to <= from {
                    continue;
                }
                pending.push((from, to, 0));
                while let Some((from, to, halvings)) = pending.pop() {
                    let (panel, end_defect) = arc_panel(at, coordinate, from, to, active);
                    let defect = [0, 1].map(|k| dot(&RULE.defect, &panel.rate[k]).abs() + end_defect[k]);
                    let middle = from + (to - from) / 2.0;
                    let is_divisible = halvings < MOST_HALVINGS && from < middle && middle < to;
                    // An exponential coordinate must resolve the score, too.
                    let is_score_resolved = dot(&RULE.defect, &panel.dx).abs() <= RESOLVED * (1.0 + panel.end.x.abs());
                    let is_resolved = is_score_resolved && defect.iter().all(|d| *d <= RESOLVED) && accept(&panel);
                    if is_resolved || !is_divisible || self.panels.len() - before > most {
                        at = panel.end;
                        self.defect = [0, 1].map(|k| self.defect[k] + defect[k]);
                        // A turn within a panel too small to cut becomes a straight piece between two corners.
                        let is_speck = !is_resolved && !is_divisible;
                        // A panel whose mass underflows is a gap, in whatever direction the densities point.
                        let is_empty = panel.rate.iter().all(|lane| lane.iter().all(|rate| *rate == 0.0));
                        self.panels.push(if is_speck || is_empty { chord(&panel) } else { panel });
                    } else {
                        pending.push((middle, to, halvings + 1));
                        pending.push((from, middle, halvings + 1));
                    }
                }
                from = to;
            }
            if let Coordinate::Right { b, .. } = coordinate {
                at = self.leftover(at, coordinate, v1, b, 1.0 - b, active, End::Right);
            }
        }
        at
    }

    /// Adds a straight panel for the mass between a singular end and the first (or last) score that an exponential coordinate
    /// reaches: by the declared exponent `p` of the density it is `f(x)·distance/(p+1)`. The mass counts as error, since its shape
    /// is not resolved. Returns the last point.
    #[allow(clippy::too_many_arguments)]
    fn leftover(
        &mut self,
        at: Point,
        coordinate: Coordinate,
        v: f64,
        end_x: f64,
        end_complement: f64,
        active: &[Vec<&Component>; 2],
        end: End,
    ) -> Point {
        let (a, b) = coordinate.ends();
        let (x, left, right, dx) = coordinate.place(v);
        let places = Places::at((a, b), x, left, right);
        let mass = [0, 1].map(|k| {
            let masses = active[k].iter().map(|component| {
                let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
                component.density.log_density(&places, &mut log, &mut slope);
                let touches = if end == End::Left { component.lo == a } else { component.hi == b };
                let exponent = if touches { component.behaviour(end).exponent } else { 0.0 };
                component.weight * log[0].exp() * dx / (exponent + 1.0)
            });
            masses.sum::<f64>()
        });
        self.defect = [0, 1].map(|k| self.defect[k] + mass[k]);
        let (x, x_complement) = if end == End::Left { (x, 1.0 - x) } else { (end_x, end_complement) };
        // Mass too small to notice is added to the sums, but on the curve the panel is a gap.
        const NEGLIGIBLE: f64 = 1e-17;
        if mass[0] + mass[1] <= NEGLIGIBLE {
            let to = self.straight(at, x, x_complement, [0.0; 2]);
            return Point { below: [0, 1].map(|k| to.below[k] + mass[k]), ..to };
        }
        self.straight(at, x, x_complement, mass)
    }

    /// Scales both masses to one, and computes the masses above from the right, so that they keep their relative accuracy.
    fn finish(mut self, rounding: f64) -> Curve {
        let scale = self.total.map(|t| if t > 0.0 { 1.0 / t } else { 1.0 });
        let mut above = [0.0; 2];
        for panel in self.panels.iter_mut().rev() {
            panel.end.above = above;
            for k in 0..2 {
                panel.rate[k].iter_mut().for_each(|v| *v *= scale[k]);
                panel.below[k].iter_mut().for_each(|v| *v = (*v * scale[k]).min(1.0));
                panel.start.below[k] = (panel.start.below[k] * scale[k]).min(1.0);
                panel.end.below[k] = (panel.end.below[k] * scale[k]).min(1.0);
                // The running integral from the right mirrors that from the left.
                let mut from_right = [above[k]; NODES];
                for i in 0..NODES {
                    let mirrored = &RULE.running[NODES - 1 - i];
                    for j in 0..NODES {
                        from_right[j] += panel.rate[k][i] * mirrored[NODES - 1 - j];
                    }
                }
                panel.above[k] = from_right;
                above[k] += dot(&RULE.kronrod, &panel.rate[k]);
            }
            panel.start.above = above;
        }
        let error = [0, 1].map(|k| (self.total[k] - 1.0).abs() + self.defect[k]);
        // Roundings of a running sum add up like the square root of their number.
        let steps = self.panels.len() as f64;
        let uncertainty = error[0].max(error[1]) + rounding + 2.0 * steps.sqrt() * f64::EPSILON;
        Curve {
            panels: self.panels,
            range: self.range,
            support: self.support,
            uncertainty,
            score_noise: 0.0,
            mean_tail: [0.0; 2],
            limits: [None; 2],
            tails_fall: [false; 2],
        }
    }
}

/// The masses of both classes on an interval of this width; `None` unless all densities are constant on it.
fn constant_masses(active: &[Vec<&Component>; 2], width: f64) -> Option<[f64; 2]> {
    let mut masses = [0.0; 2];
    for (mass, components) in masses.iter_mut().zip(active) {
        for component in components {
            *mass += component.weight * (component.density.height()? * width);
        }
    }
    Some(masses)
}

/// The straight piece between the ends of a panel.
fn chord(panel: &Panel) -> Panel {
    let mass = [0, 1].map(|k| dot(&RULE.kronrod, &panel.rate[k]));
    Panel::straight_with_mass(panel.start, panel.end, mass)
}

/// A panel of an arc, and an estimate of the mass that its nodes miss near its ends: from the difference between the densities at
/// the ends and their extrapolation from the nodes.
fn arc_panel(at: Point, coordinate: Coordinate, v0: f64, v1: f64, active: &[Vec<&Component>; 2]) -> (Panel, [f64; 2]) {
    let places = coordinate.places(v0, v1);
    let (log0, slope0) = class_log_density(&active[0], &places);
    let (log1, slope1) = class_log_density(&active[1], &places);
    let mut panel = Panel {
        motion: Motion::Arc,
        x: at_nodes(&places.x),
        x_complement: std::array::from_fn(|i| places.below(1.0, i)),
        dx: at_nodes(&places.dx),
        below: [at.below[0], at.below[1]].map(|v| [v; NODES]),
        above: [[0.0; NODES]; 2],
        rate: [[0.0; NODES]; 2],
        share: [[0.5; NODES]; 2],
        turn: [0.0; NODES],
        start: at,
        end: at,
        start_share: [0.5; 2],
        end_share: [0.5; 2],
        noise: 0.0,
        unresolved: false,
        path: Some(CoordinateRange { coordinate, from: v0, to: v1 }),
    };
    for i in 0..NODES {
        let dx = places.dx[i];
        panel.rate[0][i] = log0[i].exp() * dx;
        panel.rate[1][i] = log1[i].exp() * dx;
        if let Some([share0, share1]) = shares(log0[i], log1[i]) {
            panel.share[0][i] = share0;
            panel.share[1][i] = share1;
            let turn = share0 * share1 * ((slope1[i] - slope0[i]) * dx);
            panel.turn[i] = if turn.is_finite() { turn } else { 0.0 };
        }
    }
    // Where both densities vanish the direction is a limit.
    let limit = |weights| [0, 1].map(|k| dot(weights, &panel.share[k]).clamp(0.0, 1.0));
    (panel.start_share, panel.end_share) = (
        shares(log0[NODES], log1[NODES]).unwrap_or_else(|| limit(&RULE.at_start)),
        shares(log0[NODES + 1], log1[NODES + 1]).unwrap_or_else(|| limit(&RULE.at_end)),
    );
    let (x, _, right, _) = coordinate.place(v1);
    let x_complement = if coordinate.ends().1 == 1.0 { right } else { 1.0 - x };
    panel.end = Point { x, x_complement, below: at.below, above: [0.0; 2] };
    for k in 0..2 {
        for i in 0..NODES {
            let rate = panel.rate[k][i];
            for j in 0..NODES {
                panel.below[k][j] += rate * RULE.running[i][j];
            }
        }
        panel.end.below[k] += dot(&RULE.kronrod, &panel.rate[k]);
        panel.above[k] = panel.below[k].map(|v| 1.0 - v);
        panel.end.above[k] = 1.0 - panel.end.below[k];
    }
    let end_defect = [0, 1].map(|k| {
        let log = [&log0, &log1][k];
        let ends = [(&RULE.at_start, NODES), (&RULE.at_end, NODES + 1)].map(|(weights, site)| {
            let known = log[site].exp() * places.dx[site];
            if known.is_finite() { (dot(weights, &panel.rate[k]) - known).abs() * SHARE_OF_END } else { 0.0 }
        });
        ends[0].max(ends[1])
    });
    (panel, end_defect)
}

/// The shares of two densities in their sum, given their logarithms; `None` where both vanish.
fn shares(log0: f64, log1: f64) -> Option<[f64; 2]> {
    let ratio = log1 - log0;
    let odds = (-ratio.abs()).exp();
    let (smaller, larger) = (odds / (1.0 + odds), 1.0 / (1.0 + odds));
    if ratio.is_nan() {
        None
    } else if ratio > 0.0 {
        Some([smaller, larger])
    } else {
        Some([larger, smaller])
    }
}

/// `ln Σ wᵢfᵢ` and its derivative, by the log-sum-exp formula.
fn class_log_density(components: &[&Component], places: &Places) -> (Sites, Sites) {
    let (mut log, mut slope) = ([f64::NEG_INFINITY; SITES], [0.0; SITES]);
    for component in components {
        let (mut l, mut s) = ([0.0; SITES], [0.0; SITES]);
        component.density.log_density(places, &mut l, &mut s);
        let log_weight = component.weight.ln();
        for i in 0..SITES {
            let l = l[i] + log_weight;
            if log[i] == f64::NEG_INFINITY {
                (log[i], slope[i]) = (l, s[i]);
            } else if l > f64::NEG_INFINITY {
                let highest = log[i].max(l);
                let (old, new) = ((log[i] - highest).exp(), (l - highest).exp());
                slope[i] = (slope[i] * old + s[i] * new) / (old + new);
                log[i] = highest + (old + new).ln();
            }
        }
    }
    (log, slope)
}
