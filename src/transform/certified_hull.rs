//! The upper hull of a ROC curve at the certified level.
//!
//! Where a stretch bends towards class 1 is proved first. A hull is then proposed in floating point, from points along the
//! curve, and every step of it is verified with enclosures: the ends of each chord exist and are unique in a small interval,
//! what lies under a chord does lie under it, and no corner turns back. What cannot be verified is bounded: the hull lies no
//! higher than `slack` above the curve that is returned, and the place is named.

use crate::arith::{Interval, Series};
use crate::calculus::patch::{Motion, Patch, Spot};
use crate::model::certified::EnclosedCurve;

/// How often a stretch is halved to find where it stops bending one way.
const MOST_HALVINGS: u32 = 44;
/// How many parts of a stretch are looked at for that.
const MOST_VISITED: usize = 300;
/// Points at which a hull is looked for on each stretch that can be on it, in turn until it is verified.
const SAMPLES: [usize; 3] = [8, 32, 256];
/// A slack that more points are not worth.
const CLOSE: f64 = 1e-12;
/// How often a stretch under a chord is halved to see that it is.
const MOST_CUTS: u32 = 40;
/// What a stretch may seem to lie above a chord, in the end.
const NEGLIGIBLE: f64 = 1e-15;
/// The least turn that a proposed hull takes for a turn.
const TURN: f64 = 1e-13;
/// How often both ends of a chord are moved, at most.
const MOST_ROUNDS: usize = 40;

/// The hull of a curve, verified as far as it could be.
#[derive(Clone, Debug)]
pub struct EnclosedHull {
    /// The hull as a curve.
    pub curve: EnclosedCurve,
    /// Whether the curve is its own hull.
    pub convex: Option<bool>,
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// How far, in `F0` or in `F1`, the hull may lie above this curve.
    pub slack: f64,
    /// A score near which something could not be decided.
    pub undecided: Option<f64>,
}

/// A stretch that bends one way: towards class 1 (1), not at all (0), back (-1), or not known.
struct Piece {
    patch: Patch,
    bend: Option<i8>,
}

impl Piece {
    /// Whether it can be on the hull inside.
    fn is_turning(&self) -> bool {
        self.bend == Some(1) && self.patch.motion == Motion::Arc
    }

    fn x(&self) -> f64 {
        let [a, b] = [self.patch.start.x[0], self.patch.end.x[0]];
        if a.is_bounded() { a.mid() } else { b.mid() }
    }
}

fn sign_of(bend: Interval) -> Option<i8> {
    if bend == Interval::ZERO {
        Some(0)
    } else if bend.is_positive() {
        Some(1)
    } else if bend.is_negative() {
        Some(-1)
    } else {
        None
    }
}

/// Cuts `[-1, 1]` where a series changes sign.
fn signs(bend: &Series) -> Vec<(f64, f64, Option<i8>)> {
    if bend.is_zero() {
        return vec![(-1.0, 1.0, Some(0))];
    }
    let mut found: Vec<(f64, f64, Option<i8>)> = Vec::new();
    let mut pending = vec![(-1.0, 1.0, 0)];
    let mut visited = 0;
    while let Some((from, to, halvings)) = pending.pop() {
        let part = bend.part(from, to);
        let sign = sign_of(part.rough_range()).or_else(|| sign_of(part.range()));
        // Where the error is all there is, halves are no better.
        let hopeful = bend.is_known() && part.bound() > 8.0 * part.error();
        visited += 1;
        if sign.is_none() && halvings < MOST_HALVINGS && hopeful && visited < MOST_VISITED {
            let middle = from / 2.0 + to / 2.0;
            pending.push((middle, to, halvings + 1));
            pending.push((from, middle, halvings + 1));
            continue;
        }
        match found.last_mut() {
            Some((_, end, same)) if *same == sign => *end = to,
            _ => found.push((from, to, sign)),
        }
    }
    found
}

fn pieces(curve: &EnclosedCurve) -> Vec<Piece> {
    let mut found = Vec::new();
    for patch in curve.massive() {
        if patch.motion != Motion::Arc {
            let bend = if patch.is_directed() { Some(0) } else { sign_of(patch.bend.rough_range()) };
            found.push(Piece { patch: patch.clone(), bend });
            continue;
        }
        for (from, to, sign) in signs(&patch.bend) {
            let part = patch.part(from, to);
            // The sign is all that counts from here on.
            let bend = sign.map_or(part.bend, |sign| Series::from(f64::from(sign)));
            found.push(Piece { patch: Patch { bend, ..part }, bend: sign });
        }
    }
    found
}

