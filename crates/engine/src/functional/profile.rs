//! Integrands along a curve as functions that can be drawn, over the score, the posterior or the false positive rate.
//!
//! A functional is the integral of a one-form along the curve. Divided by the differential of an abscissa, the one-form is a function of
//! that abscissa, and the area under its graph is the integral. The graph is approximated by parabolas, which end at breakpoints of the
//! curve. An atom has no width over the score; it has a mass instead.

use super::along::along;
use super::definition::{Method, Reading, metric_named};
use super::group::{OPTIMAL, compile_definitions};
use super::program::{Environment, Inputs, Program, Registers};
use crate::calculus::Estimate;
use crate::calculus::panel::{Corner, Motion, Panel};
use crate::calculus::rule::{NODES, RULE};
use crate::model::Curve;
use rocproof_algebra::invariant;
use std::borrow::Cow;

/// Tolerance of a parabola, relative to the larger of the mean height and the value at the point.
const TOLERANCE: f64 = 2e-5;
/// Parts narrower than this share of the whole width are drawn without checking the tolerance: they are invisible.
const NARROW: f64 = 1e-10;
/// Largest number of halvings of a panel.
const MOST_HALVINGS: u32 = 14;
/// The least number of points for which a parabola is fitted; three of them determine it, the others test it.
const FEWEST_POINTS: usize = 5;

/// A parabola over an interval: `y0·(1-u) + y1·u + bend·u·(1-u)` with `u = (x - x0)/(x1 - x0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parabola {
    /// The abscissae of its ends.
    pub x: [f64; 2],
    /// The ordinates of its ends.
    pub y: [f64; 2],
    /// Four times its height above its chord in the middle.
    pub bend: f64,
}

/// The variable that a function is drawn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abscissa {
    /// The score, or threshold, `x`.
    Score,
    /// The posterior `c`.
    Posterior,
    /// The false positive rate `F1`.
    FalsePositives,
}

impl Abscissa {
    /// The names of the abscissa and its differential in the vocabulary of [`super::definition`].
    fn names(self) -> [&'static str; 2] {
        match self {
            Abscissa::Score => ["x", "dx"],
            Abscissa::Posterior => ["c", "dc"],
            Abscissa::FalsePositives => ["F1", "dF1"],
        }
    }
}

/// A function along a curve: an expression in the vocabulary of [`super::definition`], drawn over an abscissa.
#[derive(Debug)]
pub struct Profile {
    program: Program,
    over: Abscissa,
    /// Whether the expression is a one-form, to be divided by the differential of the abscissa.
    is_form: bool,
}

impl Profile {
    /// An expression with a value at each point of the curve, such as `F0` or `c`.
    pub fn value(text: &str, over: Abscissa) -> Profile {
        Profile { program: compile_definitions(&[over.names()[0], text]), over, is_form: false }
    }

    /// A one-form, such as `dF0`, divided by the differential of the abscissa.
    pub fn rate(form: &str, over: Abscissa) -> Profile {
        let [abscissa, differential] = over.names();
        Profile { program: compile_definitions(&[abscissa, form, differential]), over, is_form: true }
    }

    /// The integrand of a metric, if the metric is an integral.
    pub fn of_metric(name: &str, over: Abscissa) -> Option<Profile> {
        match metric_named(name)?.reading {
            Reading::Along(form) => Some(Profile::rate(form, over)),
            _ => None,
        }
    }

    /// The integrand of the optimal loss.
    pub fn of_optimal_loss(over: Abscissa) -> Profile {
        match Method::<f64>::Optimal.reading().text() {
            Some(text) => Profile::rate(text, over),
            None => invariant!("the optimal loss has no integrand"),
        }
    }

