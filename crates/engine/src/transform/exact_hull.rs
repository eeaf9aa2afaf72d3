//! The upper hull of a ROC curve at the exact level: decided, not sampled.
//!
//! Each arc comes apart where its direction stops turning one way (roots of `f0 f1' - f1 f0'`). Parts that turn towards
//! class 1 can be on the hull; parts that turn back lie under their own chord. The hull is built from left to right on a
//! stack: what is added bridges over what it rises above, by a chord from a vertex or a point of tangency.

use super::tangent::{double_tangent, only_root, tangent_point};
use super::tangent_system::{LARGEST_DEGREE, SMALL_DEGREE, exact_double_tangent};
use crate::model::exact_curve::{Direction, ExactArc, ExactCurve, ExactPiece, ExactPoint, Undecided, turn};
use rocproof_arith::Number;
use std::sync::Arc;

/// A point where a chord starts or ends.
#[derive(Clone, Debug)]
struct ExactContact {
    /// The piece of the curve.
    piece: usize,
    point: ExactPoint,
    /// Its parameter if it is inside an arc, to which the chord is then tangent.
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

/// A straight part: a piece of the curve itself, or a chord over what is not on the hull.
#[derive(Clone, Debug)]
struct Line {
    /// The piece of the curve; `None` for a chord.
    piece: Option<usize>,
    from: ExactContact,
    to: ExactContact,
    /// Whether it is known to be tangent to what stands before and after it.
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

/// What stands on the stack.
#[derive(Clone, Debug)]
enum Item {
    /// A part of an arc that turns towards class 1.
    Turning(Turning),
    /// A straight part.
    Line(Box<Line>),
}

#[derive(Clone, Debug)]
struct Turning {
    piece: usize,
    arc: Arc<ExactArc>,
}

/// What is put on the stack.
#[derive(Clone, Debug)]
enum Next {
    Item(Item),
    /// Straight to this point, from wherever the hull leaves.
    Point(Box<ExactContact>),
}

impl Item {
    fn start(&self) -> Direction {
        match self {
            Item::Turning(Turning { arc, .. }) => arc.direction_at(&arc.u[0]),
            Item::Line(line) => line.direction(),
        }
    }

    fn end(&self) -> Direction {
        match self {
            Item::Turning(Turning { arc, .. }) => arc.direction_at(&arc.u[1]),
            Item::Line(line) => line.direction(),
        }
    }

    fn tangent(&self) -> [bool; 2] {
        match self {
            Item::Turning(_) => [false; 2],
            Item::Line(line) => line.tangent,
        }
    }