/// A point on a piece, in floating point.
#[derive(Clone, Copy, Debug)]
struct Sample {
    piece: usize,
    u: f64,
    below: [f64; 2],
    above: [f64; 2],
}

impl Sample {
    fn new(pieces: &[Piece], piece: usize, u: f64) -> Sample {
        let patch = &pieces[piece].patch;
        let spot = if u == -1.0 {
            patch.start
        } else if u == 1.0 {
            patch.end
        } else {
            patch.at(Interval::from(u))
        };
        Sample { piece, u, below: spot.below.map(Interval::mid), above: spot.above.map(Interval::mid) }
    }

    /// What leads to another point, from the side on which less cancels.
    fn towards(&self, other: &Sample) -> [f64; 2] {
        [0, 1].map(
            |k| {
                if other.below[k] <= 0.5 { other.below[k] - self.below[k] } else { self.above[k] - other.above[k] }
            },
        )
    }

    /// What rounding can do to its place.
    fn noise(&self) -> f64 {
        let size = |k: usize| self.below[k].min(self.above[k]);
        f64::EPSILON * size(0).max(size(1))
    }

    fn is_end(&self) -> bool {
        self.u == 1.0
    }
}

fn turn(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn enclosed_turn(a: [Interval; 2], b: [Interval; 2]) -> Interval {
    a[0] * b[1] - a[1] * b[0]
}

/// Points along the pieces, each far enough from the one before that the way between them is not rounding.
fn samples(pieces: &[Piece], count: usize) -> Vec<Sample> {
    const FAR: f64 = 1e4;
    let mut found: Vec<Sample> = Vec::new();
    for (k, piece) in pieces.iter().enumerate() {
        let inner = if piece.is_turning() { count } else { 1 };
        for i in usize::from(k > 0)..=inner {
            let sample = Sample::new(pieces, k, -1.0 + 2.0 * i as f64 / inner as f64);
            let is_far = |last: &Sample| {
                let [a, b] = last.towards(&sample);
                a + b > FAR * last.noise().max(sample.noise())
            };
            if found.last().is_none_or(is_far) {
                found.push(sample);
            } else if k + 1 == pieces.len() && i == inner {
                // The last point stays in any case.
                if found.len() > 1 {
                    found.pop();
                }
                found.push(sample);
            }
        }
    }
    found
}

/// The hull of points along the pieces, as indices into them.
fn proposed(samples: &[Sample]) -> Vec<usize> {
    let mut hull: Vec<usize> = Vec::new();
    for (k, sample) in samples.iter().enumerate() {
        while let [.., a, b] = hull.as_slice() {
            let (from, to) = (samples[*a].towards(&samples[*b]), samples[*b].towards(sample));
            let size = (from[0] + from[1]) * (to[0] + to[1]);
            if turn(from, to) >= -TURN * size {
                break;
            }
            hull.pop();
        }
        hull.push(k);
    }
    hull
}

/// An end of a chord.
#[derive(Clone, Copy, Debug)]
struct Contact {
    piece: usize,
    /// The place on the piece, enclosed.
    u: Interval,
    /// Whether the chord is tangent there.
    inside: bool,
}

impl Contact {
    /// Whether the place of tangency is proved to lie in its interval; a float alone is only close to it.
    fn is_tangent(&self) -> bool {
        self.inside && !self.u.is_point()
    }
}

/// What the hull is made of.
#[derive(Clone, Copy, Debug)]
enum Item {
    /// A piece, between two places on it.
    Stay {
        piece: usize,
        from: f64,
        to: f64,
    },
    Chord {
        from: Contact,
        to: Contact,
    },
}

struct Builder<'a> {
    pieces: &'a [Piece],
    step: f64,
    slack: f64,
    undecided: Option<f64>,
}

