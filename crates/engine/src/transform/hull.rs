//! The upper hull of a ROC curve, numerically.
//!
//! A curve is convex where the share of class 1 in its direction grows. Around each point where that share falls, an interval lies under
//! the hull. Adjacent violators are pooled on the cells between nodes, which is exact for the polygon through the nodes. Then the ends of
//! each pooled interval are solved for: there the chord is tangent to the curve or meets it at a corner.

use crate::calculus::panel::{Motion, Panel, Point};
use crate::calculus::root::root_in_bracket;
use crate::calculus::rule::{NODES, RULE};
use crate::model::Curve;

/// Relative slopes below minus this are falls of the direction inside a panel, not rounding.
const LOG_ODDS_NOISE: f64 = 1e-11;
/// Falls of the direction from one station to the next that exceed this are not rounding.
const JUMP_NOISE: f64 = 1e-11;

/// Largest number of refinements around falls that the polygon through the nodes does not show.
const MOST_REFINEMENTS: usize = 5;
/// Largest number of rounds in which both ends of a chord are updated.
const MOST_ROUNDS: usize = 60;
/// Ends of a chord that move by less than this between two rounds have converged.
const CONVERGED: f64 = 1e-14;

/// A position on a curve: a panel and the parameter along it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CurvePosition {
    panel: usize,
    u: f64,
}

/// A non-hull interval: a part of the curve under a chord of the hull.
#[derive(Clone, Copy, Debug)]
pub struct NonHullInterval {
    from: CurvePosition,
    to: CurvePosition,
    /// The scores of its ends; infinite at an infinite end of the support.
    pub scores: (f64, f64),
}

impl NonHullInterval {
    /// The panels of the curve between its ends.
    pub fn panels(&self, curve: &Curve) -> Vec<Panel> {
        let cut = |(index, panel): (usize, &Panel)| {
            let from = if index == self.from.panel { self.from.u } else { 0.0 };
            let to = if index == self.to.panel { self.to.u } else { 1.0 };
            if (from, to) == (0.0, 1.0) { panel.clone() } else { panel.part(from, to) }
        };
        let count = self.to.panel + 1 - self.from.panel;
        curve.panels.iter().enumerate().skip(self.from.panel).take(count).map(cut).collect()
    }
}

/// A node of the polygon: a position with its point and the direction of the curve there.
#[derive(Clone, Copy, Debug)]
struct Station {
    position: CurvePosition,
    point: Point,
    /// The shares of `dF0` and `dF1`.
    direction: [f64; 2],
}

/// Whether the curve is convex, given its non-hull intervals; `None` if only its far tails could tell.
pub(crate) fn convexity(curve: &Curve, non_hull: &[NonHullInterval]) -> Option<bool> {
    if !non_hull.is_empty() {
        return Some(false);
    }
    let decided = curve.tails_fall == [false; 2] && direction_falls(curve).next().is_none();
    decided.then_some(true)
}

/// The positions where the direction falls: the share of class 1 is smaller than at the node before, or its derivative there is negative.
fn direction_falls(curve: &Curve) -> impl Iterator<Item = CurvePosition> {
    // The share of class 1 at the node before, across panels.
    let mut share_before = 0.0;
    curve.panels.iter().enumerate().filter(|(_, p)| p.has_mass()).flat_map(move |(index, panel)| {
        let mut falls: Vec<CurvePosition> = Vec::new();
        let mut visit = |u: f64, share: f64, has_negative_slope: bool| {
            if has_negative_slope || share < share_before - JUMP_NOISE {
                falls.push(CurvePosition { panel: index, u });
            }
            share_before = share;
        };
        visit(0.0, panel.start_share[1], false);
        if panel.motion == Motion::Arc {
            for i in 0..NODES {
                // The slope of the log-odds is turn/(q0 q1).
                let product = panel.share[0][i] * panel.share[1][i];
                let has_negative_slope = panel.turn[i] < -(LOG_ODDS_NOISE * product + panel.noise);
                visit(RULE.nodes[i], panel.share[1][i], has_negative_slope);
            }
        }
        visit(1.0, panel.end_share[1], false);
        falls
    })
}

