//! Chords of a hull: their points of tangency, and how far the curve may lie beyond them.
//!
//! A chord touches the curve where the cross product of the curve's direction and the chord vanishes. Both ends are found in floating
//! point by turns, and then enclosed.

use super::pieces::{PiecePosition, SignedPiece};
use super::proposal::CurveSample;
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion, direction};
use rocproof_arith::Interval;
use std::ops::RangeInclusive;

/// Largest number of rounds in which both ends of a chord are updated.
const MOST_ROUNDS: usize = 40;
/// Largest number of bisections.
const MOST_HALVINGS: u32 = 60;
/// Ends of a chord that move by less than this between two rounds have converged.
const CONVERGED: f64 = 1e-15;
/// Radii of the intervals in which points of tangency are sought: from about the spacing of floats up. A chord that needs wider intervals
/// stays unproved.
const RADII: [f64; 2] = [1e-15, 1e-5];

/// Points that lie beyond a chord by less than this are not added to the samples.
const NEGLIGIBLE: f64 = 1e-15;
/// Step away from a root found by bisection, so that signs on both sides can be proved.
const MARGIN: f64 = 1e-15;

/// An end of a chord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) piece: usize,
    /// The parameter on the piece, from -1 to 1.
    pub(super) u: f64,
    /// Whether it approximates a point of tangency; otherwise it is a joint of pieces.
    pub(super) is_tangent: bool,
    /// Parameters in which the point of tangency is proved to lie.
    pub(super) around: Option<Interval>,
}

impl Contact {
    /// The point of a piece at a parameter, not as a point of tangency.
    fn corner(piece: usize, u: f64) -> Contact {
        Contact { piece, u, is_tangent: false, around: None }
    }

    /// The joint at this point, if exactly one joint's enclosure meets it.
    pub(super) fn at_joint(pieces: &[SignedPiece], point: &EnclosedPoint) -> Option<Contact> {
        let zero = [Interval::ZERO; 2];
        if point.below == zero {
            return Some(Contact::corner(0, -1.0));
        }
        if point.above == zero {
            return Some(Contact::corner(pieces.len().checked_sub(1)?, 1.0));
        }
        let meets = |a: [Interval; 2], b: [Interval; 2]| a[0].meets(b[0]) && a[1].meets(b[1]);
        let may_be = |joint: &EnclosedPoint| meets(joint.below, point.below) && meets(joint.above, point.above);
        // The joints are the ends of the pieces, and the start of the first.
        let mut candidates = (0..pieces.len()).filter(|k| may_be(&pieces[*k].patch.end));
        let only = candidates.next().filter(|_| candidates.next().is_none())?;
        (!may_be(&pieces[0].patch.start)).then(|| Contact::corner(only, 1.0))
    }

    /// The point of tangency at this point, if exactly one piece may contain it and that piece is an arc. It is located by the mass
    /// `F0 + F1`, which never falls along the curve.
    pub(super) fn inside(pieces: &[SignedPiece], point: &EnclosedPoint) -> Option<Contact> {
        let mass = |point: &EnclosedPoint| point.below[0] + point.below[1];
        let target = mass(point);
        let may_hold = |piece: &SignedPiece| {
            let Patch { start, end, .. } = &piece.patch;
            mass(start).lo() <= target.hi() && target.lo() <= mass(end).hi()
        };
        let mut candidates = (0..pieces.len()).filter(|k| may_hold(&pieces[*k]));
        let piece = candidates.next().filter(|_| candidates.next().is_none())?;
        let patch = &pieces[piece].patch;
        if patch.motion != PatchMotion::Arc {
            return None;
        }
        let mass_at = |u: f64| mass(&patch.at(Interval::from(u)));
        // Parameters before and after the point, by bisection. The margin makes up for its error; then the order is proved.
        let before = (bisect(-1.0, 1.0, |u| mass_at(u).hi() <= target.lo()) - MARGIN).max(-1.0);
        let after = (bisect(-1.0, 1.0, |u| mass_at(u).lo() < target.hi()) + MARGIN).min(1.0);
        let is_proved_before = before == -1.0 || mass_at(before).hi() <= target.lo();
        let is_proved_after = after == 1.0 || mass_at(after).lo() >= target.hi();
        let around = Interval::new(before, after);
        let is_located = is_proved_before && is_proved_after && around.is_bounded();
        is_located.then(|| Contact { piece, u: around.mid(), is_tangent: true, around: Some(around) })
    }

    /// The enclosure of the parameter: a single float if nothing else is proved.
    fn parameters(&self) -> Interval {
        self.around.unwrap_or(Interval::from(self.u))
    }