impl Builder<'_> {
    fn doubt(&mut self, x: f64, excess: f64) {
        self.slack += excess;
        self.undecided.get_or_insert(x);
    }

    /// `turn(direction at u, way to or from the other end)`: positive before the place of tangency, negative after it.
    fn tangent(&self, piece: usize, u: Interval, other: &Spot, is_left: bool) -> Interval {
        let patch = &self.pieces[piece].patch;
        let at = if u == Interval::ONE {
            patch.end
        } else if u == -Interval::ONE {
            patch.start
        } else {
            patch.at(u)
        };
        let way = if is_left { at.towards(other) } else { other.towards(&at) };
        enclosed_turn(patch.direction(u), way)
    }

    /// Where the chord between a place near a sample and another point touches, in floating point.
    fn touch(&self, sample: &Sample, other: &Spot, is_left: bool) -> Contact {
        let at = |piece: usize, u: f64| self.tangent(piece, Interval::from(u), other, is_left).mid();
        let vertex = |piece: usize, u: f64| Contact { piece, u: Interval::from(u), inside: false };
        let solve = |piece: usize, mut lo: f64, mut hi: f64| {
            if at(piece, lo) <= 0.0 {
                return vertex(piece, lo);
            }
            if at(piece, hi) >= 0.0 {
                return vertex(piece, hi);
            }
            for _ in 0..60 {
                let middle = lo / 2.0 + hi / 2.0;
                if middle <= lo || middle >= hi {
                    break;
                }
                if at(piece, middle) > 0.0 { lo = middle } else { hi = middle }
            }
            Contact { piece, u: Interval::from(lo / 2.0 + hi / 2.0), inside: true }
        };
        let turning = |piece: usize| self.pieces.get(piece).is_some_and(Piece::is_turning);
        let Sample { piece, u, .. } = *sample;
        if u != -1.0 && u != 1.0 {
            return solve(piece, (u - self.step).max(-1.0), (u + self.step).min(1.0));
        }
        // At a joint: inside the piece before it, inside the one after it, or at the joint itself.
        let (before, after) = if u == 1.0 { (Some(piece), piece + 1) } else { (piece.checked_sub(1), piece) };
        if let Some(before) = before.filter(|p| turning(*p))
            && at(before, 1.0) < 0.0
        {
            return solve(before, 1.0 - self.step, 1.0);
        }
        if turning(after) && at(after, -1.0) > 0.0 {
            return solve(after, -1.0, -1.0 + self.step);
        }
        vertex(piece, u)
    }

    fn spot(&self, contact: &Contact) -> Spot {
        let patch = &self.pieces[contact.piece].patch;
        if contact.u == Interval::ONE {
            patch.end
        } else if contact.u == -Interval::ONE {
            patch.start
        } else {
            patch.at(contact.u)
        }
    }

    /// The chord near two samples, its ends proved where they can be.
    fn chord(&mut self, left: &Sample, right: &Sample) -> [Contact; 2] {
        let start = |s: &Sample| Contact { piece: s.piece, u: Interval::from(s.u), inside: false };
        let mut ends = [start(left), start(right)];
        for _ in 0..MOST_ROUNDS {
            let from = self.touch(left, &self.spot(&ends[1]), true);
            let to = self.touch(right, &self.spot(&from), false);
            let same = |a: &Contact, b: &Contact| a.piece == b.piece && (a.u.mid() - b.u.mid()).abs() < 1e-15;
            let done = same(&from, &ends[0]) && same(&to, &ends[1]);
            ends = [from, to];
            if done {
                break;
            }
        }
        if ends.iter().all(|end| !end.inside) {
            return ends;
        }
        match self.proved(ends) {
            Some(proved) => proved,
            None => {
                let x = self.spot(&ends[0]).x[0].mid();
                self.doubt(x, 0.0);
                ends
            }
        }
    }

    /// Intervals around both ends in which, for every position of the other end, there is exactly one place of tangency; both
    /// together then exist (Poincaré and Miranda), and are unique if the diagonal of the Jacobian outweighs the rest.
    fn proved(&self, ends: [Contact; 2]) -> Option<[Contact; 2]> {
        let mut radius = 1e-15;
        while radius < 1e-5 {
            let widened = ends.map(|end| if end.inside { self.widened(end, radius) } else { end });
            let others = [self.spot(&widened[1]), self.spot(&widened[0])];
            let brackets = |k: usize| {
                let Contact { piece, u, inside } = widened[k];
                let at = |u: f64| self.tangent(piece, Interval::from(u), &others[k], k == 0);
                !inside || (at(u.lo()).is_positive() && at(u.hi()).is_negative())
            };
            if brackets(0) && brackets(1) && self.is_unique(&widened) {
                return Some(widened);
            }
            radius *= 4.0;
        }
        None
    }

    fn widened(&self, end: Contact, radius: f64) -> Contact {
        let u = end.u.mid();
        Contact { u: Interval::new((u - radius).max(-1.0), (u + radius).min(1.0)), ..end }
    }

    fn is_unique(&self, ends: &[Contact; 2]) -> bool {
        if !ends.iter().all(|end| end.inside) {
            // One equation, and its left side falls: the piece bends one way.
            return true;
        }
        let [from, to] = ends.each_ref().map(|end| self.spot(end));
        let [way0, way1] = from.towards(&to);
        let way = way0 + way1;
        let patch = |k: usize| &self.pieces[ends[k].piece].patch;
        let diagonal = (patch(0).turn.at(ends[0].u) * way) * (patch(1).turn.at(ends[1].u) * way);
        let [p, q] = [0, 1].map(|k| patch(k).direction(ends[k].u));
        let speed = |k: usize| patch(k).rate[0].at(ends[k].u) + patch(k).rate[1].at(ends[k].u);
        let cross = enclosed_turn(p, q).square() * speed(0) * speed(1);
        diagonal.is_positive() && diagonal.lo() > cross.magnitude()
    }

    /// How far above a chord what lies between its ends may reach: 0 if it is proved to lie under it.
    fn excess(&self, from: &Contact, to: &Contact) -> (f64, Option<f64>) {
        let (a, b) = (self.spot(from), self.spot(to));
        let way = a.towards(&b);
        let scale = way[0].lo().max(way[1].lo()).max(0.0);
        // Seen from both ends: near each, less cancels.
        let under = |spot: &Spot| enclosed_turn(way, a.towards(spot)).meet(-enclosed_turn(way, spot.towards(&b)));
        let (mut excess, mut place) = (0.0f64, None);
        let mut add = |cross: Interval, x: f64| {
            if cross.lo() < 0.0 {
                let above = -cross.lo() / scale * (1.0 + 1e-12);
                excess = excess.max(if above.is_finite() { above.min(1.0) } else { 1.0 });
                place.get_or_insert(x);
            }
        };
        // A contact at a joint belongs to the piece before it or after it.
        let first = if from.u == Interval::ONE { from.piece + 1 } else { from.piece };
        let last = if to.u == -Interval::ONE { to.piece.wrapping_sub(1) } else { to.piece };
        for index in first..=last.min(self.pieces.len() - 1) {
            let piece = &self.pieces[index];
            let patch = &piece.patch;
            // Whether the chord starts, or ends, where the piece does, or touches it inside.
            let at_joint =
                |contact: &Contact| contact.is_tangent() || contact.u.magnitude() == 1.0 && contact.u.is_point();
            let (holds_start, holds_end) = (index == first && at_joint(from), index == last && at_joint(to));
            let directions = [patch.direction(-Interval::ONE), patch.direction(Interval::ONE)];
            if piece.is_turning() {
                // What bends towards class 1 lies under each of its tangents.
                let leaves = holds_start
                    && ((from.is_tangent() && index == from.piece) || enclosed_turn(way, directions[0]).lo() >= 0.0);
                let arrives = holds_end
                    && ((to.is_tangent() && index == to.piece) || enclosed_turn(directions[1], way).lo() >= 0.0);
                // Going on from a stretch that is tangent, or towards one.
                let goes_on = self.joined(first, index) && from.is_tangent() && first == from.piece;
                let comes_from = self.joined(index, last) && to.is_tangent() && last == to.piece;
                if leaves || arrives || goes_on || comes_from {
                    continue;
                }
                let mut pending = vec![(-1.0, 1.0, 0)];
                let mut visited = 0;
                while let Some((u0, u1, cuts)) = pending.pop() {
                    visited += 1;
                    let cross = cross_along(patch, u0, u1, way, [&a, &b]);
                    let negligible = cross.lo() > -NEGLIGIBLE * scale && cuts > 4;
                    if cross.lo() >= 0.0 || cuts == MOST_CUTS || negligible || visited > MOST_VISITED {
                        add(cross, piece.x());
                        continue;
                    }
                    let middle = u0 / 2.0 + u1 / 2.0;
                    pending.extend([(u0, middle, cuts + 1), (middle, u1, cuts + 1)]);
                }
                continue;
            }
            // What is straight or bends back lies under the chord of its own ends; of the rest a box is known.
            let ends_tell = piece.bend.is_some_and(|bend| bend <= 0);
            if !ends_tell {
                let all = patch.start.hull(&patch.end);
                let inside = patch.motion == Motion::Lump && (holds_start || holds_end) && piece.bend == Some(1);
                let fine = inside
                    && (holds_start && enclosed_turn(way, directions[0]).lo() >= 0.0
                        || holds_end && enclosed_turn(directions[1], way).lo() >= 0.0);
                if !fine {
                    add(under(&all), piece.x());
                }
                continue;
            }
            if !holds_start {
                add(under(&patch.start), piece.x());
            }
            if !holds_end {
                add(under(&patch.end), piece.x());
            }
        }
        (excess, place)
    }

    /// Whether all pieces from one to another bend towards class 1 and go on from one another.
    fn joined(&self, first: usize, last: usize) -> bool {
        let turning = (first..=last).all(|k| self.pieces[k].is_turning());
        turning && (first + 1..=last).all(|k| self.pieces[k].patch.smooth)
    }
}

