//! The upper hull of a ROC curve at the exact level.
//!
//! Each arc is cut at its inflections, the roots of `f0 f1' - f1 f0'`. Parts that bend towards class 1 can be on the hull; parts that bend
//! back lie under their own chord. The hull is built from left to right on a stack. An incoming part that rises above the top of the stack
//! is joined to the hull by a chord, from a vertex or from a point of tangency, and the parts under the chord are popped.
//!
//! "Above" a line is the side of larger `F0` and smaller `F1`: a point lies above the line through `a` in direction `d` if
//! `turn(d, point - a) < 0`. The start of a line or chord is called a vertex if no arc is tangent to it there.

use super::tangent::{double_tangent, only_root, tangent_point};
use super::tangent_system::{LARGEST_DEGREE, SMALL_DEGREE, exact_double_tangent};
use crate::model::exact_curve::{Direction, ExactArc, ExactCurve, ExactPiece, ExactPoint, Undecided, turn};
use rocproof_arith::Number;
use std::sync::Arc;

/// An end of a chord.
#[derive(Clone, Debug)]
struct ExactContact {
    /// The index of the piece of the curve that it lies on.
    piece: usize,
    point: ExactPoint,
    /// Its parameter on the arc, if it is a point of tangency; `None` for a vertex.
    inside: Option<Number>,
}

impl ExactContact {
    /// An end of a piece.
    fn vertex(piece: usize, point: ExactPoint) -> ExactContact {
        ExactContact { piece, point, inside: None }
    }

    /// The point of tangency at the parameter `u` of an arc.
    fn tangent(piece: usize, arc: &ExactArc, u: Number) -> ExactContact {
        ExactContact { piece, point: arc.at(&u), inside: Some(u) }
    }
}

/// A straight part of the hull: a piece of the curve, or a chord.
#[derive(Clone, Debug)]
struct Line {
    /// The piece of the curve; `None` for a chord.
    piece: Option<usize>,
    from: ExactContact,
    to: ExactContact,
    /// Whether it is known to be tangent to the part before it and to the part after it.
    tangent: [bool; 2],
}

impl Line {
    /// The chord between two contacts; it is tangent to the arcs that it touches inside.
    fn chord(from: ExactContact, to: ExactContact) -> Line {
        let tangent = [from.inside.is_some(), to.inside.is_some()];
        Line { piece: None, from, to, tangent }
    }

    fn direction(&self) -> Direction {
        self.from.point.towards(&self.to.point)
    }
}

/// A part of the hull, on the stack.
#[derive(Clone, Debug)]
enum HullPart {
    /// A part of an arc that bends towards class 1.
    Arc(ConvexArc),
    /// A straight part.
    Line(Box<Line>),
}

/// A part of an arc that bends towards class 1, with the index of its piece of the curve.
#[derive(Clone, Debug)]
struct ConvexArc {
    piece: usize,
    arc: Arc<ExactArc>,
}

/// A part that is added to the hull.
#[derive(Clone, Debug)]
enum Incoming {
    Part(HullPart),
    /// A chord that ends in this point. Its start is still to be found on the hull.
    Point(Box<ExactContact>),
}

