//! The upper hull of a ROC curve at the certified level.
//!
//! Where a stretch bends towards class 1 is proved first. A hull is then proposed in floating point, from points along the
//! curve, and held against the curve with enclosures. What the hull is worth for values and what it says of the shape are two
//! things:
//!
//! - Values: the proposal is a chain of stretches of the curve and of chords between its points, so it lies inside the hull. Nothing
//!   under a chord lies further beyond it than its excess, and a convex curve lies close to the chain: both together bound how far
//!   the hull can lie beyond the chain (`slack`).
//! - Shape: the ends of each chord exist and are unique in a small interval, what lies under a chord does lie under it, and no corner
//!   turns back; or the place where that could not be seen is named.
//!
//! What is known of a curve without looking at it counts first: formulas may tell that it is convex or not, and exact arithmetic where its
//! chords are.
//!
//! | file | what it does |
//! | --- | --- |
//! | `pieces` | cuts the curve where it stops bending one way |
//! | `proposal` | a hull of points, in floating point |
//! | `chord` | where chords touch, and what may lie beyond them |
//! | `slack` | how far a chain may be from convex |

mod chord;
mod pieces;
mod proposal;
mod slack;

use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use chord::{Chord, Contact, Overshoot, Seeker, turn};
use pieces::{SignedPiece, pieces, sign_of, turns_back};
use proposal::{proposed, samples};
use rocproof_arith::{Interval, Series};
pub use slack::Slack;
use slack::{gathered, off_convex, off_passed};

/// Points at which a hull is looked for on each stretch that can be on it, in turn until it is verified.
const SAMPLES: [usize; 3] = [8, 32, 256];
/// How often points that lie beyond chords are added.
const MOST_ROUNDS: usize = 8;
/// A slack that more points are not worth.
const CLOSE: f64 = 1e-13;

/// A slack that no value feels.
const NOTHING: f64 = 1e-17;

/// A direction that is known no better than this is none.
const NO_DIRECTION: f64 = 0.125;

/// The hull of a curve, verified as far as it could be.
#[derive(Clone, Debug)]
pub struct EnclosedHull {
    /// A chain of stretches of the curve and chords of it that are close to its hull: what values are read from.
    pub curve: EnclosedCurve,
    /// Areas and refinement losses of the hull differ from those of that chain by at most twice this.
    pub slack: f64,
    /// Losses differ by at most twice the sum of these, each weighted with the proportions and with the mass of the conditions it is about.
    pub off: Vec<Slack>,
    /// Whether the curve is its own hull.
    pub convex: Option<bool>,
    /// The non-hull intervals, their ends enclosed.
    pub gaps: Vec<[Interval; 2]>,
    /// The hull with its places of tangency enclosed, if everything about its shape is decided.
    pub decided: Option<EnclosedCurve>,
    /// A score near which something about its shape could not be decided.
    pub undecided: Option<f64>,
}

/// The hull of a curve.
pub fn enclosed_hull(curve: &EnclosedCurve) -> EnclosedHull {
    let pieces = pieces(curve);
    let mut best: Option<EnclosedHull> = None;
    for count in SAMPLES {
        let hull = attempts(curve, &pieces, count);
        // Where more points gain nothing, still more will not.
        let gains = best.as_ref().is_none_or(|best| {
            let decides = hull.undecided.is_none() && best.undecided.is_some();
            decides || (hull.slack < best.slack / 2.0 && (hull.undecided.is_none() || best.undecided.is_some()))
        });
        if gains {
            best = Some(hull);
        }
        if !gains || best.as_ref().is_some_and(|best| best.slack < CLOSE) {
            break;
        }
    }
    let best = best.unwrap_or_else(|| EnclosedHull {
        curve: curve.clone(),
        slack: 1.0,
        off: vec![Slack::anywhere(1.0)],
        convex: None,
        gaps: Vec::new(),
        decided: None,
        undecided: Some(0.0),
    });
    match curve.convex {
        Some(true) => {
            EnclosedHull { convex: Some(true), gaps: Vec::new(), decided: Some(curve.clone()), undecided: None, ..best }
        }
        Some(false) => EnclosedHull { convex: Some(false), ..best },
        None => best,
    }
}