    /// Whether it is a joint, or a proved point of tangency.
    pub(super) fn is_proved(&self) -> bool {
        !self.is_tangent || self.around.is_some()
    }

    /// Whether it lies before another end, or at the same point.
    pub(super) fn is_before(&self, other: &Contact) -> bool {
        // The start of a piece is the end of the piece before.
        let is_same_joint = self.piece == other.piece + 1 && self.u == -1.0 && other.u == 1.0;
        (self.piece, self.u) <= (other.piece, other.u) || is_same_joint
    }
}

/// A chord between two points of the curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) from: Contact,
    pub(super) to: Contact,
}

impl Chord {
    /// The chord between two samples.
    pub(super) fn between(left: &CurveSample, right: &CurveSample) -> Chord {
        Chord { from: Contact::corner(left.piece, left.u), to: Contact::corner(right.piece, right.u) }
    }

    /// Whether both ends are joints, known exactly.
    pub(super) fn has_exact_ends(&self) -> bool {
        !self.from.is_tangent && !self.to.is_tangent
    }
}

/// A bound on how far the curve lies beyond a chord.
pub(super) struct Overshoot {
    /// How far it may lie beyond the chord, in `F0` and in `F1`; 0 if it is proved to lie inside.
    pub(super) excess: f64,
    /// The range of its directions there; `None` if it is proved to lie inside.
    pub(super) directions: Option<Interval>,
    /// A score near which an overshoot could not be excluded.
    pub(super) near_score: Option<f64>,
    /// The farthest points beyond the chord.
    pub(super) peaks: Vec<PiecePosition>,
}

impl Overshoot {
    /// Adds a piece that may lie beyond the chord by `excess`. `most` bounds the excess of any piece. A NaN means that nothing is known.
    fn add(&mut self, piece: &SignedPiece, excess: f64, most: f64) {
        if excess.is_nan() || excess > 0.0 {
            self.excess = self.excess.max(if excess < most { excess } else { most });
            let directions = piece.patch.share[1].range().meet(Interval::UNIT);
            self.directions = Some(self.directions.map_or(directions, |before| before.hull(directions)));
            self.near_score.get_or_insert(piece.score());
        }
    }
}

/// The cross product `a × b`: positive if `b` leads further towards class 1.
pub(super) fn cross(a: [Interval; 2], b: [Interval; 2]) -> Interval {
    a[0] * b[1] - a[1] * b[0]
}

/// Bisects for the parameter where a predicate that holds on the left stops holding.
fn bisect(mut lo: f64, mut hi: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..MOST_HALVINGS {
        let middle = lo / 2.0 + hi / 2.0;
        if middle <= lo || middle >= hi {
            break;
        }
        if is_before(middle) { lo = middle } else { hi = middle }
    }
    lo / 2.0 + hi / 2.0
}

/// The indices of the pieces under a chord. An end at a joint belongs to the piece after it or before it, whichever is under the chord.
fn pieces_under(Chord { from, to }: &Chord) -> RangeInclusive<usize> {
    let first = if from.u == 1.0 { from.piece + 1 } else { from.piece };
    // A chord that ends at the start of the first piece has no length, so there is a piece before.
    let last = if to.u == -1.0 { to.piece.saturating_sub(1) } else { to.piece };
    first..=last
}

/// Finds and verifies chords of a curve.
pub(super) struct ChordFinder<'a> {
    pub(super) pieces: &'a [SignedPiece],
    /// The distance of neighbouring samples on a piece, in the parameter.
    pub(super) step: f64,
}