/// The object that a chord to an incoming part ends on.
enum Target<'a> {
    /// An arc, which the chord is tangent to or meets in its last point.
    Arc(&'a ConvexArc),
    /// A fixed end.
    Point(&'a ExactContact),
}

impl HullPart {
    /// The direction in which the part starts.
    fn start_direction(&self) -> Direction {
        match self {
            HullPart::Arc(ConvexArc { arc, .. }) => arc.direction_at(&arc.u[0]),
            HullPart::Line(line) => line.direction(),
        }
    }

    /// The direction in which the part ends.
    fn end_direction(&self) -> Direction {
        match self {
            HullPart::Arc(ConvexArc { arc, .. }) => arc.direction_at(&arc.u[1]),
            HullPart::Line(line) => line.direction(),
        }
    }

    /// Whether it is a line known to be tangent to the part before it, and to the part after it.
    fn tangent(&self) -> [bool; 2] {
        match self {
            HullPart::Arc(_) => [false; 2],
            HullPart::Line(line) => line.tangent,
        }
    }

    /// Whether the next part starts above the continuation of this one. Tangent parts do not; the sign of their turn, which is 0, could not
    /// be computed.
    fn is_below(&self, next: &HullPart) -> Result<bool, Undecided> {
        let smooth = self.tangent()[1] || next.tangent()[0];
        Ok(!smooth && turn(&self.end_direction(), &next.start_direction()).ok_or(Undecided)? < 0)
    }
}

impl Incoming {
    /// The object that a chord to this part ends on. A line can only be reached at its end: its start lies under the chord.
    fn target(&self) -> Target<'_> {
        match self {
            Incoming::Part(HullPart::Arc(convex)) => Target::Arc(convex),
            Incoming::Part(HullPart::Line(line)) => Target::Point(&line.to),
            Incoming::Point(to) => Target::Point(to),
        }
    }
}

/// A non-hull interval, as the scores of its ends.
pub type ExactGap = [Number; 2];

/// The hull of a curve as a curve, and its non-hull intervals. A curve is convex iff it has none.
pub fn exact_hull(curve: &ExactCurve) -> Result<(ExactCurve, Vec<ExactGap>), Undecided> {
    let mut stack: Vec<HullPart> = Vec::new();
    for (piece, curve_piece) in curve.massive() {
        if let ExactPiece::Arc(arc) = curve_piece
            && !arc.is_straight()
        {
            add_arc(&mut stack, piece, arc)?;
            continue;
        }
        let [from, to] = [curve_piece.start(), curve_piece.end()].map(|point| ExactContact::vertex(piece, point));
        let line = Line { piece: Some(piece), from, to, tangent: curve_piece.tangent() };
        add(&mut stack, Incoming::Part(HullPart::Line(Box::new(line))), false)?;
    }
    make_tangencies_algebraic(&mut stack);
    Ok(build_curve(curve, stack))
}

/// Replaces the points of tangency of each chord between two arcs by algebraic numbers, where their degree is not too large.
fn make_tangencies_algebraic(stack: &mut [HullPart]) {
    for first in 0..stack.len().saturating_sub(2) {
        if let [HullPart::Arc(before), HullPart::Line(chord), HullPart::Arc(after)] = &mut stack[first..first + 3] {
            make_tangency_algebraic(before, chord, after);
        }
    }
}

/// Replaces the points of tangency of a chord, and the ends of the arcs `before` and `after` it, by algebraic numbers. Nothing changes if the
/// chord is not tangent to both, if its points of tangency are algebraic already, or if their degree is too large.
fn make_tangency_algebraic(before: &mut ConvexArc, chord: &mut Line, after: &mut ConvexArc) {
    let (Some(from @ Number::Computed(_)), Some(to)) = (&chord.from.inside, &chord.to.inside) else { return };
    let Some([from, to]) = exact_double_tangent(&before.arc, &after.arc, [from, to], LARGEST_DEGREE) else {
        return;
    };
    before.arc = Arc::new(before.arc.part(&before.arc.u[0], &from));
    after.arc = Arc::new(after.arc.part(&to, &after.arc.u[1]));
    chord.from = ExactContact::tangent(before.piece, &before.arc, from);
    chord.to = ExactContact::tangent(after.piece, &after.arc, to);
}

/// A part of an arc on which the sign of the bend does not change.
struct BentPart {
    arc: ExactArc,
    /// Whether it bends towards class 1; otherwise it bends back.
    bends_to_class1: bool,
}

