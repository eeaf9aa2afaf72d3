//! The upper hull of a ROC curve at the exact level.
//!
//! Each arc is cut at its inflections, the roots of `f0 f1' - f1 f0'`. Parts that bend towards class 1 can be on the hull; parts that bend
//! back lie under their own chord. The hull is built from left to right on a stack. An incoming part that rises above the top of the stack
//! is joined to the hull by a chord, from a vertex or from a point of tangency, and the parts under the chord are popped.

use super::tangent::{double_tangent, only_root, tangent_point};
use super::tangent_system::{LARGEST_DEGREE, SMALL_DEGREE, exact_double_tangent};
use crate::model::exact_curve::{Direction, ExactArc, ExactCurve, ExactPiece, ExactPoint, Undecided, turn};
use rocproof_arith::Number;
use std::sync::Arc;

/// An end of a chord.
#[derive(Clone, Debug)]
struct ExactContact {
    /// The piece of the curve.
    piece: usize,
    point: ExactPoint,
    /// Its parameter, if it is a point of tangency inside an arc.
    inside: Option<Number>,
}

impl ExactContact {
    fn vertex(piece: usize, point: ExactPoint) -> ExactContact {
        ExactContact { piece, point, inside: None }
    }

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
    /// A line to this point; it starts wherever the hull is left.
    Point(Box<ExactContact>),
}

impl HullPart {
    fn start_direction(&self) -> Direction {
        match self {
            HullPart::Arc(ConvexArc { arc, .. }) => arc.direction_at(&arc.u[0]),
            HullPart::Line(line) => line.direction(),
        }
    }

    fn end_direction(&self) -> Direction {
        match self {
            HullPart::Arc(ConvexArc { arc, .. }) => arc.direction_at(&arc.u[1]),
            HullPart::Line(line) => line.direction(),
        }
    }

    fn tangent(&self) -> [bool; 2] {
        match self {
            HullPart::Arc(_) => [false; 2],
            HullPart::Line(line) => line.tangent,
        }
    }

    /// Whether the next part rises above this one.
    fn is_below(&self, next: &HullPart) -> Result<bool, Undecided> {
        let smooth = self.tangent()[1] || next.tangent()[0];
        Ok(!smooth && turn(&self.end_direction(), &next.start_direction()).ok_or(Undecided)? < 0)
    }
}

