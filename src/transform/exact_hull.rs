//! The upper hull of a ROC curve at the exact level: decided, not sampled.
//!
//! Each arc comes apart where its direction stops turning one way (roots of `f0 f1' - f1 f0'`). Parts that turn towards
//! class 1 can be on the hull; parts that turn back lie under their own chord. The hull is built from left to right on a
//! stack: what is added bridges over what it rises above, by a chord from a vertex or a point of tangency.

use crate::arith::rational::to_f64;
use crate::arith::roots::{refine, refine_near};
use crate::arith::{Enclosure, Number, Polynomial, Rational};
use crate::model::exact_curve::{Direction, ExactArc, ExactCurve, ExactPiece, ExactPoint, Undecided, turn};
use dashu_base::Abs;
use dashu_int::IBig;
use std::sync::{Arc, Mutex, PoisonError};

/// How many more binary digits are used inside than are asked for.
const GUARD: usize = 64;

/// A point where a chord starts or ends.
#[derive(Clone, Debug)]
struct Contact {
    /// The piece of the curve.
    piece: usize,
    point: ExactPoint,
    /// Its parameter if it is inside an arc, to which the chord is then tangent.
    inside: Option<Number>,
}

impl Contact {
    fn vertex(piece: usize, point: ExactPoint) -> Contact {
        Contact { piece, point, inside: None }
    }

    fn tangent(piece: usize, arc: &ExactArc, u: Number) -> Contact {
        Contact { piece, point: arc.at(&u), inside: Some(u) }
    }
}

/// A straight part: a piece of the curve itself, or a chord over what is not on the hull.
#[derive(Clone, Debug)]
struct Line {
    /// The piece of the curve; `None` for a chord.
    piece: Option<usize>,
    from: Contact,
    to: Contact,
    /// Whether it is known to be tangent to what stands before and after it.
    tangent: [bool; 2],
}