    /// The graph along panels, from left to right, as parabolas within `TOLERANCE` of the function.
    pub fn along<'a>(&self, panels: impl Iterator<Item = &'a Panel>, environment: &Environment) -> Vec<Parabola> {
        let mut sampler =
            Sampler { profile: self, environment, registers: Registers::default(), width: 0.0, height: 0.0 };
        let panels: Vec<&Panel> = panels.collect();
        sampler.measure(&panels);
        let mut parabolas = Vec::new();
        panels.iter().for_each(|panel| sampler.follow(panel, [0.0, 1.0], MOST_HALVINGS, &mut parabolas));
        parabolas
    }

    /// The integral of the one-form over a panel with a single score: the mass of an atom.
    pub fn mass(&self, panel: &Panel, environment: &Environment) -> f64 {
        let mut registers = Registers::default();
        self.program.run(&Inputs::of(panel), environment, &mut registers);
        if self.program.len() < 2 { 0.0 } else { self.program.integral(1, &registers).value }
    }
}

/// The integral of `Q(c) w(c) dc` along the curve without its corners, and that around its corners. On a convex curve these are the bijective
/// and the singular part of the optimal loss.
pub fn parts_of_optimal_loss(curve: &Curve, environment: &Environment) -> [Estimate; 2] {
    let corners = curve.corners((environment.pi0, environment.pi1));
    [optimal_loss(curve, &[], environment), optimal_loss(&curve.without_panels(), &corners, environment)]
}

/// The score of each corner of a curve, and the integral of `Q(c) w(c) dc` around it.
pub fn optimal_loss_at_corners(curve: &Curve, environment: &Environment) -> Vec<(f64, Estimate)> {
    let (corners, nothing) = (curve.corners((environment.pi0, environment.pi1)), curve.without_panels());
    corners.into_iter().map(|(_, corner)| (corner.at.x, optimal_loss(&nothing, &[(0, corner)], environment))).collect()
}

/// The integral of `Q(c) w(c) dc` along a curve and around the given corners.
fn optimal_loss(curve: &Curve, corners: &[(usize, Corner)], environment: &Environment) -> Estimate {
    let integrals = along(curve, corners, &OPTIMAL, environment);
    integrals.first().copied().unwrap_or(Estimate { value: f64::NAN, error: f64::INFINITY })
}

/// Samples a profile along panels, and fits parabolas to the points.
struct Sampler<'a> {
    profile: &'a Profile,
    environment: &'a Environment<'a>,
    registers: Registers,
    /// The total width of all panels.
    width: f64,
    /// The mean absolute height of the function.
    height: f64,
}

