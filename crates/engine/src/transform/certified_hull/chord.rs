//! Chords of a hull: where they touch, and how far what lies between their ends may lie beyond them.

use super::pieces::SignedPiece;
use super::proposal::CurveSample;
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion, direction};
use rocproof_arith::Interval;

/// How often both ends of a chord are moved, at most.
const MOST_ROUNDS: usize = 40;
/// How often a part of a stretch is halved to find a place on it.
const MOST_HALVINGS: u32 = 60;

/// What lies beyond a chord by less is not worth a look.
const FELT: f64 = 1e-15;
/// A step beside a place that was found by halving.
const ASIDE: f64 = 1e-15;

/// An end of a chord.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub(super) piece: usize,
    /// The place on the piece.
    pub(super) u: f64,
    /// Whether it is close to a place of tangency, rather than a corner.
    pub(super) is_tangent: bool,
    /// Where the place of tangency is proved to lie.
    pub(super) around: Option<Interval>,
}

impl Contact {
    fn corner(piece: usize, u: f64) -> Contact {
        Contact { piece, u, is_tangent: false, around: None }
    }

    /// The joint of two pieces that is a point of the curve, if it is no other: of those that it may be, the only one.
    pub(super) fn at_joint(pieces: &[SignedPiece], spot: &EnclosedPoint) -> Option<Contact> {
        let none = [Interval::ZERO; 2];
        if spot.below == none {
            return Some(Contact::corner(0, -1.0));
        }
        if spot.above == none {
            return Some(Contact::corner(pieces.len().checked_sub(1)?, 1.0));
        }
        let meets = |a: [Interval; 2], b: [Interval; 2]| a[0].meets(b[0]) && a[1].meets(b[1]);
        let may_be = |at: &EnclosedPoint| meets(at.below, spot.below) && meets(at.above, spot.above);
        let mut joints = (0..pieces.len()).filter(|k| may_be(&pieces[*k].patch.end));
        let only = joints.next().filter(|_| joints.next().is_none())?;
        (!may_be(&pieces[0].patch.start)).then(|| Contact::corner(only, 1.0))
    }

    /// A place of tangency inside a piece that is a point of the curve, if it lies in no other.
    pub(super) fn inside(pieces: &[SignedPiece], spot: &EnclosedPoint) -> Option<Contact> {
        let mass = |at: &EnclosedPoint| at.below[0] + at.below[1];
        let target = mass(spot);
        let may_hold = |piece: &SignedPiece| {
            let Patch { start, end, .. } = &piece.patch;
            mass(start).lo() <= target.hi() && target.lo() <= mass(end).hi()
        };
        let mut found = (0..pieces.len()).filter(|k| may_hold(&pieces[*k]));
        let piece = found.next().filter(|_| found.next().is_none())?;
        let patch = &pieces[piece].patch;
        let at = |u: f64| mass(&patch.at(Interval::from(u)));
        // Mass never falls along the piece.
        let before = (falls_at(-1.0, 1.0, |u| at(u).hi() <= target.lo()) - ASIDE).max(-1.0);
        let after = (falls_at(-1.0, 1.0, |u| at(u).lo() < target.hi()) + ASIDE).min(1.0);
        let is_after = before == -1.0 || at(before).hi() <= target.lo();
        let is_around = is_after && (after == 1.0 || at(after).lo() >= target.hi());
        let around = Interval::new(before, after);
        (patch.motion == PatchMotion::Arc && is_around && around.is_bounded()).then(|| Contact {
            piece,
            u: around.mid(),
            is_tangent: true,
            around: Some(around),
        })
    }

    /// The place, or all that it is proved to be in.
    fn places(&self) -> Interval {
        self.around.unwrap_or(Interval::from(self.u))
    }

    /// Whether it is a corner, or its place of tangency is proved.
    pub(super) fn is_proved(&self) -> bool {
        !self.is_tangent || self.around.is_some()
    }

    /// Whether it does not lie after another one.
    pub(super) fn is_before(&self, other: &Contact) -> bool {
        let is_joint = self.piece == other.piece + 1 && self.u == -1.0 && other.u == 1.0;
        (self.piece, self.u) <= (other.piece, other.u) || is_joint
    }
}

/// A chord between two points of the curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) from: Contact,
    pub(super) to: Contact,
}

