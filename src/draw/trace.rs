//! Pieces of a curve to what is drawn of them.

use crate::data::curves::{CurvePiece, Divisor, UnitQuadratic};

/// How many columns and rows of a panel are told apart: about three in a pixel of a screen.
const RESOLUTION: f64 = 1000.0;
/// So many jumps are told apart in a column.
const JUMPS: usize = 4;
/// How far from the truth the chords of a piece that is no polynomial may be, in rows.
const CHORD: f64 = 0.1;
/// How often such a piece is halved at most.
const HALVINGS: u32 = 9;

/// The part of the plane that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The abscissae.
    pub x: (f64, f64),
    /// The ordinates.
    pub y: (f64, f64),
}

/// A step of the pen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node {
    /// A straight line to a point, or the first point.
    To(f64, f64),
    /// A parabola to a point, with the control point before it.
    Bend([f64; 2], [f64; 2]),
}

impl Node {
    /// Where the pen is then.
    pub fn end(&self) -> [f64; 2] {
        match *self {
            Node::To(x, y) | Node::Bend(_, [x, y]) => [x, y],
        }
    }
}

/// A jump: where it is, and the limits before and after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Where.
    pub x: f64,
    /// The limit from the left.
    pub left: f64,
    /// The limit from the right.
    pub right: f64,
}

/// What is drawn of a curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// What is drawn without lifting the pen.
    pub runs: Vec<Vec<Node>>,
    /// The jumps between runs that can be seen.
    pub jumps: Vec<Jump>,
}

/// Draws pieces, given from left to right.
///
/// A piece wider than a column is drawn as it is. Of narrower ones in one column the first, lowest, highest and last points are drawn, each a
/// point of the curve. The pen is lifted at a jump or gap that is higher than a row or wider than a column; only where there are more
/// than four such jumps in one column, which is then ink from top to bottom, the narrow pieces after them are drawn as one.
///
/// ```
/// use rocproof::data::curves::CurvePiece;
/// use rocproof::draw::trace::{Window, trace};
/// let window = Window { x: (0.0, 1.0), y: (0.0, 1.0) };
/// let saw = (0..1_000_000).map(|k| CurvePiece::straight(f64::from(k) / 1e6, f64::from(k + 1) / 1e6, 0.0, f64::from(k % 2)));
/// let drawn = trace(saw, window);
/// assert!(drawn.runs.iter().map(Vec::len).sum::<usize>() < 20_000);
/// let step = [CurvePiece::straight(0.0, 0.5, 0.0, 0.0), CurvePiece::straight(0.5, 1.0, 1.0, 1.0)];
/// assert_eq!(trace(step.into_iter(), window).runs.len(), 2);
/// ```
pub fn trace(pieces: impl Iterator<Item = CurvePiece>, window: Window) -> Trace {
    let mut pen = Pen::new(window);
    for piece in pieces {
        if piece.to < window.x.0 || piece.from > window.x.1 {
            continue;
        }
        pen.draw(&piece.part(piece.from.max(window.x.0), piece.to.min(window.x.1)));
    }
    pen.column.flush(&mut pen.run);
    pen.lift();
    pen.trace
}

/// Points in one column: first, last, lowest, highest.
#[derive(Default)]
struct Column {
    points: Option<[[f64; 2]; 4]>,
    number: f64,
}

impl Column {
    fn add(&mut self, at: [f64; 2], number: f64, run: &mut Vec<Node>) {
        if number != self.number {
            self.flush(run);
            self.number = number;
        }
        let [first, _, low, high] = self.points.unwrap_or([at; 4]);
        let low = if at[1] < low[1] { at } else { low };
        let high = if at[1] > high[1] { at } else { high };
        self.points = Some([first, at, low, high]);
    }

    fn flush(&mut self, run: &mut Vec<Node>) {
        let Some([first, last, low, high]) = self.points.take() else { return };
        let (a, b) = if low[0] <= high[0] { (low, high) } else { (high, low) };
        for [x, y] in [first, a, b, last] {
            if run.last().map(Node::end) != Some([x, y]) {
                run.push(Node::To(x, y));
            }
        }
    }
}