/// The polygon through the ends and nodes of all panels with mass.
fn stations(curve: &Curve) -> Vec<Station> {
    let mut stations = Vec::new();
    for (index, panel) in curve.panels.iter().enumerate().filter(|(_, p)| p.has_mass()) {
        let station = |u: f64, point: Point| Station {
            position: CurvePosition { panel: index, u },
            point,
            direction: panel.direction(u),
        };
        stations.push(station(0.0, panel.start));
        if panel.motion == Motion::Arc {
            stations.extend((0..NODES).map(|i| Station {
                position: CurvePosition { panel: index, u: RULE.nodes[i] },
                point: node_point(panel, i),
                direction: [panel.share[0][i], panel.share[1][i]],
            }));
        }
        stations.push(station(1.0, panel.end));
    }
    stations
}

/// The point at node `i` of a panel.
fn node_point(panel: &Panel, i: usize) -> Point {
    Point {
        x: panel.x[i],
        x_complement: panel.x_complement[i],
        below: [panel.below[0][i], panel.below[1][i]],
        above: [panel.above[0][i], panel.above[1][i]],
    }
}

/// A pool of adjacent cells with its mass of each class. Cell `i` lies between the stations `i` and `i + 1`.
#[derive(Clone, Copy, Debug)]
struct Pool {
    mass: [f64; 2],
    /// The first cell.
    first: usize,
    /// The last cell.
    last: usize,
    /// Whether it holds a fall of the direction.
    has_fall: bool,
    /// Whether it was pooled from several cells.
    is_merged: bool,
}

impl Pool {
    /// Whether the share of class 1 is larger than in `other`. Compares quotients: products of tiny masses may underflow. Near 1 it
    /// compares the complements.
    fn has_larger_share_than(&self, other: &Pool) -> bool {
        let share = |pool: &Pool, class: usize| pool.mass[class] / (pool.mass[0] + pool.mass[1]);
        if self.mass[1] < self.mass[0] { share(self, 1) > share(other, 1) } else { share(self, 0) < share(other, 0) }
    }
}

/// The non-hull intervals of a curve, in order.
pub fn non_hull_intervals(curve: &Curve) -> Vec<NonHullInterval> {
    let falls: Vec<CurvePosition> = direction_falls(curve).collect();
    if falls.is_empty() {
        return Vec::new();
    }
    let (stations, pools) = pool_until_falls_show(curve, &falls);
    let search = TangentSearch { curve, stations: &stations };
    let (first, last) = (stations.first().map(|s| s.position), stations.last().map(|s| s.position));
    // An interval that reaches an end of the curve reaches the end of the support.
    let interval = |[from, to]: [CurvePosition; 2]| {
        let lo = if Some(from) == first { curve.support.0 } else { search.point(from).x };
        let hi = if Some(to) == last { curve.support.1 } else { search.point(to).x };
        NonHullInterval { from, to, scores: (lo, hi) }
    };
    let ends = search.refine_all(&pools).into_iter();
    // An interval that shrank to nothing was rounding.
    ends.filter(|[from, to]| order(*from) < order(*to)).map(interval).collect()
}

/// Pools the cells of the curve, with more stations around falls that the polygon through the stations does not show.
fn pool_until_falls_show(curve: &Curve, falls: &[CurvePosition]) -> (Vec<Station>, Vec<Pool>) {
    let mut stations = stations(curve);
    let mut pools = pool_adjacent_violators(&stations, falls);
    for _ in 0..MOST_REFINEMENTS {
        let is_hidden = |f: &CurvePosition| !is_covered(&pools, &stations, *f) && has_mass_around(&stations, *f);
        let hidden: Vec<CurvePosition> = falls.iter().copied().filter(is_hidden).collect();
        if hidden.is_empty() {
            break;
        }
        stations = refine_stations(curve, &stations, &hidden);
        pools = pool_adjacent_violators(&stations, falls);
    }
    (stations, pools)
}

/// The sort key of a position along the curve.
fn order(position: CurvePosition) -> (usize, u64) {
    // Bits of non-negative floats are ordered like the floats.
    (position.panel, position.u.to_bits())
}