/// `turn(way, point - a)` along a part of a patch, where the way leads from `a` to `b`.
fn cross_along(patch: &Patch, u0: f64, u1: f64, way: [Interval; 2], [a, b]: [&Spot; 2]) -> Interval {
    let (below, above) = (|k: usize| patch.below[k].part(u0, u1), |k: usize| patch.above[k].part(u0, u1));
    let from_a = |k: usize| below(k) - Series::from(a.below[k]);
    let to_b = |k: usize| above(k) - Series::from(b.above[k]);
    let seen_from_a = from_a(1).scaled(way[0]) - from_a(0).scaled(way[1]);
    let seen_from_b = to_b(0).scaled(way[1]) - to_b(1).scaled(way[0]);
    seen_from_a.range().meet(seen_from_b.range())
}

/// The hull of a curve.
pub fn enclosed_hull(curve: &EnclosedCurve) -> EnclosedHull {
    let pieces = pieces(curve);
    let mut best: Option<EnclosedHull> = None;
    for count in SAMPLES {
        let hull = attempt(curve, &pieces, count);
        let better = best.as_ref().is_none_or(|best| hull.slack < best.slack || hull.undecided.is_none());
        if better {
            best = Some(hull);
        }
        if best.as_ref().is_some_and(|best| best.undecided.is_none() || best.slack < CLOSE) {
            break;
        }
    }
    best.unwrap_or_else(|| EnclosedHull {
        curve: curve.clone(),
        convex: None,
        gaps: Vec::new(),
        slack: 1.0,
        undecided: Some(0.0),
    })
}

