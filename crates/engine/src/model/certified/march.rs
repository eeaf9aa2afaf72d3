//! From densities to an enclosed curve.
//!
//! The score axis is cut at every declared place. Between two of them the densities are enclosed on stretches that are halved
//! until the series are good; their integrals, added up from both sides, are the distribution functions. Towards singular and
//! infinite ends a bound on the growth of the densities encloses the mass that no stretch reaches.

use super::bend::{Bend, goes_on};
use super::between::{Between, insert, mass_at, places};
use super::chart::Chart;
use super::draft::{Draft, Raw};
use super::mixture::{EnclosedComponent, EnclosedMixture};
use super::ratio::is_convex;
use super::scores::ScoreSeries;
use super::tail::Lump;
use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::endpoint::Endpoint;
use crate::model::piecewise::Piecewise;
use rocproof_arith::decimal::short;
use rocproof_arith::{Interval, Rational, Series, libm};
use rocproof_language::meaning::{Piece, Pieces};
use std::cmp::Ordering;
use std::fmt;

/// A series whose excess is at most this, and no better on a half, is as good as rounding allows.
const ROUNDED: f64 = 1e4;
/// The same bound after only one half that is not better: the series of a quotient may improve on the next half.
const SLIGHT: f64 = 10.0;
/// A half must reduce the excess by this factor.
const GAIN: f64 = 0.3;
/// The factor where only the share of a rare class asks for more: that share is half as large on a half.
const SMALL_GAIN: f64 = 0.7;
/// The largest number of halvings of a stretch.
pub(super) const MOST_HALVINGS: u32 = 60;
/// Beyond this number of stretches, one that no halving improves is accepted at once.
const MANY_STRETCHES: usize = 2_000;
/// The largest number of stretches of an interval.
pub(super) const MOST_STRETCHES: usize = 20_000;
/// The number of halvings without improvement after which a stretch with little at stake is accepted.
const PATIENCE: u32 = 4;
/// A share with a larger error than this gives no direction.
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
    /// The integral of a density that is divided by it could not be enclosed away from 0.
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
    /// Minus the logarithm of what may be left beyond all stretches.
    pub reach: f64,
    /// Whether rates should be relatively good towards every end.
    pub graded: bool,
    /// A share of a class below which it need not be known any better: small if a class is rare.
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
    /// Whether it is its own hull, where that is known without looking at it.
    pub convex: Option<bool>,
}

/// The densities between two endpoints, and how closely they are followed.
struct March<'a> {
    between: Between<'a>,
    aim: Aim,
    /// Whether both densities are one and the same.
    alike: bool,
    /// Which way the curve bends, where that is known exactly.
    bend: Option<Bend>,
}

