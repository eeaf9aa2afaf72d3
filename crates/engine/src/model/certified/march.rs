//! From densities to an enclosed curve.
//!
//! The score axis is cut at every end of a component and at every atom. Between two cuts the densities are enclosed by series on
//! stretches that are halved until the series are accurate. The integrals of the series, added up from both sides, are the distribution
//! functions. Towards singular and infinite ends, a bound on the growth of the densities encloses the mass in the tail beyond all
//! stretches.

use super::bend::{Bend, is_smooth_at};
use super::between::{Between, insert, mass_at, places};
use super::chart::{Chart, ChartOptions};
use super::draft::{Draft, UnplacedPiece};
use super::mixture::{EnclosedComponent, EnclosedMixture};
use super::ratio::is_convex;
use super::tail::Lump;
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::endpoint::Endpoint;
use crate::model::piecewise::Piecewise;
use rocproof_arith::decimal::short;
use rocproof_arith::{Interval, Series, libm};
use rocproof_language::meaning::{Piece, Pieces};
use std::cmp::Ordering;
use std::fmt;

/// If two halvings in a row do not reduce the excess, and it is at most this, the rest is rounding.
const ROUNDING_EXCESS: f64 = 1e4;
/// If one halving does not reduce the excess, and it is at most this, the rest is rounding. The bound is smaller than after two, since the
/// series of a quotient may improve only on the next halving.
const SLIGHT_EXCESS: f64 = 10.0;
/// Halving counts as a gain if the excess falls at least by this factor.
const GAIN: f64 = 0.3;
/// The factor if only the share of a rare class is not accurate enough: its error falls no faster than the share, which halving halves.
const GAIN_OF_RARE: f64 = 0.7;
/// The largest number of halvings of a stretch.
pub(super) const MOST_HALVINGS: u32 = 60;
/// Beyond this number of stretches, one that a single halving does not improve is accepted if its errors are negligible by mass.
const MANY_STRETCHES: usize = 2_000;
/// The largest number of stretches of an interval.
pub(super) const MOST_STRETCHES: usize = 20_000;
/// The number of halvings without gain after which a stretch is accepted whose errors are negligible by mass.
const PATIENCE: u32 = 4;
/// If a share has a larger error than this, the direction of the curve is unknown, and the stretch becomes a lump.
const VAGUE: f64 = 0.1;
/// Minus the logarithm of the mass that may remain beyond all stretches, and that need not be known.
pub const REACH: f64 = 42.0;

/// Why a curve could not be enclosed.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    /// Two endpoints are too close to tell which comes first.
    Order,
    /// The tail towards this end could not be bounded.
    Tail(f64),
    /// The density could not be enclosed near this score.
    Irregular(f64),
    /// The density is negative at this score.
    Negative(f64),
    /// The integral of a density could not be enclosed narrowly.
    Mass,
    /// A density is to be divided by its integral, which could not be enclosed away from 0.
    VanishingMass,
    /// The corners of a density are too close to tell which comes first.
    Corners,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Order => f.write_str("two places are too close to tell which comes first"),
            Trouble::Tail(x) => write!(f, "the mass close to x = {} could not be bounded", short(*x, 6)),
            Trouble::Irregular(x) => write!(f, "the density could not be enclosed near x = {}", short(*x, 6)),
            Trouble::Negative(x) => write!(f, "the density is negative at x = {}", short(*x, 6)),
            Trouble::Mass => f.write_str("the integral of this density could not be enclosed"),
            Trouble::VanishingMass => f.write_str("the integral of this density could not be enclosed away from 0"),
            Trouble::Corners => f.write_str("its corners are too close to tell apart"),
        }
    }
}

/// How closely densities are followed.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Minus the logarithm of the mass that may remain in the tails beyond all stretches.
    pub reach: f64,
    /// Whether rates need relative accuracy towards every end, however small they are.
    pub relative_at_ends: bool,
    /// The smallest share of a class that needs relative accuracy; at most 1. If class `k` is rare, the posterior changes where the share of
    /// the other class is of the size of `pi_k`, so this is a small multiple of `pi_k`.
    pub rarity: f64,
}

/// A curve of enclosed stretches.
#[derive(Clone, Debug)]
pub struct EnclosedCurve {
    /// The stretches, in order.
    pub patches: Vec<Patch>,
    /// The scale of the scores: [0, 1] if they all lie in it, else the support.
    pub range: [Interval; 2],
    /// Whether all scores lie in [0, 1].
    pub probabilistic: bool,
    /// Whether the curve is its own hull, if the densities tell without the patches.
    pub convex: Option<bool>,
}