impl Chord {
    /// From one sample to another.
    pub(super) fn between(left: &CurveSample, right: &CurveSample) -> Chord {
        Chord { from: Contact::corner(left.piece, left.u), to: Contact::corner(right.piece, right.u) }
    }

    /// Whether its ends are where they are drawn.
    pub(super) fn is_drawn(&self) -> bool {
        !self.from.is_tangent && !self.to.is_tangent
    }
}

/// What may lie beyond a chord.
pub(super) struct Overshoot {
    /// How far, in `F0` and in `F1`.
    pub(super) excess: f64,
    /// The directions of what may lie there.
    pub(super) directions: Option<Interval>,
    /// A score near which it could not be ruled out.
    pub(super) place: Option<f64>,
    /// Places on pieces that lie beyond it, farthest out.
    pub(super) peaks: Vec<(usize, f64)>,
}

/// `a × b`: positive if `b` leads further towards class 1.
pub(super) fn turn(a: [Interval; 2], b: [Interval; 2]) -> Interval {
    a[0] * b[1] - a[1] * b[0]
}

/// Where something that never grows on a stretch of `u` falls below 0.
fn falls_at(mut lo: f64, mut hi: f64, is_before: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..MOST_HALVINGS {
        let middle = lo / 2.0 + hi / 2.0;
        if middle <= lo || middle >= hi {
            break;
        }
        if is_before(middle) { lo = middle } else { hi = middle }
    }
    lo / 2.0 + hi / 2.0
}

/// Looks for chords of a curve.
pub(super) struct Seeker<'a> {
    pub(super) pieces: &'a [SignedPiece],
    /// How far apart samples are on a piece.
    pub(super) step: f64,
}