/// Cuts an arc at its inflections. Neighbouring parts bend opposite ways.
fn split_by_bend(arc: &ExactArc) -> Result<Vec<BentPart>, Undecided> {
    let turning = arc.turning();
    let mut cuts = vec![arc.u[0].clone()];
    cuts.extend(arc.roots_inside(&turning).ok_or(Undecided)?);
    cuts.push(arc.u[1].clone());
    let mut parts: Vec<BentPart> = Vec::new();
    for ends in cuts.windows(2) {
        let part = arc.part(&ends[0], &ends[1]);
        let bends_to_class1 = turning.sign_at(&part.inside().ok_or(Undecided)?) > 0;
        match parts.last_mut() {
            // A root of even order is no inflection.
            Some(last) if last.bends_to_class1 == bends_to_class1 => last.arc.u[1] = ends[1].clone(),
            _ => parts.push(BentPart { arc: part, bends_to_class1 }),
        }
    }
    Ok(parts)
}

/// Adds the arc with index `piece` to the hull on the stack.
fn add_arc(stack: &mut Vec<HullPart>, piece: usize, arc: &ExactArc) -> Result<(), Undecided> {
    let parts = split_by_bend(arc)?;
    let last = parts.len() - 1;
    for (index, part) in parts.iter().enumerate() {
        if part.bends_to_class1 {
            // After a part that bends back, this one rises above the parts before.
            let convex = ConvexArc { piece, arc: Arc::new(part.arc.clone()) };
            add(stack, Incoming::Part(HullPart::Arc(convex)), index > 0)?;
            continue;
        }
        // A part that bends back lies under the chord of its ends, `from` and `to`. An end of the part inside the arc is never on the hull,
        // because the neighbouring part bends towards class 1 and starts or ends tangent to this one.
        let [from, to] = [0, 1].map(|end| ExactContact::vertex(piece, part.arc.at(&part.arc.u[end])));
        match (index == 0, index == last) {
            // The whole arc bends back: its chord stands for it.
            (true, true) => add(stack, Incoming::Part(HullPart::Line(Box::new(Line::chord(from, to)))), false)?,
            // The next part rises above this chord and replaces it.
            (true, false) => stack.push(HullPart::Line(Box::new(Line::chord(from, to)))),
            // Only the end of the arc can be a vertex.
            (false, true) => add(stack, Incoming::Point(Box::new(to)), true)?,
            // Both neighbours lie above it.
            (false, false) => {}
        }
    }
    Ok(())
}

/// Adds a part to the hull on the stack. If it rises above the top, the parts that it rises above are replaced by a chord. `known_to_rise`
/// says that it does; otherwise the directions decide.
fn add(stack: &mut Vec<HullPart>, mut next: Incoming, known_to_rise: bool) -> Result<(), Undecided> {
    let rises = known_to_rise
        || match (stack.last(), &next) {
            (Some(top), Incoming::Part(part)) => top.is_below(part)?,
            _ => false,
        };
    while rises && let Some(top) = stack.pop() {
        match join_at(stack, top, next)? {
            Joined::Done => return Ok(()),
            Joined::Blocked(same) => next = same,
        }
    }
    match next {
        Incoming::Part(part) => stack.push(part),
        // There is always a part that the chord can start from.
        Incoming::Point(_) => return Err(Undecided),
    }
    Ok(())
}

/// The result of trying to start a chord on one part of the hull.
enum Joined {
    /// The chord and the incoming part are on the stack.
    Done,
    /// The chord starts further left. The incoming part is returned.
    Blocked(Incoming),
}

/// Joins an incoming part to the hull by a chord that starts on `top`, a part popped from the stack, if such a chord is on the hull.
fn join_at(stack: &mut Vec<HullPart>, top: HullPart, next: Incoming) -> Result<Joined, Undecided> {
    match top {
        HullPart::Arc(convex) => join_at_arc(stack, &convex, next),
        // A chord tangent to the arc before it: the new chord leaves that arc earlier.
        HullPart::Line(line) if line.from.inside.is_some() => Ok(Joined::Blocked(next)),
        HullPart::Line(line) => join_at_vertex(stack, line.from, next),
    }
}