impl CurvePosition {
    fn min_by_order(self, other: CurvePosition) -> CurvePosition {
        if order(self) <= order(other) { self } else { other }
    }

    fn max_by_order(self, other: CurvePosition) -> CurvePosition {
        if order(self) >= order(other) { self } else { other }
    }
}

/// Whether one of the six cells around a position carries mass. There are several, because the cell between two panels is always empty.
fn has_mass_around(stations: &[Station], position: CurvePosition) -> bool {
    let first = stations.partition_point(|s| order(s.position) < order(position)).saturating_sub(3);
    let mut cells = stations[first..].windows(2).take(6);
    cells.any(|pair| pair[0].point.increments(&pair[1].point) != [0.0, 0.0])
}

/// Whether a fall lies in one of the pools.
fn is_covered(pools: &[Pool], stations: &[Station], fall: CurvePosition) -> bool {
    let covers = |pool: &Pool| {
        let (start, end) = (stations[pool.first].position, stations[pool.last + 1].position);
        order(start) <= order(fall) && order(fall) <= order(end)
    };
    pools.iter().any(covers)
}

/// The stations, with seven more in each cell that holds one of the positions.
fn refine_stations(curve: &Curve, stations: &[Station], positions: &[CurvePosition]) -> Vec<Station> {
    const PARTS: i32 = 8;
    let mut refined: Vec<Station> = Vec::with_capacity(stations.len() + 16 * positions.len());
    let holds_position = |a: &Station, b: &Station| {
        positions.iter().any(|p| order(a.position) <= order(*p) && order(*p) <= order(b.position))
    };
    for pair in stations.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        refined.push(*a);
        if a.position.panel == b.position.panel && holds_position(a, b) {
            let panel = &curve.panels[a.position.panel];
            refined.extend((1..PARTS).map(|k| {
                let u = a.position.u + (b.position.u - a.position.u) * f64::from(k) / f64::from(PARTS);
                let position = CurvePosition { panel: a.position.panel, u };
                Station { position, point: panel.at(u), direction: panel.direction(u) }
            }));
        }
    }
    refined.extend(stations.last());
    refined
}

/// Pools adjacent violators: cells whose share of class 1 is smaller than in the cell before. Returns the pools of several cells that hold
/// a fall of the direction.
fn pool_adjacent_violators(stations: &[Station], falls: &[CurvePosition]) -> Vec<Pool> {
    let mut pools: Vec<Pool> = Vec::new();
    let mut falls = falls.iter().map(|p| order(*p)).peekable();
    // A cell without mass is skipped; a fall in it belongs to the next cell.
    let mut has_skipped_fall = false;
    for i in 0..stations.len() - 1 {
        let (a, b) = (&stations[i], &stations[i + 1]);
        let mass = a.point.increments(&b.point);
        let mut has_fall = has_skipped_fall;
        while falls.next_if(|fall| *fall <= order(b.position)).is_some() {
            has_fall = true;
        }
        let is_empty = mass == [0.0, 0.0];
        has_skipped_fall = is_empty && has_fall;
        if is_empty {
            continue;
        }
        let mut pool = Pool { mass, first: i, last: i, has_fall, is_merged: false };
        while let Some(previous) = pools.pop_if(|previous| previous.has_larger_share_than(&pool)) {
            pool = Pool {
                mass: [0, 1].map(|k| previous.mass[k] + pool.mass[k]),
                first: previous.first,
                last: pool.last,
                has_fall: previous.has_fall || pool.has_fall,
                is_merged: true,
            };
        }
        pools.push(pool);
    }
    pools.retain(|pool| pool.has_fall && pool.is_merged);
    pools
}

/// Searches for points where a chord touches the curve.
struct TangentSearch<'a> {
    curve: &'a Curve,
    stations: &'a [Station],
}