/// The hull of a curve whose chords are known: they lead from one of these points to the other, and touch the curve inside where it says so.
/// `None` if such a point could not be placed.
pub fn hull_with_chords(curve: &EnclosedCurve, chords: &[[(EnclosedPoint, bool); 2]]) -> Option<EnclosedCurve> {
    let pieces = pieces(curve);
    let seeker = Seeker { pieces: &pieces, step: 1.0 };
    let contact = |(spot, is_tangent): &(EnclosedPoint, bool)| {
        if *is_tangent { Contact::inside(&pieces, spot) } else { Contact::at_joint(&pieces, spot) }
    };
    let chord = |[from, to]: &[(EnclosedPoint, bool); 2]| Some(Chord { from: contact(from)?, to: contact(to)? });
    let chords: Vec<Chord> =
        chords.iter().map(|ends| Some(seeker.beside_gaps(&chord(ends)?))).collect::<Option<_>>()?;
    let patches = chain(&pieces, &chords, Ends::Enclosed)?;
    Some(EnclosedCurve { patches: with_gaps(curve, patches), convex: Some(true), ..curve.clone() })
}

/// Looks for a hull through so many points on each stretch. What then lies beyond a chord, however short it is beside the stretch, is
/// taken for a point, too.
fn attempts(curve: &EnclosedCurve, pieces: &[SignedPiece], count: usize) -> EnclosedHull {
    let (mut best, mut peaks) = attempt(curve, pieces, count, &[]);
    let mut among = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if peaks.is_empty() || best.slack < CLOSE {
            break;
        }
        among.extend(peaks);
        let (hull, beyond) = attempt(curve, pieces, count, &among);
        if hull.slack > best.slack / 2.0 && (hull.undecided.is_some() || best.undecided.is_none()) {
            break;
        }
        (best, peaks) = (hull, beyond);
    }
    best
}

