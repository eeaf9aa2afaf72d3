//! The upper hull of a ROC curve at the certified level.
//!
//! The curve is cut at its inflections into pieces that bend one way. A hull of sample points is proposed in floating point. Then the
//! proposal is verified with enclosures, for two purposes:
//!
//! - Values: the proposal is a chain of parts of the curve and of chords, so it lies inside the hull. Bounds on how far the curve lies
//!   beyond each chord, and on how far the chain is from convex, add up to a bound on the distance between chain and hull (`slack`).
//! - Shape: the points of tangency of each chord exist and are unique in small intervals, the curve lies inside each chord, and no corner
//!   turns back. If one of these could not be proved, a score near the doubtful point is reported.
//!
//! Prior knowledge wins: formulas may prove a curve convex or not ([`EnclosedCurve::convex`]), and exact arithmetic may give the chords
//! ([`hull_with_chords`]).
//!
//! | file | what it does |
//! | --- | --- |
//! | `pieces` | cuts the curve at its inflections |
//! | `proposal` | the hull of sample points in floating point: Andrew's monotone chain |
//! | `chord` | points of tangency, and how far the curve lies beyond a chord |
//! | `slack` | how far the losses and the area of a chain are from those of its hull |

mod chord;
mod pieces;
mod proposal;
mod slack;

use crate::calculus::patch::{EnclosedPoint, Patch, PatchMotion};
use crate::model::certified::EnclosedCurve;
use chord::{Chord, ChordFinder, Contact, Overshoot, cross};
use pieces::{PiecePosition, SignedPiece, cut_at_inflections, sign_of, turns_back};
use proposal::{CurveSample, monotone_chain, sample_pieces};
use rocproof_arith::{Interval, Series};
pub use slack::Slack;
use slack::{SlackSum, merge_negligible, slack_of_lumps, slack_to_convex};

/// Numbers of sample points on each piece that can be on the hull; the next number is tried if the hull is not verified.
const SAMPLES: [usize; 3] = [8, 32, 256];
/// Largest number of times that points beyond chords are added to the samples.
const MOST_ROUNDS: usize = 8;
/// A slack below this is small enough: no more samples are tried.
const CLOSE: f64 = 1e-13;

/// A slack that changes no printed value.
const NOTHING: f64 = 1e-17;

/// Directions enclosed more widely than this count as unknown.
const NO_DIRECTION: f64 = 0.125;

/// A patch becomes a lump if the error of its direction exceeds this multiple of its mass. Any factor is sound; it decides which enclosure
/// of the losses is narrower.
const LUMP_ERROR_PER_MASS: f64 = 4.0;

/// The hull of a curve, with what could be verified of it.
#[derive(Clone, Debug)]
pub struct EnclosedHull {
    /// A chain of parts of the curve and of chords, close to the hull. Values are computed along it.
    pub curve: EnclosedCurve,
    /// Areas and refinement losses along the chain differ from those of the hull by at most twice this.
    pub slack: f64,
    /// Expected losses differ by at most twice the sum of these, each weighted by the class proportions and by the mass of the operating
    /// conditions that belong to its directions.
    pub loss_slack: Vec<Slack>,
    /// Whether the curve is its own hull.
    pub convex: Option<bool>,
    /// The non-hull intervals of scores, with enclosed ends.
    pub gaps: Vec<[Interval; 2]>,
    /// The hull with enclosed points of tangency, if its shape is decided.
    pub decided: Option<EnclosedCurve>,
    /// A score near which the shape could not be decided.
    pub undecided: Option<f64>,
}

impl EnclosedHull {
    /// A hull of which nothing is verified, with `chain` in its place. A slack of 1 bounds any distance. `undecided` is any score of the curve.
    fn unverified(chain: EnclosedCurve, undecided: Option<f64>) -> EnclosedHull {
        EnclosedHull {
            curve: chain,
            slack: 1.0,
            loss_slack: vec![Slack::anywhere(1.0)],
            convex: None,
            gaps: Vec::new(),
            decided: None,
            undecided,
        }
    }