impl TangentSearch<'_> {
    /// The point at a position.
    fn point(&self, position: CurvePosition) -> Point {
        self.curve.panels[position.panel].at(position.u)
    }

    /// The share of class 1 in the chord between two positions.
    fn chord_share(&self, [from, to]: [CurvePosition; 2]) -> f64 {
        let [d0, d1] = self.point(from).increments(&self.point(to));
        d1 / (d0 + d1)
    }

    /// The index of the last station at or before a position.
    fn station_at_or_before(&self, position: CurvePosition) -> usize {
        self.stations.partition_point(|s| order(s.position) <= order(position)).saturating_sub(1)
    }

    /// The index of the first station at or after a position.
    fn station_at_or_after(&self, position: CurvePosition) -> usize {
        self.stations.partition_point(|s| order(s.position) < order(position)).min(self.stations.len() - 1)
    }

    /// Moves the ends of each pool to where its chord touches the curve. Intervals that then overlap, or whose shares of class 1 are out of
    /// order, are merged and moved again.
    fn refine_all(&self, pools: &[Pool]) -> Vec<[CurvePosition; 2]> {
        // As indices of stations.
        let mut intervals: Vec<(usize, usize)> = pools.iter().map(|pool| (pool.first, pool.last + 1)).collect();
        intervals.sort_unstable();
        let mut refined: Vec<[CurvePosition; 2]> = Vec::new();
        for (from, to) in intervals {
            let mut ends = self.refine(from, to);
            let is_in_order = |previous: &[CurvePosition; 2], ends: [CurvePosition; 2]| {
                order(previous[1]) <= order(ends[0]) && self.chord_share(*previous) <= self.chord_share(ends)
            };
            while let Some(previous) = refined.pop_if(|previous| !is_in_order(previous, ends)) {
                let first = self.station_at_or_before(previous[0].min_by_order(ends[0]));
                let last = self.station_at_or_after(previous[1].max_by_order(ends[1]));
                ends = self.refine(first, last);
            }
            refined.push(ends);
        }
        refined
    }

    /// Moves both ends of the interval between two stations to the points where its chord touches the curve. The ends are found by turns,
    /// each given the other, until they converge.
    fn refine(&self, from: usize, to: usize) -> [CurvePosition; 2] {
        let mut ends = [self.stations[from].position, self.stations[to].position];
        for _ in 0..MOST_ROUNDS {
            let left = self.find_contact(ends[0], ends[1], ChordEnd::Left);
            let right = self.find_contact(ends[1], left, ChordEnd::Right);
            let is_same = |a: CurvePosition, b: CurvePosition| a.panel == b.panel && (a.u - b.u).abs() < CONVERGED;
            let has_converged = is_same(left, ends[0]) && is_same(right, ends[1]);
            ends = [left, right];
            if has_converged {
                break;
            }
        }
        ends
    }

    /// The position near `guess` where the line through the `other` end touches the curve: the direction lies below that of the chord to the
    /// left of it, and above to the right. `end` says which end of the chord is sought.
    fn find_contact(&self, guess: CurvePosition, other: CurvePosition, end: ChordEnd) -> CurvePosition {
        let fixed = self.point(other);
        let residual = |i: usize| tangency_residual(&self.stations[i].point, self.stations[i].direction, &fixed, end);
        // The left end stays left of the right one.
        let (least, most) = match end {
            ChordEnd::Left => (0, self.station_at_or_before(other)),
            ChordEnd::Right => (self.station_at_or_after(other), self.stations.len() - 1),
        };
        // Walk to the last station of a run with residuals of at most 0: back while it is positive, then on while the next one is not.
        let mut i = self.station_at_or_before(guess).clamp(least, most);
        while i > least && residual(i) > 0.0 {
            i -= 1;
        }
        let is_allowed = |i: usize| if end == ChordEnd::Left { i < most } else { i <= most };
        while is_allowed(i + 1) && residual(i + 1) <= 0.0 {
            i += 1;
        }
        let here = &self.stations[i];
        if residual(i) > 0.0 {
            return here.position;
        }
        if !is_allowed(i + 1) {
            return if end == ChordEnd::Left { guess } else { here.position };
        }
        // The residual changes sign between this station and the next: at a corner between panels, or inside a panel.
        let next = &self.stations[i + 1];
        if next.position.panel != here.position.panel {
            return if end == ChordEnd::Left { next.position } else { here.position };
        }
        let panel = &self.curve.panels[here.position.panel];
        let u = root_in_bracket(here.position.u, next.position.u, |u| {
            tangency_residual(&panel.at(u), panel.direction(u), &fixed, end)
        });
        CurvePosition { panel: here.position.panel, u }
    }
}