impl ChordFinder<'_> {
    /// The point at the float parameter of an end.
    fn point(&self, contact: &Contact) -> EnclosedPoint {
        self.pieces[contact.piece].at(Interval::from(contact.u))
    }

    /// The enclosure of all points that an end may be.
    pub(super) fn enclosed_point(&self, contact: &Contact) -> EnclosedPoint {
        self.pieces[contact.piece].at(contact.parameters())
    }

    /// `direction(u) × chord`: positive before the point of tangency, 0 there, negative after it. The chord joins the point at `u` with the
    /// point `other`; `is_left` says that the point at `u` is its left end.
    fn tangency_residual(&self, piece: usize, u: Interval, other: &EnclosedPoint, is_left: bool) -> Interval {
        let point = self.pieces[piece].at(u);
        let chord = if is_left { point.towards(other) } else { other.towards(&point) };
        cross(self.pieces[piece].patch.direction(u), chord)
    }

    /// The change of `tangency_residual` at `u` while the other end moves through its enclosure: the mass that it moves by, times the cross
    /// product of both directions. It is small, because the other end moves almost along the chord.
    fn residual_change(&self, piece: usize, u: Interval, other: &Contact) -> Interval {
        let Some(around) = other.around else { return Interval::ZERO };
        let patch = &self.pieces[other.piece].patch;
        let speed = patch.rate[0].at(around) + patch.rate[1].at(around);
        let across = cross(self.pieces[piece].patch.direction(u), patch.direction(around));
        let parameter_change = around - Interval::from(other.u);
        parameter_change * speed * Interval::around(0.0, across.magnitude())
    }

    /// The end of a chord near a sample, given the other end, in floating point. `is_left` says that it is the left end.
    fn find_contact(&self, sample: &CurveSample, other: &EnclosedPoint, is_left: bool) -> Contact {
        let residual = |piece: usize, u: f64| self.tangency_residual(piece, Interval::from(u), other, is_left).mid();
        // The residual falls along a piece: its root, or the end of `[lo, hi]` next to it.
        let solve = |piece: usize, lo: f64, hi: f64| {
            if residual(piece, lo) <= 0.0 {
                return Contact::corner(piece, lo);
            }
            if residual(piece, hi) >= 0.0 {
                return Contact::corner(piece, hi);
            }
            let u = bisect(lo, hi, |u| residual(piece, u) > 0.0);
            Contact { is_tangent: true, ..Contact::corner(piece, u) }
        };
        let CurveSample { piece, u, .. } = *sample;
        if u != -1.0 && u != 1.0 {
            return solve(piece, (u - self.step).max(-1.0), (u + self.step).min(1.0));
        }
        // The contact is inside the piece before the joint, inside the piece after it, or the joint itself.
        let [before, after] = self.pieces_at_joint(piece, u);
        if let Some(before) = before
            && residual(before, 1.0) < 0.0
        {
            return solve(before, 1.0 - self.step, 1.0);
        }
        if let Some(after) = after
            && residual(after, -1.0) > 0.0
        {
            return solve(after, -1.0, -1.0 + self.step);
        }
        Contact::corner(piece, u)
    }

    /// The pieces before and after the joint at the end (`u = 1`) or at the start (`u = -1`) of a piece, apart from slivers. `None` for one
    /// that cannot hold a point of tangency, because it does not bend towards class 1.
    fn pieces_at_joint(&self, piece: usize, u: f64) -> [Option<usize>; 2] {
        let (before, mut after) = if u == 1.0 { (Some(piece), piece + 1) } else { (piece.checked_sub(1), piece) };
        let is_sliver = |piece: usize| self.pieces.get(piece).is_some_and(SignedPiece::is_sliver);
        let before = before.map(|piece| if is_sliver(piece) { piece.saturating_sub(1) } else { piece });
        after += usize::from(is_sliver(after));
        let bends_to_class1 = |piece: &usize| self.pieces.get(*piece).is_some_and(SignedPiece::bends_to_class1);
        [before, Some(after)].map(|piece| piece.filter(bends_to_class1))
    }

    /// The chord near two samples. Its ends are found by turns, each given the other, until they converge. Its points of tangency are proved
    /// if possible.
    pub(super) fn find_chord(&self, left: &CurveSample, right: &CurveSample) -> Chord {
        let mut chord = Chord::between(left, right);
        for _ in 0..MOST_ROUNDS {
            let from = self.find_contact(left, &self.point(&chord.to), true);
            let to = self.find_contact(right, &self.point(&from), false);
            let is_same = |a: &Contact, b: &Contact| a.piece == b.piece && (a.u - b.u).abs() < CONVERGED;
            let has_converged = is_same(&from, &chord.from) && is_same(&to, &chord.to);
            chord = Chord { from, to };
            if has_converged {
                break;
            }
        }
        let chord = self.without_gaps_at_ends(&chord);
        self.verify(&chord).unwrap_or(chord)
    }

    /// Moves the start of a chord from the end of a piece to the start of the next, and its end likewise back. Scores without mass at
    /// a corner are then not under the chord.
    pub(super) fn without_gaps_at_ends(&self, chord: &Chord) -> Chord {
        let Chord { from, to } = *chord;
        let is_last = from.piece + 1 == self.pieces.len();
        Chord {
            from: if from.u == 1.0 && !is_last { Contact::corner(from.piece + 1, -1.0) } else { from },
            to: if to.u == -1.0 && to.piece > 0 { Contact::corner(to.piece - 1, 1.0) } else { to },
        }
    }

    /// Encloses the points of tangency of a chord. If each residual changes sign in its interval for every position of the other end, a pair
    /// of points of tangency exists (Poincaré-Miranda). It is unique if the Jacobian is diagonally dominant. The intervals grow until both
    /// are proved; `None` if they grow too wide.
    fn verify(&self, chord: &Chord) -> Option<Chord> {
        let ends = [chord.from, chord.to];
        if ends.iter().all(|end| !end.is_tangent) {
            return Some(*chord);
        }
        let [mut radius, widest] = RADII;
        while radius < widest {
            let widened = ends.map(|end| {
                let around = Interval::new((end.u - radius).max(-1.0), (end.u + radius).min(1.0));
                Contact { around: end.is_tangent.then_some(around), ..end }
            });
            if (0..2).all(|k| self.is_bracketed(&widened, k)) && self.is_unique(&widened) {
                let [from, to] = widened;
                return Some(Chord { from, to });
            }
            radius *= 4.0;
        }
        None
    }

    /// Whether the residual at end `k` changes sign in its interval for every position of the other end. A joint has no residual.
    fn is_bracketed(&self, ends: &[Contact; 2], k: usize) -> bool {
        let (Contact { piece, around, .. }, other) = (ends[k], &ends[1 - k]);
        let residual = |u: f64| {
            let u = Interval::from(u);
            self.tangency_residual(piece, u, &self.point(other), k == 0) + self.residual_change(piece, u, other)
        };
        around.is_none_or(|u| residual(u.lo()).is_positive() && residual(u.hi()).is_negative())
    }

    /// Whether the pair of points of tangency is unique in its intervals: the product of the diagonal of the Jacobian
    /// exceeds the product of its other two entries.
    fn is_unique(&self, ends: &[Contact; 2]) -> bool {
        if !ends.iter().all(|end| end.is_tangent) {
            // A single equation: its residual falls strictly, because the piece bends one way.
            return true;
        }
        let [from, to] = ends.each_ref().map(|end| self.enclosed_point(end));
        let [d0, d1] = from.towards(&to);
        let chord_mass = d0 + d1;
        let patch = |k: usize| &self.pieces[ends[k].piece].patch;
        let parameters = ends.each_ref().map(Contact::parameters);
        // With the directions `p` and `q` of the curve at both ends, the residual at each end has the derivative `-turn·chord_mass` in its own
        // parameter, and `(p × q)·speed` in the parameter of the other end, whose speed that is.
        let diagonal = (patch(0).turn.at(parameters[0]) * chord_mass) * (patch(1).turn.at(parameters[1]) * chord_mass);
        let [p, q] = [0, 1].map(|k| patch(k).direction(parameters[k]));
        let speed = |k: usize| patch(k).rate[0].at(parameters[k]) + patch(k).rate[1].at(parameters[k]);
        let off_diagonal = cross(p, q).square() * speed(0) * speed(1);
        diagonal.is_positive() && diagonal.lo() > off_diagonal.magnitude()
    }

    /// The slack due to ends that are floats near the proved points of tangency, in the measure of the module `slack`.
    ///
    /// At each end let `m` bound the mass between the float and the point of tangency, and `Δ` the change of direction between them. Let `M`
    /// be the mass of the chord. While an end moves by `dm`, the direction `θ` of the chord changes by `dm/M` times the difference between
    /// `θ` and the direction of the curve. So if `M >= 4 Σ m`, the direction of the rounded chord differs from the true one by at most `δ`
    /// with `M δ <= 2 Σ m Δ`, and `∫ |θ' - θ| ds <= Σ m (Δ + δ) + M δ <= 4 Σ m Δ`. Nothing lies beyond the rounded chord by more than that.
    /// A rounded chord with the true direction is off by another `M δ`. Four times the integral, `16 Σ m Δ`, covers all of it.
    pub(super) fn slack_of_rounded_ends(&self, chords: &[Chord]) -> f64 {
        let mut distance = Interval::ZERO;
        for chord in chords {
            let ends = [&chord.from, &chord.to];
            let [a, b] = ends.map(|end| self.point(end));
            let [d0, d1] = a.towards(&b);
            // For each end, `m` and `Δ`: the width of the interval times the mass and the turn per unit of the parameter.
            let mass_and_turn = ends.map(|end| {
                let Some(around) = end.around else { return [Interval::ZERO; 2] };
                let patch = &self.pieces[end.piece].patch;
                let width = Interval::from(around.width());
                let speed = patch.rate[0].at(around) + patch.rate[1].at(around);
                [speed, patch.turn.at(around)].map(|rate| Interval::from(rate.magnitude()) * width)
            });
            let mass = mass_and_turn[0][0] + mass_and_turn[1][0];
            if (d0 + d1).lo() < (mass * Interval::from(4.0)).hi() {
                return f64::INFINITY;
            }
            distance = mass_and_turn.iter().fold(distance, |sum, [mass, turn]| sum + *mass * *turn);
        }
        (distance * Interval::from(16.0)).hi()
    }

    /// How far the curve may lie beyond a chord whose ends are taken as floats.
    pub(super) fn overshoot_of_rounded(&self, chord: &Chord) -> Overshoot {
        let [from, to] = [chord.from, chord.to].map(|end| Contact { around: None, is_tangent: false, ..end });
        self.overshoot(&Chord { from, to })
    }

    /// How far the curve between the ends of a chord may lie beyond it, for all positions of its ends.
    pub(super) fn overshoot(&self, chord: &Chord) -> Overshoot {
        let Chord { from, to } = chord;
        let (a, b) = (self.enclosed_point(from), self.enclosed_point(to));
        let increments = a.towards(&b);
        // The curve stays in the box between the ends.
        let most = increments[0].hi().min(increments[1].hi()).max(0.0);
        if !(increments[0] + increments[1]).is_positive() {
            // The chord may have no length, and so no direction.
            let near_score = Some(a.x[0].mid());
            return Overshoot { excess: most, directions: Some(Interval::UNIT), near_score, peaks: Vec::new() };
        }
        let line = Line { a, b, increments };
        let mut overshoot = Overshoot { excess: 0.0, directions: None, near_score: None, peaks: Vec::new() };
        let under = pieces_under(chord);
        for index in under.clone().filter(|index| !self.continues_tangency(chord, *index)) {
            let (excess, peak) = self.excess_of_piece(chord, &line, &under, index);
            overshoot.peaks.extend(peak.map(|u| PiecePosition { piece: index, u }));
            overshoot.add(&self.pieces[index], excess, most);
        }
        overshoot
    }

    /// How far the piece `index` may lie beyond the `line` of a chord, and the parameter of its farthest point if it is worth a sample. `under`
    /// are the pieces under the chord.
    fn excess_of_piece(
        &self,
        Chord { from, to }: &Chord,
        line: &Line,
        under: &RangeInclusive<usize>,
        index: usize,
    ) -> (f64, Option<f64>) {
        let piece = &self.pieces[index];
        // The parameters of the part between the ends of the chord.
        let range = [
            if index == from.piece { from.parameters().lo() } else { -1.0 },
            if index == to.piece { to.parameters().hi() } else { 1.0 },
        ];
        // The ends of the chord have height 0.
        let height_at = |u: f64| match u {
            _ if index == *under.start() && u == range[0] => 0.0,
            _ if index == *under.end() && u == range[1] => 0.0,
            _ => line.height(&piece.at(Interval::from(u))),
        };
        match piece.bend {
            Some(1) if piece.bends_to_class1() => {
                let (excess, u) = line.excess_of_arc(&piece.patch, range, height_at);
                (excess, (excess > NEGLIGIBLE && -1.0 < u && u < 1.0).then_some(u))
            }
            // A piece that is straight or bends back lies inside the chord of its own ends.
            Some(0 | -1) => (height_at(range[0]).max(height_at(range[1])), None),
            _ => (line.excess_by_directions(&piece.patch, range, height_at), None),
        }
    }

    /// Whether a piece continues the arc at a proved point of tangency of a chord, smoothly and with the same bend. Then it lies inside the
    /// chord: an arc that bends towards class 1 lies inside each of its tangents.
    fn continues_tangency(&self, Chord { from, to }: &Chord, piece: usize) -> bool {
        let continues_start = from.around.is_some() && self.is_one_arc(from.piece, piece);
        let continues_end = to.around.is_some() && self.is_one_arc(piece, to.piece);
        continues_start || continues_end
    }

    /// Whether the pieces from `first` to `last` form one smooth arc that bends towards class 1.
    fn is_one_arc(&self, first: usize, last: usize) -> bool {
        let bend_one_way = (first..=last).all(|k| self.pieces[k].bends_to_class1());
        bend_one_way && (first + 1..=last).all(|k| self.pieces[k].patch.smooth)
    }
}