    /// Whether what comes next rises above this.
    fn is_below(&self, next: &Item) -> Result<bool, Undecided> {
        let smooth = self.tangent()[1] || next.tangent()[0];
        Ok(!smooth && turn(&self.end(), &next.start()).ok_or(Undecided)? < 0)
    }
}

impl Next {
    /// The arc of it that can be touched inside, or the point that it ends in.
    fn target(&self) -> Result<&Turning, &ExactContact> {
        match self {
            Next::Item(Item::Turning(turning)) => Ok(turning),
            Next::Item(Item::Line(line)) => Err(&line.to),
            Next::Point(to) => Err(to),
        }
    }
}

/// A non-hull interval: the scores of its ends.
pub type ExactGap = [Number; 2];

/// The hull of a curve, as a curve, and its non-hull intervals. A curve is convex iff it has none.
pub fn exact_hull(curve: &ExactCurve) -> Result<(ExactCurve, Vec<ExactGap>), Undecided> {
    let mut stack: Vec<Item> = Vec::new();
    for (piece, what) in curve.massive() {
        if let ExactPiece::Arc(arc) = what
            && !arc.is_straight()
        {
            add_arc(&mut stack, piece, arc)?;
            continue;
        }
        let [from, to] = [what.start(), what.end()].map(|point| ExactContact::vertex(piece, point));
        let line = Line { piece: Some(piece), from, to, tangent: what.tangent() };
        add(&mut stack, Next::Item(Item::Line(Box::new(line))), false)?;
    }
    for k in 0..stack.len() {
        write_out(&mut stack, k);
    }
    Ok(rebuilt(curve, stack))
}

/// Where a chord touches two arcs inside, finds the points of tangency as algebraic numbers if that is not too much work.
fn write_out(stack: &mut [Item], k: usize) {
    let end = (k + 2).min(stack.len());
    let [.., Item::Turning(before), Item::Line(chord), Item::Turning(after)] = &mut stack[..end] else { return };
    let (Some(from @ Number::Computed(_)), Some(to)) = (&chord.from.inside, &chord.to.inside) else { return };
    let Some([from, to]) = exact_double_tangent(&before.arc, &after.arc, [from, to], LARGEST_DEGREE) else {
        return;
    };
    before.arc = Arc::new(before.arc.part(&before.arc.u[0], &from));
    after.arc = Arc::new(after.arc.part(&to, &after.arc.u[1]));
    chord.from = ExactContact::tangent(before.piece, &before.arc, from);
    chord.to = ExactContact::tangent(after.piece, &after.arc, to);
}

/// Puts the parts of an arc on the stack.
fn add_arc(stack: &mut Vec<Item>, piece: usize, arc: &ExactArc) -> Result<(), Undecided> {
    let turning = arc.turning();
    let mut cuts = vec![arc.u[0].clone()];
    cuts.extend(arc.roots_inside(&turning).ok_or(Undecided)?);
    cuts.push(arc.u[1].clone());
    // Neighbouring parts that turn the same way are one.
    let mut parts: Vec<(ExactArc, bool)> = Vec::new();
    for ends in cuts.windows(2) {
        let part = arc.part(&ends[0], &ends[1]);
        let forward = turning.sign_at(&part.inside().ok_or(Undecided)?) > 0;
        match parts.last_mut() {
            Some((last, same)) if *same == forward => last.u[1] = ends[1].clone(),
            _ => parts.push((part, forward)),
        }
    }
    let last = parts.len() - 1;
    for (index, (part, forward)) in parts.iter().enumerate() {
        if *forward {
            // After a part that turned back this one rises above what came before.
            let turning = Turning { piece, arc: Arc::new(part.clone()) };
            add(stack, Next::Item(Item::Turning(turning)), index > 0)?;
            continue;
        }
        // A chord over the part. From or to a point inside the arc it is never on the hull: its neighbour there takes over.
        let [from, to] = [0, 1].map(|end| ExactContact::vertex(piece, part.at(&part.u[end])));
        match (index == 0, index == last) {
            (true, true) => add(stack, Next::Item(Item::Line(Box::new(Line::chord(from, to)))), false)?,
            (true, false) => stack.push(Item::Line(Box::new(Line::chord(from, to)))),
            (false, true) => add(stack, Next::Point(Box::new(to)), true)?,
            (false, false) => {}
        }
    }
    Ok(())
}

/// Puts the next part on the stack, after bridging over what it rises above. `rises` says that it is known to rise above
/// the top.
fn add(stack: &mut Vec<Item>, mut next: Next, mut rises: bool) -> Result<(), Undecided> {
    loop {
        if !rises && let (Some(top), Next::Item(item)) = (stack.last(), &next) {
            rises = top.is_below(item)?;
        }
        let Some(top) = stack.pop_if(|_| rises) else { break };
        match top {
            Item::Turning(Turning { piece, arc }) => {
                let (height, reached) = above_start(&arc, &next)?;
                if height < 0 {
                    return bridge(stack, piece, &arc, next);
                }
                // The bridge starts where this arc does, or earlier: where a chord that touches it starts.
                let touched = stack.last().is_some_and(|before| before.tangent()[1]);
                let mut start = ExactContact::vertex(piece, arc.at(&arc.u[0]));
                start.inside = touched.then(|| arc.u[0].clone());
                if height == 0 {
                    push_chord(stack, Line::chord(start, reached), next);
                    return Ok(());
                }
                if !touched {
                    stack.push(Item::Line(Box::new(Line::chord(start.clone(), start))));
                }
            }
            // A chord that is tangent to the arc before it leaves that arc earlier.
            Item::Line(line) if line.from.inside.is_some() => {}
            Item::Line(line) => {
                let chord = Line::chord(line.from.clone(), from_vertex(&line.from.point, &next)?);
                let blocked = match stack.last() {
                    Some(before) => turn(&before.end(), &chord.direction()).ok_or(Undecided)? < 0,
                    None => false,
                };
                if !blocked {
                    push_chord(stack, chord, next);
                    return Ok(());
                }
                if chord.to.inside.is_none() {
                    next = Next::Point(Box::new(chord.to));
                }
            }
        }
    }
    match next {
        Next::Item(item) => stack.push(item),
        // A chord always finds something to start from.
        Next::Point(_) => return Err(Undecided),
    }
    Ok(())
}

/// Puts a chord on the stack, and what is left of the arc that it touches.
fn push_chord(stack: &mut Vec<Item>, chord: Line, next: Next) {
    let rest = match (&chord.to.inside, next.target()) {
        (Some(u), Ok(Turning { piece, arc })) => {
            Some(Item::Turning(Turning { piece: *piece, arc: Arc::new(arc.part(u, &arc.u[1])) }))
        }
        _ => None,
    };
    stack.push(Item::Line(Box::new(chord)));
    stack.extend(rest);
}

/// Where a chord from a vertex touches what comes next.
fn from_vertex(from: &ExactPoint, next: &Next) -> Result<ExactContact, Undecided> {
    match next.target() {
        Err(to) => Ok(to.clone()),
        Ok(Turning { piece, arc }) => {
            let end = arc.at(&arc.u[1]);
            if turn(&from.towards(&end), &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
                return Ok(ExactContact::vertex(*piece, end));
            }
            Ok(ExactContact::tangent(*piece, arc, tangent_point(arc, from)?))
        }
    }
}

/// Whether the next part rises above the tangent at the start of an arc (1), touches it (0) or stays below (-1), and where it
/// comes closest.
fn above_start(arc: &ExactArc, next: &Next) -> Result<(i8, ExactContact), Undecided> {
    let (start, direction) = (arc.at(&arc.u[0]), arc.direction_at(&arc.u[0]));
    match next.target() {
        Err(to) => Ok((-turn(&direction, &start.towards(&to.point)).ok_or(Undecided)?, to.clone())),
        Ok(other) => {
            let (height, u) = above(&other.arc, &start, &direction)?;
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

/// Whether an arc that turns towards class 1 rises above the line through a point in a direction (1), touches it (0) or stays
/// below (-1), and the parameter where it comes closest.
fn above(arc: &ExactArc, point: &ExactPoint, direction: &Direction) -> Result<(i8, Number), Undecided> {
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

/// Bridges from the inside of an arc to what comes next.
fn bridge(stack: &mut Vec<Item>, piece: usize, arc: &Arc<ExactArc>, next: Next) -> Result<(), Undecided> {
    let (from, to) = match next.target() {
        Ok(other) => {
            let (end, direction) = (other.arc.at(&other.arc.u[1]), other.arc.direction_at(&other.arc.u[1]));
            if above(arc, &end, &direction)?.0 >= 0 {
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
    stack.push(Item::Turning(Turning { piece, arc: Arc::new(arc.part(&arc.u[0], &from)) }));
    push_chord(stack, Line::chord(ExactContact::tangent(piece, arc, from), to), next);
    Ok(())
}

/// The hull as a curve, and the scores of the chords' ends.
fn rebuilt(curve: &ExactCurve, stack: Vec<Item>) -> (ExactCurve, Vec<ExactGap>) {
    let mut pieces = Vec::with_capacity(curve.pieces.len());
    let mut gaps = Vec::new();
    let mut done = 0;
    for item in stack {
        let (first, last) = match &item {
            Item::Turning(Turning { piece, .. }) => (*piece, *piece),
            Item::Line(line) => (line.from.piece, line.to.piece),
        };
        // Intervals without mass between what is on the hull stay.
        pieces.extend(curve.pieces[done.min(first)..first].iter().filter(|p| !p.has_mass()).cloned());
        done = last + 1;
        pieces.push(match item {
            Item::Turning(Turning { arc, .. }) => ExactPiece::Arc((*arc).clone()),
            Item::Line(line) => match line.piece {
                Some(piece) => curve.pieces[piece].clone(),
                None => {
                    gaps.push([line.from.point.x.clone(), line.to.point.x.clone()]);
                    ExactPiece::Straight { from: line.from.point, to: line.to.point, tangent: line.tangent }
                }
            },
        });
    }
    pieces.extend(curve.pieces[done..].iter().cloned());
    (ExactCurve { pieces, range: curve.range.clone() }, gaps)
}