/// The cross product of the chord between a point of the curve and the `fixed` end, and the direction of the curve at the point: 0 if the
/// chord is tangent there, positive if the curve turns further towards class 1 than the chord.
fn tangency_residual(point: &Point, direction: [f64; 2], fixed: &Point, end: ChordEnd) -> f64 {
    let [d0, d1] = if end == ChordEnd::Left { point.increments(fixed) } else { fixed.increments(point) };
    // Normalised: products of tiny masses would underflow.
    let total = if d0 + d1 > 0.0 { d0 + d1 } else { 1.0 };
    direction[1] * (d0 / total) - direction[0] * (d1 / total)
}

/// An end of a chord.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChordEnd {
    Left,
    Right,
}

/// The curve with each non-hull interval replaced by its chord. The intervals are in order.
pub fn convexify(curve: &Curve, intervals: &[NonHullInterval]) -> Curve {
    if intervals.is_empty() {
        return curve.clone();
    }
    let mut panels = Vec::with_capacity(curve.panels.len() + intervals.len());
    let mut pending = intervals.iter().peekable();
    // The interval that the curve is under at the moment.
    let mut open: Option<&NonHullInterval> = None;
    for (index, panel) in curve.panels.iter().enumerate() {
        // A panel may end one interval and start others.
        let mut u = 0.0;
        loop {
            if let Some(interval) = open {
                if interval.to.panel != index {
                    break;
                }
                u = interval.to.u;
                panels.push(chord_panel(curve, interval));
                open = None;
            }
            match pending.next_if(|interval| interval.from.panel == index) {
                Some(interval) => {
                    push_part(&mut panels, panel, u, interval.from.u);
                    open = Some(interval);
                }
                None => {
                    push_part(&mut panels, panel, u, 1.0);
                    break;
                }
            }
        }
    }
    // A tail under a chord no longer falls.
    let ends: Vec<(f64, f64)> = intervals.iter().map(|interval| interval.scores).collect();
    let pooled_tail = [reaches_infinite_end(&ends, curve.support.0), reaches_infinite_end(&ends, curve.support.1)];
    let tails_fall = [0, 1].map(|side| curve.tails_fall[side] && !pooled_tail[side]);
    Curve { panels, tails_fall, ..curve.without_panels() }
}

/// Whether one of the intervals of scores reaches this end, and the end is infinite.
fn reaches_infinite_end(ends: &[(f64, f64)], end: f64) -> bool {
    end.is_infinite() && ends.iter().any(|(lo, hi)| *lo == end || *hi == end)
}

/// Adds the part of a panel between two parameters, if it is not empty.
fn push_part(panels: &mut Vec<Panel>, panel: &Panel, u0: f64, u1: f64) {
    if u0 == 0.0 && u1 == 1.0 {
        panels.push(panel.clone());
    } else if u0 < u1 {
        panels.push(panel.part(u0, u1));
    }
}

/// The straight panel of a non-hull interval; over an infinite interval of scores it is an atom at the finite end.
fn chord_panel(curve: &Curve, interval: &NonHullInterval) -> Panel {
    let mut start = curve.panels[interval.from.panel].at(interval.from.u);
    let mut end = curve.panels[interval.to.panel].at(interval.to.u);
    let label = |p: &mut Point, x: f64, x_complement: f64| (p.x, p.x_complement) = (x, x_complement);
    match (interval.scores.0.is_finite(), interval.scores.1.is_finite()) {
        (true, true) => {}
        (false, true) => label(&mut start, end.x, end.x_complement),
        (true, false) => label(&mut end, start.x, start.x_complement),
        (false, false) => {
            // Everything is pooled, and any score will do: take the median.
            let x = curve.at_rate(0.5, 0.5).x;
            label(&mut start, x, 1.0 - x);
            label(&mut end, x, 1.0 - x);
        }
    }
    Panel::straight(start, end)
}
