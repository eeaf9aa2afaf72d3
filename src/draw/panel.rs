//! Panels: axes and marks.

use super::palette::Ink;
use super::text::Label;
use super::ticks;
use super::trace::{Trace, Window, trace};
use crate::data::curves::{CurvePiece, Side};

/// An axis: its label and range.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(super) label: Label,
    pub(super) range: (f64, f64),
    pub(super) places: Option<Vec<(f64, String)>>,
}

impl Axis {
    /// An axis with ticks at round positions. Mathematics in the label stands between asterisks. An empty or infinite range is replaced by one
    /// of length 1.
    pub fn new(label: &str, low: f64, high: f64) -> Axis {
        let is_range = low.is_finite() && high.is_finite() && low < high;
        let middle = if low.is_finite() { low } else { 0.0 };
        let range = if is_range { (low, high) } else { (middle - 0.5, middle + 0.5) };
        Axis { label: Label::marked(label), range, places: None }
    }

    /// An axis that contains a range and begins and ends at round positions. If the range is a point, the axis extends beyond it on both sides.
    ///
    /// ```
    /// use rocproof::draw::Axis;
    /// assert_eq!(Axis::holding("loss", (0.0, 0.237)).range(), (0.0, 0.25));
    /// assert_eq!(Axis::holding("score", (7.0, 7.0)).range(), (6.4, 7.6));
    /// ```
    pub fn holding(label: &str, (low, high): (f64, f64)) -> Axis {
        // `Axis::new` replaces a range that is empty or infinite.
        let (low, high) = Axis::new(label, low, high).range;
        // Ends at multiples of a step that fits about five times.
        let (low, high) = ticks::round_range(low, high, 5);
        Axis::new(label, low, high)
    }

    /// Sets the positions and labels of ticks, such as `1/3`.
    pub fn with_places(mut self, places: impl IntoIterator<Item = (f64, String)>) -> Axis {
        self.places = Some(places.into_iter().collect());
        self
    }

    /// The ends of the axis.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }
}

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width in points.
    pub width: f64,
    /// A dash pattern that replaces the palette's.
    pub dash: Option<&'static str>,
}

impl Stroke {
    /// A line of usual width.
    pub const fn of(ink: Ink) -> Stroke {
        Stroke { ink, width: 1.6, dash: None }
    }

    /// A line of another width.
    pub const fn width(self, width: f64) -> Stroke {
        Stroke { width, ..self }
    }

    /// A line with a dash pattern; with an empty one it is solid in every palette.
    pub(crate) const fn dashed(self, dash: &'static str) -> Stroke {
        Stroke { dash: Some(dash), ..self }
    }
}

/// A rectangle: its range of abscissae and of ordinates.
pub(super) type Bar = [(f64, f64); 2];

/// A mark of a panel, in the coordinates of its axes.
#[derive(Clone, Debug)]
pub(super) enum Mark {
    Trace {
        trace: Trace,
        stroke: Stroke,
        side: Side,
        name: String,
    },
    Area {
        trace: Trace,
        ink: Ink,
        opacity: f64,
        base: AreaBase,
    },
    Bars {
        bars: Vec<Bar>,
        ink: Ink,
        opacity: f64,
    },
    /// The area between a lower and an upper boundary: the abscissa, the lower and the upper end of each point.
    Band {
        points: Vec<[f64; 3]>,
        ink: Ink,
        opacity: f64,
    },
    Points {
        points: Vec<(f64, f64)>,
        ink: Ink,
    },
    Text {
        at: (f64, f64),
        text: Label,
        anchor: Anchor,
    },
}

/// The boundary of an area opposite to its curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AreaBase {
    /// Zero.
    Zero,
    /// The straight line between both ends of the curve.
    Chord,
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// On the left.
    Left,
    /// In the middle, above.
    Above,
    /// On the right.
    Right,
}

/// The sample beside a name in a legend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LegendSample {
    Line(Stroke),
    Box(Ink, f64),
    Dot(Ink),
}

/// Two axes and the marks on them.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(super) title: Label,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) marks: Vec<Mark>,
    pub(super) legend: Vec<(Label, LegendSample)>,
    pub(super) message: Option<String>,
}

impl Panel {
    /// A panel without marks.
    pub fn new(title: &str, x: Axis, y: Axis) -> Panel {
        Panel { title: Label::plain(title), x, y, marks: Vec::new(), legend: Vec::new(), message: None }
    }

    /// Sets the title.
    pub(crate) fn titled(self, title: &str) -> Panel {
        Panel { title: Label::plain(title), ..self }
    }