/// The line through the ends `a` and `b` of a chord.
struct Line {
    a: EnclosedPoint,
    b: EnclosedPoint,
    /// The increments of `F0` and `F1` from `a` to `b`.
    increments: [Interval; 2],
}

impl Line {
    /// The direction, as a share of class 1.
    fn share(&self) -> Interval {
        direction(self.increments)[1]
    }

    /// An upper bound on how far a point lies beyond the line, in `F0` and in `F1`.
    fn height(&self, point: &EnclosedPoint) -> f64 {
        let mass = self.increments[0] + self.increments[1];
        // Computed from both ends: near each, less cancels.
        let inside =
            cross(self.increments, self.a.towards(point)).meet(-cross(self.increments, point.towards(&self.b)));
        (-inside / mass).hi()
    }

    /// How far an arc that bends towards class 1 may lie beyond the line between the parameters `start` and `end`, and the parameter where it
    /// lies farthest. `height_at` bounds the height of the arc at a parameter.
    fn excess_of_arc(&self, patch: &Patch, [start, end]: [f64; 2], height_at: impl Fn(f64) -> f64) -> (f64, f64) {
        let share = self.share();
        // It is highest where it has the direction of the line.
        let is_before = |u: f64| patch.share[1].at(Interval::from(u)).mid() < share.mid();
        let u = if !is_before(start) {
            start
        } else if is_before(end) {
            end
        } else {
            bisect(start, end, is_before)
        };
        // The direction at `u` may differ from that of the line, so the arc may rise further before or after `u`.
        let [_, share_at_u] = patch.direction(Interval::from(u));
        let tilt_before = if u > start { positive_difference(share_at_u.hi(), share.lo()) } else { 0.0 };
        let tilt_after = if u < end { positive_difference(share.hi(), share_at_u.lo()) } else { 0.0 };
        (tilted(height_at(u), tilt_before.max(tilt_after), patch), u)
    }