impl Sampler<'_> {
    /// The points `[abscissa, ordinate]` of the graph at the nodes of a panel.
    fn nodes(&mut self, panel: &Panel) -> Vec<[f64; 2]> {
        let Profile { program, over, is_form } = self.profile;
        if program.is_empty() {
            return Vec::new();
        }
        // Over the posterior, a one-form is divided by `dc`: let only the posterior move.
        let panel = match over {
            Abscissa::Posterior if *is_form => Cow::Owned(with_only_posterior_moving(panel)),
            _ => Cow::Borrowed(panel),
        };
        program.run(&Inputs::of(&panel), self.environment, &mut self.registers);
        let output = |k: usize| program.output(k, &self.registers);
        let value = |i: usize| if *is_form { output(1)[i] / output(2)[i] } else { output(1)[i] };
        (0..NODES).map(|i| [output(0)[i], value(i)]).collect()
    }

    /// The point of the graph at a parameter of a panel; its ordinate is valid only for expressions without differentials.
    fn at(&mut self, panel: &Panel, u: f64) -> Option<[f64; 2]> {
        let mut here = Panel::straight(panel.at(u), panel.at(u));
        here.motion = if panel.motion == Motion::Gap { Motion::Gap } else { Motion::Corner };
        here.share = panel.direction(u).map(|q| [q; NODES]);
        self.nodes(&here).first().copied()
    }

    /// The points of the graph along the part of a panel between two parameters, its ends included, without those that have no finite
    /// value.
    fn sample(&mut self, panel: &Panel, [u0, u1]: [f64; 2]) -> Vec<[f64; 2]> {
        let nodes = if (u0, u1) == (0.0, 1.0) { self.nodes(panel) } else { self.nodes(&panel.part(u0, u1)) };
        let [first, last] = [u0, u1].map(|u| self.at(panel, u));
        let (Some([x0, y0]), Some([x1, y1])) = (first, last) else { return Vec::new() };
        // At the ends a one-form is extrapolated: there its differentials are not sampled.
        let ends = match self.profile.is_form {
            false => [[x0, y0], [x1, y1]],
            true => [[x0, extrapolate_to_end(nodes.iter())], [x1, extrapolate_to_end(nodes.iter().rev())]],
        };
        let mut points: Vec<[f64; 2]> = std::iter::once(ends[0]).chain(nodes).chain([ends[1]]).collect();
        points.retain(|[x, y]| x.is_finite() && y.is_finite());
        points
    }

    /// Measures the total width and, by the trapezoidal rule, the mean height.
    fn measure(&mut self, panels: &[&Panel]) {
        let mut area = 0.0;
        for panel in panels {
            for pair in self.sample(panel, [0.0, 1.0]).windows(2) {
                let dx = (pair[1][0] - pair[0][0]).abs();
                self.width += dx;
                area += dx * (pair[0][1].abs() + pair[1][1].abs()) / 2.0;
            }
        }
        self.height = if self.width > 0.0 { area / self.width } else { 0.0 };
    }

    /// Appends parabolas for the graph over a part of a panel, which may be halved up to `halvings` times.
    fn follow(&mut self, panel: &Panel, [u0, u1]: [f64; 2], halvings: u32, parabolas: &mut Vec<Parabola>) {
        let points = self.sample(panel, [u0, u1]);
        let mut fitted = Vec::new();
        if self.fit_parabolas(&points, halvings == 0, &mut fitted) {
            parabolas.extend(fitted);
            return;
        }
        let middle = (u0 + u1) / 2.0;
        self.follow(panel, [u0, middle], halvings - 1, parabolas);
        self.follow(panel, [middle, u1], halvings - 1, parabolas);
    }

    /// Appends parabolas through points, split until they are within the tolerance. Returns `false` if there are too few points to check
    /// the tolerance; with `must_accept` they are then joined by straight lines.
    fn fit_parabolas(&self, points: &[[f64; 2]], must_accept: bool, parabolas: &mut Vec<Parabola>) -> bool {
        let ([first, .., last], n) = (points, points.len()) else { return true };
        let is_vertical = points.iter().all(|[x, _]| *x == first[0]);
        let is_horizontal = points.iter().all(|[_, y]| *y == first[1]);
        if is_vertical || is_horizontal {
            parabolas.push(line(*first, *last));
            return true;
        }
        let width = last[0] - first[0];
        let is_narrow = width <= NARROW * self.width;
        if is_narrow || n < FEWEST_POINTS {
            if !is_narrow && !must_accept {
                return false;
            }
            parabolas.extend(points.windows(2).map(|pair| line(pair[0], pair[1])));
            return true;
        }
        // Interpolate the first, a middle and the last point, and compare with the others.
        let center = first[0] + width / 2.0;
        let middle = points.partition_point(|[x, _]| *x < center).clamp(2, n - 3);
        if let Some(fitted) = parabola(*first, points[middle], *last)
            && points.iter().all(|[x, y]| (fitted.at(*x) - y).abs() <= TOLERANCE * y.abs().max(self.height))
        {
            parabolas.push(fitted);
            return true;
        }
        self.fit_parabolas(&points[..=middle], must_accept, parabolas)
            && self.fit_parabolas(&points[middle..], must_accept, parabolas)
    }
}

/// The straight line between two points, as a parabola.
fn line([x0, y0]: [f64; 2], [x1, y1]: [f64; 2]) -> Parabola {
    Parabola { x: [x0, x1], y: [y0, y1], bend: 0.0 }
}