    /// Whether this hull is worth more than another: its shape is decided and the other's is not, or it has less than half the slack and
    /// loses no decision.
    fn improves_on(&self, other: &EnclosedHull) -> bool {
        let decides = self.undecided.is_none() && other.undecided.is_some();
        decides || (self.slack < other.slack / 2.0 && (self.undecided.is_none() || other.undecided.is_some()))
    }
}

/// The hull of a curve.
pub fn enclosed_hull(curve: &EnclosedCurve) -> EnclosedHull {
    let pieces = cut_at_inflections(curve);
    let mut best = refine_proposal(curve, &pieces, SAMPLES[0]);
    for count in &SAMPLES[1..] {
        if best.slack < CLOSE {
            break;
        }
        let hull = refine_proposal(curve, &pieces, *count);
        // If more samples gain nothing, still more will not either.
        if !hull.improves_on(&best) {
            break;
        }
        best = hull;
    }
    match curve.convex {
        Some(true) => {
            EnclosedHull { convex: Some(true), gaps: Vec::new(), decided: Some(curve.clone()), undecided: None, ..best }
        }
        Some(false) => EnclosedHull { convex: Some(false), ..best },
        None => best,
    }
}

/// An end of a chord that is known before the hull is.
#[derive(Clone, Copy, Debug)]
pub struct KnownContact {
    /// The point of the curve.
    pub point: EnclosedPoint,
    /// Whether it is a point of tangency; otherwise it is a joint of pieces.
    pub is_tangent: bool,
}

impl KnownContact {
    /// Locates the point on the curve; `None` if more than one piece or joint may contain it.
    fn locate(&self, pieces: &[SignedPiece]) -> Option<Contact> {
        if self.is_tangent { Contact::inside(pieces, &self.point) } else { Contact::at_joint(pieces, &self.point) }
    }
}

/// The hull of a curve whose chords are known by their ends. `None` if an end could not be located on the curve.
pub fn hull_with_chords(curve: &EnclosedCurve, known_chords: &[[KnownContact; 2]]) -> Option<EnclosedCurve> {
    let pieces = cut_at_inflections(curve);
    let finder = ChordFinder { pieces: &pieces, step: 1.0 };
    let mut chords = Vec::with_capacity(known_chords.len());
    for [from, to] in known_chords {
        let chord = Chord { from: from.locate(&pieces)?, to: to.locate(&pieces)? };
        chords.push(finder.without_gaps_at_ends(&chord));
    }
    let patches = chain(&pieces, &chords, TangencyForm::Enclosures)?;
    Some(EnclosedCurve { patches: insert_gaps(curve, patches), convex: Some(true), ..curve.clone() })
}

/// The best hull with `count` samples on each piece. Points found beyond chords are added to the samples, so chords much shorter than
/// a piece are found, too.
fn refine_proposal(curve: &EnclosedCurve, pieces: &[SignedPiece], count: usize) -> EnclosedHull {
    let (mut best, mut peaks) = propose_and_verify(curve, pieces, count, &[]);
    let mut extra = Vec::new();
    for _ in 0..MOST_ROUNDS {
        if peaks.is_empty() || best.slack < CLOSE {
            break;
        }
        extra.extend(peaks);
        let (hull, new_peaks) = propose_and_verify(curve, pieces, count, &extra);
        // Stop if the slack was not halved, unless the new hull decides the shape.
        if hull.slack > best.slack / 2.0 && (hull.undecided.is_some() || best.undecided.is_none()) {
            break;
        }
        (best, peaks) = (hull, new_peaks);
    }
    best
}