/// A hull through some points, and places that lie beyond its chords.
fn attempt(
    curve: &EnclosedCurve,
    pieces: &[SignedPiece],
    count: usize,
    among: &[(usize, f64)],
) -> (EnclosedHull, Vec<(usize, f64)>) {
    let samples = samples(pieces, count, among);
    let hull = proposed(&samples);
    let seeker = Seeker { pieces, step: 2.0 / count as f64 };
    let mut chords: Vec<Chord> = Vec::new();
    for pair in hull.windows(2) {
        let (left, right) = (&samples[pair[0]], &samples[pair[1]]);
        // The piece that starts at, or holds, the left sample.
        let first = if left.is_end() { left.piece + 1 } else { left.piece };
        let is_next = pair[1] == pair[0] + 1;
        if is_next && pieces[first..=right.piece].iter().all(|piece| piece.bend != Some(-1)) {
            continue;
        }
        let chord = seeker.chord(left, right);
        let fits = chords.last().is_none_or(|last| last.to.is_before(&chord.from)) && chord.from.is_before(&chord.to);
        if fits {
            chords.push(chord);
        } else {
            push_between(&mut chords, seeker.beside_gaps(&Chord::between(left, right)));
        }
    }
    let mut undecided = None;
    let (mut outside, mut peaks) = (Vec::new(), Vec::new());
    for chord in &chords {
        let beyond = seeker.beyond(chord);
        if beyond.place.is_some() || !chord.is_drawn() {
            let Overshoot { excess, directions, peaks: more, .. } = seeker.beyond_drawn(chord);
            peaks.extend(more);
            outside.extend(directions.map(|directions| Slack { directions, ..Slack::anywhere(excess) }));
        }
        if undecided.is_none() {
            let unproved = |end: &Contact| (!end.is_proved()).then(|| seeker.spots(end).x[0].mid());
            undecided = unproved(&chord.from).or_else(|| unproved(&chord.to)).or(beyond.place);
        }
    }
    let whole = |patches: Vec<Patch>| EnclosedCurve { patches: with_gaps(curve, patches), ..curve.clone() };
    let gaps =
        chords.iter().map(|chord| [&chord.from, &chord.to].map(|end| seeker.spots(end).x[0])).collect::<Vec<_>>();
    let bends_back = pieces.iter().any(|p| p.bend == Some(-1) || p.is_alone_too_early())
        || (1..pieces.len()).any(|k| turns_back(pieces, k));
    let Some(as_drawn) = chain(pieces, &chords, Ends::Drawn) else {
        let all = pieces.iter().map(|piece| piece.patch.clone()).collect();
        let convex = bends_back.then_some(false);
        let undecided = undecided.or(pieces.first().map(SignedPiece::x));
        let off = vec![Slack::anywhere(1.0)];
        return (EnclosedHull { curve: whole(all), slack: 1.0, off, convex, gaps, decided: None, undecided }, peaks);
    };
    let enclosed = if undecided.is_none() { chain(pieces, &chords, Ends::Enclosed) } else { None };
    let undecided = undecided.or_else(|| match &enclosed {
        Some(enclosed) => unproved_corner(enclosed),
        // Two places of tangency that cannot be told apart.
        None => chords.first().map(|chord| seeker.spots(&chord.from).x[0].mid()),
    });
    let convex = if bends_back {
        Some(false)
    } else if undecided.is_none() && gaps.is_empty() {
        Some(true)
    } else {
        None
    };
    // A gap where nothing is seen to bend back is not decided.
    let undecided = undecided.or_else(|| pieces.first().filter(|_| convex.is_none()).map(SignedPiece::x));
    let as_drawn = without_vague_directions(as_drawn);
    let (slack, off) = off_hull(&as_drawn, outside);
    let tangent_slack = seeker.off_as_drawn(&chords);
    let (drawn, slack, off) = match chain(pieces, &chords, Ends::Tangent) {
        // Where the shape is decided, a chord is drawn off by no more than its places of tangency are not known.
        Some(tangent) if undecided.is_none() && tangent_slack <= slack.max(NOTHING) => {
            (without_vague_directions(tangent), tangent_slack, vec![Slack::anywhere(tangent_slack)])
        }
        _ => (as_drawn, slack, off),
    };
    let decided = enclosed.filter(|_| undecided.is_none()).map(whole);
    (EnclosedHull { curve: whole(drawn), slack: slack.min(1.0), off, convex, gaps, decided, undecided }, peaks)
}

/// How far a chain is off the hull: in areas and refinement losses, and in losses. Why this is enough is said in `slack`.
fn off_hull(chain: &[Patch], outside: Vec<Slack>) -> (f64, Vec<Slack>) {
    let ((by_moving, moved), (by_passing, passed)) = (off_convex(chain), off_passed(chain));
    let excess = outside.iter().map(|off| off.by).fold(0.0, f64::max);
    ((excess + by_moving + by_passing) * (1.0 + 1e-15), gathered([outside, moved, passed].concat()))
}

/// Adds a chord from one sample to another, and keeps the one before from overlapping it: where a curve is straight but for rounding,
/// places of tangency may be anywhere.
fn push_between(chords: &mut Vec<Chord>, between: Chord) {
    if let Some(last) = chords.pop_if(|last| !last.to.is_before(&between.from))
        && last.from.is_before(&between.from)
    {
        chords.push(Chord { from: Contact { around: None, ..last.from }, to: between.from });
    }
    chords.push(between);
}

