//! From the pieces of a curve to the lines of a drawing.

use crate::data::curves::{CurvePiece, Divisor, UnitQuadratic};

/// The number of columns and rows of a panel: about three per pixel of a screen.
const RESOLUTION: f64 = 1000.0;
/// The largest number of jumps that are drawn in one column.
const JUMPS: usize = 4;
/// Tolerance for the chords that approximate a piece with a divisor, in rows.
const CHORD_TOLERANCE: f64 = 0.1;
/// The largest number of times that such a piece is halved.
const HALVINGS: u32 = 9;

/// The visible part of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The range of abscissae.
    pub x: (f64, f64),
    /// The range of ordinates.
    pub y: (f64, f64),
}

/// A line of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathSegment {
    /// A straight line to a point, or the first point.
    To(f64, f64),
    /// A parabola to a point, with the control point before it.
    Bend([f64; 2], [f64; 2]),
}

impl PathSegment {
    /// The end point.
    pub fn end(&self) -> [f64; 2] {
        match *self {
            PathSegment::To(x, y) | PathSegment::Bend(_, [x, y]) => [x, y],
        }
    }
}

/// A jump of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// The abscissa.
    pub x: f64,
    /// The limit from the left.
    pub left: f64,
    /// The limit from the right.
    pub right: f64,
}

/// A curve as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Connected paths.
    pub runs: Vec<Vec<PathSegment>>,
    /// The visible jumps between runs.
    pub jumps: Vec<Jump>,
}

/// Thins the pieces of a curve, given from left to right, to what a panel can show.
///
/// A piece wider than a column is drawn as it is. Of the narrower pieces in one column the first, lowest, highest and last points are drawn. A new
/// run begins at a jump or gap that is higher than a row or wider than a column. After four such jumps in one column, narrow pieces in it are
/// connected: the column is filled with lines anyway.
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

/// The points of narrow pieces in one column of the panel.
#[derive(Default)]
struct Column {
    /// The first, last, lowest and highest point; `None` if there is no point.
    points: Option<[[f64; 2]; 4]>,
    /// The number of the column, counted from the left.
    number: f64,
}

impl Column {
    /// Adds a point of the column with a number. If it is another column than before, the points of that are flushed to the run first.
    fn add(&mut self, point: [f64; 2], number: f64, run: &mut Vec<PathSegment>) {
        if number != self.number {
            self.flush(run);
            self.number = number;
        }
        let [first, _, low, high] = self.points.unwrap_or([point; 4]);
        let low = if point[1] < low[1] { point } else { low };
        let high = if point[1] > high[1] { point } else { high };
        self.points = Some([first, point, low, high]);
    }

    /// Moves the points to the run, from left to right and without repetitions.
    fn flush(&mut self, run: &mut Vec<PathSegment>) {
        let Some([first, last, low, high]) = self.points.take() else { return };
        let (a, b) = if low[0] <= high[0] { (low, high) } else { (high, low) };
        for [x, y] in [first, a, b, last] {
            if run.last().map(PathSegment::end) != Some([x, y]) {
                run.push(PathSegment::To(x, y));
            }
        }
    }
}

/// Draws pieces one after the other into a trace.
struct Pen {
    window: Window,
    /// The width of a column and the height of a row.
    cell: [f64; 2],
    trace: Trace,
    run: Vec<PathSegment>,
    column: Column,
    /// The end of the last piece.
    last_end: Option<[f64; 2]>,
    /// The column of the last jump, and the number of jumps in it.
    jumps: (f64, usize),
}

impl Pen {
    /// A pen before the first piece.
    fn new(window: Window) -> Pen {
        let cell = [window.x, window.y].map(|(low, high)| (high - low) / RESOLUTION);
        Pen {
            window,
            cell,
            trace: Trace::default(),
            run: Vec::new(),
            column: Column::default(),
            last_end: None,
            jumps: (-1.0, 0),
        }
    }

    /// An ordinate, clamped to one window height beyond the window.
    fn clamp(&self, y: f64) -> f64 {
        let (low, high) = self.window.y;
        let height = high - low;
        y.clamp(low - height, high + height)
    }

    /// The number of the column that holds an abscissa.
    fn number(&self, x: f64) -> f64 {
        ((x - self.window.x.0) / self.cell[0]).floor()
    }