/// Proposes a hull through `count` samples on each piece and the samples `extra`, and verifies it. Returns points beyond its
/// chords as well.
fn propose_and_verify(
    curve: &EnclosedCurve,
    pieces: &[SignedPiece],
    count: usize,
    extra: &[PiecePosition],
) -> (EnclosedHull, Vec<PiecePosition>) {
    let finder = ChordFinder { pieces, step: 2.0 / count as f64 };
    let chords = propose_chords(&finder, &sample_pieces(pieces, count, extra));
    let ChordChecks { undecided, overshoots, peaks } = check_chords(&finder, &chords);
    let with_gaps = |patches: Vec<Patch>| EnclosedCurve { patches: insert_gaps(curve, patches), ..curve.clone() };
    let gaps: Vec<[Interval; 2]> =
        chords.iter().map(|chord| [&chord.from, &chord.to].map(|end| finder.enclosed_point(end).x[0])).collect();
    let Some(rounded) = chain(pieces, &chords, TangencyForm::Floats) else {
        // The chords overlap: the curve itself stands in for its hull.
        let curve = with_gaps(pieces.iter().map(|piece| piece.patch.clone()).collect());
        let undecided = undecided.or(pieces.first().map(SignedPiece::score));
        let convex = is_proved_not_convex(pieces).then_some(false);
        return (EnclosedHull { convex, gaps, ..EnclosedHull::unverified(curve, undecided) }, peaks);
    };
    let shape = decide_shape(&finder, &chords, undecided);
    let BoundedChain { patches, slack: SlackSum { total, slacks } } =
        choose_chain(&finder, &chords, rounded, overshoots, &shape);
    let hull = EnclosedHull {
        curve: with_gaps(patches),
        slack: total.min(1.0),
        loss_slack: slacks,
        convex: shape.convex,
        gaps,
        decided: shape.enclosed.filter(|_| shape.undecided.is_none()).map(with_gaps),
        undecided: shape.undecided,
    };
    (hull, peaks)
}

/// Whether a piece or a corner proves that the curve is not convex.
fn is_proved_not_convex(pieces: &[SignedPiece]) -> bool {
    pieces.iter().any(|piece| piece.bend == Some(-1) || piece.proves_not_convex())
        || (1..pieces.len()).any(|k| turns_back(pieces, k))
}

/// The part of the shape of a hull that is proved.
struct ProvedShape {
    /// The hull with enclosed points of tangency, if they could be enclosed.
    enclosed: Option<Vec<Patch>>,
    /// Whether the curve is its own hull.
    convex: Option<bool>,
    /// A score near which the shape could not be decided.
    undecided: Option<f64>,
}

/// Decides the shape of the hull with the given chords. `undecided` is a score near which a chord is not proved.
fn decide_shape(finder: &ChordFinder, chords: &[Chord], undecided: Option<f64>) -> ProvedShape {
    let pieces = finder.pieces;
    let enclosed = if undecided.is_none() { chain(pieces, chords, TangencyForm::Enclosures) } else { None };
    // The chain must also turn towards class 1 at its corners.
    let undecided = undecided.or_else(|| match &enclosed {
        Some(enclosed) => find_unproved_corner(enclosed),
        // The intervals of two points of tangency overlap.
        None => chords.first().map(|chord| finder.enclosed_point(&chord.from).x[0].mid()),
    });
    let convex = if is_proved_not_convex(pieces) {
        Some(false)
    } else if undecided.is_none() && chords.is_empty() {
        Some(true)
    } else {
        None
    };
    // With `convex` open, a chord was proposed, but no piece is proved to bend back.
    let undecided = undecided.or_else(|| pieces.first().filter(|_| convex.is_none()).map(SignedPiece::score));
    ProvedShape { enclosed, convex, undecided }
}

/// A chain of patches, and a bound on its distance from the hull.
struct BoundedChain {
    patches: Vec<Patch>,
    slack: SlackSum,
}