/// A score near which a chain is not seen to turn towards class 1.
fn unproved_corner(patches: &[Patch]) -> Option<f64> {
    let mut last: Option<&Patch> = None;
    let mut proved = false;
    for (k, patch) in patches.iter().enumerate() {
        let bends = match patch.motion {
            PatchMotion::Arc => sign_of(patch.bend.range()),
            PatchMotion::Lump if !patch.is_directed() => sign_of(patch.bend.rough_range()),
            _ => Some(0),
        };
        if bends.is_none_or(|sign| sign < 0) {
            return Some(patch.end.x[0].mid());
        }
        if !patch.is_directed() {
            // Inside the curve a stretch without a direction may start in any, whatever way it bends; but in one that holds a place of
            // tangency the direction is that of the chord and turns no other way.
            // At an end of the curve its direction where it ends inside is that of the arc that goes on from it, and of nothing else.
            let goes_on = |next: &Patch| next.motion == PatchMotion::Arc && next.smooth;
            let comes_from = |last: &Patch| last.motion == PatchMotion::Arc;
            let is_bound = match (k.checked_sub(1).map(|k| &patches[k]), patches.get(k + 1)) {
                (None, next) => next.is_none_or(goes_on),
                (Some(last), None) => comes_from(last),
                (Some(_), Some(_)) => false,
            };
            if !patch.smooth && !is_bound {
                return Some(if k == 0 { patch.end.x[0].mid() } else { patch.start.x[0].mid() });
            }
            proved |= patch.smooth;
            continue;
        }
        if let Some(last) = last.filter(|_| !patch.smooth && !proved) {
            let corner = turn(last.direction(Interval::ONE), patch.direction(-Interval::ONE));
            // Not a number: nothing is known.
            if corner.lo().is_nan() || corner.lo() < 0.0 {
                return Some(patch.start.x[0].mid());
            }
        }
        (last, proved) = (Some(patch), false);
    }
    None
}

/// How the ends of chords are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// As they are drawn.
    Drawn,
    /// As they are drawn, but with the direction that the curve has where it is touched.
    Tangent,
    /// By all places that they may be.
    Enclosed,
}

/// The hull as a chain of patches; `None` if chords overlap.
fn chain(pieces: &[SignedPiece], chords: &[Chord], ends: Ends) -> Option<Vec<Patch>> {
    let places =
        |contact: &Contact| contact.around.filter(|_| ends == Ends::Enclosed).unwrap_or(Interval::from(contact.u));
    let last = Contact { piece: pieces.len().checked_sub(1)?, u: 1.0, is_tangent: false, around: None };
    let mut at = Contact { piece: 0, u: -1.0, ..last };
    let mut patches: Vec<Patch> = Vec::new();
    // After a chord the direction may jump, until the hull has gone on along the curve.
    let mut after_chord = false;
    for to in chords.iter().map(|chord| &chord.from).chain([&last]) {
        if !at.is_before(to) {
            return None;
        }
        patches.extend(sliver(&pieces[at.piece].patch, places(&at)));
        for (index, piece) in pieces.iter().enumerate().take(to.piece + 1).skip(at.piece) {
            let patch = &piece.patch;
            let from = if index == at.piece { places(&at).hi() } else { -1.0 };
            let end = if index == to.piece { places(to).lo() } else { 1.0 };
            if from < end {
                let part = if (from, end) == (-1.0, 1.0) { patch.clone() } else { patch.part(from, end) };
                let smooth = part.smooth && !after_chord;
                after_chord &= !part.is_directed();
                patches.push(Patch { smooth, ..part });
            } else if from > end {
                return None;
            }
        }
        patches.extend(sliver(&pieces[to.piece].patch, places(to)));
        if let Some(chord) = chords.iter().find(|chord| std::ptr::eq(&chord.from, to)) {
            patches.push(drawn(pieces, chord, places, ends != Ends::Drawn));
            (at, after_chord) = (chord.to, true);
        }
    }
    Some(patches)
}