/// The panel with only the posterior moving, at unit rate in the share of class 1.
fn with_only_posterior_moving(panel: &Panel) -> Panel {
    Panel { dx: [0.0; NODES], rate: [[0.0; NODES]; 2], turn: [1.0; NODES], ..panel.clone() }
}

/// Extrapolates the ordinate to the end of a panel, quadratically from the three nodes next to it, which `nodes` starts with. The weights are
/// the Lagrange polynomials of the three nodes at the parameter 0.
fn extrapolate_to_end<'a>(nodes: impl Iterator<Item = &'a [f64; 2]>) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|i| RULE.nodes[i]);
    let weights = [b * c / ((b - a) * (c - a)), -a * c / ((b - a) * (c - b)), a * b / ((c - a) * (c - b))];
    nodes.zip(weights).map(|([_, y], weight)| weight * y).sum()
}

/// The parabola through three points; `None` unless their abscissae are in strict order.
fn parabola([x0, y0]: [f64; 2], [x, y]: [f64; 2], [x1, y1]: [f64; 2]) -> Option<Parabola> {
    let u = (x - x0) / (x1 - x0);
    let bend = (y - (1.0 - u) * y0 - u * y1) / (u * (1.0 - u));
    (0.0 < u && u < 1.0 && bend.is_finite()).then_some(Parabola { x: [x0, x1], y: [y0, y1], bend })
}

impl Parabola {
    /// The value at an abscissa.
    pub fn at(&self, x: f64) -> f64 {
        let u = (x - self.x[0]) / (self.x[1] - self.x[0]);
        (1.0 - u) * self.y[0] + u * self.y[1] + self.bend * u * (1.0 - u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::Cost;
    use crate::model::Model;

    /// The area under parabolas: the integral of `u·(1-u)` is 1/6.
    fn area(parabolas: &[Parabola]) -> f64 {
        parabolas.iter().map(|p| (p.x[1] - p.x[0]) * ((p.y[0] + p.y[1]) / 2.0 + p.bend / 6.0)).sum()
    }

    /// The area under a density is 1, also if it is singular at both ends. Smooth densities need few parabolas.
    #[test]
    fn the_area_under_a_density_is_1() {
        let cost = Cost::uniform();
        for (f0, f1, most_parabolas) in [("beta(2, 5)", "beta(5.5, 2)", 200), ("beta(1/2, 1/2)", "normal(0, 3)", 2000)]
        {
            let curve = Model::new(f0, f1, "1/3").unwrap().curve();
            let environment = Environment { pi0: 1.0 / 3.0, pi1: 2.0 / 3.0, cost: &cost, range: curve.range };
            for form in ["dF0", "dF1"] {
                let parabolas = Profile::rate(form, Abscissa::Score).along(curve.panels.iter(), &environment);
                assert!((area(&parabolas) - 1.0).abs() < 2e-4, "{f0} {f1} {form}: {}", area(&parabolas));
                assert!(parabolas.len() < most_parabolas, "{f0} {f1} {form}: {}", parabolas.len());
            }
        }
    }

    /// The area under `Q(c)` over `c` and over `x` is the bijective part of the optimal loss.
    #[test]
    fn the_area_under_the_loss_is_its_bijective_part() {
        let (cost, curve) = (Cost::uniform(), Model::new("1", "1/2 + x", "1/2").unwrap().curve());
        let environment = Environment { pi0: 0.5, pi1: 0.5, cost: &cost, range: curve.range };
        let [bijective, singular] = parts_of_optimal_loss(&curve, &environment);
        let area_over = |over| area(&Profile::of_optimal_loss(over).along(curve.panels.iter(), &environment));
        assert!(
            (area_over(Abscissa::Posterior) - bijective.value).abs() < 1e-5 * bijective.value,
            "{} {bijective:?} {singular:?}",
            area_over(Abscissa::Posterior)
        );
        assert!((area_over(Abscissa::Score) - bijective.value).abs() < 1e-5 * bijective.value);
        assert!(singular.value > bijective.value);
    }
}