/// Chooses the chain along which values are computed: the chain `rounded` with rounded points of tangency, or the one whose chords also have
/// the enclosed direction of the curve. `overshoots` are the slacks of the curve beyond the chords of `rounded`.
fn choose_chain(
    finder: &ChordFinder,
    chords: &[Chord],
    rounded: Vec<Patch>,
    overshoots: Vec<Slack>,
    shape: &ProvedShape,
) -> BoundedChain {
    let rounded = drop_vague_directions(rounded);
    let slack = slack_of_chain(&rounded, overshoots);
    let rounding_slack = finder.slack_of_rounded_ends(chords);
    match chain(finder.pieces, chords, TangencyForm::FloatsWithDirection) {
        // With a decided shape the only error is the rounding of the points of tangency.
        Some(tangent) if shape.undecided.is_none() && rounding_slack <= slack.total.max(NOTHING) => BoundedChain {
            patches: drop_vague_directions(tangent),
            slack: SlackSum { total: rounding_slack, slacks: vec![Slack::anywhere(rounding_slack)] },
        },
        _ => BoundedChain { patches: rounded, slack },
    }
}

/// The chords of the hull of the samples, each moved to its points of tangency, in order and without overlaps.
fn propose_chords(finder: &ChordFinder, samples: &[CurveSample]) -> Vec<Chord> {
    let mut chords: Vec<Chord> = Vec::new();
    for pair in monotone_chain(samples).windows(2) {
        let (left, right) = (&samples[pair[0]], &samples[pair[1]]);
        // The first piece after the left sample.
        let first = if left.is_end() { left.piece + 1 } else { left.piece };
        let is_next = pair[1] == pair[0] + 1;
        // Between neighbouring samples the curve is its own hull, unless it bends back.
        if is_next && finder.pieces[first..=right.piece].iter().all(|piece| piece.bend != Some(-1)) {
            continue;
        }
        let chord = finder.find_chord(left, right);
        let fits = chords.last().is_none_or(|last| last.to.is_before(&chord.from)) && chord.from.is_before(&chord.to);
        if fits {
            chords.push(chord);
        } else {
            push_without_overlap(&mut chords, finder.without_gaps_at_ends(&Chord::between(left, right)));
        }
    }
    chords
}

/// The result of [`check_chords`].
struct ChordChecks {
    /// A score near which a chord is not proved to be one of the hull.
    undecided: Option<f64>,
    /// The slacks of the curve beyond its chords.
    overshoots: Vec<Slack>,
    /// Points of the curve beyond chords.
    peaks: Vec<PiecePosition>,
}

/// Checks that the points of tangency of chords are proved and that the curve lies inside the chords.
fn check_chords(finder: &ChordFinder, chords: &[Chord]) -> ChordChecks {
    let mut checks = ChordChecks { undecided: None, overshoots: Vec::new(), peaks: Vec::new() };
    for chord in chords {
        let enclosed = finder.overshoot(chord);
        // Values are computed along the chord with rounded ends: it needs a bound of its own unless its ends are exact.
        if enclosed.near_score.is_some() || !chord.has_exact_ends() {
            let Overshoot { excess, directions, peaks, .. } = finder.overshoot_of_rounded(chord);
            checks.peaks.extend(peaks);
            checks.overshoots.extend(directions.map(|directions| Slack { directions, ..Slack::anywhere(excess) }));
        }
        if checks.undecided.is_none() {
            let unproved = |end: &Contact| (!end.is_proved()).then(|| finder.enclosed_point(end).x[0].mid());
            checks.undecided = unproved(&chord.from).or_else(|| unproved(&chord.to)).or(enclosed.near_score);
        }
    }
    checks
}