impl Line {
    fn chord(from: Contact, to: Contact) -> Line {
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
    Point(Box<Contact>),
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
    fn target(&self) -> Result<&Turning, &Contact> {
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
        let tangent = match what {
            ExactPiece::Arc(arc) if !arc.is_straight() => {
                add_arc(&mut stack, piece, arc)?;
                continue;
            }
            ExactPiece::Arc(_) => [false; 2],
            ExactPiece::Straight { tangent, .. } => *tangent,
        };
        let [from, to] = [what.start(), what.end()].map(|point| Contact::vertex(piece, point));
        let line = Line { piece: Some(piece), from, to, tangent };
        add(&mut stack, Next::Item(Item::Line(Box::new(line))), false)?;
    }
    Ok(rebuilt(curve, stack))
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
        let forward = turning.sign_at(&part.inside()) > 0;
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
        let [from, to] = [0, 1].map(|end| Contact::vertex(piece, part.at(&part.u[end])));
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
                if !covers(&arc, &next)? {
                    return bridge(stack, piece, &arc, next);
                }
                // The bridge starts where this arc does, or earlier: where a chord that touches it starts.
                if !stack.last().is_some_and(|before| before.tangent()[1]) {
                    let start = Contact::vertex(piece, arc.at(&arc.u[0]));
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
fn from_vertex(from: &ExactPoint, next: &Next) -> Result<Contact, Undecided> {
    match next.target() {
        Err(to) => Ok(to.clone()),
        Ok(Turning { piece, arc }) => {
            let end = arc.at(&arc.u[1]);
            if turn(&from.towards(&end), &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
                return Ok(Contact::vertex(*piece, end));
            }
            Ok(Contact::tangent(*piece, arc, tangent_point(arc, from)?))
        }
    }
}

/// Whether the next part rises above the tangent at the start of an arc.
fn covers(arc: &ExactArc, next: &Next) -> Result<bool, Undecided> {
    let (start, direction) = (arc.at(&arc.u[0]), arc.direction_at(&arc.u[0]));
    match next.target() {
        Err(to) => Ok(turn(&direction, &start.towards(&to.point)).ok_or(Undecided)? <= 0),
        Ok(other) => rises_above(&other.arc, &start, &direction),
    }
}

/// Whether an arc that turns towards class 1 reaches or crosses the line through a point in a direction.
fn rises_above(arc: &ExactArc, point: &ExactPoint, direction: &Direction) -> Result<bool, Undecided> {
    let farthest = if turn(direction, &arc.direction_at(&arc.u[0])).ok_or(Undecided)? >= 0 {
        arc.u[0].clone()
    } else if turn(direction, &arc.direction_at(&arc.u[1])).ok_or(Undecided)? <= 0 {
        arc.u[1].clone()
    } else {
        let [g0, g1] = arc.direction.clone();
        only_root(arc, vec![(direction[0].clone(), g1), (-&direction[1], g0)])?
    };
    Ok(turn(direction, &point.towards(&arc.at(&farthest))).ok_or(Undecided)? <= 0)
}

/// Bridges from the inside of an arc to what comes next.
fn bridge(stack: &mut Vec<Item>, piece: usize, arc: &Arc<ExactArc>, next: Next) -> Result<(), Undecided> {
    let (from, to) = match next.target() {
        Ok(other) => {
            let (end, direction) = (other.arc.at(&other.arc.u[1]), other.arc.direction_at(&other.arc.u[1]));
            if rises_above(arc, &end, &direction)? {
                (tangent_point(arc, &end)?, Contact::vertex(other.piece, end))
            } else {
                let [from, to] = double_tangent(arc, &other.arc);
                (from, Contact::tangent(other.piece, &other.arc, to))
            }
        }
        Err(to) => (tangent_point(arc, &to.point)?, to.clone()),
    };
    stack.push(Item::Turning(Turning { piece, arc: Arc::new(arc.part(&arc.u[0], &from)) }));
    push_chord(stack, Line::chord(Contact::tangent(piece, arc, from), to), next);
    Ok(())
}

/// The parameter at which the tangent of an arc goes through a point.
fn tangent_point(arc: &ExactArc, point: &ExactPoint) -> Result<Number, Undecided> {
    // g0·(P1 - F1) - g1·(P0 - F0) = 0.
    let ([g0, g1], [f0, f1]) = (&arc.direction, &arc.f);
    let own = &(g1 * f0) - &(g0 * f1);
    let terms = vec![(Number::ONE, own), (point.f[1].clone(), g0.clone()), (-&point.f[0], g1.clone())];
    only_root(arc, terms)
}

/// The only parameter inside an arc at which a sum of multiples of polynomials is 0.
fn only_root(arc: &ExactArc, terms: Vec<(Number, Polynomial)>) -> Result<Number, Undecided> {
    let rational = terms.iter().try_fold(Polynomial::zero(), |sum, (number, polynomial)| {
        Some(&sum + &polynomial.scaled(number.as_rational()?))
    });
    if let Some(polynomial) = rational {
        return arc.roots_inside(&polynomial).ok_or(Undecided)?.into_iter().next().ok_or(Undecided);
    }
    let [lo, hi] = arc.u.clone();
    let narrowed = Narrowed::default();
    Ok(Number::computed(move |bits| {
        let (lo, hi) = narrowed.to(
            bits,
            || inner_bounds(&lo, &hi, bits),
            |bounds| {
                let work = bits + GUARD;
                let factors: Option<Vec<Enclosure>> = terms.iter().map(|(n, _)| n.enclosure(work)).collect();
                let Some(factors) = factors else { return false };
                refine(bounds, bits, |x| {
                    let parts = factors.iter().zip(&terms).map(|(n, (_, p))| n.times(&at(p, x, work)));
                    decided(&parts.reduce(|sum, part| sum.plus(&part))?)
                })
            },
        )?;
        Some(Enclosure::between(&lo, &hi, bits))
    }))
}

/// The value of a polynomial at a rational.
fn at(polynomial: &Polynomial, x: &Rational, bits: usize) -> Enclosure {
    let (above, below) = polynomial.fraction_at(x);
    Enclosure::fraction(above, below, bits)
}

/// Bounds of a root that are kept and narrowed when more is asked for.
#[derive(Default)]
struct Narrowed {
    known: Mutex<Option<(usize, (Rational, Rational))>>,
}

impl Narrowed {
    /// The bounds narrowed to so many binary digits, from the first ones or what is known; `None` if that fails.
    fn to(
        &self,
        bits: usize,
        first: impl FnOnce() -> Option<(Rational, Rational)>,
        narrow: impl FnOnce(&mut (Rational, Rational)) -> bool,
    ) -> Option<(Rational, Rational)> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bounds = match known.as_ref() {
            Some((enough, bounds)) if *enough >= bits => return Some(bounds.clone()),
            Some((_, bounds)) => bounds.clone(),
            None => first()?,
        };
        if !narrow(&mut bounds) {
            return None;
        }
        Some(known.insert((bits, bounds)).1.clone())
    }
}

/// Rationals just inside two numbers.
fn inner_bounds(lo: &Number, hi: &Number, bits: usize) -> Option<(Rational, Rational)> {
    let inside = |number: &Number, end: usize| match number.as_rational() {
        Some(value) => Some(value.clone()),
        None => Some(number.enclosure(bits)?.ends()[end].clone()),
    };
    Some((inside(lo, 1)?, inside(hi, 0)?))
}

/// A number of the same sign as everything in an enclosure.
fn decided(enclosure: &Enclosure) -> Option<Rational> {
    enclosure.sign().map(|_| enclosure.near())
}

/// The parameters at which two arcs, the first left of the second, have a common tangent.
///
/// For each parameter of the first arc there is the point of the second that lies farthest above the tangent there. As the
/// parameter grows the tangents turn, and that point rises from below the tangent to above it once.
fn double_tangent(first: &Arc<ExactArc>, second: &Arc<ExactArc>) -> [Number; 2] {
    let (first, second) = (first.clone(), second.clone());
    let estimate = rough_tangent(&first, &second);
    let narrowed = Narrowed::default();
    let bounds = Arc::new(move |bits: usize| -> Option<[(Rational, Rational); 2]> {
        let work = bits + GUARD;
        let (lo, hi) = narrowed.to(
            bits,
            || inner_bounds(&first.u[0], &first.u[1], bits),
            |bounds| {
                refine_near(bounds, estimate, bits, |u| {
                    let (lo, hi) = farthest(&second, &rational_direction(&first, u), work)?;
                    let there = Enclosure::between(&lo, &hi, work);
                    let step = |k: usize| there.under(&second.f[k]).minus(&at(&first.f[k], u, work));
                    let [d0, d1] = [0, 1].map(|k: usize| at(&first.direction[k], u, work));
                    decided(&d0.times(&step(1)).minus(&d1.times(&step(0))))
                })
            },
        )?;
        // Where the second arc is parallel to the first grows with the parameter of the first.
        let [from, to] = [&lo, &hi].map(|u| farthest(&second, &rational_direction(&first, u), bits));
        Some([(lo, hi), (from?.0, to?.1)])
    });
    [0, 1].map(|which| {
        let bounds = bounds.clone();
        Number::computed(move |bits| {
            let (lo, hi) = &bounds(bits)?[which];
            Some(Enclosure::between(lo, hi, bits))
        })
    })
}

/// A polynomial in floating point, scaled to largest coefficient 1.
struct Rough(Vec<f64>);

impl Rough {
    fn of(polynomial: &Polynomial) -> Rough {
        let largest = polynomial.coefficients().map(|c| c.abs()).max().unwrap_or(Rational::ONE);
        Rough(polynomial.coefficients().map(|c| to_f64(&(c / &largest))).collect())
    }

    fn at(&self, u: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * u + c)
    }
}

/// Where, between two ends, a condition that holds first stops to hold.
fn halved([mut lo, mut hi]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..50 {
        let middle = (lo + hi) / 2.0;
        if holds(middle) { lo = middle } else { hi = middle }
    }
    (lo + hi) / 2.0
}

/// An estimate of the first parameter of [`double_tangent`].
fn rough_tangent(first: &ExactArc, second: &ExactArc) -> f64 {
    let rough = |polynomials: &[Polynomial; 2]| -> [Box<dyn Fn(f64) -> f64>; 2] {
        polynomials.each_ref().map(|p| {
            let coefficients: Vec<f64> = p.coefficients().map(|c| to_f64(&c)).collect();
            Box::new(move |u| coefficients.iter().rev().fold(0.0, |sum, c| sum * u + c)) as Box<dyn Fn(f64) -> f64>
        })
    };
    let ([g, h], [f, e]) = ([&first.direction, &second.direction].map(rough), [&first.f, &second.f].map(rough));
    let [of_first, of_second] = [first, second].map(|arc| arc.bounds().map(|end| to_f64(&end)));
    halved(of_first, |u| {
        let d = [g[0](u), g[1](u)];
        let v = halved(of_second, |v| d[0] * h[1](v) - d[1] * h[0](v) < 0.0);
        d[0] * (e[1](v) - f[1](u)) - d[1] * (e[0](v) - f[0](u)) > 0.0
    })
}

/// Whole numbers in proportion to the direction of an arc at a rational parameter.
fn rational_direction(arc: &ExactArc, u: &Rational) -> [IBig; 2] {
    let [(a, p), (b, q)] = [0, 1].map(|k: usize| arc.direction[k].fraction_at(u));
    [a * IBig::from(q), b * IBig::from(p)]
}

/// Bounds of the parameter at which an arc reaches farthest above lines in a direction.
fn farthest(arc: &ExactArc, direction: &[IBig; 2], bits: usize) -> Option<(Rational, Rational)> {
    let [d0, d1] = direction.each_ref().map(|d| Rational::from(d.clone()));
    let away = &arc.direction[1].scaled(&d0) - &arc.direction[0].scaled(&d1);
    let (lo, hi) = inner_bounds(&arc.u[0], &arc.u[1], bits)?;
    let outer = arc.bounds();
    if away.sign_at(&lo) >= 0 {
        // Between the end and its inner bound.
        return Some((outer[0].clone().min(lo.clone()), lo));
    }
    if away.sign_at(&hi) <= 0 {
        return Some((hi.clone(), outer[1].clone().max(hi)));
    }
    let rough = Rough::of(&away);
    let estimate = halved([to_f64(&lo), to_f64(&hi)], |u| rough.at(u) < 0.0);
    let mut bounds = (lo, hi);
    refine_near(&mut bounds, estimate, bits, |u| Some(away.near(u))).then_some(bounds)
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