/// Joins an incoming part by a chord that starts inside an arc or at its start.
fn join_at_arc(
    stack: &mut Vec<HullPart>,
    ConvexArc { piece, arc }: &ConvexArc,
    next: Incoming,
) -> Result<Joined, Undecided> {
    let (height, highest) = compare_with_start_tangent(arc, &next)?;
    if height < 0 {
        // The point of tangency lies inside the arc.
        bridge_from_arc(stack, *piece, arc, next)?;
        return Ok(Joined::Done);
    }
    let is_start_tangent = stack.last().is_some_and(|before| before.tangent()[1]);
    let mut start = ExactContact::vertex(*piece, arc.at(&arc.u[0]));
    start.inside = is_start_tangent.then(|| arc.u[0].clone());
    if height == 0 {
        // The tangent at the start of the arc is the chord.
        push_chord(stack, Line::chord(start, highest), next);
        return Ok(Joined::Done);
    }
    // The chord starts at the start of this arc, or further left if the part before is a chord tangent there.
    if is_start_tangent { Ok(Joined::Blocked(next)) } else { join_at_vertex(stack, start, next) }
}

/// Joins an incoming part by a chord that starts in a vertex, unless the hull before the vertex lies below the continuation of the chord.
fn join_at_vertex(stack: &mut Vec<HullPart>, vertex: ExactContact, next: Incoming) -> Result<Joined, Undecided> {
    let to = contact_from_vertex(&vertex.point, &next)?;
    let chord = Line::chord(vertex, to);
    let is_blocked = match stack.last() {
        Some(before) => turn(&before.end_direction(), &chord.direction()).ok_or(Undecided)? < 0,
        None => false,
    };
    if !is_blocked {
        push_chord(stack, chord, next);
        return Ok(Joined::Done);
    }
    // A chord that ends in a vertex still does so if it starts further left.
    let is_end_fixed = chord.to.inside.is_none();
    Ok(Joined::Blocked(if is_end_fixed { Incoming::Point(Box::new(chord.to)) } else { next }))
}

/// Adds a chord to the stack, and the rest of the incoming arc if the chord is tangent to it.
fn push_chord(stack: &mut Vec<HullPart>, chord: Line, next: Incoming) {
    let rest_of_arc = match (&chord.to.inside, next.target()) {
        (Some(u), Target::Arc(ConvexArc { piece, arc })) => {
            Some(HullPart::Arc(ConvexArc { piece: *piece, arc: Arc::new(arc.part(u, &arc.u[1])) }))
        }
        _ => None,
    };
    stack.push(HullPart::Line(Box::new(chord)));
    stack.extend(rest_of_arc);
}

/// The end of a chord from a vertex to an incoming part.
fn contact_from_vertex(from: &ExactPoint, next: &Incoming) -> Result<ExactContact, Undecided> {
    match next.target() {
        Target::Point(to) => Ok(to.clone()),
        Target::Arc(ConvexArc { piece, arc }) => {
            let end = arc.at(&arc.u[1]);
            // The whole arc lies under the chord to its end.
            if turn(&from.towards(&end), &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
                return Ok(ExactContact::vertex(*piece, end));
            }
            Ok(ExactContact::tangent(*piece, arc, tangent_point(arc, from)?))
        }
    }
}

/// Whether an incoming part rises above the tangent at the start of an arc (1), touches it (0) or stays below (-1), and its highest
/// point relative to the tangent.
fn compare_with_start_tangent(arc: &ExactArc, next: &Incoming) -> Result<(i8, ExactContact), Undecided> {
    let (start, direction) = (arc.at(&arc.u[0]), arc.direction_at(&arc.u[0]));
    match next.target() {
        Target::Point(to) => Ok((-turn(&direction, &start.towards(&to.point)).ok_or(Undecided)?, to.clone())),
        Target::Arc(incoming) => {
            let (height, u) = compare_with_line(&incoming.arc, &start, &direction)?;
            let is_end = u.is_same(&incoming.arc.u[0]) || u.is_same(&incoming.arc.u[1]);
            let highest = if is_end {
                ExactContact::vertex(incoming.piece, incoming.arc.at(&u))
            } else {
                ExactContact::tangent(incoming.piece, &incoming.arc, u)
            };
            Ok((height, highest))
        }
    }
}