    /// A panel that shows a message instead of marks.
    pub fn empty(title: &str, why: &str) -> Panel {
        let axis = || Axis::new("", 0.0, 1.0).with_places([]);
        Panel { message: Some(why.to_owned()), ..Panel::new(title, axis(), axis()) }
    }

    /// The ranges of both axes.
    fn window(&self) -> Window {
        Window { x: self.x.range, y: self.y.range }
    }

    /// Adds an entry to the legend, unless the name is empty.
    fn add_to_legend(&mut self, name: &str, sample: LegendSample) {
        if !name.is_empty() {
            self.legend.push((Label::plain(name), sample));
        }
    }

    /// Draws a curve. Its name goes into the legend, unless it is empty.
    pub fn curve(&mut self, pieces: impl Iterator<Item = CurvePiece>, stroke: Stroke, name: &str) {
        self.jumping_curve(pieces, stroke, Side::Neither, name);
    }

    /// Draws a curve. If it has few jumps, each is marked: a filled circle at the value, an open one at the other limit. `side` says from which side
    /// the curve is continuous at its jumps; [`Side::Neither`] leaves them unmarked.
    pub(crate) fn jumping_curve(
        &mut self,
        pieces: impl Iterator<Item = CurvePiece>,
        stroke: Stroke,
        side: Side,
        name: &str,
    ) {
        let trace = trace(pieces, self.window());
        // The palette's dashes would look like gaps of the curve: a curve with gaps is solid.
        let is_solid = stroke.dash.is_none() && trace.runs.len() > 1;
        let stroke = if is_solid { stroke.dashed("") } else { stroke };
        self.add_to_legend(name, LegendSample::Line(stroke));
        self.marks.push(Mark::Trace { trace, stroke, side, name: name.to_owned() });
    }

    /// Adds a line to the legend without drawing one.
    pub fn entry(&mut self, stroke: Stroke, name: &str) {
        self.add_to_legend(name, LegendSample::Line(stroke));
    }

    /// Moves the last `count` entries of the legend to its beginning.
    pub(crate) fn entries_first(&mut self, count: usize) {
        let count = count.min(self.legend.len());
        self.legend.rotate_right(count);
    }

    /// Draws a straight line between two points.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke, name: &str) {
        let (from, to) = if from.0 <= to.0 { (from, to) } else { (to, from) };
        self.curve(std::iter::once(CurvePiece::straight(from.0, to.0, from.1, to.1)), stroke, name);
    }

    /// Fills the area between a curve and zero.
    pub fn area(&mut self, pieces: impl Iterator<Item = CurvePiece>, ink: Ink, opacity: f64, name: &str) {
        self.fill(pieces, (ink, opacity), AreaBase::Zero, name);
    }

    /// Fills the area between a curve and the chord from its first point to its last.
    pub fn segment(&mut self, pieces: impl Iterator<Item = CurvePiece>, ink: Ink, opacity: f64, name: &str) {
        self.fill(pieces, (ink, opacity), AreaBase::Chord, name);
    }

    /// Fills the area between a curve and a base.
    fn fill(
        &mut self,
        pieces: impl Iterator<Item = CurvePiece>,
        (ink, opacity): (Ink, f64),
        base: AreaBase,
        name: &str,
    ) {
        let trace = trace(pieces, self.window());
        self.add_to_legend(name, LegendSample::Box(ink, opacity));
        self.marks.push(Mark::Area { trace, ink, opacity, base });
    }

    /// Writes a text beside a point; mathematics stands between asterisks.
    pub fn text(&mut self, at: (f64, f64), text: &str, anchor: Anchor) {
        self.marks.push(Mark::Text { at, text: Label::marked(text), anchor });
    }

    /// Draws rectangles, each given by its range of abscissae and of ordinates.
    pub(crate) fn bars(&mut self, bars: impl IntoIterator<Item = [(f64, f64); 2]>, ink: Ink, opacity: f64, name: &str) {
        self.add_to_legend(name, LegendSample::Box(ink, opacity));
        self.marks.push(Mark::Bars { bars: bars.into_iter().collect(), ink, opacity });
    }

    /// Fills the area between a lower and an upper boundary, given by abscissa, lower and upper end of points from left to right.
    pub(crate) fn band(&mut self, points: impl IntoIterator<Item = [f64; 3]>, ink: Ink, opacity: f64, name: &str) {
        self.add_to_legend(name, LegendSample::Box(ink, opacity));
        self.marks.push(Mark::Band { points: points.into_iter().collect(), ink, opacity });
    }

    /// Draws points.
    pub fn points(&mut self, points: impl IntoIterator<Item = (f64, f64)>, ink: Ink, name: &str) {
        self.add_to_legend(name, LegendSample::Dot(ink));
        self.marks.push(Mark::Points { points: points.into_iter().collect(), ink });
    }
}
