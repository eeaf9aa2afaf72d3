//! The ranges and ticks of axes.

use crate::data::curves::CurvePiece;
use crate::draw::Axis;
use crate::functional::Evaluation;

/// A curve that exceeds `SINGULAR_RATIO` times the height it reaches on a `NARROW` share of the axis counts as singular, and is clipped.
const SINGULAR_RATIO: f64 = 16.0;
const NARROW: f64 = 5e-3;
/// The share of the axis on which a singular curve may be clipped.
const CLIPPED_SHARE: f64 = 0.03;
/// The height shown of a singular curve, relative to its height on the rest of the axis.
const ROOM: f64 = 1.3;
/// The margin around a range, as a share of its length, so that lines along the frame are visible.
const MARGIN: f64 = 0.05;
/// The smallest distance between ticks, as a share of the axis.
const APART: f64 = 0.09;
/// The longest label of a tick, in characters.
const LONGEST: usize = 5;

/// The lowest and the highest value, and 0, that a panel should show of a curve between two abscissae. A singular curve is clipped.
pub(super) fn extent(pieces: &[CurvePiece], (from, to): (f64, f64)) -> (f64, f64) {
    let visible: Vec<CurvePiece> = pieces
        .iter()
        .filter(|piece| piece.to > from && piece.from < to)
        .map(|piece| piece.part(piece.from.max(from), piece.to.min(to)))
        .collect();
    let heights_above = visible.iter().map(|piece| (piece.extremes().1.max(0.0), piece.width())).collect();
    let depths_below = visible.iter().map(|piece| ((-piece.extremes().0).max(0.0), piece.width())).collect();
    (-shown_height(depths_below, to - from), shown_height(heights_above, to - from))
}

/// The height that a panel should show of a curve, given the height and width of each piece, on an axis of a given length.
fn shown_height(mut pieces: Vec<(f64, f64)>, length: f64) -> f64 {
    pieces.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    // The height that the curve exceeds on at most a share of the axis: the highest pieces that make up the share are passed over.
    let exceeded_on = |share: f64| {
        let mut passed = 0.0;
        let first_beyond = pieces.iter().find(|(_, width)| {
            passed += width;
            passed > share * length
        });
        first_beyond.map_or(0.0, |(height, _)| *height)
    };
    let highest = pieces.first().map_or(0.0, |(height, _)| *height);
    let regular = exceeded_on(CLIPPED_SHARE);
    let is_singular = regular > 0.0 && highest > SINGULAR_RATIO * exceeded_on(NARROW);
    if is_singular { ROOM * regular } else { highest }
}

/// The name of a curve in the legend, with a remark if the curve leaves the frame, whose abscissae and ordinates have these ranges.
pub(super) fn curve_name(name: &str, pieces: &[CurvePiece], (from, to): (f64, f64), (low, high): (f64, f64)) -> String {
    let is_beyond = |piece: &CurvePiece| {
        let (lowest, highest) = piece.part(piece.from.max(from), piece.to.min(to)).extremes();
        lowest < low || highest > high
    };
    let is_visible = |piece: &&CurvePiece| piece.to >= from && piece.from <= to;
    let leaves_frame = pieces.iter().filter(is_visible).any(is_beyond);
    if leaves_frame { format!("{name} (leaves the frame)") } else { name.to_owned() }
}

/// The number of abscissae at which two curves are compared.
const COMPARED: u32 = 200;
/// Two curves coincide at an abscissa if they differ by less than this share of the lower one's height.
const SAME: f64 = 4e-3;
/// Two curves coincide if they do so at more than this share of the abscissae.
const OFTEN: f64 = 0.1;

/// Whether two curves coincide along a part of the axis, so that one would hide the other.
pub(super) fn coincide(a: &[CurvePiece], b: &[CurvePiece], (from, to): (f64, f64)) -> bool {
    // The value at the k-th abscissa; `None` where the curve has no piece.
    let sample = |pieces: &[CurvePiece], k: u32| {
        let x = from + (to - from) * (f64::from(k) + 0.5) / f64::from(COMPARED);
        let piece = pieces.get(pieces.partition_point(|piece| piece.to < x));
        piece.filter(|piece| piece.from <= x && piece.width() > 0.0).map(|piece| piece.at(x))
    };
    let sampled = |pieces: &[CurvePiece]| (0..COMPARED).map(|k| sample(pieces, k)).collect::<Vec<_>>();
    let (a, b) = (sampled(a), sampled(b));
    let highest = |values: &[Option<f64>]| values.iter().flatten().fold(0.0, |high: f64, y| high.max(y.abs()));
    let tolerance = SAME * highest(&a).min(highest(&b));
    // Curves that merely both approach 0 do not coincide.
    let is_same =
        |(a, b): (f64, f64)| (a - b).abs() <= tolerance && (a.abs() > 2.0 * tolerance || (a, b) == (0.0, 0.0));
    let same = a.into_iter().zip(b).filter(|(a, b)| a.zip(*b).is_some_and(is_same)).count();
    same as f64 > OFTEN * f64::from(COMPARED)
}

/// The smallest range that contains both.
pub(super) fn union(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// An axis with a margin around a range.
pub(super) fn axis_with_margin(label: &str, (low, high): (f64, f64)) -> Axis {
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    Axis::new(label, low - MARGIN * (high - low), high + MARGIN * (high - low))
}

/// Ticks at the ends of the intervals, labelled exactly: at thresholds, and at cost proportions if `with_costs`. Labels that are long or too close
/// to others are left out; `None` if none is left between 0 and 1.
pub(super) fn interval_ticks(evaluation: &Evaluation, with_costs: bool) -> Option<Vec<(f64, String)>> {
    let names = &evaluation.exact_shape.as_ref().ok()?.intervals;
    // The ends of the intervals: thresholds (0) or cost proportions (1).
    let ends = |which: usize| {
        evaluation.intervals.iter().zip(names).flat_map(move |(interval, names)| {
            let (a, b) = if which == 0 { interval.tau } else { interval.sigma };
            [(a, names[which][0].clone()), (b, names[which][1].clone())]
        })
    };
    let candidates = ends(0).chain(ends(1).filter(|_| with_costs));
    let mut places = vec![(0.0, "0".to_owned()), (1.0, "1".to_owned())];
    for (place, name) in
        candidates.filter(|(place, name)| 0.0 < *place && *place < 1.0 && name.chars().count() <= LONGEST)
    {
        if places.iter().all(|(other, _)| (place - other).abs() >= APART) {
            places.push((place, name));
        }
    }
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    (places.len() > 2).then_some(places)
}