/// The densities between two endpoints, and how closely they are followed.
struct March<'a> {
    between: Between<'a>,
    aim: Aim,
    /// Whether both classes have the same density.
    alike: bool,
    /// The sign of the curvature, if it is known exactly.
    bend: Option<Bend>,
}

/// A part of a chart that is yet to be enclosed.
struct Pending {
    /// The range of the coordinate.
    from: f64,
    to: f64,
    /// The excess of the part that was halved to give this one.
    excess_before: f64,
    halvings: u32,
    /// The number of halvings in a row that did not reduce the excess.
    without_gain: u32,
}

impl Pending {
    /// The whole of a chart.
    fn whole(chart: &Chart) -> Pending {
        let [from, to] = chart.v;
        Pending { from, to, excess_before: f64::INFINITY, halvings: 0, without_gain: 0 }
    }

    fn middle(&self) -> f64 {
        self.from / 2.0 + self.to / 2.0
    }

    /// Whether the part was halved often enough, or no float lies between its ends.
    fn is_smallest(&self) -> bool {
        self.halvings == MOST_HALVINGS || self.middle() <= self.from || self.middle() >= self.to
    }

    /// The right half and the left half, to be pushed on a stack in this order, so that the left half is taken next.
    fn halves(&self, excess: f64, without_gain: u32) -> [Pending; 2] {
        let half =
            |from: f64, to: f64| Pending { from, to, excess_before: excess, halvings: self.halvings + 1, without_gain };
        [half(self.middle(), self.to), half(self.from, self.middle())]
    }
}

/// How accurate a stretch is, and how far its chart has been cut.
struct Progress {
    /// The largest error of its series in units of the accepted error.
    excess: f64,
    /// The number of halvings in a row that did not reduce the excess.
    without_gain: u32,
    /// The number of stretches of the chart that were accepted before.
    count: usize,
}

/// The decision on a stretch.
enum Outcome {
    /// It is accepted with its series.
    Arc,
    /// It is accepted, but only its masses are kept.
    Lump,
    /// It is halved.
    Halve,
}