impl Incoming {
    /// The arc that a chord may be tangent to, or the point that it ends in.
    fn target(&self) -> Result<&ConvexArc, &ExactContact> {
        match self {
            Incoming::Part(HullPart::Arc(turning)) => Ok(turning),
            Incoming::Part(HullPart::Line(line)) => Err(&line.to),
            Incoming::Point(to) => Err(to),
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
    for k in 0..stack.len() {
        make_tangency_algebraic(&mut stack, k);
    }
    Ok(build_curve(curve, stack))
}

/// Replaces the points of tangency of a chord between two arcs by algebraic numbers, unless their degree is too large.
fn make_tangency_algebraic(stack: &mut [HullPart], k: usize) {
    let end = (k + 2).min(stack.len());
    let [.., HullPart::Arc(before), HullPart::Line(chord), HullPart::Arc(after)] = &mut stack[..end] else { return };
    let (Some(from @ Number::Computed(_)), Some(to)) = (&chord.from.inside, &chord.to.inside) else { return };
    let Some([from, to]) = exact_double_tangent(&before.arc, &after.arc, [from, to], LARGEST_DEGREE) else {
        return;
    };
    before.arc = Arc::new(before.arc.part(&before.arc.u[0], &from));
    after.arc = Arc::new(after.arc.part(&to, &after.arc.u[1]));
    chord.from = ExactContact::tangent(before.piece, &before.arc, from);
    chord.to = ExactContact::tangent(after.piece, &after.arc, to);
}

/// Adds the parts of an arc to the stack.
fn add_arc(stack: &mut Vec<HullPart>, piece: usize, arc: &ExactArc) -> Result<(), Undecided> {
    let turning = arc.turning();
    let mut cuts = vec![arc.u[0].clone()];
    cuts.extend(arc.roots_inside(&turning).ok_or(Undecided)?);
    cuts.push(arc.u[1].clone());
    // Merge neighbouring parts that bend the same way.
    let mut parts: Vec<(ExactArc, bool)> = Vec::new();
    for ends in cuts.windows(2) {
        let part = arc.part(&ends[0], &ends[1]);
        let bends_to_class1 = turning.sign_at(&part.inside().ok_or(Undecided)?) > 0;
        match parts.last_mut() {
            Some((last, last_bends)) if *last_bends == bends_to_class1 => last.u[1] = ends[1].clone(),
            _ => parts.push((part, bends_to_class1)),
        }
    }
    let last = parts.len() - 1;
    for (index, (part, bends_to_class1)) in parts.iter().enumerate() {
        if *bends_to_class1 {
            // After a part that bends back, this one rises above the parts before.
            let convex = ConvexArc { piece, arc: Arc::new(part.clone()) };
            add(stack, Incoming::Part(HullPart::Arc(convex)), index > 0)?;
            continue;
        }
        // The chord over a part that bends back. Towards the inside of the arc it is never on the hull: the neighbouring part takes over.
        let [from, to] = [0, 1].map(|end| ExactContact::vertex(piece, part.at(&part.u[end])));
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

/// Adds a part to the stack, and replaces the parts that it rises above by a chord. `rises` says that it is known to rise above the top.
fn add(stack: &mut Vec<HullPart>, mut next: Incoming, mut rises: bool) -> Result<(), Undecided> {
    loop {
        if !rises && let (Some(top), Incoming::Part(item)) = (stack.last(), &next) {
            rises = top.is_below(item)?;
        }
        let Some(top) = stack.pop_if(|_| rises) else { break };
        match top {
            HullPart::Arc(ConvexArc { piece, arc }) => {
                let (height, reached) = compare_with_start_tangent(&arc, &next)?;
                if height < 0 {
                    return bridge_from_arc(stack, piece, &arc, next);
                }
                // The chord starts at the start of this arc, or before it if a chord is tangent there.
                let touched = stack.last().is_some_and(|before| before.tangent()[1]);
                let mut start = ExactContact::vertex(piece, arc.at(&arc.u[0]));
                start.inside = touched.then(|| arc.u[0].clone());
                if height == 0 {
                    push_chord(stack, Line::chord(start, reached), next);
                    return Ok(());
                }
                if !touched {
                    stack.push(HullPart::Line(Box::new(Line::chord(start.clone(), start))));
                }
            }
            // A chord tangent to the arc before it: the new chord leaves that arc earlier.
            HullPart::Line(line) if line.from.inside.is_some() => {}
            HullPart::Line(line) => {
                let chord = Line::chord(line.from.clone(), contact_from_vertex(&line.from.point, &next)?);
                let blocked = match stack.last() {
                    Some(before) => turn(&before.end_direction(), &chord.direction()).ok_or(Undecided)? < 0,
                    None => false,
                };
                if !blocked {
                    push_chord(stack, chord, next);
                    return Ok(());
                }
                if chord.to.inside.is_none() {
                    next = Incoming::Point(Box::new(chord.to));
                }
            }
        }
    }
    match next {
        Incoming::Part(item) => stack.push(item),
        // There is always a part that the chord can start from.
        Incoming::Point(_) => return Err(Undecided),
    }
    Ok(())
}

/// Adds a chord to the stack, and the rest of the arc that it is tangent to.
fn push_chord(stack: &mut Vec<HullPart>, chord: Line, next: Incoming) {
    let rest_of_arc = match (&chord.to.inside, next.target()) {
        (Some(u), Ok(ConvexArc { piece, arc })) => {
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
        Err(to) => Ok(to.clone()),
        Ok(ConvexArc { piece, arc }) => {
            let end = arc.at(&arc.u[1]);
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
        Err(to) => Ok((-turn(&direction, &start.towards(&to.point)).ok_or(Undecided)?, to.clone())),
        Ok(other) => {
            let (height, u) = compare_with_line(&other.arc, &start, &direction)?;
            let at_end = u.is_same(&other.arc.u[0]) || u.is_same(&other.arc.u[1]);
            let reached = if at_end {
                ExactContact::vertex(other.piece, other.arc.at(&u))
            } else {
                ExactContact::tangent(other.piece, &other.arc, u)
            };
            Ok((height, reached))
        }
    }
}

/// Whether an arc that bends towards class 1 rises above a line (1), touches it (0) or stays below (-1), and the parameter of its highest
/// point relative to the line.
fn compare_with_line(arc: &ExactArc, point: &ExactPoint, direction: &Direction) -> Result<(i8, Number), Undecided> {
    let farthest = if turn(direction, &arc.direction_at(&arc.u[0])).ok_or(Undecided)? >= 0 {
        arc.u[0].clone()
    } else if turn(direction, &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
        arc.u[1].clone()
    } else {
        let [g0, g1] = arc.direction.clone();
        only_root(arc, vec![(direction[0].clone(), g1), (-&direction[1], g0)])?
    };
    let height = -turn(direction, &point.towards(&arc.at(&farthest))).ok_or(Undecided)?;
    Ok((height, farthest))
}

/// Adds a chord from the inside of an arc to an incoming part.
fn bridge_from_arc(
    stack: &mut Vec<HullPart>,
    piece: usize,
    arc: &Arc<ExactArc>,
    next: Incoming,
) -> Result<(), Undecided> {
    let (from, to) = match next.target() {
        Ok(other) => {
            let (end, direction) = (other.arc.at(&other.arc.u[1]), other.arc.direction_at(&other.arc.u[1]));
            if compare_with_line(arc, &end, &direction)?.0 >= 0 {
                (tangent_point(arc, &end)?, ExactContact::vertex(other.piece, end))
            } else {
                let near = double_tangent(arc, &other.arc);
                let exact = exact_double_tangent(arc, &other.arc, near.each_ref(), SMALL_DEGREE);
                let [from, to] = exact.unwrap_or(near);
                (from, ExactContact::tangent(other.piece, &other.arc, to))
            }
        }
        Err(to) => (tangent_point(arc, &to.point)?, to.clone()),
    };
    stack.push(HullPart::Arc(ConvexArc { piece, arc: Arc::new(arc.part(&arc.u[0], &from)) }));
    push_chord(stack, Line::chord(ExactContact::tangent(piece, arc, from), to), next);
    Ok(())
}

/// The hull as a curve, and the scores of the ends of its chords.
fn build_curve(curve: &ExactCurve, stack: Vec<HullPart>) -> (ExactCurve, Vec<ExactGap>) {
    let mut pieces = Vec::with_capacity(curve.pieces.len());
    let mut non_hull = Vec::new();
    let mut done = 0;
    for item in stack {
        let (first, last) = match &item {
            HullPart::Arc(ConvexArc { piece, .. }) => (*piece, *piece),
            HullPart::Line(line) => (line.from.piece, line.to.piece),
        };
        // Gaps between parts of the hull stay.
        pieces.extend(curve.pieces[done.min(first)..first].iter().filter(|p| !p.has_mass()).cloned());
        done = last + 1;
        pieces.push(match item {
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
    pieces.extend(curve.pieces[done..].iter().cloned());
    (ExactCurve { pieces, range: curve.range.clone() }, non_hull)
}