fn attempt(curve: &EnclosedCurve, pieces: &[Piece], count: usize) -> EnclosedHull {
    let step = 2.0 / count as f64;
    let samples = samples(pieces, count);
    let hull = proposed(&samples);
    let mut builder = Builder { pieces, step, slack: 0.0, undecided: None };
    let mut items: Vec<Item> = Vec::new();
    let mut gaps = Vec::new();
    for pair in hull.windows(2) {
        let (left, right) = (&samples[pair[0]], &samples[pair[1]]);
        // The piece that starts at, or holds, the left sample.
        let first = if left.is_end() { left.piece + 1 } else { left.piece };
        let is_next = pair[1] == pair[0] + 1;
        let many = first < right.piece;
        if is_next && (many || pieces[right.piece].bend != Some(-1)) {
            for piece in first..=right.piece {
                let from = if piece == left.piece { left.u } else { -1.0 };
                let end = if piece == right.piece { right.u } else { 1.0 };
                match items.last_mut() {
                    Some(Item::Stay { piece: same, to, .. }) if *same == piece && *to == from => *to = end,
                    _ => items.push(Item::Stay { piece, from, to: end }),
                }
            }
            continue;
        }
        let [from, to] = builder.chord(left, right);
        let (excess, place) = builder.excess(&from, &to);
        if let Some(x) = place {
            builder.doubt(x, excess);
        }
        gaps.push([builder.spot(&from).x[0], builder.spot(&to).x[0]]);
        items.push(Item::Chord { from, to });
    }
    let patches = chain(pieces, &items);
    check_corners(&mut builder, &patches, pieces);
    let Builder { slack, undecided, .. } = builder;
    let bends_back = pieces.iter().any(|p| p.bend == Some(-1)) || turns_back(pieces);
    let convex = if bends_back {
        Some(false)
    } else if undecided.is_none() && gaps.is_empty() {
        Some(true)
    } else {
        None
    };
    // An undecided hull without a proved gap is one.
    let undecided = if convex.is_none() { undecided.or(Some(pieces.first().map_or(0.0, Piece::x))) } else { undecided };
    let hull = EnclosedCurve { patches: with_gaps(curve, patches), ..curve.clone() };
    EnclosedHull { curve: hull, convex, gaps, slack, undecided }
}