impl March<'_> {
    /// Whether more halvings of a stretch would not improve its series, or not noticeably.
    fn is_as_good_as_possible(&self, draft: &Draft, progress: &Progress) -> bool {
        let Progress { excess, without_gain, count } = *progress;
        let patience = if count < MANY_STRETCHES { PATIENCE } else { 1 };
        // If relative accuracy is asked for, small rates must be accurate, too.
        let is_mass_enough = !self.aim.relative_at_ends || count >= MANY_STRETCHES;
        let is_negligible = || is_mass_enough && without_gain >= patience && draft.excess_by_mass() <= 1.0;
        without_gain > 0 && excess <= SLIGHT_EXCESS || without_gain > 1 && excess <= ROUNDING_EXCESS || is_negligible()
    }

    /// Decides whether a stretch is accepted or halved. An error if it can be neither.
    fn decide(&self, draft: &Draft, part: &Pending, progress: &Progress) -> Result<Outcome, Trouble> {
        let Aim { reach, relative_at_ends, .. } = self.aim;
        let is_vague = draft.share.iter().any(|share| share.error() > VAGUE);
        if progress.excess <= 1.0 || self.is_as_good_as_possible(draft, progress) {
            return Ok(if is_vague { Outcome::Lump } else { Outcome::Arc });
        }
        let has_next_to_no_mass = draft.most_mass() <= libm::exp(-reach) && draft.excess_of_scores() <= 1.0;
        if has_next_to_no_mass && (!draft.is_directed() || relative_at_ends && is_vague) {
            return Ok(Outcome::Lump);
        }
        let are_too_many = progress.count > MOST_STRETCHES;
        if !part.is_smallest() && !are_too_many {
            return Ok(Outcome::Halve);
        }
        if are_too_many || !draft.rate.iter().all(Series::is_known) {
            return Err(Trouble::Irregular(draft.x[0].rough_range().mid()));
        }
        // The masses are enclosed, if not narrowly.
        Ok(if draft.is_directed() { Outcome::Arc } else { Outcome::Lump })
    }

    /// Halves the range of a chart until the series on each part are accepted. The pieces come from left to right.
    fn cover(&self, chart: &Chart) -> Result<Vec<UnplacedPiece>, Trouble> {
        let Aim { reach, rarity, .. } = self.aim;
        let Between { active, ends } = &self.between;
        let mut pieces: Vec<UnplacedPiece> = Vec::new();
        let mut pending = vec![Pending::whole(chart)];
        while let Some(part) = pending.pop() {
            let scores = chart.scores(part.from, part.to, *ends);
            let draft = Draft::new(&scores, active, self.alike, self.bend.as_ref());
            if draft.is_negative {
                return Err(Trouble::Negative(draft.x[0].rough_range().mid()));
            }
            let negligible_mass = chart.negligible_mass((part.from + part.to) / 2.0, reach);
            let excess = draft.excess(negligible_mass, rarity);
            let is_rarity_alone = rarity < 1.0 && draft.excess(negligible_mass, 1.0) <= 1.0;
            let gain = if is_rarity_alone { GAIN_OF_RARE } else { GAIN };
            let without_gain = if excess > gain * part.excess_before { part.without_gain + 1 } else { 0 };
            match self.decide(&draft, &part, &Progress { excess, without_gain, count: pieces.len() })? {
                Outcome::Arc => pieces.push(draft.into()),
                Outcome::Lump => pieces.push(draft.lump()),
                Outcome::Halve => pending.extend(part.halves(excess, without_gain)),
            }
        }
        Ok(pieces)
    }

    /// Encloses the tail on the left (0) or right (1) of a chart; `None` if the chart has no tail there.
    fn tail_of(&self, chart: &Chart, side: usize) -> Result<Option<Lump>, Trouble> {
        let enclose = |kind| self.between.enclose_tail(chart.coordinate, chart.v[side], kind, side == 0);
        chart.tails[side].map(enclose).transpose()
    }

    /// The tail on the left (0) or right (1) as a piece of the curve. `inner` is the score and one minus it where the tail meets its chart.
    fn tail_piece(&self, mut lump: Lump, side: usize, inner: [Interval; 2]) -> UnplacedPiece {
        if self.alike {
            lump.bend = Interval::ZERO;
        } else if let Some(bend) = &self.bend {
            lump.bend = bend.beyond(side, inner[0]);
        }
        let end = self.between.ends[side].enclosure();
        let outer = [end, Interval::ONE - end];
        UnplacedPiece::Lump { lump, x: if side == 0 { [outer, inner] } else { [inner, outer] } }
    }

    /// Encloses the densities between the two endpoints: all charts and their tails, from left to right.
    fn pieces(&self) -> Result<Vec<UnplacedPiece>, Trouble> {
        let mut pieces = Vec::new();
        let options = ChartOptions { exponential_at_ends: self.aim.relative_at_ends, linear_inside: true };
        for chart in self.between.charts(self.aim.reach, options) {
            // The tails come first: if one cannot be bounded, covering the chart is useless.
            let [left_tail, right_tail] = [self.tail_of(&chart, 0)?, self.tail_of(&chart, 1)?];
            let mut covered = self.cover(&chart)?;
            let edge =
                |piece: Option<&UnplacedPiece>, side: usize| piece.map_or([Interval::ALL; 2], |piece| piece.edge(side));
            let [left_edge, right_edge] = [edge(covered.first(), 0), edge(covered.last(), 1)];
            pieces.extend(left_tail.map(|lump| self.tail_piece(lump, 0, left_edge)));
            // At the left endpoint the densities may jump. They are smooth where the chart meets its tail or the chart before.
            mark_corners(&mut covered, !pieces.is_empty());
            pieces.extend(covered);
            pieces.extend(right_tail.map(|lump| self.tail_piece(lump, 1, right_edge)));
        }
        Ok(pieces)
    }
}

/// Clears the flag `smooth` of each arc at whose start the direction of the curve may change: after a lump, and at the first piece if
/// `is_continued` is false.
fn mark_corners(pieces: &mut [UnplacedPiece], mut is_continued: bool) {
    for piece in pieces {
        if let UnplacedPiece::Arc { smooth, .. } = piece {
            *smooth &= is_continued;
        }
        is_continued = !matches!(piece, UnplacedPiece::Lump { .. });
    }
}

/// Encloses the mass of one component, with a small relative error even if the mass is tiny, as in the far tail of a normal distribution.
pub(super) fn mass(part: &EnclosedComponent) -> Result<Interval, Trouble> {
    /// A smaller mass is enclosed again, with tails that are small compared to it.
    const SMALL: f64 = 0.01;
    /// The largest reach: `e^-650` is still a normal float.
    const FARTHEST: f64 = 650.0;
    let mass = mass_within(part, REACH)?;
    if mass.hi() >= SMALL || mass.hi() <= 0.0 {
        return Ok(mass);
    }
    mass_within(part, (REACH - libm::log(mass.hi())).min(FARTHEST))
}