/// The slack of a chain, given the slacks of the curve beyond its chords. The module `slack` has the proof. The total is for areas and
/// refinement losses, the slacks are for expected losses.
fn slack_of_chain(chain: &[Patch], overshoots: Vec<Slack>) -> SlackSum {
    let (moved, lumps) = (slack_to_convex(chain), slack_of_lumps(chain));
    let excess = overshoots.iter().map(|slack| slack.by).fold(0.0, f64::max);
    // The factor covers the rounding of the sum.
    let total = (excess + moved.total + lumps.total) * (1.0 + 1e-15);
    SlackSum { total, slacks: merge_negligible([overshoots, moved.slacks, lumps.slacks].concat()) }
}

/// Adds a chord between two samples, and shortens the chord before it if they overlap. On a curve that is straight up to rounding,
/// computed points of tangency are arbitrary.
fn push_without_overlap(chords: &mut Vec<Chord>, between: Chord) {
    if let Some(last) = chords.pop_if(|last| !last.to.is_before(&between.from))
        && last.from.is_before(&between.from)
    {
        chords.push(Chord { from: Contact { around: None, ..last.from }, to: between.from });
    }
    chords.push(between);
}

/// A score near which a chain is not proved to turn towards class 1; `None` if it is proved everywhere.
fn find_unproved_corner(patches: &[Patch]) -> Option<f64> {
    // The last patch with a direction, and whether the direction is proved to be continuous or to grow since then.
    let mut last: Option<&Patch> = None;
    let mut is_corner_proved = false;
    for (k, patch) in patches.iter().enumerate() {
        if !never_bends_back(patch) {
            return Some(patch.end.x[0].mid());
        }
        if !patch.is_directed() {
            // A smooth lump holds a point of tangency: its direction is that of the chord, and it bends one way. Any other lump inside the curve
            // may start in any direction.
            if !patch.smooth && !continues_end_arc(patches, k) {
                return Some(if k == 0 { patch.end.x[0].mid() } else { patch.start.x[0].mid() });
            }
            is_corner_proved |= patch.smooth;
            continue;
        }
        if let Some(last) = last.filter(|_| !patch.smooth && !is_corner_proved) {
            let corner = cross(last.direction(Interval::ONE), patch.direction(-Interval::ONE));
            // NaN: nothing is known.
            if corner.lo().is_nan() || corner.lo() < 0.0 {
                return Some(patch.start.x[0].mid());
            }
        }
        (last, is_corner_proved) = (Some(patch), false);
    }
    None
}

/// Whether a patch is proved to bend towards class 1 or to be straight.
fn never_bends_back(patch: &Patch) -> bool {
    let sign = match patch.motion {
        PatchMotion::Arc => sign_of(patch.bend.range()),
        PatchMotion::Lump if !patch.is_directed() => sign_of(patch.bend.rough_range()),
        _ => Some(0),
    };
    sign.is_some_and(|sign| sign >= 0)
}

/// Whether patch `k` is at an end of the chain and its neighbour is an arc that continues it smoothly, so that it has the arc's direction
/// there. A chain of one patch counts.
fn continues_end_arc(patches: &[Patch], k: usize) -> bool {
    let previous = k.checked_sub(1).map(|k| &patches[k]);
    match (previous, patches.get(k + 1)) {
        (None, None) => true,
        (None, Some(next)) => next.motion == PatchMotion::Arc && next.smooth,
        (Some(previous), None) => previous.motion == PatchMotion::Arc,
        (Some(_), Some(_)) => false,
    }
}

/// How the points of tangency of chords enter a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TangencyForm {
    /// As floats; the chord has the direction between its ends.
    Floats,
    /// As floats; the chord has the enclosed direction of the curve at the points of tangency.
    FloatsWithDirection,
    /// As enclosures.
    Enclosures,
}

/// The hull as a chain of patches: the chords, and the parts of the curve between them. `None` if chords overlap.
fn chain(pieces: &[SignedPiece], chords: &[Chord], form: TangencyForm) -> Option<Vec<Patch>> {
    let last = Contact { piece: pieces.len().checked_sub(1)?, u: 1.0, is_tangent: false, around: None };
    let mut position = Contact { piece: 0, u: -1.0, ..last };
    let mut builder = ChainBuilder { pieces, form, patches: Vec::new(), after_chord: false };
    for chord in chords {
        builder.follow_curve(&position, &chord.from)?;
        builder.push_chord(chord);
        position = chord.to;
    }
    builder.follow_curve(&position, &last)?;
    Some(builder.patches)
}