/// Whether some corner of the curve is proved to turn back.
fn turns_back(pieces: &[Piece]) -> bool {
    pieces.windows(2).any(|pair| {
        let [a, b] = [&pair[0].patch, &pair[1].patch];
        let directed = a.is_directed() && b.is_directed() && !b.smooth;
        directed && enclosed_turn(a.direction(Interval::ONE), b.direction(-Interval::ONE)).is_negative()
    })
}

/// Corners of the hull must turn towards class 1; what cannot be seen to do so counts.
fn check_corners(builder: &mut Builder, patches: &[Patch], pieces: &[Piece]) {
    // The chain must hang together from (0, 0) to (1, 1).
    let meets = |a: &Spot, b: &Spot| (0..2).all(|k| a.below[k].meets(b.below[k]) && a.above[k].meets(b.above[k]));
    if let Some(pair) = patches.windows(2).find(|pair| !meets(&pair[0].end, &pair[1].start)) {
        builder.doubt(pair[0].end.x[0].mid(), 1.0);
    }
    let mut last: Option<&Patch> = None;
    let mut proved = false;
    for patch in patches {
        if !patch.is_directed() {
            // In a stretch that holds a place of tangency the direction is that of the chord and turns no other way.
            proved |= patch.smooth;
            continue;
        }
        if let Some(last) = last.filter(|_| !patch.smooth && !proved) {
            let corner = enclosed_turn(last.direction(Interval::ONE), patch.direction(-Interval::ONE));
            if corner.lo() < 0.0 {
                builder.doubt(patch.start.x[0].mid(), 4.0 * -corner.lo());
            }
        }
        (last, proved) = (Some(patch), false);
    }
    // Inside the curve a lump may start in any direction, whatever way it bends.
    let inner = patches.iter().skip(1).rev().skip(1);
    for lump in inner.filter(|patch| !patch.is_directed() && !patch.smooth) {
        builder.doubt(lump.start.x[0].mid(), lump.most_mass());
    }
    // Stretches whose bend is not known, where the hull stays on them.
    for patch in patches {
        let unknown = match patch.motion {
            Motion::Arc => sign_of(patch.bend.range()).is_none_or(|sign| sign < 0),
            Motion::Lump => !patch.is_directed() && sign_of(patch.bend.rough_range()).is_none_or(|s| s < 0),
            _ => false,
        };
        if unknown {
            // The direction goes back by no more than what the turn has below 0; or by all that it varies.
            let spread = patch.share[1].range().meet(Interval::UNIT).width();
            let back = (-2.0 * patch.turn.range().lo()).clamp(0.0, spread);
            let excess = if patch.motion == Motion::Arc { 4.0 * back } else { patch.most_mass() };
            let x = pieces.iter().map(Piece::x).find(|x| patch.start.x[0].contains(*x));
            builder.doubt(x.unwrap_or(patch.end.x[0].mid()), excess);
        }
    }
}