impl March<'_> {
    /// Halves the range of a chart until the series on each part are accepted.
    fn cover(&self, stretch: &Chart) -> Result<Vec<Raw>, Trouble> {
        let Aim { reach, graded, rarity } = self.aim;
        let Between { active, ends } = &self.between;
        let mut found: Vec<Raw> = Vec::new();
        let mut pending = vec![(stretch.v[0], stretch.v[1], f64::INFINITY, 0, 0)];
        while let Some((from, to, before, halvings, in_vain)) = pending.pop() {
            let (lo, hi) = (Interval::from(from), Interval::from(to));
            let half = (hi - lo) * Interval::from(0.5);
            let v = Series::linear((hi + lo) * Interval::from(0.5), half);
            let site = ScoreSeries::new(stretch.coordinate, v, half, *ends);
            let draft = Draft::new(&site, active, self.alike, self.bend.as_ref());
            if draft.is_negative {
                return Err(Trouble::Negative(draft.x[0].rough_range().mid()));
            }
            let negligible = stretch.negligible((from + to) / 2.0, reach);
            let excess = draft.excess(negligible, rarity);
            // Where only a rare class asks for more, the error falls with the share.
            let gain = if rarity < 1.0 && draft.excess(negligible, 1.0) <= 1.0 { SMALL_GAIN } else { GAIN };
            let in_vain = if excess > gain * before { in_vain + 1 } else { 0 };
            let patience = if found.len() < MANY_STRETCHES { PATIENCE } else { 1 };
            // Where rates must be relatively good it does not matter how little they are.
            let at_ease = !graded || found.len() >= MANY_STRETCHES;
            let little = at_ease && in_vain >= patience && draft.stake() <= 1.0;
            let rounded = in_vain > 0 && excess <= SLIGHT || in_vain > 1 && excess <= ROUNDED || little;
            let is_vague = draft.share.iter().any(|share| share.error() > VAGUE);
            if excess <= 1.0 || rounded {
                found.push(if is_vague { draft.lump() } else { draft.into() });
                continue;
            }
            let negligible = draft.most_mass() <= libm::exp(-reach) && draft.excess_of_scores() <= 1.0;
            if negligible && (!draft.is_directed() || graded && is_vague) {
                found.push(draft.lump());
                continue;
            }
            let middle = from / 2.0 + to / 2.0;
            if halvings == MOST_HALVINGS || found.len() > MOST_STRETCHES || middle <= from || middle >= to {
                if !draft.rate.iter().all(Series::is_known) || found.len() > MOST_STRETCHES {
                    return Err(Trouble::Irregular(draft.x[0].rough_range().mid()));
                }
                found.push(if draft.is_directed() { draft.into() } else { draft.lump() });
                continue;
            }
            pending.push((middle, to, excess, halvings + 1, in_vain));
            pending.push((from, middle, excess, halvings + 1, in_vain));
        }
        Ok(found)
    }

    /// Follows the densities from one place to the other.
    fn arc(&self) -> Result<Vec<Raw>, Trouble> {
        let ends = self.between.ends;
        let mut found = Vec::new();
        for stretch in self.between.charts(self.aim.reach, self.aim.graded, true) {
            // Where a tail cannot be bounded, following its stretch is useless.
            let beyond = |side: usize| {
                let rest = stretch.beyond[side]
                    .map(|rest| self.between.enclose_tail(stretch.coordinate, stretch.v[side], rest, side == 0));
                rest.transpose()
            };
            let [before, after] = [beyond(0)?, beyond(1)?];
            let covered = self.cover(&stretch)?;
            let edge = |raw: Option<&Raw>, side: usize| raw.map_or([Interval::ALL; 2], |raw| raw.edge(side));
            let outer = |side: usize| {
                let place = ends[side].enclosure();
                [place, Interval::ONE - place]
            };
            let [first, inner] = [edge(covered.first(), 0), edge(covered.last(), 1)];
            let bends = |lump: &Lump, side: usize, score: Interval| match &self.bend {
                _ if self.alike => Interval::ZERO,
                Some(bend) => bend.beyond(side, score),
                None => lump.bend,
            };
            if let Some(mut lump) = before {
                lump.bend = bends(&lump, 0, first[0]);
                found.push(Raw::Lump { lump, x: [outer(0), first] });
            }
            // After a jump of the densities, or where their direction is not known, nothing goes on.
            let mut goes_on = !found.is_empty();
            for raw in covered {
                let is_lump = matches!(raw, Raw::Lump { .. });
                found.push(match raw {
                    Raw::Arc { draft, smooth } => Raw::Arc { draft, smooth: smooth && goes_on },
                    other => other,
                });
                goes_on = !is_lump;
            }
            if let Some(mut lump) = after {
                lump.bend = bends(&lump, 1, inner[0]);
                found.push(Raw::Lump { lump, x: [inner, outer(1)] });
            }
        }
        Ok(found)
    }
}

/// The mass of one part, relatively good also where it is tiny: the far tail of a bell, say.
pub(super) fn mass(part: &EnclosedComponent) -> Result<Interval, Trouble> {
    const SMALL: f64 = 0.01;
    let found = mass_within(part, REACH)?;
    if found.hi() >= SMALL || found.hi() <= 0.0 {
        return Ok(found);
    }
    mass_within(part, (REACH - libm::log(found.hi())).min(650.0))
}

fn mass_within(part: &EnclosedComponent, reach: f64) -> Result<Interval, Trouble> {
    let between = Between { active: [vec![part], Vec::new()], ends: part.ends.each_ref() };
    let aim = Aim { reach, graded: false, rarity: 1.0 };
    let raw = March { between, aim, alike: false, bend: None }.arc()?;
    Ok(raw.iter().fold(Interval::ZERO, |sum, raw| {
        sum + match raw {
            Raw::Arc { draft, .. } => draft.rate[0].integral(),
            Raw::Lump { lump, .. } => lump.mass[0],
            Raw::Atom { .. } | Raw::Gap { .. } => Interval::ZERO,
        }
    }))
}

impl EnclosedCurve {
    /// The curve of two densities. `alike` says that they are one and the same; `exact` are the same densities where both are piecewise
    /// polynomials.
    pub fn new(
        classes: [&EnclosedMixture; 2],
        alike: bool,
        aim: Aim,
        exact: Option<[&Piecewise; 2]>,
    ) -> Result<EnclosedCurve, Trouble> {
        let mut places = places(classes)?;
        let unit = [Rational::ZERO, Rational::ONE].map(Endpoint::rational);
        let inside = |place: &&Endpoint| {
            let [from, to] = [place.compare(&unit[0]), place.compare(&unit[1])];
            Ok(from.ok_or(Trouble::Order)? != Ordering::Less && to.ok_or(Trouble::Order)? != Ordering::Greater)
        };
        let probabilistic = places.iter().map(inside).collect::<Result<Vec<_>, _>>()?.into_iter().all(|inside| inside);
        if probabilistic {
            unit.iter().try_for_each(|place| insert(&mut places, place))?;
        }
        let mut raw: Vec<Raw> = Vec::new();
        for (k, place) in places.iter().enumerate() {
            let mass = mass_at(classes, place);
            if mass != [Interval::ZERO; 2] {
                raw.push(Raw::Atom { place: place.constant.clone(), mass });
            }
            let Some(next) = places.get(k + 1) else { break };
            let between = Between::new(classes, [place, next]);
            if between.active.iter().all(Vec::is_empty) {
                raw.push(Raw::Gap { ends: [place.enclosure(), next.enclosure()] });
            } else {
                let bend = exact.and_then(|exact| Bend::between(exact, [place, next]));
                let mut found = March { between, aim, alike, bend }.arc()?;
                if let (Some(Raw::Arc { smooth, .. }), Some(Raw::Arc { .. })) = (found.first_mut(), raw.last()) {
                    *smooth |= exact.is_some_and(|exact| goes_on(exact, place));
                }
                raw.extend(found);
            }
        }
        let range = [places.first(), places.last()].map(|p| p.map_or(Interval::ALL, |p| p.enclosure()));
        // Of polynomials the exact level tells, and faster.
        let convex = if exact.is_some() { None } else { is_convex(classes) };
        Ok(EnclosedCurve { patches: patches(raw), range, probabilistic, convex })
    }