/// A chord as a stretch; if its places of tangency count, with the direction that the curve has there.
fn drawn(pieces: &[SignedPiece], chord: &Chord, places: impl Fn(&Contact) -> Interval, is_tangent: bool) -> Patch {
    let spot = |contact: &Contact| pieces[contact.piece].at(places(contact));
    let (a, b) = (spot(&chord.from), spot(&chord.to));
    let mass = a.towards(&b).map(|m| Interval::new(m.lo().max(0.0), m.hi().max(0.0)));
    let mut patch = Patch::straight(a, b, mass);
    for (contact, around) in [&chord.from, &chord.to].into_iter().filter_map(|c| Some((c, c.around?))) {
        if !is_tangent {
            break;
        }
        let direction = pieces[contact.piece].patch.direction(around);
        for (share, known) in patch.share.iter_mut().zip(direction) {
            *share = Series::from(share.rough_range().meet(known));
        }
    }
    patch
}

/// The same chain without directions that are known worse than little mass is worth: the loss depends on how the direction changes
/// along a stretch, and at a corner on where it goes from and to, while a stretch without a direction counts by its mass.
fn without_vague_directions(mut patches: Vec<Patch>) -> Vec<Patch> {
    for (place, is_forward) in [(-1.0, true), (1.0, false)] {
        let mut at_corner = true;
        for step in 0..patches.len() {
            let k = if is_forward { step } else { patches.len() - 1 - step };
            let patch = &patches[k];
            // Going forward a corner is before a stretch, going back it is before the one that was looked at last.
            let is_corner = if is_forward { !patch.smooth } else { patches.get(k + 1).is_none_or(|next| !next.smooth) };
            at_corner |= is_corner || !patch.is_directed();
            if !patch.is_directed() {
                continue;
            }
            let widths = patch.direction(Interval::from(place)).map(Interval::width);
            let of_corner = if at_corner { widths[0].max(widths[1]) } else { 0.0 };
            let along = [patch.share[0], patch.share[1], patch.turn].iter().map(Series::error).fold(0.0, f64::max);
            let vague = of_corner.max(along);
            at_corner = 4.0 * patch.most_mass() < vague;
            // A straight stretch counts its direction at both of its corners, and the two cancel but for its mass.
            let is_straight = patch.motion == PatchMotion::Straight && vague < NO_DIRECTION;
            if at_corner && !is_straight {
                patches[k] = without_direction(patch);
            }
        }
    }
    patches
}