/// Builds the chain of patches of a hull from left to right.
struct ChainBuilder<'a> {
    pieces: &'a [SignedPiece],
    form: TangencyForm,
    patches: Vec<Patch>,
    /// Whether no part of the curve with a direction has followed the last chord yet. Until then the direction may jump.
    after_chord: bool,
}

impl ChainBuilder<'_> {
    /// The parameters of a contact: the proved interval if points of tangency enter as enclosures, else its float.
    fn parameters(&self, contact: &Contact) -> Interval {
        let enclosure = contact.around.filter(|_| self.form == TangencyForm::Enclosures);
        enclosure.unwrap_or(Interval::from(contact.u))
    }

    /// Adds the curve between two contacts, with a lump for each that is an enclosure. `None` if they are in the wrong order or overlap.
    fn follow_curve(&mut self, from: &Contact, to: &Contact) -> Option<()> {
        if !from.is_before(to) {
            return None;
        }
        let (from_parameters, to_parameters) = (self.parameters(from), self.parameters(to));
        self.patches.extend(tangency_lump(&self.pieces[from.piece].patch, from_parameters));
        for (index, piece) in self.pieces.iter().enumerate().take(to.piece + 1).skip(from.piece) {
            let start = if index == from.piece { from_parameters.hi() } else { -1.0 };
            let end = if index == to.piece { to_parameters.lo() } else { 1.0 };
            if start < end {
                let is_whole = (start, end) == (-1.0, 1.0);
                let part = if is_whole { piece.patch.clone() } else { piece.patch.part(start, end) };
                let smooth = part.smooth && !self.after_chord;
                self.after_chord &= !part.is_directed();
                self.patches.push(Patch { smooth, ..part });
            } else if start > end {
                return None;
            }
        }
        self.patches.extend(tangency_lump(&self.pieces[to.piece].patch, to_parameters));
        Some(())
    }

    /// Adds a chord as a straight patch.
    fn push_chord(&mut self, chord: &Chord) {
        let point = |contact: &Contact| self.pieces[contact.piece].at(self.parameters(contact));
        let (start, end) = (point(&chord.from), point(&chord.to));
        let mass = start.towards(&end).map(|m| Interval::new(m.lo().max(0.0), m.hi().max(0.0)));
        let mut patch = Patch::straight(start, end, mass);
        if self.form != TangencyForm::Floats {
            // The chord has the direction of the curve at its points of tangency.
            for contact in [&chord.from, &chord.to] {
                let Some(around) = contact.around else { continue };
                let direction = self.pieces[contact.piece].patch.direction(around);
                for (share, known) in patch.share.iter_mut().zip(direction) {
                    *share = Series::from(share.rough_range().meet(known));
                }
            }
        }
        self.patches.push(patch);
        self.after_chord = true;
    }
}