    /// The ROC curve of chance.
    pub fn diagonal() -> EnclosedCurve {
        let point = |v: Interval, w: Interval| EnclosedPoint { x: [v, w], below: [v; 2], above: [w; 2] };
        let (start, end) = (point(Interval::ZERO, Interval::ONE), point(Interval::ONE, Interval::ZERO));
        EnclosedCurve {
            patches: vec![Patch::straight(start, end, [Interval::ONE; 2])],
            range: [Interval::ZERO, Interval::ONE],
            probabilistic: true,
            convex: None,
        }
    }

    /// Of which pieces it is made.
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

/// Adds up masses from both sides.
fn patches(raw: Vec<Raw>) -> Vec<Patch> {
    let mass = |raw: &Raw| match raw {
        Raw::Arc { draft, .. } => draft.rate.map(|r| {
            let mass = r.integral();
            Interval::new(mass.lo().max(0.0), mass.hi().max(0.0))
        }),
        Raw::Lump { lump, .. } => lump.mass,
        Raw::Atom { mass, .. } => *mass,
        Raw::Gap { .. } => [Interval::ZERO; 2],
    };
    let plus = |a: [Interval; 2], b: [Interval; 2]| [a[0] + b[0], a[1] + b[1]];
    let mut above = vec![[Interval::ZERO; 2]; raw.len() + 1];
    for k in (0..raw.len()).rev() {
        above[k] = plus(above[k + 1], mass(&raw[k]));
    }
    let mut below = [Interval::ZERO; 2];
    let count = raw.len();
    let mut patches = Vec::with_capacity(count);
    for (k, raw) in raw.into_iter().enumerate() {
        let masses = mass(&raw);
        let before = below;
        // All of the mass is 1: that much was certified.
        below = if k + 1 == count { [Interval::ONE; 2] } else { plus(below, masses) };
        above[0] = [Interval::ONE; 2];
        let spot = |x: [Interval; 2], below: [Interval; 2], above: [Interval; 2]| {
            // All rates lie between 0 and 1, and each knows the other.
            let within = |v: Interval, other: Interval| v.meet(Interval::UNIT).meet(Interval::ONE - other);
            EnclosedPoint {
                x,
                below: [0, 1].map(|k| within(below[k], above[k])),
                above: [0, 1].map(|k| within(above[k], below[k])),
            }
        };
        let of = |x: Interval| [x, Interval::ONE - x];
        patches.push(match raw {
            Raw::Arc { draft: d, smooth } => {
                let ends = d.x.map(|x| x.ends());
                let start = spot([ends[0][0], ends[1][0]], before, above[k]);
                let end = spot([ends[0][1], ends[1][1]], below, above[k + 1]);
                Patch {
                    motion: PatchMotion::Arc,
                    below: [0, 1].map(|c| d.rate[c].integrated_from(start.below[c])),
                    above: [0, 1].map(|c| (-d.rate[c]).integrated_from(start.above[c])),
                    mean_scores: [d.x[0].rough_range(); 2],
                    x: d.x,
                    dx: d.dx,
                    rate: d.rate,
                    share: d.share,
                    turn: d.turn,
                    bend: d.bend,
                    start,
                    end,
                    smooth,
                    tie: None,
                }
            }
            Raw::Lump { lump, x } => {
                let (start, end) = (spot(x[0], before, above[k]), spot(x[1], below, above[k + 1]));
                let mean_scores = lump.mean_scores;
                Patch { mean_scores, ..Patch::lump(start, end, lump.mass, mean_scores[0], lump.bend) }
            }
            Raw::Atom { place, mass } => {
                let x = of(place.enclosure);
                let (start, end) = (spot(x, before, above[k]), spot(x, below, above[k + 1]));
                Patch { tie: Some(place), ..Patch::straight(start, end, mass) }
            }
            Raw::Gap { ends } => {
                let (start, end) = (spot(of(ends[0]), before, above[k]), spot(of(ends[1]), below, above[k + 1]));
                Patch::straight(start, end, [Interval::ZERO; 2])
            }
        });
    }
    patches
}