/// Whether an arc that bends towards class 1 rises above the line through `point` (1), touches it (0) or stays below (-1), and the parameter
/// of its highest point relative to the line.
fn compare_with_line(arc: &ExactArc, point: &ExactPoint, direction: &Direction) -> Result<(i8, Number), Undecided> {
    // The height of the arc above the line is concave in the parameter. It is largest where the arc is parallel to the line.
    let highest = if turn(direction, &arc.direction_at(&arc.u[0])).ok_or(Undecided)? >= 0 {
        arc.u[0].clone()
    } else if turn(direction, &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
        arc.u[1].clone()
    } else {
        // direction × (g0, g1) = 0.
        let [g0, g1] = arc.direction.clone();
        only_root(arc, vec![(direction[0].clone(), g1), (-&direction[1], g0)])?
    };
    let height = -turn(direction, &point.towards(&arc.at(&highest))).ok_or(Undecided)?;
    Ok((height, highest))
}

/// Adds a chord that is tangent to the inside of an arc and ends on an incoming part. `piece` is the index of the arc.
fn bridge_from_arc(
    stack: &mut Vec<HullPart>,
    piece: usize,
    arc: &Arc<ExactArc>,
    next: Incoming,
) -> Result<(), Undecided> {
    let (from, to) = match next.target() {
        Target::Point(to) => (tangent_point(arc, &to.point)?, to.clone()),
        Target::Arc(incoming) => {
            let end = incoming.arc.at(&incoming.arc.u[1]);
            let end_direction = incoming.arc.direction_at(&incoming.arc.u[1]);
            let (height_above_end_tangent, _) = compare_with_line(arc, &end, &end_direction)?;
            if height_above_end_tangent >= 0 {
                // The chord passes above the whole incoming arc and ends in its last point.
                (tangent_point(arc, &end)?, ExactContact::vertex(incoming.piece, end))
            } else {
                let computed = double_tangent(arc, &incoming.arc);
                let algebraic = exact_double_tangent(arc, &incoming.arc, computed.each_ref(), SMALL_DEGREE);
                let [from, to] = algebraic.unwrap_or(computed);
                (from, ExactContact::tangent(incoming.piece, &incoming.arc, to))
            }
        }
    };
    stack.push(HullPart::Arc(ConvexArc { piece, arc: Arc::new(arc.part(&arc.u[0], &from)) }));
    push_chord(stack, Line::chord(ExactContact::tangent(piece, arc, from), to), next);
    Ok(())
}

/// The hull as a curve, and the scores of the ends of its chords. `curve` supplies the gaps, which the stack does not hold.
fn build_curve(curve: &ExactCurve, stack: Vec<HullPart>) -> (ExactCurve, Vec<ExactGap>) {
    let mut pieces = Vec::with_capacity(curve.pieces.len());
    let mut non_hull = Vec::new();
    // The index of the first piece of the curve after the hull so far.
    let mut next_piece = 0;
    for part in stack {
        let (first, last) = match &part {
            HullPart::Arc(ConvexArc { piece, .. }) => (*piece, *piece),
            HullPart::Line(line) => (line.from.piece, line.to.piece),
        };
        // Gaps between parts of the hull stay. Two parts may lie on one piece, so `next_piece` may be `first + 1`.
        let between = &curve.pieces[next_piece.min(first)..first];
        pieces.extend(between.iter().filter(|piece| !piece.has_mass()).cloned());
        next_piece = last + 1;
        pieces.push(match part {
            HullPart::Arc(ConvexArc { arc, .. }) => ExactPiece::Arc((*arc).clone()),
            HullPart::Line(line) => match line.piece {
                Some(piece) => curve.pieces[piece].clone(),
                None => {
                    non_hull.push([line.from.point.x.clone(), line.to.point.x.clone()]);
                    ExactPiece::Straight { from: line.from.point, to: line.to.point, tangent: line.tangent }
                }
            },
        });
    }
    pieces.extend(curve.pieces[next_piece..].iter().cloned());
    (ExactCurve { pieces, range: curve.range.clone() }, non_hull)
}