    /// How far a patch may lie beyond the line between two parameters if only the range of its directions is known. `height_at` bounds its
    /// height at a parameter.
    fn excess_by_directions(&self, patch: &Patch, [start, end]: [f64; 2], height_at: impl Fn(f64) -> f64) -> f64 {
        let share = self.share();
        let patch_share = patch.share[1].range().meet(Interval::UNIT);
        // Its height grows where its share is below that of the line. Both ends give a bound.
        let from_start = tilted(height_at(start), positive_difference(share.hi(), patch_share.lo()), patch);
        let from_end = tilted(height_at(end), positive_difference(patch_share.hi(), share.lo()), patch);
        from_start.min(from_end)
    }
}

/// `max(a - b, 0)`, rounded up.
fn positive_difference(a: f64, b: f64) -> f64 {
    (Interval::from(a) - Interval::from(b)).hi().max(0.0)
}

/// The height reached from a given height if the direction differs from that of the line by `tilt` along a whole patch, rounded up.
fn tilted(height: f64, tilt: f64, patch: &Patch) -> f64 {
    (Interval::from(height) + Interval::from(tilt) * Interval::from(patch.most_mass())).hi()
}

#[cfg(test)]
mod tests {
    use super::super::pieces::cut_at_inflections;
    use super::super::slack::tests::polygon;
    use super::*;
    use crate::functional::certified::enclosed_curve;
    use crate::model::Model;

