//! Marks on axes.

use super::palette::Ink;
use super::text::Label;
use super::ticks;
use super::trace::{Trace, Window, trace};
use crate::data::curves::{CurvePiece, Side};

/// An axis: what it shows, from where to where.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub(super) label: Label,
    pub(super) range: (f64, f64),
    pub(super) places: Option<Vec<(f64, String)>>,
}

impl Axis {
    /// An axis with round places; mathematics in the label stands between asterisks. What is no range has some room around it.
    pub fn new(label: &str, low: f64, high: f64) -> Axis {
        let is_range = low.is_finite() && high.is_finite() && low < high;
        let middle = if low.is_finite() { low } else { 0.0 };
        let range = if is_range { (low, high) } else { (middle - 0.5, middle + 0.5) };
        Axis { label: Label::marked(label), range, places: None }
    }

    /// An axis that holds all of some values and begins and ends at round places. Where all are equal there is some room around them.
    ///
    /// ```
    /// use rocproof::draw::Axis;
    /// assert_eq!(Axis::holding("loss", (0.0, 0.237)).range(), (0.0, 0.25));
    /// assert_eq!(Axis::holding("score", (7.0, 7.0)).range(), (6.4, 7.6));
    /// ```
    pub fn holding(label: &str, (low, high): (f64, f64)) -> Axis {
        let (low, high) = Axis::new(label, low, high).range;
        let (low, high) = ticks::rounded(low, high, 5);
        Axis::new(label, low, high)
    }

    /// With places and labels of one's own, such as `1/3`.
    pub fn with_places(mut self, places: impl IntoIterator<Item = (f64, String)>) -> Axis {
        self.places = Some(places.into_iter().collect());
        self
    }

    /// From where to where it goes.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub ink: Ink,
    /// Its width in points.
    pub width: f64,
    /// Dashes of its own instead of those of the palette.
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

    /// A dashed line; one that is solid whatever the palette if there are no dashes.
    pub const fn dashed(self, dash: &'static str) -> Stroke {
        Stroke { dash: Some(dash), ..self }
    }
}

/// A rectangle: from where to where in both directions.
pub(super) type Bar = [(f64, f64); 2];

#[derive(Clone, Debug)]
pub(super) enum Mark {
    Trace { trace: Trace, stroke: Stroke, side: Side, name: String },
    Area { trace: Trace, ink: Ink, opacity: f64, base: Base },
    Bars { bars: Vec<Bar>, ink: Ink, opacity: f64 },
    Points { points: Vec<(f64, f64)>, ink: Ink },
    Text { at: (f64, f64), text: Label, anchor: Anchor },
}

/// What an area lies between, besides its curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Zero.
    Zero,
    /// The straight line between both ends of the curve.
    Chord,
}

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// On the left.
    Left,
    /// In the middle, above.
    Above,
    /// On the right.
    Right,
}

/// What stands in a legend beside a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sample {
    Line(Stroke),
    Box(Ink, f64),
    Dot(Ink),
}

/// Two axes and what is drawn on them.
#[derive(Clone, Debug)]
pub struct Panel {
    pub(super) title: Label,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) marks: Vec<Mark>,
    pub(super) legend: Vec<(Label, Sample)>,
    pub(super) message: Option<String>,
}

impl Panel {
    /// A panel with nothing on it.
    pub fn new(title: &str, x: Axis, y: Axis) -> Panel {
        Panel { title: Label::plain(title), x, y, marks: Vec::new(), legend: Vec::new(), message: None }
    }

    /// With another title.
    pub fn titled(self, title: &str) -> Panel {
        Panel { title: Label::plain(title), ..self }
    }

    /// A panel that says why there is nothing on it.
    pub fn empty(title: &str, why: &str) -> Panel {
        let axis = || Axis::new("", 0.0, 1.0).with_places([]);
        Panel { message: Some(why.to_owned()), ..Panel::new(title, axis(), axis()) }
    }

    fn window(&self) -> Window {
        Window { x: self.x.range, y: self.y.range }
    }

    fn named(&mut self, name: &str, sample: Sample) {
        if !name.is_empty() {
            self.legend.push((Label::plain(name), sample));
        }
    }

    /// Draws a curve; a name goes into the legend, an empty one does not.
    pub fn curve(&mut self, pieces: impl Iterator<Item = CurvePiece>, stroke: Stroke, name: &str) {
        self.jumping_curve(pieces, stroke, Side::Neither, name);
    }

    /// Draws a curve and, where its jumps are few, on which side of each the value is: a filled circle there, an open one on the
    /// other side.
    pub fn jumping_curve(&mut self, pieces: impl Iterator<Item = CurvePiece>, stroke: Stroke, side: Side, name: &str) {
        let trace = trace(pieces, self.window());
        let has_gaps = stroke.dash.is_none() && trace.runs.len() > 1;
        let stroke = if has_gaps { stroke.dashed("") } else { stroke };
        self.named(name, Sample::Line(stroke));
        self.marks.push(Mark::Trace { trace, stroke, side, name: name.to_owned() });
    }

    /// Puts a line into the legend that is not drawn.
    pub fn entry(&mut self, stroke: Stroke, name: &str) {
        self.named(name, Sample::Line(stroke));
    }

    /// Puts the last so many entries of the legend before the others.
    pub fn entries_first(&mut self, count: usize) {
        let count = count.min(self.legend.len());
        self.legend.rotate_right(count);
    }

    /// Draws a straight line between two points.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke, name: &str) {
        let (from, to) = if from.0 <= to.0 { (from, to) } else { (to, from) };
        self.curve(std::iter::once(CurvePiece::straight(from.0, to.0, from.1, to.1)), stroke, name);
    }

    /// Fills what lies between a curve and zero.
    pub fn area(&mut self, pieces: impl Iterator<Item = CurvePiece>, ink: Ink, opacity: f64, name: &str) {
        self.filled(pieces, (ink, opacity), Base::Zero, name);
    }

    /// Fills what lies between a curve and the straight line from its first point to its last.
    pub fn segment(&mut self, pieces: impl Iterator<Item = CurvePiece>, ink: Ink, opacity: f64, name: &str) {
        self.filled(pieces, (ink, opacity), Base::Chord, name);
    }

    fn filled(&mut self, pieces: impl Iterator<Item = CurvePiece>, (ink, opacity): (Ink, f64), base: Base, name: &str) {
        let trace = trace(pieces, self.window());
        self.named(name, Sample::Box(ink, opacity));
        self.marks.push(Mark::Area { trace, ink, opacity, base });
    }

    /// Writes a text beside a point; mathematics stands between asterisks.
    pub fn text(&mut self, at: (f64, f64), text: &str, anchor: Anchor) {
        self.marks.push(Mark::Text { at, text: Label::marked(text), anchor });
    }

    /// Draws rectangles, each given by its abscissae and ordinates.
    pub fn bars(&mut self, bars: impl IntoIterator<Item = [(f64, f64); 2]>, ink: Ink, opacity: f64, name: &str) {
        self.named(name, Sample::Box(ink, opacity));
        self.marks.push(Mark::Bars { bars: bars.into_iter().collect(), ink, opacity });
    }

    /// Draws points.
    pub fn points(&mut self, points: impl IntoIterator<Item = (f64, f64)>, ink: Ink, name: &str) {
        self.named(name, Sample::Dot(ink));
        self.marks.push(Mark::Points { points: points.into_iter().collect(), ink });
    }
}