struct Pen {
    window: Window,
    /// How wide a column and how high a row is.
    cell: [f64; 2],
    trace: Trace,
    run: Vec<Node>,
    column: Column,
    /// Where the last piece ended.
    at: Option<[f64; 2]>,
    /// The column of the last jump, and how many there have been in it.
    jumps: (f64, usize),
}

impl Pen {
    fn new(window: Window) -> Pen {
        let cell = [window.x, window.y].map(|(low, high)| (high - low) / RESOLUTION);
        Pen {
            window,
            cell,
            trace: Trace::default(),
            run: Vec::new(),
            column: Column::default(),
            at: None,
            jumps: (-1.0, 0),
        }
    }

    /// An ordinate, not so far beyond the window that it could not be drawn.
    fn kept(&self, y: f64) -> f64 {
        let (low, high) = self.window.y;
        let beyond = high - low;
        y.clamp(low - beyond, high + beyond)
    }

    /// The number of a column.
    fn number(&self, x: f64) -> f64 {
        ((x - self.window.x.0) / self.cell[0]).floor()
    }

    fn count_jump(&mut self, x: f64) {
        let number = self.number(x);
        let before = if self.jumps.0 == number { self.jumps.1 } else { 0 };
        self.jumps = (number, before + 1);
    }

    fn draw(&mut self, piece: &CurvePiece) {
        let start = [piece.from, self.kept(piece.left())];
        if let Some(at) = self.at {
            let apart = [(start[0] - at[0]).abs(), (start[1] - at[1]).abs()];
            let is_crowded =
                piece.width() < self.cell[0] && self.jumps.0 == self.number(start[0]) && self.jumps.1 >= JUMPS;
            if apart[0] > self.cell[0] || apart[1] > self.cell[1] && !is_crowded {
                self.count_jump(start[0]);
                self.column.flush(&mut self.run);
                self.lift();
                if apart[0] <= self.cell[0] {
                    self.trace.jumps.push(Jump { x: start[0], left: at[1], right: start[1] });
                }
            }
        }
        if piece.width() < self.cell[0] {
            self.narrow(piece);
        } else {
            self.column.flush(&mut self.run);
            if self.run.last().map(Node::end) != Some(start) {
                self.run.push(Node::To(start[0], start[1]));
            }
            self.wide(piece);
        }
        self.at = Some([piece.to, self.kept(piece.right())]);
    }

    fn narrow(&mut self, piece: &CurvePiece) {
        let number = self.number(piece.from);
        let UnitQuadratic { start, end, bend } = piece.polynomial;
        // A bend has its extreme where the derivative is 0.
        let turn = Some(0.5 + (end - start) / (2.0 * bend)).filter(|u| bend != 0.0 && 0.0 < *u && *u < 1.0);
        for u in [Some(0.0), turn, Some(1.0)].into_iter().flatten() {
            let at = [piece.from + u * piece.width(), self.kept(piece.value(u))];
            self.column.add(at, number, &mut self.run);
        }
    }

    fn wide(&mut self, piece: &CurvePiece) {
        if piece.divisor != Divisor::One {
            return self.chords(piece, HALVINGS);
        }
        let to = [piece.to, piece.right()];
        let UnitQuadratic { start, end, bend } = piece.polynomial;
        self.run.push(if bend == 0.0 {
            Node::To(to[0], to[1])
        } else {
            Node::Bend([piece.from + piece.width() / 2.0, (start + end + bend) / 2.0], to)
        });
    }

    /// Halves a piece until its chords are as good as the piece.
    fn chords(&mut self, piece: &CurvePiece, halvings: u32) {
        let ends = [self.kept(piece.left()), self.kept(piece.right())];
        let middle = piece.from + piece.width() / 2.0;
        let off = (self.kept(piece.at(middle)) - (ends[0] + ends[1]) / 2.0).abs();
        if halvings == 0 || off <= CHORD * self.cell[1] && halvings < HALVINGS - 1 {
            self.run.push(Node::To(piece.to, ends[1]));
        } else {
            self.chords(&piece.part(piece.from, middle), halvings - 1);
            self.chords(&piece.part(middle, piece.to), halvings - 1);
        }
    }

    fn lift(&mut self) {
        let run = std::mem::take(&mut self.run);
        if !run.is_empty() {
            self.trace.runs.push(run);
        }
    }
}