    /// The pieces of a model of the paper, and its chord that is tangent at both ends. The scores of its ends were computed in floating point.
    fn touching_twice() -> (Vec<SignedPiece>, Chord) {
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let pieces = cut_at_inflections(&enclosed_curve(&model, 1.0).unwrap());
        let contact_at_score = |x: f64| {
            let contains = |piece: &SignedPiece| piece.patch.start.x[0].mid() <= x && x < piece.patch.end.x[0].mid();
            let piece = pieces.iter().position(contains).unwrap();
            let u = bisect(-1.0, 1.0, |u| pieces[piece].at(Interval::from(u)).x[0].mid() < x);
            Contact { is_tangent: true, ..Contact::corner(piece, u) }
        };
        let [from, to] = [0.728_280_533_728_812_1, 0.925_669_411_954_724_2].map(contact_at_score);
        let chord = Chord { from, to };
        (pieces, chord)
    }

    /// The contact with its parameter enclosed between its own and one that differs by `off`.
    fn enclosed(end: Contact, off: f64) -> Contact {
        Contact { around: Some(Interval::from(end.u).hull(Interval::from(end.u + off))), ..end }
    }

    #[test]
    fn a_chord_that_touches_twice_is_proved() {
        let (pieces, chord) = touching_twice();
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        let proved = finder.verify(&chord).unwrap();
        assert!(proved.from.is_proved() && proved.to.is_proved());
        // A chord moved by 1e-4 is refused, or its enclosure contains the true one.
        for (off_from, off_to) in [(1e-4, 0.0), (-1e-4, 0.0), (0.0, 1e-4), (0.0, -1e-4)] {
            let moved = |end: Contact, by: f64| Contact { u: end.u + by, ..end };
            let moved_chord = Chord { from: moved(chord.from, off_from), to: moved(chord.to, off_to) };
            let contains_truth = |proved: Chord| {
                proved.from.parameters().contains(chord.from.u) && proved.to.parameters().contains(chord.to.u)
            };
            assert!(finder.verify(&moved_chord).is_none_or(contains_truth), "{off_from} {off_to}");
        }
    }