/// Turns patches with a vague direction and little mass into lumps. The loss depends on the direction along a patch and on both sides of
/// a corner; a lump counts only by its mass, which is better here.
fn drop_vague_directions(mut patches: Vec<Patch>) -> Vec<Patch> {
    // Forward, a corner is at the start of a patch (`u = -1`); backward, at its end (`u = 1`).
    for (corner_u, is_forward) in [(-1.0, true), (1.0, false)] {
        let mut at_corner = true;
        for step in 0..patches.len() {
            let k = if is_forward { step } else { patches.len() - 1 - step };
            let patch = &patches[k];
            let is_corner = if is_forward { !patch.smooth } else { patches.get(k + 1).is_none_or(|next| !next.smooth) };
            at_corner |= is_corner || !patch.is_directed();
            if !patch.is_directed() {
                continue;
            }
            let widths = patch.direction(Interval::from(corner_u)).map(Interval::width);
            let error_at_corner = if at_corner { widths[0].max(widths[1]) } else { 0.0 };
            let error_along =
                [patch.share[0], patch.share[1], patch.turn].iter().map(Series::error).fold(0.0, f64::max);
            let error = error_at_corner.max(error_along);
            // The neighbour of a new lump is at a corner, too.
            at_corner = LUMP_ERROR_PER_MASS * patch.most_mass() < error;
            // A straight patch counts its direction at both of its corners. The two errors cancel up to its mass.
            let keeps_direction = patch.motion == PatchMotion::Straight && error < NO_DIRECTION;
            if at_corner && !keeps_direction {
                patches[k] = forget_direction(patch);
            }
        }
    }
    patches
}

/// The patch as a lump: of its direction only the range is kept.
fn forget_direction(patch: &Patch) -> Patch {
    let mass = patch.start.towards(&patch.end).map(|m| Interval::new(m.lo().max(0.0), m.hi().max(0.0)));
    let mean_scores = patch.mean_scores;
    let lump = Patch::lump(patch.start, patch.end, mass, mean_scores[0].hull(mean_scores[1]), patch.bend.rough_range());
    let share = patch.share.map(|share| Series::from(share.range().meet(Interval::UNIT)));
    Patch { smooth: patch.smooth, share, mean_scores, ..lump }
}

/// The part of a patch in which a point of tangency is proved to lie, as a lump: one side of the point is on the hull, the other under the
/// chord. `u` are its parameters; `None` if they are a single float.
fn tangency_lump(patch: &Patch, u: Interval) -> Option<Patch> {
    if u.is_point() {
        return None;
    }
    let (start, end) = (patch.at(Interval::from(u.lo())), patch.at(Interval::from(u.hi())));
    let mass = start.towards(&end).map(|m| Interval::new(0.0, m.hi().max(0.0)));
    let x = start.x[0].hull(end.x[0]);
    Some(Patch { smooth: true, ..Patch::lump(start, end, mass, x, Interval::ONE) })
}

/// Inserts the curve's gaps into the hull `patches`, except those under a chord. Gaps are compared with patches by score.
fn insert_gaps(curve: &EnclosedCurve, patches: Vec<Patch>) -> Vec<Patch> {
    let mut merged: Vec<Patch> = Vec::with_capacity(patches.len());
    let push_unless_covered = |merged: &mut Vec<Patch>, gap: &Patch| {
        if merged.last().is_none_or(|last| last.end.x[0].mid() <= gap.start.x[0].mid()) {
            merged.push(gap.clone());
        }
    };
    let mut gaps = curve.patches.iter().filter(|p| !p.has_mass()).peekable();
    for patch in patches {
        while let Some(gap) = gaps.next_if(|gap| gap.end.x[0].mid() <= patch.start.x[0].mid()) {
            push_unless_covered(&mut merged, gap);
        }
        merged.push(patch);
    }
    gaps.for_each(|gap| push_unless_covered(&mut merged, gap));
    merged
}