    /// Counts a jump in the column of an abscissa.
    fn count_jump(&mut self, x: f64) {
        let number = self.number(x);
        let before = if self.jumps.0 == number { self.jumps.1 } else { 0 };
        self.jumps = (number, before + 1);
    }

    /// Draws a piece; begins a new run if the piece is too far from the last one.
    fn draw(&mut self, piece: &CurvePiece) {
        let start = [piece.from, self.clamp(piece.left())];
        if let Some(last_end) = self.last_end {
            self.break_between(last_end, start, piece.width());
        }
        if piece.width() < self.cell[0] {
            self.draw_narrow(piece);
        } else {
            self.column.flush(&mut self.run);
            if self.run.last().map(PathSegment::end) != Some(start) {
                self.run.push(PathSegment::To(start[0], start[1]));
            }
            self.draw_wide(piece);
        }
        self.last_end = Some([piece.to, self.clamp(piece.right())]);
    }

    /// Ends the run if the next piece, which begins at `start` and has a `width`, is visibly apart from the `last_end`: farther than a column to the
    /// side (a gap), or farther than a row up or down (a jump). Further jumps in a column that has enough are drawn as lines.
    fn break_between(&mut self, last_end: [f64; 2], start: [f64; 2], width: f64) {
        let distance = [(start[0] - last_end[0]).abs(), (start[1] - last_end[1]).abs()];
        let is_gap = distance[0] > self.cell[0];
        let (last_column, jumps) = self.jumps;
        let is_crowded = width < self.cell[0] && last_column == self.number(start[0]) && jumps >= JUMPS;
        if is_gap || distance[1] > self.cell[1] && !is_crowded {
            self.count_jump(start[0]);
            self.column.flush(&mut self.run);
            self.lift();
            if !is_gap {
                self.trace.jumps.push(Jump { x: start[0], left: last_end[1], right: start[1] });
            }
        }
    }

    /// Adds the ends and the extreme of a piece narrower than a column to its column.
    fn draw_narrow(&mut self, piece: &CurvePiece) {
        let number = self.number(piece.from);
        let UnitQuadratic { start, end, bend } = piece.polynomial;
        // The parabola has its extreme where its derivative `end - start + bend·(1 - 2u)` is 0.
        let extreme = Some(0.5 + (end - start) / (2.0 * bend)).filter(|u| bend != 0.0 && 0.0 < *u && *u < 1.0);
        for u in [Some(0.0), extreme, Some(1.0)].into_iter().flatten() {
            let point = [piece.from + u * piece.width(), self.clamp(piece.value(u))];
            self.column.add(point, number, &mut self.run);
        }
    }

    /// Draws a wide piece as a line, a parabola, or chords.
    fn draw_wide(&mut self, piece: &CurvePiece) {
        if piece.divisor != Divisor::One {
            return self.chords(piece, HALVINGS);
        }
        let end_point = [piece.to, piece.right()];
        let UnitQuadratic { start, end, bend } = piece.polynomial;
        self.run.push(if bend == 0.0 {
            PathSegment::To(end_point[0], end_point[1])
        } else {
            // The tangents at both ends of a parabola meet at its control point, above the middle.
            let control_point = [piece.from + piece.width() / 2.0, (start + end + bend) / 2.0];
            PathSegment::Bend(control_point, end_point)
        });
    }

    /// Draws chords: halves a piece until its chord is within the tolerance at the middle, at least twice and at most `halvings` times.
    fn chords(&mut self, piece: &CurvePiece, halvings: u32) {
        let [left, right] = [self.clamp(piece.left()), self.clamp(piece.right())];
        let middle = piece.from + piece.width() / 2.0;
        let distance = (self.clamp(piece.at(middle)) - (left + right) / 2.0).abs();
        // A curve may cross its chord at the middle by chance: the first two halvings are not tested.
        let is_close = distance <= CHORD_TOLERANCE * self.cell[1] && halvings < HALVINGS - 1;
        if halvings == 0 || is_close {
            self.run.push(PathSegment::To(piece.to, right));
        } else {
            self.chords(&piece.part(piece.from, middle), halvings - 1);
            self.chords(&piece.part(middle, piece.to), halvings - 1);
        }
    }

    /// Ends the run, as lifting the pen does.
    fn lift(&mut self) {
        let run = std::mem::take(&mut self.run);
        if !run.is_empty() {
            self.trace.runs.push(run);
        }
    }
}