    /// Two points on one arc: the line through them may slide along the arc, so they are not unique.
    #[test]
    fn contacts_on_one_arc_are_not_unique() {
        let (pieces, Chord { from, to }) = touching_twice();
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        let near = |end: Contact| enclosed(end, 1e-9);
        assert!(finder.is_unique(&[near(from), near(to)]));
        assert!(!finder.is_unique(&[near(from), near(Contact { u: from.u + 1e-3, ..from })]));
    }

    /// `residual_change` covers the change of the residual while the other end moves, and that change is not 0.
    #[test]
    fn residual_change_covers_a_moving_end() {
        let (pieces, Chord { from, to }) = touching_twice();
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        for (k, off) in [(0, 0.25), (0, -0.25), (0, 1e-3), (1, 1e-3), (1, -1e-3)] {
            let (end, other) = if k == 0 { (from, enclosed(to, off)) } else { (to, enclosed(from, off)) };
            // At the point of tangency, and in the middle of the piece.
            for u in [Interval::from(end.u), Interval::ZERO] {
                let residual = |other: &Contact| finder.tangency_residual(end.piece, u, &finder.point(other), k == 0);
                let before = residual(&other);
                let allowed = before + finder.residual_change(end.piece, u, &other);
                let moved = residual(&Contact { u: other.u + off, ..other });
                assert!(allowed.meets(moved) && !before.meets(moved), "{off}: {allowed:?} {moved:?}");
            }
            // As the other end moves, the point of tangency leaves a very narrow interval, but not a wide one unless the move is large.
            let within = |radius: f64| Contact { around: Some(Interval::around(end.u, radius)), ..end };
            let is_bracketed = |end: Contact| {
                let ends = if k == 0 { [end, other] } else { [other, end] };
                finder.is_bracketed(&ends, k)
            };
            assert!(!is_bracketed(within(off.abs() * 1e-6)) && (off.abs() > 0.1 || is_bracketed(within(0.1))), "{off}");
        }
    }

    /// A chord with ends near the points of tangency has another direction. The slack is several times the integral of that difference, and of
    /// second order: it falls by about 100 when the ends come ten times closer.
    #[test]
    fn slack_of_rounded_ends_covers_the_turn_of_the_chord() {
        let (pieces, chord) = touching_twice();
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        let truth = pieces[chord.from.piece].patch.direction(Interval::from(chord.from.u))[1];
        let slack = |off: f64, k: usize| {
            let end = if k == 0 { chord.from } else { chord.to };
            let moved = Contact { u: end.u + off, ..enclosed(end, off) };
            let rounded = if k == 0 { Chord { from: moved, ..chord } } else { Chord { to: moved, ..chord } };
            let increments = finder.point(&rounded.from).towards(&finder.point(&rounded.to));
            let turn_of_chord = (direction(increments)[1] - truth).abs() * (increments[0] + increments[1]);
            // The direction of the arc changes linearly on the way to the end: half of the change on average.
            let [mass0, mass1] = finder.point(&end).towards(&finder.point(&moved)).map(Interval::abs);
            let direction_at_moved = pieces[end.piece].patch.direction(Interval::from(moved.u))[1];
            let turn_of_arc = (direction_at_moved - truth).abs() * (mass0 + mass1) * Interval::from(0.5);
            let distance = turn_of_chord + turn_of_arc;
            let slack = finder.slack_of_rounded_ends(&[rounded]);
            assert!(slack >= 4.0 * distance.lo() && slack < 32.0 * distance.hi(), "{slack} {distance:?}");
            slack
        };
        for k in 0..2 {
            let [large, small] = [1e-2, 1e-3].map(|off| slack(off, k));
            assert!(small < large / 80.0 && small > large / 120.0, "{small} {large}");
        }
        // Ends that may be anywhere on a chord leave its direction open.
        let [from, to] = [chord.from, chord.to].map(|end| Contact { around: Some(Interval::new(-1.0, 1.0)), ..end });
        assert_eq!(finder.slack_of_rounded_ends(&[Chord { from, to }]), f64::INFINITY);
    }