/// Encloses the mass of one component, where the mass `e^-reach` may remain in tails.
fn mass_within(part: &EnclosedComponent, reach: f64) -> Result<Interval, Trouble> {
    let between = Between { active: [vec![part], Vec::new()], ends: part.ends.each_ref() };
    let aim = Aim { reach, relative_at_ends: false, rarity: 1.0 };
    let pieces = March { between, aim, alike: false, bend: None }.pieces()?;
    Ok(pieces.iter().fold(Interval::ZERO, |sum, piece| {
        sum + match piece {
            UnplacedPiece::Arc { draft, .. } => draft.rate[0].integral(),
            UnplacedPiece::Lump { lump, .. } => lump.mass[0],
            UnplacedPiece::Atom { .. } | UnplacedPiece::Gap { .. } => Interval::ZERO,
        }
    }))
}

impl EnclosedCurve {
    /// The curve of two densities. `alike` says that both classes have the same density; `exact` holds the two densities once more if both
    /// are piecewise polynomials.
    pub fn new(
        classes: [&EnclosedMixture; 2],
        alike: bool,
        aim: Aim,
        exact: Option<[&Piecewise; 2]>,
    ) -> Result<EnclosedCurve, Trouble> {
        let mut places = places(classes)?;
        let unit = Endpoint::unit();
        let probabilistic = are_within(&places, &unit)?;
        if probabilistic {
            unit.iter().try_for_each(|place| insert(&mut places, place))?;
        }
        let pieces = unplaced_pieces(&places, classes, alike, aim, exact)?;
        let range = [places.first(), places.last()].map(|p| p.map_or(Interval::ALL, |p| p.enclosure()));
        // For polynomials the exact level decides this, and faster.
        let convex = if exact.is_some() { None } else { is_convex(classes) };
        Ok(EnclosedCurve { patches: place_pieces(pieces), range, probabilistic, convex })
    }

    /// The ROC curve of a classifier that guesses: one straight piece from (0, 0) to (1, 1).
    pub fn diagonal() -> EnclosedCurve {
        let point = |below: Interval, above: Interval| EnclosedPoint {
            x: [below, above],
            below: [below; 2],
            above: [above; 2],
        };
        let (start, end) = (point(Interval::ZERO, Interval::ONE), point(Interval::ONE, Interval::ZERO));
        EnclosedCurve {
            patches: vec![Patch::straight(start, end, [Interval::ONE; 2])],
            range: [Interval::ZERO, Interval::ONE],
            probabilistic: true,
            convex: None,
        }
    }

    /// The kinds of pieces that the curve has.
    pub fn pieces(&self) -> Pieces {
        let has = |piece: Piece| self.patches.iter().any(|patch| patch.piece() == piece);
        let pure = self.massive().any(|patch| patch.share.iter().any(Series::is_zero));
        Pieces { ties: has(Piece::Tie), gaps: has(Piece::Gap), corners: true, pure }
    }

    /// The stretches that carry mass.
    pub fn massive(&self) -> impl DoubleEndedIterator<Item = &Patch> {
        self.patches.iter().filter(|p| p.has_mass())
    }
}

/// Whether all positions lie between two ends, or at them. An error if a position is too close to an end to tell.
fn are_within(places: &[&Endpoint], [lo, hi]: &[Endpoint; 2]) -> Result<bool, Trouble> {
    let mut are_within = true;
    for place in places {
        let [to_lo, to_hi] = [place.compare(lo).ok_or(Trouble::Order)?, place.compare(hi).ok_or(Trouble::Order)?];
        are_within &= to_lo != Ordering::Less && to_hi != Ordering::Greater;
    }
    Ok(are_within)
}

/// The pieces of the curve from left to right: atoms at the sorted positions `places`, and gaps, arcs and lumps between them. The other
/// arguments are those of [`EnclosedCurve::new`].
fn unplaced_pieces(
    places: &[&Endpoint],
    classes: [&EnclosedMixture; 2],
    alike: bool,
    aim: Aim,
    exact: Option<[&Piecewise; 2]>,
) -> Result<Vec<UnplacedPiece>, Trouble> {
    let mut pieces: Vec<UnplacedPiece> = Vec::new();
    for (k, place) in places.iter().enumerate() {
        let mass = mass_at(classes, place);
        if mass != [Interval::ZERO; 2] {
            pieces.push(UnplacedPiece::Atom { place: place.constant.clone(), mass });
        }
        let Some(next) = places.get(k + 1) else { break };
        let between = Between::new(classes, [place, next]);
        if between.active.iter().all(Vec::is_empty) {
            pieces.push(UnplacedPiece::Gap { ends: [place.enclosure(), next.enclosure()] });
            continue;
        }
        let bend = exact.and_then(|exact| Bend::between(exact, [place, next]));
        let mut arcs = March { between, aim, alike, bend }.pieces()?;
        if let (Some(UnplacedPiece::Arc { .. }), Some(UnplacedPiece::Arc { smooth, .. })) =
            (pieces.last(), arcs.first_mut())
        {
            *smooth |= exact.is_some_and(|exact| is_smooth_at(exact, place));
        }
        pieces.extend(arcs);
    }
    Ok(pieces)
}