#[cfg(test)]
impl EnclosedHull {
    /// A polygon with these masses of both classes, taken for its own hull; `lumps` are the edges without direction.
    pub(crate) fn of_polygon(steps: &[[f64; 2]], lumps: &[usize]) -> EnclosedHull {
        let mut patches = slack::tests::polygon(steps);
        for k in lumps {
            let [start, end] = [patches[*k].start, patches[*k].end];
            patches[*k] = Patch::lump(start, end, steps[*k].map(Interval::from), Interval::ZERO, Interval::ALL);
        }
        let SlackSum { total, slacks } = slack_of_chain(&patches, Vec::new());
        let curve = EnclosedCurve { patches, ..EnclosedCurve::diagonal() };
        EnclosedHull { slack: total, loss_slack: slacks, ..EnclosedHull::unverified(curve, Some(0.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functional::certified::enclosed_curve;
    use crate::model::Model;
    use slack::tests::polygon;

    /// The hull of a polygon whose second edge has no direction.
    fn with_lump(steps: &[[f64; 2]]) -> EnclosedHull {
        let mut patches = polygon(steps);
        let [start, end] = [patches[1].start, patches[1].end];
        patches[1] = Patch::lump(start, end, steps[1].map(Interval::from), Interval::ZERO, Interval::ALL);
        let hull = enclosed_hull(&EnclosedCurve { patches, ..EnclosedCurve::diagonal() });
        assert!(hull.undecided.is_some() && hull.decided.is_none());
        hull
    }

    /// The slack of a hull covers a patch without direction, on the hull and under a chord. It also covers enclosed points of tangency.
    #[test]
    fn slack_covers_unknown_directions_and_tangencies() {
        // From (1/2, 1/4) the lump may go to (9/16, 1/4), which is 1/32 outside the line to (9/16, 5/16).
        let on_hull = with_lump(&[[0.5, 0.25], [0.0625, 0.0625], [0.4375, 0.6875]]).slack;
        assert!((0.015..=1.0).contains(&on_hull), "{on_hull}");
        // The lump may reach (5/8, 1/4); the hull without it is the diagonal.
        let under_chord = with_lump(&[[0.125, 0.25], [0.5, 0.5], [0.375, 0.25]]);
        assert!((0.1875..=1.0).contains(&under_chord.slack), "{}", under_chord.slack);
        let covers_lump = |slack: &Slack| slack.by >= 0.1875 && slack.directions == Interval::UNIT;
        assert!(under_chord.loss_slack.iter().any(covers_lump), "{:?}", under_chord.loss_slack);
        // Points of tangency are enclosed, not exact.
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let hull = enclosed_hull(&enclosed_curve(&model, 1.0).unwrap());
        assert!(hull.undecided.is_none() && hull.slack > 0.0 && hull.slack < 1e-20, "{}", hull.slack);
    }

    /// With known chords the hull is the one that is found without them. Chords in the wrong order or with a wrong kind of end are refused.
    #[test]
    fn known_chords_give_the_hull_that_is_found_without_them() {
        let model = Model::new("6*x*(1-x)", "1 + sin(6*pi*x)/2", "1/2").unwrap();
        let curve = enclosed_curve(&model, 1.0).unwrap();
        let chords = |hull: &EnclosedCurve| -> Vec<[EnclosedPoint; 2]> {
            let straight = hull.patches.iter().filter(|patch| patch.motion == PatchMotion::Straight);
            straight.map(|patch| [patch.start, patch.end]).collect()
        };
        let found = chords(&enclosed_hull(&curve).decided.unwrap());
        assert_eq!(found.len(), 2);
        // The first chord starts at the start of the curve.
        let joint = |point: EnclosedPoint| KnownContact { point, is_tangent: false };
        let tangency = |point: EnclosedPoint| KnownContact { point, is_tangent: true };
        let first = [joint(found[0][0]), tangency(found[0][1])];
        let second = found[1].map(tangency);
        let hull = hull_with_chords(&curve, &[first, second]).unwrap();
        assert_eq!(hull.convex, Some(true));
        for (a, b) in chords(&hull).concat().iter().zip(found.concat()) {
            assert!(a.x[0].meets(b.x[0]) && a.below[0].meets(b.below[0]) && a.x[0].width() < 1e-9, "{a:?} {b:?}");
        }
        assert!(hull_with_chords(&curve, &[second, first]).is_none());
        assert!(hull_with_chords(&curve, &[[joint(found[1][0]), second[1]]]).is_none());
    }

    /// Chords much shorter than the patches they touch are found: at a corner that hardly turns back, and at the end of a curve that bends
    /// back just before it.
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