    #[test]
    fn a_corner_beyond_a_chord_is_an_overshoot_and_one_inside_is_none() {
        let chord = Chord { from: Contact::corner(0, -1.0), to: Contact::corner(2, 1.0) };
        let overshoot = |steps: &[[f64; 2]]| {
            let pieces: Vec<SignedPiece> =
                polygon(steps).into_iter().map(|patch| SignedPiece { patch, bend: Some(0) }).collect();
            ChordFinder { pieces: &pieces, step: 0.25 }.overshoot(&chord)
        };
        // The first corner is (1/2, 1/8); the diagonal is reached by 3/16 less in F0 and 3/16 more in F1.
        let outside = overshoot(&[[0.5, 0.125], [0.125, 0.5], [0.375, 0.375]]);
        assert!(
            outside.excess >= 0.1875 && outside.excess < 0.19 && outside.near_score.is_some(),
            "{}",
            outside.excess
        );
        // The two edges there have 1/5 and 4/5 of class 1.
        assert!(outside.directions.is_some_and(|all| all.contains(0.2) && all.contains(0.8) && !all.contains(0.1)));
        // With the first two edges swapped the corner lies inside.
        let inside = overshoot(&[[0.125, 0.5], [0.5, 0.125], [0.375, 0.375]]);
        assert!(inside.excess == 0.0 && inside.near_score.is_none(), "{}", inside.excess);
    }

    /// A known point is located on the curve, or refused if it is ambiguous.
    #[test]
    fn known_points_are_located() {
        let straight = |patch: Patch| SignedPiece { patch, bend: Some(0) };
        let pieces: Vec<SignedPiece> =
            polygon(&[[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]]).into_iter().map(straight).collect();
        let locate =
            |point: &EnclosedPoint| Contact::at_joint(&pieces, point).map(|contact| (contact.piece, contact.u));
        let points = [&pieces[0].patch.start, &pieces[0].patch.end, &pieces[1].patch.end, &pieces[2].patch.end];
        assert_eq!(points.map(locate), [Some((0, -1.0)), Some((0, 1.0)), Some((1, 1.0)), Some((2, 1.0))]);
        // A point that may be at either of two joints, or at none.
        assert_eq!(locate(&points[1].hull(points[2])), None);
        assert_eq!(locate(&points[0].hull(points[1])), None);
        assert_eq!(locate(&pieces[0].patch.at(Interval::ZERO)), None);
        // A point of tangency is located on its arc. It is refused if another piece may contain it, and on a straight piece.
        let (arcs, chord) = touching_twice();
        for end in [chord.from, chord.to] {
            let point = arcs[end.piece].at(Interval::from(end.u));
            let found = Contact::inside(&arcs, &point).unwrap();
            let around = found.around.unwrap();
            assert!(found.piece == end.piece && around.contains(end.u) && around.width() < 1e-12, "{found:?} {end:?}");
            assert!(Contact::inside(&arcs, &point.hull(&arcs[end.piece].patch.end)).is_none());
        }
        assert!(Contact::inside(&pieces, &pieces[1].patch.at(Interval::ZERO)).is_none());
    }

    /// The pieces of a model.
    fn pieces_of(f0: &str, f1: &str) -> Vec<SignedPiece> {
        cut_at_inflections(&enclosed_curve(&crate::Model::new(f0, f1, "1/2").unwrap(), 1.0).unwrap())
    }

    #[test]
    fn a_curve_and_a_lump_have_an_overshoot() {
        // (x, x²) lies 1/4 beyond the diagonal in one class, 1/8 in both.
        let pieces = pieces_of("1", "2*x");
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        let whole = Chord { from: Contact::corner(0, -1.0), to: Contact::corner(pieces.len() - 1, 1.0) };
        let excess = finder.overshoot(&whole).excess;
        assert!((0.125..0.126).contains(&excess), "{excess}");
        // An edge without direction may pass (3/4, 1/4).
        let mut patches = polygon(&[[0.25, 0.25], [0.5, 0.5], [0.25, 0.25]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.5); 2], Interval::ZERO, Interval::ALL);
        let pieces: Vec<SignedPiece> = patches
            .into_iter()
            .zip([Some(0), None, Some(0)])
            .map(|(patch, bend)| SignedPiece { patch, bend })
            .collect();
        let finder = ChordFinder { pieces: &pieces, step: 0.25 };
        let excess = finder.overshoot(&Chord { from: Contact::corner(0, -1.0), to: Contact::corner(2, 1.0) }).excess;
        assert!((0.25..=0.51).contains(&excess), "{excess}");
    }

    #[test]
    fn an_arc_has_no_corner_and_bends_one_way() {
        let is_one_arc = |f1: &str| {
            let pieces = pieces_of("uniform(0, 1)", f1);
            ChordFinder { pieces: &pieces, step: 0.25 }.is_one_arc(0, pieces.len() - 1)
        };
        assert!(is_one_arc("{ 2*x on [0, 1/2]; 2*x on [1/2, 1] }"));
        assert!(!is_one_arc("{ x on [0, 1/2]; 7/3*x on [1/2, 1] }") && !is_one_arc("6*x*(1-x)"));
    }
}