/// The same stretch, of whose direction only the range is known.
fn without_direction(patch: &Patch) -> Patch {
    let mass = patch.start.towards(&patch.end).map(|m| Interval::new(m.lo().max(0.0), m.hi().max(0.0)));
    let mean_scores = patch.mean_scores;
    let lump = Patch::lump(patch.start, patch.end, mass, mean_scores[0].hull(mean_scores[1]), patch.bend.rough_range());
    let share = patch.share.map(|share| Series::from(share.range().meet(Interval::UNIT)));
    Patch { smooth: patch.smooth, share, mean_scores, ..lump }
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

#[cfg(test)]
impl EnclosedHull {
    /// A polygon with these masses of both classes, taken for its own hull as far as it is.
    pub(crate) fn of_polygon(steps: &[[f64; 2]], lumps: &[usize]) -> EnclosedHull {
        let mut patches = slack::tests::polygon(steps);
        for k in lumps {
            let [start, end] = [patches[*k].start, patches[*k].end];
            patches[*k] = Patch::lump(start, end, steps[*k].map(Interval::from), Interval::ZERO, Interval::ALL);
        }
        let (slack, off) = off_hull(&patches, Vec::new());
        let curve = EnclosedCurve { patches, ..EnclosedCurve::diagonal() };
        EnclosedHull { curve, slack, off, convex: None, gaps: Vec::new(), decided: None, undecided: Some(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::certified::enclosed_curve;
    use crate::model::Model;
    use slack::tests::polygon;

    /// The hull of a polygon whose second stretch has no direction.
    fn with_lump(steps: &[[f64; 2]]) -> EnclosedHull {
        let mut patches = polygon(steps);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, steps[1].map(Interval::from), Interval::ZERO, Interval::ALL);
        let hull = enclosed_hull(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() });
        assert!(hull.undecided.is_some() && hull.decided.is_none());
        hull
    }

    /// What is not known of a curve is in the slack of its hull, on the hull and under a chord.
    #[test]
    fn what_is_not_known_is_slack() {
        // From (1/2, 1/4) it may go on to (9/16, 1/4), which is outside the line to (9/16, 5/16) by 1/32.
        let on_hull = with_lump(&[[0.5, 0.25], [0.0625, 0.0625], [0.4375, 0.6875]]).slack;
        assert!((0.015..=1.0).contains(&on_hull), "{on_hull}");
        // The corner of the lump is (5/8, 1/4), and the hull without it the diagonal.
        let under_chord = with_lump(&[[0.125, 0.25], [0.5, 0.5], [0.375, 0.25]]);
        assert!((0.1875..=1.0).contains(&under_chord.slack), "{}", under_chord.slack);
        let beyond = |off: &Slack| off.by >= 0.1875 && off.directions == Interval::UNIT;
        assert!(under_chord.off.iter().any(beyond), "{:?}", under_chord.off);
        // Places of tangency are not known to the last.
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let hull = enclosed_hull(&enclosed_curve(&model, 1.0).unwrap());
        assert!(hull.undecided.is_none() && hull.slack > 0.0 && hull.slack < 1e-20, "{}", hull.slack);
    }
    /// With its chords told, a hull is the one that was found without; and nothing is made up where they do not fit.
    #[test]
    fn chords_may_be_told() {
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let curve = enclosed_curve(&model, 1.0).unwrap();
        let chords = |hull: &EnclosedCurve| -> Vec<[EnclosedPoint; 2]> {
            let straight = hull.patches.iter().filter(|patch| patch.motion == PatchMotion::Straight);
            straight.map(|patch| [patch.start, patch.end]).collect()
        };
        let found = chords(&enclosed_hull(&curve).decided.unwrap());
        assert_eq!(found.len(), 2);
        // The first one starts at the corner where the curve does.
        let told = [[(found[0][0], false), (found[0][1], true)], [(found[1][0], true), (found[1][1], true)]];
        let hull = hull_with_chords(&curve, &told).unwrap();
        assert_eq!(hull.convex, Some(true));
        for (a, b) in chords(&hull).concat().iter().zip(found.concat()) {
            assert!(a.x[0].meets(b.x[0]) && a.below[0].meets(b.below[0]) && a.x[0].width() < 1e-9, "{a:?} {b:?}");
        }
        assert!(hull_with_chords(&curve, &[told[1], told[0]]).is_none());
        assert!(hull_with_chords(&curve, &[[(found[1][0], false), told[1][1]]]).is_none());
    }

    /// Chords that are short beside the stretches they touch are found: around a corner that hardly turns back, and at an end where
    /// the curve bends back at last.
    #[test]
    fn short_chords_are_found() {
        for (f1, ends) in [
            ("{ 2*x on [0, 1/2]; 2*x + 1/2500*(x - 1/2) - 1/10000 on [1/2, 1] }", [0.499975, 0.500025]),
            ("3000/1997*x*(999/500 - x)", [0.9985, 1.0]),
        ] {
            let model = crate::Model::new("uniform(0, 1)", f1, "1/2").unwrap();
            let hull = enclosed_hull(&enclosed_curve(&model, 1.0).unwrap());
            assert!(
                hull.slack < 1e-12 && hull.convex == Some(false) && hull.gaps.len() == 1,
                "{f1}: {} {:?} {:?}",
                hull.slack,
                hull.undecided,
                hull.gaps
            );
            let near = |gap: Interval, end: f64| (gap.mid() - end).abs() < 1e-6;
            assert!(near(hull.gaps[0][0], ends[0]) && near(hull.gaps[0][1], ends[1]), "{f1}: {:?}", hull.gaps);
        }
    }
}