/// The hull as a chain of patches.
fn chain(pieces: &[Piece], items: &[Item]) -> Vec<Patch> {
    let mut patches = Vec::new();
    // After a chord the direction may jump, until the hull has gone on along the curve.
    let mut after_chord = false;
    for (k, item) in items.iter().enumerate() {
        match *item {
            Item::Stay { piece, mut from, mut to } => {
                // A chord before or after takes away, or leaves, a part.
                let (mut before, mut after) = (None, None);
                if let Some(Item::Chord { to: contact, .. }) = k.checked_sub(1).map(|k| &items[k])
                    && contact.piece == piece
                {
                    (from, before) = (contact.u.hi(), Some(contact.u));
                }
                if let Some(Item::Chord { from: contact, .. }) = items.get(k + 1)
                    && contact.piece == piece
                {
                    (to, after) = (contact.u.lo(), Some(contact.u));
                }
                let patch = &pieces[piece].patch;
                patches.extend(before.and_then(|u| sliver(patch, u)));
                if from < to {
                    let part = if (from, to) == (-1.0, 1.0) { patch.clone() } else { patch.part(from, to) };
                    let smooth = part.smooth && !after_chord && before.is_none();
                    after_chord &= !part.is_directed();
                    patches.push(Patch { smooth, ..part });
                }
                patches.extend(after.and_then(|u| sliver(patch, u)));
            }
            Item::Chord { from, to } => {
                let spot = |contact: &Contact| {
                    let patch = &pieces[contact.piece].patch;
                    if contact.u == Interval::ONE {
                        patch.end
                    } else if contact.u == -Interval::ONE {
                        patch.start
                    } else {
                        patch.at(contact.u)
                    }
                };
                // A place of tangency on a piece of which nothing else stays.
                let stays = |piece: usize, at: Option<&Item>| matches!(at, Some(Item::Stay { piece: same, .. }) if *same == piece);
                let previous = k.checked_sub(1).map(|k| &items[k]);
                if from.inside && !stays(from.piece, previous) {
                    let patch = &pieces[from.piece].patch;
                    patches.push(patch.part(-1.0, from.u.lo()));
                    patches.extend(sliver(patch, from.u));
                }
                let (a, b) = (spot(&from), spot(&to));
                let mass = a.towards(&b).map(|m| Interval::new(m.lo().max(0.0), m.hi().max(0.0)));
                let mut chord = Patch::straight(a, b, mass);
                // Where it is tangent its direction is that of the curve.
                for contact in [from, to].iter().filter(|contact| contact.inside && !contact.u.is_point()) {
                    let direction = pieces[contact.piece].patch.direction(contact.u);
                    for (share, known) in chord.share.iter_mut().zip(direction) {
                        *share = Series::from(share.rough_range().meet(known));
                    }
                }
                patches.push(chord);
                after_chord = true;
                if to.inside && !stays(to.piece, items.get(k + 1)) {
                    let patch = &pieces[to.piece].patch;
                    patches.extend(sliver(patch, to.u));
                    patches.push(Patch { smooth: false, ..patch.part(to.u.hi(), 1.0) });
                }
            }
        }
    }
    patches
}

/// The stretch in which a place of tangency is known to lie: a part of it stays, and the rest is under the chord.
fn sliver(patch: &Patch, u: Interval) -> Option<Patch> {
    if u.is_point() {
        return None;
    }
    let (start, end) = (patch.at(Interval::from(u.lo())), patch.at(Interval::from(u.hi())));
    let mass = start.towards(&end).map(|m| Interval::new(0.0, m.hi().max(0.0)));
    let x = start.x[0].hull(end.x[0]);
    Some(Patch { smooth: true, ..Patch::lump(start, end, mass, x, Interval::ONE) })
}

/// Puts intervals of scores without mass back where they are not under a chord.
fn with_gaps(curve: &EnclosedCurve, patches: Vec<Patch>) -> Vec<Patch> {
    let mut found: Vec<Patch> = Vec::with_capacity(patches.len());
    let mut gaps = curve.patches.iter().filter(|p| !p.has_mass()).peekable();
    for patch in patches {
        while let Some(gap) = gaps.next_if(|gap| gap.end.x[0].mid() <= patch.start.x[0].mid()) {
            if found.last().is_none_or(|last: &Patch| last.end.x[0].mid() <= gap.start.x[0].mid()) {
                found.push(gap.clone());
            }
        }
        found.push(patch);
    }
    for gap in gaps {
        if found.last().is_none_or(|last| last.end.x[0].mid() <= gap.start.x[0].mid()) {
            found.push(gap.clone());
        }
    }
    found
}