/// The mass of each class on a piece, without the negative part of an enclosure.
fn piece_mass(piece: &UnplacedPiece) -> [Interval; 2] {
    match piece {
        UnplacedPiece::Arc { draft, .. } => draft.rate.map(|rate| {
            let mass = rate.integral();
            Interval::new(mass.lo().max(0.0), mass.hi().max(0.0))
        }),
        UnplacedPiece::Lump { lump, .. } => lump.mass,
        UnplacedPiece::Atom { mass, .. } => *mass,
        UnplacedPiece::Gap { .. } => [Interval::ZERO; 2],
    }
}

/// A point of the curve from the score and one minus it, and the masses of each class below and above. Masses lie between 0 and 1, and
/// those below and above add up to 1.
fn point(x: [Interval; 2], below: [Interval; 2], above: [Interval; 2]) -> EnclosedPoint {
    let within = |mass: Interval, other: Interval| mass.meet(Interval::UNIT).meet(Interval::ONE - other);
    EnclosedPoint {
        x,
        below: [0, 1].map(|class| within(below[class], above[class])),
        above: [0, 1].map(|class| within(above[class], below[class])),
    }
}

/// The patch of a stretch between two points: its distribution functions are the integrals of its rates.
fn arc_patch(draft: Draft, smooth: bool, start: EnclosedPoint, end: EnclosedPoint) -> Patch {
    Patch {
        motion: PatchMotion::Arc,
        below: [0, 1].map(|class| draft.rate[class].integrated_from(start.below[class])),
        above: [0, 1].map(|class| (-draft.rate[class]).integrated_from(start.above[class])),
        mean_scores: [draft.x[0].rough_range(); 2],
        x: draft.x,
        dx: draft.dx,
        rate: draft.rate,
        share: draft.share,
        turn: draft.turn,
        bend: draft.bend,
        start,
        end,
        smooth,
        tie: None,
    }
}

/// Places the pieces in the plane. The distribution functions at their ends are sums of the masses of the pieces, from the left and from
/// the right.
fn place_pieces(pieces: Vec<UnplacedPiece>) -> Vec<Patch> {
    let plus = |a: [Interval; 2], b: [Interval; 2]| [a[0] + b[0], a[1] + b[1]];
    let count = pieces.len();
    // The mass above the start of each piece.
    let mut above = vec![[Interval::ZERO; 2]; count + 1];
    for k in (0..count).rev() {
        above[k] = plus(above[k + 1], piece_mass(&pieces[k]));
    }
    // All mass together was certified to be 1.
    above[0] = [Interval::ONE; 2];
    let mut below_end = [Interval::ZERO; 2];
    let mut patches = Vec::with_capacity(count);
    for (k, piece) in pieces.into_iter().enumerate() {
        let below_start = below_end;
        below_end = if k + 1 == count { [Interval::ONE; 2] } else { plus(below_end, piece_mass(&piece)) };
        let start_at = |x: [Interval; 2]| point(x, below_start, above[k]);
        let end_at = |x: [Interval; 2]| point(x, below_end, above[k + 1]);
        let with_complement = |x: Interval| [x, Interval::ONE - x];
        patches.push(match piece {
            UnplacedPiece::Arc { draft, smooth } => {
                let [start, end] = draft.edges();
                arc_patch(*draft, smooth, start_at(start), end_at(end))
            }
            UnplacedPiece::Lump { lump, x } => {
                let mean_scores = lump.mean_scores;
                let patch = Patch::lump(start_at(x[0]), end_at(x[1]), lump.mass, mean_scores[0], lump.bend);
                Patch { mean_scores, ..patch }
            }
            UnplacedPiece::Atom { place, mass } => {
                let x = with_complement(place.enclosure);
                Patch { tie: Some(place), ..Patch::straight(start_at(x), end_at(x), mass) }
            }
            UnplacedPiece::Gap { ends } => {
                let [start, end] = ends.map(with_complement);
                Patch::straight(start_at(start), end_at(end), [Interval::ZERO; 2])
            }
        });
    }
    patches
}