impl Seeker<'_> {
    fn spot(&self, contact: &Contact) -> EnclosedPoint {
        self.pieces[contact.piece].at(Interval::from(contact.u))
    }

    /// The points that an end may be.
    pub(super) fn spots(&self, contact: &Contact) -> EnclosedPoint {
        self.pieces[contact.piece].at(contact.places())
    }

    /// `turn(direction at u, way to or from the other end)`: positive before the place of tangency, negative after it.
    fn tangent(&self, piece: usize, u: Interval, other: &EnclosedPoint, is_left: bool) -> Interval {
        let at = self.pieces[piece].at(u);
        let way = if is_left { at.towards(other) } else { other.towards(&at) };
        turn(self.pieces[piece].patch.direction(u), way)
    }

    /// How much `tangent` at a place may change while the other end moves from its place to any that it is proved to be in: hardly at
    /// all, as it moves almost along the chord.
    fn swing(&self, piece: usize, u: Interval, other: &Contact) -> Interval {
        let Some(around) = other.around else { return Interval::ZERO };
        let patch = &self.pieces[other.piece].patch;
        let speed = patch.rate[0].at(around) + patch.rate[1].at(around);
        let across = turn(self.pieces[piece].patch.direction(u), patch.direction(around));
        let way = around - Interval::from(other.u);
        way * speed * Interval::around(0.0, across.magnitude())
    }

    /// Where the chord between a place near a sample and another point touches, in floating point.
    fn touch(&self, sample: &CurveSample, other: &EnclosedPoint, is_left: bool) -> Contact {
        let at = |piece: usize, u: f64| self.tangent(piece, Interval::from(u), other, is_left).mid();
        let solve = |piece: usize, lo: f64, hi: f64| {
            if at(piece, lo) <= 0.0 {
                return Contact::corner(piece, lo);
            }
            if at(piece, hi) >= 0.0 {
                return Contact::corner(piece, hi);
            }
            let u = falls_at(lo, hi, |u| at(piece, u) > 0.0);
            Contact { is_tangent: true, ..Contact::corner(piece, u) }
        };
        let is_turning = |piece: usize| self.pieces.get(piece).is_some_and(SignedPiece::is_turning);
        let CurveSample { piece, u, .. } = *sample;
        if u != -1.0 && u != 1.0 {
            return solve(piece, (u - self.step).max(-1.0), (u + self.step).min(1.0));
        }
        // At a joint: inside the piece before it, inside the one after it, or at the joint itself.
        let (mut before, mut after) = if u == 1.0 { (Some(piece), piece + 1) } else { (piece.checked_sub(1), piece) };
        let is_sliver = |piece: usize| self.pieces.get(piece).is_some_and(SignedPiece::is_sliver);
        before = before.map(|piece| if is_sliver(piece) { piece.saturating_sub(1) } else { piece });
        after += usize::from(is_sliver(after));
        if let Some(before) = before.filter(|p| is_turning(*p))
            && at(before, 1.0) < 0.0
        {
            return solve(before, 1.0 - self.step, 1.0);
        }
        if is_turning(after) && at(after, -1.0) > 0.0 {
            return solve(after, -1.0, -1.0 + self.step);
        }
        Contact::corner(piece, u)
    }

    /// The chord near two samples, its ends proved where they can be.
    pub(super) fn chord(&self, left: &CurveSample, right: &CurveSample) -> Chord {
        let mut chord = Chord::between(left, right);
        for _ in 0..MOST_ROUNDS {
            let from = self.touch(left, &self.spot(&chord.to), true);
            let to = self.touch(right, &self.spot(&from), false);
            let same = |a: &Contact, b: &Contact| a.piece == b.piece && (a.u - b.u).abs() < 1e-15;
            let done = same(&from, &chord.from) && same(&to, &chord.to);
            chord = Chord { from, to };
            if done {
                break;
            }
        }
        let chord = self.beside_gaps(&chord);
        self.proved(&chord).unwrap_or(chord)
    }

    /// The same chord, told from where the next piece starts, and to where the last one ends: at a corner there may be scores without
    /// mass, and those are not under the chord.
    pub(super) fn beside_gaps(&self, chord: &Chord) -> Chord {
        let Chord { from, to } = *chord;
        let is_last = from.piece + 1 == self.pieces.len();
        Chord {
            from: if from.u == 1.0 && !is_last { Contact::corner(from.piece + 1, -1.0) } else { from },
            to: if to.u == -1.0 && to.piece > 0 { Contact::corner(to.piece - 1, 1.0) } else { to },
        }
    }

    /// Intervals around both ends in which, for every position of the other end, there is exactly one place of tangency; both
    /// together then exist (Poincaré and Miranda), and are unique if the diagonal of the Jacobian outweighs the rest.
    fn proved(&self, chord: &Chord) -> Option<Chord> {
        let ends = [chord.from, chord.to];
        if ends.iter().all(|end| !end.is_tangent) {
            return Some(*chord);
        }
        let mut radius = 1e-15;
        while radius < 1e-5 {
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

    /// Whether `tangent` at an end changes its sign in the interval around it, wherever the other end is.
    fn is_bracketed(&self, ends: &[Contact; 2], k: usize) -> bool {
        let (Contact { piece, around, .. }, other) = (ends[k], &ends[1 - k]);
        let at = |u: f64| {
            let u = Interval::from(u);
            self.tangent(piece, u, &self.spot(other), k == 0) + self.swing(piece, u, other)
        };
        around.is_none_or(|u| at(u.lo()).is_positive() && at(u.hi()).is_negative())
    }

    fn is_unique(&self, ends: &[Contact; 2]) -> bool {
        if !ends.iter().all(|end| end.is_tangent) {
            // One equation, and its left side falls: the piece bends one way.
            return true;
        }
        let [from, to] = ends.each_ref().map(|end| self.spots(end));
        let [way0, way1] = from.towards(&to);
        let way = way0 + way1;
        let patch = |k: usize| &self.pieces[ends[k].piece].patch;
        let places = ends.each_ref().map(Contact::places);
        let diagonal = (patch(0).turn.at(places[0]) * way) * (patch(1).turn.at(places[1]) * way);
        let [p, q] = [0, 1].map(|k| patch(k).direction(places[k]));
        let speed = |k: usize| patch(k).rate[0].at(places[k]) + patch(k).rate[1].at(places[k]);
        let cross = turn(p, q).square() * speed(0) * speed(1);
        diagonal.is_positive() && diagonal.lo() > cross.magnitude()
    }

    /// The slack of chords that are drawn from and to places near proved places of tangency, as `slack` counts it.
    ///
    /// Let `m` be the mass between the two places at an end, at most, and `Δ` how much the direction changes between them. While one
    /// end moves, the direction `θ` of a chord with mass `M` changes by `dm/M` times what the direction at that end is off `θ`. So
    /// if `M` is not below four times the sum of both `m`, the drawn chord is off the true direction by no more than `δ` with
    /// `M δ <= 2 Σ m Δ`; and `∫ |θ' - θ| ds` is at most `Σ m (Δ + δ) + M δ <= 4 Σ m Δ`. Nothing lies further beyond the drawn chord than
    /// that, and if it is drawn with the true direction, that is off the way it goes by another `M δ`: four times the integral has room for
    /// all of it.
    pub(super) fn off_as_drawn(&self, chords: &[Chord]) -> f64 {
        let mut distance = Interval::ZERO;
        for chord in chords {
            let ends = [&chord.from, &chord.to];
            let [a, b] = ends.map(|end| self.spot(end));
            let [way0, way1] = a.towards(&b);
            let moved = ends.map(|end| {
                let Some(around) = end.around else { return [Interval::ZERO; 2] };
                let patch = &self.pieces[end.piece].patch;
                let way = Interval::from(around.width());
                let speed = patch.rate[0].at(around) + patch.rate[1].at(around);
                [speed, patch.turn.at(around)].map(|rate| Interval::from(rate.magnitude()) * way)
            });
            let mass = moved[0][0] + moved[1][0];
            if (way0 + way1).lo() < (mass * Interval::from(4.0)).hi() {
                return f64::INFINITY;
            }
            distance = moved.iter().fold(distance, |sum, [mass, turned]| sum + *mass * *turned);
        }
        (distance * Interval::from(16.0)).hi()
    }

    /// How far what lies between the ends of a chord may lie beyond it, as the chord is drawn: between two floats.
    pub(super) fn beyond_drawn(&self, chord: &Chord) -> Overshoot {
        let drawn = [chord.from, chord.to].map(|end| Contact { around: None, is_tangent: false, ..end });
        self.beyond(&Chord { from: drawn[0], to: drawn[1] })
    }

    /// How far what lies between the ends of a chord may lie beyond it, wherever its ends are: 0 if it is proved not to.
    pub(super) fn beyond(&self, chord: &Chord) -> Overshoot {
        let Chord { from, to } = chord;
        let (a, b) = (self.spots(from), self.spots(to));
        let way = a.towards(&b);
        let mass = way[0] + way[1];
        // The curve does not leave the box between the ends.
        let most = way[0].hi().min(way[1].hi()).max(0.0);
        if !mass.is_positive() {
            return Overshoot {
                excess: most,
                directions: Some(Interval::UNIT),
                place: Some(a.x[0].mid()),
                peaks: Vec::new(),
            };
        }
        let [_, share] = direction(way);
        // Seen from both ends: near each, less cancels.
        let height = |spot: &EnclosedPoint| {
            let inside = turn(way, a.towards(spot)).meet(-turn(way, spot.towards(&b)));
            (-inside / mass).hi()
        };
        let tilt = |more: f64, less: f64| (Interval::from(more) - Interval::from(less)).hi().max(0.0);
        let mut beyond = Overshoot { excess: 0.0, directions: None, place: None, peaks: Vec::new() };
        // A contact at a joint belongs to the piece before it or after it.
        let first = if from.u == 1.0 { from.piece + 1 } else { from.piece };
        let last = if to.u == -1.0 { to.piece.wrapping_sub(1) } else { to.piece };
        for index in first..=last.min(self.pieces.len() - 1) {
            let piece = &self.pieces[index];
            let patch = &piece.patch;
            let starts = if index == from.piece { from.places().lo() } else { -1.0 };
            let ends = if index == to.piece { to.places().hi() } else { 1.0 };
            // The chord's own ends lie on it.
            let height_at = |u: f64| match u {
                _ if index == first && u == starts => 0.0,
                _ if index == last && u == ends => 0.0,
                _ => height(&piece.at(Interval::from(u))),
            };
            let spread = Interval::from(patch.most_mass());
            let tilted = |height: f64, tilt: f64| (Interval::from(height) + Interval::from(tilt) * spread).hi();
            let excess = match piece.bend {
                // What bends towards class 1 lies inside each of its tangents, and so does what goes on from it.
                Some(1) if piece.is_turning() => {
                    let leaves = from.around.is_some() && self.is_one_arc(from.piece, index);
                    let arrives = to.around.is_some() && self.is_one_arc(index, to.piece);
                    if leaves || arrives {
                        continue;
                    }
                    // It comes closest where it has the chord's direction.
                    let is_before = |u: f64| patch.share[1].at(Interval::from(u)).mid() < share.mid();
                    let u = if !is_before(starts) {
                        starts
                    } else if is_before(ends) {
                        ends
                    } else {
                        falls_at(starts, ends, is_before)
                    };
                    let [_, there] = patch.direction(Interval::from(u));
                    let before = if u > starts { tilt(there.hi(), share.lo()) } else { 0.0 };
                    let after = if u < ends { tilt(share.hi(), there.lo()) } else { 0.0 };
                    let excess = tilted(height_at(u), before.max(after));
                    if excess > FELT && -1.0 < u && u < 1.0 {
                        beyond.peaks.push((index, u));
                    }
                    excess
                }
                // What is straight or bends back lies inside the chord of its own ends.
                Some(0 | -1) => height_at(starts).max(height_at(ends)),
                // Of the rest the directions are known, or nothing.
                _ => {
                    let there = patch.share[1].range().meet(Interval::UNIT);
                    let from_start = tilted(height_at(starts), tilt(share.hi(), there.lo()));
                    let from_end = tilted(height_at(ends), tilt(there.hi(), share.lo()));
                    from_start.min(from_end)
                }
            };
            // Not a number: nothing is known.
            if excess.is_nan() || excess > 0.0 {
                beyond.excess = beyond.excess.max(if excess < most { excess } else { most });
                let there = patch.share[1].range().meet(Interval::UNIT);
                beyond.directions = Some(beyond.directions.map_or(there, |before| before.hull(there)));
                beyond.place.get_or_insert(piece.x());
            }
        }
        beyond
    }

    /// Whether all pieces from one to another bend towards class 1 and go on from one another.
    fn is_one_arc(&self, first: usize, last: usize) -> bool {
        let turning = (first..=last).all(|k| self.pieces[k].is_turning());
        turning && (first + 1..=last).all(|k| self.pieces[k].patch.smooth)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pieces::pieces;
    use super::super::slack::tests::polygon;
    use super::*;
    use crate::functional::certified::enclosed_curve;
    use crate::model::Model;

    /// The chord of the paper's model that touches twice, and what it touches.
    fn touching_twice() -> (Vec<SignedPiece>, Chord) {
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let pieces = pieces(&enclosed_curve(&model, 1.0).unwrap());
        let near = |x: f64| {
            let holds = |piece: &SignedPiece| piece.patch.start.x[0].mid() <= x && x < piece.patch.end.x[0].mid();
            let piece = pieces.iter().position(holds).unwrap();
            let u = falls_at(-1.0, 1.0, |u| pieces[piece].at(Interval::from(u)).x[0].mid() < x);
            Contact { is_tangent: true, ..Contact::corner(piece, u) }
        };
        let chord = Chord { from: near(0.728_280_533_728_812_1), to: near(0.925_669_411_954_724_2) };
        (pieces, chord)
    }

    /// The same end, known to lie between its place and one that is `off`.
    fn known(end: Contact, off: f64) -> Contact {
        Contact { around: Some(Interval::from(end.u).hull(Interval::from(end.u + off))), ..end }
    }

    #[test]
    fn a_chord_that_touches_twice_is_proved() {
        let (pieces, chord) = touching_twice();
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        let proved = seeker.proved(&chord).unwrap();
        assert!(proved.from.is_proved() && proved.to.is_proved());
        // Not one that is off by more than it says, however little, at whichever end and side.
        for (off_from, off_to) in [(1e-4, 0.0), (-1e-4, 0.0), (0.0, 1e-4), (0.0, -1e-4)] {
            let moved = |end: Contact, off: f64| Contact { u: end.u + off, ..end };
            let off = Chord { from: moved(chord.from, off_from), to: moved(chord.to, off_to) };
            let holds =
                |found: Chord| found.from.places().contains(chord.from.u) && found.to.places().contains(chord.to.u);
            assert!(seeker.proved(&off).is_none_or(holds), "{off_from} {off_to}");
        }
    }

    /// Two places on one arc: the line through them may move along the arc, and neither is the only one.
    #[test]
    fn places_on_one_arc_are_not_unique() {
        let (pieces, Chord { from, to }) = touching_twice();
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        let near = |end: Contact| known(end, 1e-9);
        assert!(seeker.is_unique(&[near(from), near(to)]));
        assert!(!seeker.is_unique(&[near(from), near(Contact { u: from.u + 1e-3, ..from })]));
    }

    /// What `tangent` becomes while the other end moves is what the swing allows for; it is not nothing.
    #[test]
    fn the_other_end_may_move() {
        let (pieces, Chord { from, to }) = touching_twice();
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        for (k, off) in [(0, 0.25), (0, -0.25), (0, 1e-3), (1, 1e-3), (1, -1e-3)] {
            let (end, other) = if k == 0 { (from, known(to, off)) } else { (to, known(from, off)) };
            // At the place of tangency, and where the curve goes another way.
            for u in [Interval::from(end.u), Interval::ZERO] {
                let tangent = |other: &Contact| seeker.tangent(end.piece, u, &seeker.spot(other), k == 0);
                let here = tangent(&other);
                let allowed = here + seeker.swing(end.piece, u, &other);
                let moved = tangent(&Contact { u: other.u + off, ..other });
                assert!(allowed.meets(moved) && !here.meets(moved), "{off}: {allowed:?} {moved:?}");
            }
            // While the other end moves, the place of tangency leaves what is next to it.
            let beside = |off: f64| Contact { around: Some(Interval::around(end.u, off)), ..end };
            let is_bracketed = |end: Contact| {
                let ends = if k == 0 { [end, other] } else { [other, end] };
                seeker.is_bracketed(&ends, k)
            };
            assert!(!is_bracketed(beside(off.abs() * 1e-6)) && (off.abs() > 0.1 || is_bracketed(beside(0.1))), "{off}");
        }
    }

    /// A chord between places a little off those of tangency has another direction; the slack holds that, and it is of second order.
    #[test]
    fn chords_drawn_a_little_off_have_slack() {
        let (pieces, chord) = touching_twice();
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        let truth = pieces[chord.from.piece].patch.direction(Interval::from(chord.from.u))[1];
        let slack = |off: f64, k: usize| {
            let end = if k == 0 { chord.from } else { chord.to };
            let moved = Contact { u: end.u + off, ..known(end, off) };
            let drawn = if k == 0 { Chord { from: moved, ..chord } } else { Chord { to: moved, ..chord } };
            let way = seeker.spot(&drawn.from).towards(&seeker.spot(&drawn.to));
            let turned = (direction(way)[1] - truth).abs() * (way[0] + way[1]);
            // The arc turns on its way to the place drawn, by half of that on average.
            let [on0, on1] = seeker.spot(&end).towards(&seeker.spot(&moved)).map(Interval::abs);
            let there = pieces[end.piece].patch.direction(Interval::from(moved.u))[1];
            let along = (there - truth).abs() * (on0 + on1) * Interval::from(0.5);
            let distance = turned + along;
            let slack = seeker.off_as_drawn(&[drawn]);
            assert!(slack >= 4.0 * distance.lo() && slack < 32.0 * distance.hi(), "{slack} {distance:?}");
            slack
        };
        for k in 0..2 {
            let [large, small] = [1e-2, 1e-3].map(|off| slack(off, k));
            assert!(small < large / 80.0 && small > large / 120.0, "{small} {large}");
        }
        // Places that may be anywhere on a chord say nothing of its direction.
        let [from, to] = [chord.from, chord.to].map(|end| Contact { around: Some(Interval::new(-1.0, 1.0)), ..end });
        assert_eq!(seeker.off_as_drawn(&[Chord { from, to }]), f64::INFINITY);
    }

    #[test]
    fn what_lies_beyond_a_chord_is_counted() {
        let chord = Chord { from: Contact::corner(0, -1.0), to: Contact::corner(2, 1.0) };
        let beyond = |steps: &[[f64; 2]]| {
            let pieces: Vec<SignedPiece> =
                polygon(steps).into_iter().map(|patch| SignedPiece { patch, bend: Some(0) }).collect();
            Seeker { pieces: &pieces, step: 0.25 }.beyond(&chord)
        };
        // The first corner is (1/2, 1/8): 3/16 back in F0 and on in F1 it is on the diagonal.
        let out = beyond(&[[0.5, 0.125], [0.125, 0.5], [0.375, 0.375]]);
        assert!(out.excess >= 0.1875 && out.excess < 0.19 && out.place.is_some(), "{}", out.excess);
        // What lies there goes 1/5 and 4/5 towards class 1.
        assert!(out.directions.is_some_and(|all| all.contains(0.2) && all.contains(0.8) && !all.contains(0.1)));
        // The same the other way round lies inside.
        let inside = beyond(&[[0.125, 0.5], [0.5, 0.125], [0.375, 0.375]]);
        assert!(inside.excess == 0.0 && inside.place.is_none(), "{}", inside.excess);
    }
    /// A point that is known is placed where it is, or not at all.
    #[test]
    fn known_points_are_placed() {
        let straight = |patch: Patch| SignedPiece { patch, bend: Some(0) };
        let pieces: Vec<SignedPiece> =
            polygon(&[[0.5, 0.25], [0.25, 0.25], [0.25, 0.5]]).into_iter().map(straight).collect();
        let place = |spot: &EnclosedPoint| Contact::at_joint(&pieces, spot).map(|found| (found.piece, found.u));
        let spots = [&pieces[0].patch.start, &pieces[0].patch.end, &pieces[1].patch.end, &pieces[2].patch.end];
        assert_eq!(spots.map(place), [Some((0, -1.0)), Some((0, 1.0)), Some((1, 1.0)), Some((2, 1.0))]);
        // It may be one or the other, or none of them.
        assert_eq!(place(&spots[1].hull(spots[2])), None);
        assert_eq!(place(&spots[0].hull(spots[1])), None);
        assert_eq!(place(&pieces[0].patch.at(Interval::ZERO)), None);
        // A place of tangency on an arc, but not where it may lie on another, and not on a line.
        let (arcs, chord) = touching_twice();
        for end in [chord.from, chord.to] {
            let spot = arcs[end.piece].at(Interval::from(end.u));
            let found = Contact::inside(&arcs, &spot).unwrap();
            let around = found.around.unwrap();
            assert!(found.piece == end.piece && around.contains(end.u) && around.width() < 1e-12, "{found:?} {end:?}");
            assert!(Contact::inside(&arcs, &spot.hull(&arcs[end.piece].patch.end)).is_none());
        }
        assert!(Contact::inside(&pieces, &pieces[1].patch.at(Interval::ZERO)).is_none());
    }

    /// The pieces of a model.
    fn pieces_of(f0: &str, f1: &str) -> Vec<SignedPiece> {
        pieces(&enclosed_curve(&crate::Model::new(f0, f1, "1/2").unwrap(), 1.0).unwrap())
    }

    #[test]
    fn what_is_not_straight_lies_beyond_a_chord() {
        // (x, x²) is 1/4 beyond the diagonal in one class, 1/8 in each.
        let pieces = pieces_of("1", "2*x");
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        let whole = Chord { from: Contact::corner(0, -1.0), to: Contact::corner(pieces.len() - 1, 1.0) };
        let excess = seeker.beyond(&whole).excess;
        assert!((0.125..0.126).contains(&excess), "{excess}");
        // A stretch without a direction may go to (3/4, 1/4).
        let mut patches = polygon(&[[0.25, 0.25], [0.5, 0.5], [0.25, 0.25]]);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, [Interval::from(0.5); 2], Interval::ZERO, Interval::ALL);
        let pieces: Vec<SignedPiece> = patches
            .into_iter()
            .zip([Some(0), None, Some(0)])
            .map(|(patch, bend)| SignedPiece { patch, bend })
            .collect();
        let seeker = Seeker { pieces: &pieces, step: 0.25 };
        let excess = seeker.beyond(&Chord { from: Contact::corner(0, -1.0), to: Contact::corner(2, 1.0) }).excess;
        assert!((0.25..=0.51).contains(&excess), "{excess}");
    }

    #[test]
    fn an_arc_has_no_corner_and_bends_one_way() {
        let is_one_arc = |f1: &str| {
            let pieces = pieces_of("uniform(0, 1)", f1);
            Seeker { pieces: &pieces, step: 0.25 }.is_one_arc(0, pieces.len() - 1)
        };
        assert!(is_one_arc("{ 2*x on [0, 1/2]; 2*x on [1/2, 1] }"));
        assert!(!is_one_arc("{ x on [0, 1/2]; 7/3*x on [1/2, 1] }") && !is_one_arc("6*x*(1-x)"));
    }
}
