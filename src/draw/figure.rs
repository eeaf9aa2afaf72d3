//! The layout of panels, and their SVG.
//!
//! The frames of panels have a given size; the figure is as large as the frames and the text around them need. Frames of a column are aligned on
//! the left, frames of a row at the top. Legends stand below the panels, so that they never cover data.

use super::palette::{Ink, Palette};
use super::panel::{Anchor, AreaBase, Axis, LegendSample, Mark, Panel, Stroke};
use super::text::{FAMILIES, Label, Style, escape_line, width, wrap};
use super::ticks::{Ticks, power_of_ten, ticks};
use super::trace::{Jump, PathSegment, Trace};
use crate::arith::decimal::fixed;
use crate::data::curves::Side;
use std::fmt::Write;

/// Font sizes: of tick labels and legends; of axis labels and panel titles; of the figure's title.
const SMALL: f64 = 10.5;
const MIDDLE: f64 = 11.5;
const LARGE: f64 = 14.0;
/// The usual distance between elements, and the length of a tick.
const PAD: f64 = 5.0;
const TICK: f64 = 4.0;
/// The distance from the middle of small letters to their baseline, as a share of the font size.
const CENTRE: f64 = 0.36;
/// The line height of legends and notes.
const LINE: f64 = 16.0;
/// The length of the sample of a line in a legend.
const SAMPLE: f64 = 22.0;
/// The distance between entries of a legend, and between panels.
const GAP: f64 = 14.0;
/// The margin around the figure.
const MARGIN: f64 = 10.0;
/// The largest numbers of jumps of a curve that are marked by circles, and by dotted lines.
const CIRCLES: usize = 24;
const DOTTED: usize = 80;

/// A figure: rows of panels.
#[derive(Clone, Debug)]
pub struct Figure {
    title: Label,
    note: String,
    palette: Palette,
    frame: (f64, f64),
    /// Rows of panels, each with the height of its frames as a share of the usual height.
    rows: Vec<(f64, Vec<Panel>)>,
}

/// The room that a panel needs around its frame.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

/// The room around the frames of each column and of each row.
struct GridRooms {
    columns: Vec<Room>,
    rows: Vec<Room>,
}

impl Room {
    /// The room that suffices for both.
    fn with(self, other: Room) -> Room {
        Room {
            left: self.left.max(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: &str) -> Figure {
        Figure {
            title: Label::plain(title),
            note: String::new(),
            palette: Palette::default(),
            frame: (360.0, 270.0),
            rows: Vec::new(),
        }
    }

    /// Adds a row of panels at the bottom. `height` is the height of its frames as a share of the usual height.
    pub fn row(mut self, height: f64, panels: impl IntoIterator<Item = Panel>) -> Figure {
        self.rows.push((height, panels.into_iter().collect()));
        self
    }

    /// Sets the width and height of frames, in points.
    pub fn frame(self, width: f64, height: f64) -> Figure {
        Figure { frame: (width, height), ..self }
    }

    /// Sets the palette.
    pub fn palette(self, palette: Palette) -> Figure {
        Figure { palette, ..self }
    }

    /// Sets the text below all panels.
    pub fn note(self, note: &str) -> Figure {
        Figure { note: note.to_owned(), ..self }
    }

    /// All characters of the figure, to choose fonts by.
    #[cfg(feature = "images")]
    pub(super) fn text(&self) -> String {
        let panels = self.rows.iter().flat_map(|(_, panels)| panels);
        let mark_text = |mark: &Mark| match mark {
            Mark::Text { text, .. } => text.text(),
            _ => String::new(),
        };
        let panel_text = |panel: &Panel| {
            let legend: String = panel.legend.iter().map(|(name, _)| name.text()).collect();
            let message = panel.message.as_deref().unwrap_or("");
            let marks: String = panel.marks.iter().map(mark_text).collect();
            [&panel.title.text(), &panel.x.label.text(), &panel.y.label.text(), &legend, message, &marks].concat()
        };
        [self.title.text(), self.note.clone()].into_iter().chain(panels.map(panel_text)).collect()
    }

    /// The figure as SVG. A unit is a point.
    pub fn to_svg(&self) -> String {
        self.to_svg_within("")
    }

    /// The figure as SVG for a page with several figures. Its identifiers begin with `name`, which no other figure may have.
    ///
    /// ```
    /// use rocproof::draw::{Axis, Figure, Panel};
    /// let axis = || Axis::new("", 0.0, 1.0);
    /// let figure = Figure::new("").row(1.0, [Panel::new("", axis(), axis())]);
    /// assert!(figure.to_svg_within("first-").contains("id=\"first-frame"));
    /// ```
    pub fn to_svg_within(&self, name: &str) -> String {
        let rooms = self.grid_rooms();
        let panels_width: f64 = rooms.columns.iter().map(|room| room.left + self.frame.0 + room.right).sum();
        let total_width = panels_width + 2.0 * MARGIN + GAP * rooms.columns.len().saturating_sub(1) as f64;
        let mut body = String::new();
        // The bottom of the parts that are written so far.
        let mut y = MARGIN;
        if !self.title.is_empty() {
            let title = self.title.fitted(LARGE, Style::Bold, total_width - 2.0 * MARGIN);
            y += LARGE;
            text(
                &mut body,
                (total_width / 2.0, y),
                &title,
                TextStyle { size: LARGE, anchor: "middle", bold: true, rotated: false },
            );
            y += 2.0 * PAD;
        }
        y = self.write_panels(&mut body, &rooms, y, name);
        for line in wrap(&self.note, SMALL, total_width - 2.0 * MARGIN).iter().filter(|line| !line.is_empty()) {
            y += LINE;
            text(&mut body, (MARGIN, y), &Label::plain(line), TextStyle::small("start"));
        }
        y += MARGIN;
        let title = escape_line(&self.title.text());
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"{FAMILIES}\" fill=\"#222222\">\n<title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n",
            w = n(total_width.ceil()),
            h = n(y.ceil()),
        )
    }

    /// The room around the frames of each column and of each row: as much as its neediest panel needs.
    fn grid_rooms(&self) -> GridRooms {
        let columns = self.rows.iter().map(|(_, panels)| panels.len()).max().unwrap_or(0);
        let mut rooms =
            GridRooms { columns: vec![Room::default(); columns], rows: vec![Room::default(); self.rows.len()] };
        for (i, (height, panels)) in self.rows.iter().enumerate() {
            for (j, panel) in panels.iter().enumerate() {
                let room = room(panel, (self.frame.0, self.frame.1 * height));
                rooms.columns[j] = rooms.columns[j].with(room);
                rooms.rows[i] = rooms.rows[i].with(room);
            }
        }
        rooms
    }

    /// Writes all panels below the ordinate `y`, and returns the ordinate of their bottom. Identifiers begin with `name`.
    fn write_panels(&self, body: &mut String, rooms: &GridRooms, mut y: f64, name: &str) -> f64 {
        for (k, ((height, panels), row)) in self.rows.iter().zip(&rooms.rows).enumerate() {
            let frame_height = self.frame.1 * height;
            y += if k > 0 { GAP } else { 0.0 } + row.top;
            let mut x = MARGIN;
            for (panel, column) in panels.iter().zip(&rooms.columns) {
                x += column.left;
                let frame = Rectangle { x, y, width: self.frame.0, height: frame_height };
                // The length of the text so far makes the identifier unique within the figure.
                let id = format!("{name}frame{}", body.len());
                PanelWriter { panel, frame, palette: self.palette, id }.draw(body);
                x += self.frame.0 + column.right + GAP;
            }
            y += frame_height + row.bottom;
        }
        y
    }
}

/// A coordinate with at most two decimals.
fn n(value: f64) -> String {
    fixed(value, 2)
}

/// The size, alignment and weight of a text, and whether it is rotated.
#[derive(Clone, Copy)]
struct TextStyle {
    size: f64,
    anchor: &'static str,
    bold: bool,
    rotated: bool,
}

impl TextStyle {
    /// Small upright text.
    fn small(anchor: &'static str) -> TextStyle {
        TextStyle { size: SMALL, anchor, bold: false, rotated: false }
    }

    /// Middle-sized upright text.
    fn middle(anchor: &'static str) -> TextStyle {
        TextStyle { size: MIDDLE, ..TextStyle::small(anchor) }
    }
}

// Writing to a string cannot fail: the results of `write!` below are ignored.

/// Writes a text at a point.
fn text(out: &mut String, (x, y): (f64, f64), label: &Label, style: TextStyle) {
    let weight = if style.bold { " font-weight=\"bold\"" } else { "" };
    let rotation = if style.rotated { format!(" transform=\"rotate(-90 {} {})\"", n(x), n(y)) } else { String::new() };
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{weight}{rotation}>{}</text>",
        n(x),
        n(y),
        style.size,
        style.anchor,
        label.to_svg()
    );
}

/// As many ticks on an axis of a `length` in points as fit without overlap. `label_length` is the length that a label takes along the axis.
fn fitting_ticks(axis: &Axis, length: f64, label_length: impl Fn(&str) -> f64) -> Ticks {
    if let Some(places) = &axis.places {
        return Ticks { places: places.clone(), exponent: 0 };
    }
    let (low, high) = axis.range;
    // Start with a tick every 40 points, from two to six of them, and use fewer until the labels fit.
    let mut count = (length / 40.0).ceil().clamp(2.0, 6.0) as usize;
    loop {
        let ticks = ticks(low, high, count);
        let step = length / ticks.places.len().saturating_sub(1).max(1) as f64;
        let longest = ticks.places.iter().map(|(_, label)| label_length(label)).fold(0.0, f64::max);
        if longest <= step || count == 1 {
            return ticks;
        }
        count -= 1;
    }
}

/// The width of the label of a tick.
fn label_width(label: &str) -> f64 {
    width(label, SMALL, Style::Upright)
}

/// The ticks of the horizontal axis.
fn x_ticks(panel: &Panel, frame_width: f64) -> Ticks {
    fitting_ticks(&panel.x, frame_width, |label| label_width(label) + 2.0 * PAD)
}

/// The ticks of the vertical axis.
fn y_ticks(panel: &Panel, frame_height: f64) -> Ticks {
    fitting_ticks(&panel.y, frame_height, |_| SMALL + PAD)
}

/// The label of an axis with the power of ten that its tick labels share.
fn axis_label(axis: &Axis, exponent: i32) -> Label {
    match exponent {
        0 => axis.label.clone(),
        _ if axis.label.is_empty() => Label::plain(&power_of_ten(exponent)),
        _ => axis.label.clone().with(&format!(" ({})", power_of_ten(exponent))),
    }
}

/// The room that a panel needs around its frame.
fn room(panel: &Panel, frame: (f64, f64)) -> Room {
    let (x, y) = (x_ticks(panel, frame.0), y_ticks(panel, frame.1));
    let widest = y.places.iter().map(|(_, label)| label_width(label)).fold(0.0, f64::max);
    let y_label = if axis_label(&panel.y, y.exponent).is_empty() { 0.0 } else { MIDDLE + PAD };
    let left = TICK + PAD + widest + y_label + PAD;
    let overhang = x.places.last().map_or(0.0, |(_, label)| label_width(label) / 2.0);
    let x_label = if axis_label(&panel.x, x.exponent).is_empty() { 0.0 } else { MIDDLE + PAD };
    let legend = LINE * legend_rows(panel, left + frame.0).len() as f64;
    let below = if x.places.is_empty() { 0.0 } else { TICK + SMALL + PAD };
    Room {
        left,
        right: overhang.max(PAD),
        top: if panel.title.is_empty() { PAD } else { MIDDLE + 2.0 * PAD },
        bottom: below + x_label + legend + PAD,
    }
}

/// The entries of a legend in rows that are no wider than `room`, each with its offset from the left.
fn legend_rows(panel: &Panel, room: f64) -> Vec<Vec<(f64, Label, LegendSample)>> {
    let mut rows: Vec<Vec<(f64, Label, LegendSample)>> = Vec::new();
    // The width used in the last row. There is none yet, so the first entry begins one.
    let mut used = f64::INFINITY;
    for (name, sample) in &panel.legend {
        let name = name.fitted(SMALL, Style::Upright, room - SAMPLE - PAD);
        let entry_width = SAMPLE + PAD + name.width(SMALL, Style::Upright);
        if used + GAP + entry_width > room {
            rows.push(Vec::new());
            // The gap before the first entry of a row cancels.
            used = -GAP;
        }
        let offset = used + GAP;
        used = offset + entry_width;
        if let Some(row) = rows.last_mut() {
            row.push((offset, name, *sample));
        }
    }
    rows
}

/// The position and size of a frame.
#[derive(Clone, Copy)]
struct Rectangle {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Writes one panel as SVG.
struct PanelWriter<'a> {
    panel: &'a Panel,
    frame: Rectangle,
    palette: Palette,
    /// The identifier of the clip path of the frame.
    id: String,
}

impl PanelWriter<'_> {
    /// The horizontal position of an abscissa in the figure.
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.panel.x.range;
        self.frame.x + (value - low) / (high - low) * self.frame.width
    }

    /// The vertical position of an ordinate in the figure.
    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.panel.y.range;
        self.frame.y + (high - value) / (high - low) * self.frame.height
    }

    /// Writes the panel with its title; a panel with a message has neither axes nor legend.
    fn draw(&self, out: &mut String) {
        let Rectangle { x, y, width, height } = self.frame;
        let (rx, ry) = (self.panel.x.range, self.panel.y.range);
        let _ = writeln!(
            out,
            "<g class=\"panel\" data-frame=\"{} {} {} {}\" data-x=\"{} {}\" data-y=\"{} {}\">",
            n(x),
            n(y),
            n(width),
            n(height),
            rx.0,
            rx.1,
            ry.0,
            ry.1
        );
        self.title(out);
        match &self.panel.message {
            Some(message) => {
                self.border(out);
                self.message(out, message);
            }
            None => self.inside(out),
        }
        let _ = writeln!(out, "</g>");
    }

    /// Writes the frame.
    fn border(&self, out: &mut String) {
        let Rectangle { x, y, width, height } = self.frame;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444444\" stroke-width=\"0.8\"/>",
            n(x),
            n(y),
            n(width),
            n(height)
        );
    }

    /// Writes the title above the frame.
    fn title(&self, out: &mut String) {
        if self.panel.title.is_empty() {
            return;
        }
        let title = self.panel.title.fitted(MIDDLE, Style::Bold, self.frame.width + 4.0 * GAP);
        let position = (self.frame.x + self.frame.width / 2.0, self.frame.y - PAD - 1.0);
        text(out, position, &title, TextStyle { bold: true, ..TextStyle::middle("middle") });
    }

    /// Writes a message into the middle of the frame.
    fn message(&self, out: &mut String, message: &str) {
        let lines = wrap(message, SMALL, self.frame.width - 6.0 * PAD);
        let centre = self.frame.x + self.frame.width / 2.0;
        let mut y = self.frame.y + (self.frame.height - LINE * lines.len() as f64) / 2.0;
        for line in lines {
            y += LINE;
            text(out, (centre, y), &Label::plain(&line), TextStyle::small("middle"));
        }
    }

    /// Writes the grid, the marks, the frame, the axes and the legend.
    fn inside(&self, out: &mut String) {
        let Rectangle { x, y, width, height } = self.frame;
        let (across, up) = (x_ticks(self.panel, width), y_ticks(self.panel, height));
        let _ = writeln!(
            out,
            "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
             <g stroke=\"#e6e6e6\" stroke-width=\"0.6\">",
            // Wider than the frame, so that lines along it keep their width.
            n(x - 1.0),
            n(y - 1.0),
            n(width + 2.0),
            n(height + 2.0),
            id = self.id
        );
        for (place, _) in &across.places {
            self.rule(out, (self.x(*place), y), (self.x(*place), y + height));
        }
        for (place, _) in &up.places {
            self.rule(out, (x, self.y(*place)), (x + width, self.y(*place)));
        }
        let _ = writeln!(out, "</g>\n<g clip-path=\"url(#{})\">", self.id);
        self.panel.marks.iter().for_each(|mark| self.clipped_mark(out, mark));
        let _ = writeln!(out, "</g>");
        self.border(out);
        // Circles are drawn outside of the clip path, so that those on the frame are whole.
        self.panel.marks.iter().for_each(|mark| self.unclipped_mark(out, mark));
        self.axes(out, &across, &up);
        self.legend(out, &across);
    }

    /// Writes a straight line.
    fn rule(&self, out: &mut String, from: (f64, f64), to: (f64, f64)) {
        let _ =
            writeln!(out, "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", n(from.0), n(from.1), n(to.0), n(to.1));
    }

    /// Writes the ticks and the labels of both axes.
    fn axes(&self, out: &mut String, across: &Ticks, up: &Ticks) {
        let Rectangle { x, y, width, height } = self.frame;
        let bottom = y + height;
        let _ = writeln!(out, "<g stroke=\"#444444\" stroke-width=\"0.8\">");
        for (place, _) in &across.places {
            self.rule(out, (self.x(*place), bottom), (self.x(*place), bottom + TICK));
        }
        for (place, _) in &up.places {
            self.rule(out, (x - TICK, self.y(*place)), (x, self.y(*place)));
        }
        let _ = writeln!(out, "</g>");
        for (place, label) in &across.places {
            text(out, (self.x(*place), bottom + TICK + SMALL), &Label::plain(label), TextStyle::small("middle"));
        }
        let mut widest: f64 = 0.0;
        for (place, label) in &up.places {
            widest = widest.max(label_width(label));
            let position = (x - TICK - PAD / 2.0, self.y(*place) + CENTRE * SMALL);
            text(out, position, &Label::plain(label), TextStyle::small("end"));
        }
        let x_label = axis_label(&self.panel.x, across.exponent);
        let y_label = axis_label(&self.panel.y, up.exponent);
        if !x_label.is_empty() {
            let position = (x + width / 2.0, bottom + TICK + SMALL + MIDDLE + PAD);
            text(
                out,
                position,
                &x_label.fitted(MIDDLE, Style::Upright, width + 2.0 * GAP),
                TextStyle::middle("middle"),
            );
        }
        if !y_label.is_empty() {
            let position = (x - TICK - widest - 2.0 * PAD, y + height / 2.0);
            let label = y_label.fitted(MIDDLE, Style::Upright, height + 2.0 * GAP);
            text(out, position, &label, TextStyle { rotated: true, ..TextStyle::middle("middle") });
        }
    }

    /// Writes the legend below the frame.
    fn legend(&self, out: &mut String, across: &Ticks) {
        let Room { left, .. } = room(self.panel, (self.frame.width, self.frame.height));
        let start = self.frame.x - left + PAD;
        let x_label = if axis_label(&self.panel.x, across.exponent).is_empty() { 0.0 } else { MIDDLE + PAD };
        let mut y = self.frame.y + self.frame.height + TICK + SMALL + PAD + x_label;
        for row in legend_rows(self.panel, left + self.frame.width) {
            y += LINE;
            for (offset, name, sample) in row {
                self.sample(out, (start + offset, y), sample);
                text(out, (start + offset + SAMPLE + PAD, y), &name, TextStyle::small("start"));
            }
        }
    }

    /// Writes the sample beside a name of the legend.
    fn sample(&self, out: &mut String, (x, y): (f64, f64), sample: LegendSample) {
        let middle = y - CENTRE * SMALL;
        let _ = match sample {
            LegendSample::Line(stroke) => {
                writeln!(out, "<path d=\"M{} {}H{}\" {}/>", n(x), n(middle), n(x + SAMPLE), self.stroke(stroke))
            }
            LegendSample::Box(ink, opacity) => writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"8\" fill=\"{}\" fill-opacity=\"{opacity}\"/>",
                n(x + 5.0),
                n(middle - 4.0),
                n(SAMPLE - 8.0),
                self.palette.colour(ink)
            ),
            LegendSample::Dot(ink) => writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"2.6\" fill=\"{}\"/>",
                n(x + SAMPLE / 2.0),
                n(middle),
                self.palette.colour(ink)
            ),
        };
    }

    /// The SVG attributes of a line.
    fn stroke(&self, stroke: Stroke) -> String {
        let dash = stroke.dash.unwrap_or_else(|| self.palette.dash(stroke.ink));
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        format!(
            "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dash}",
            self.palette.colour(stroke.ink),
            stroke.width
        )
    }

    /// Writes the part of a mark that is clipped to the frame.
    fn clipped_mark(&self, out: &mut String, mark: &Mark) {
        match mark {
            Mark::Trace { trace, stroke, side, name } => self.trace(out, trace, *stroke, *side, name),
            Mark::Area { trace, ink, opacity, base } => self.area(out, trace, (*ink, *opacity), *base),
            Mark::Bars { bars, ink, opacity } => {
                let colour = self.palette.colour(*ink);
                let _ = writeln!(out, "<g fill=\"{colour}\" fill-opacity=\"{opacity}\">");
                for [(x0, x1), (y0, y1)] in bars {
                    let (left, top) = (self.x(*x0), self.y(*y1));
                    let _ = writeln!(
                        out,
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                        n(left),
                        n(top),
                        n(self.x(*x1) - left),
                        n(self.y(*y0) - top)
                    );
                }
                let _ = writeln!(out, "</g>");
            }
            Mark::Band { points, ink, opacity } => self.band(out, points, (*ink, *opacity)),
            Mark::Points { .. } | Mark::Text { .. } => {}
        }
    }

    /// Writes the area between a lower and an upper boundary: along the upper one and back along the lower one.
    fn band(&self, out: &mut String, points: &[[f64; 3]], (ink, opacity): (Ink, f64)) {
        let upper = points.iter().map(|[x, _, high]| (*x, *high));
        let lower = points.iter().rev().map(|[x, low, _]| (*x, *low));
        let corners: Vec<String> =
            upper.chain(lower).map(|(x, y)| format!("{},{}", n(self.x(x)), n(self.y(y)))).collect();
        let colour = self.palette.colour(ink);
        let _ = writeln!(
            out,
            "<polygon class=\"band\" fill=\"{colour}\" fill-opacity=\"{opacity}\" points=\"{}\"/>",
            corners.join(" ")
        );
    }

    /// Writes a curve, and dotted lines at its jumps if they are few.
    fn trace(&self, out: &mut String, trace: &Trace, stroke: Stroke, side: Side, name: &str) {
        if trace.runs.is_empty() {
            return;
        }
        let _ = write!(out, "<path class=\"trace\" data-name=\"{}\" {} d=\"", escape_line(name), self.stroke(stroke));
        // A run of one point is a line of no length; with round caps it is a dot.
        for run in &trace.runs {
            self.run(out, run);
            if run.len() == 1 {
                let _ = write!(out, "h0");
            }
        }
        let _ = writeln!(out, "\" stroke-linecap=\"round\"/>");
        if side != Side::Neither && (1..=DOTTED).contains(&trace.jumps.len()) {
            let _ = writeln!(
                out,
                "<g class=\"jumps\" stroke=\"{}\" stroke-width=\"0.7\" stroke-dasharray=\"1 2\">",
                self.palette.colour(stroke.ink)
            );
            for Jump { x, left, right } in &trace.jumps {
                self.rule(out, (self.x(*x), self.y(*left)), (self.x(*x), self.y(*right)));
            }
            let _ = writeln!(out, "</g>");
        }
    }

    /// Writes a run as path data: `M` moves to its first point, `L` is a line and `Q` a parabola.
    fn run(&self, out: &mut String, run: &[PathSegment]) {
        let point = |x: f64, y: f64| format!("{} {}", n(self.x(x)), n(self.y(y)));
        for (k, segment) in run.iter().enumerate() {
            let _ = match (k, segment) {
                (0, PathSegment::To(x, y)) => write!(out, "M{}", point(*x, *y)),
                (_, PathSegment::To(x, y)) => write!(out, "L{}", point(*x, *y)),
                (_, PathSegment::Bend([cx, cy], [x, y])) => write!(out, "Q{} {}", point(*cx, *cy), point(*x, *y)),
            };
        }
    }

    /// Writes the area between a trace and its base. Each run becomes a closed path.
    fn area(&self, out: &mut String, trace: &Trace, (ink, opacity): (Ink, f64), base: AreaBase) {
        let _ = write!(out, "<path fill=\"{}\" fill-opacity=\"{opacity}\" d=\"", self.palette.colour(ink));
        for run in &trace.runs {
            self.run(out, run);
            if base == AreaBase::Chord {
                let _ = write!(out, "Z");
            } else if let [first, .., last] = run.as_slice() {
                let [from, to] = [first, last].map(|segment| n(self.x(segment.end()[0])));
                let _ = write!(out, "L{to} {zero}L{from} {zero}Z", zero = n(self.y(0.0)));
            }
        }
        let _ = writeln!(out, "\"/>");
    }

    /// Writes the part of a mark that may overlap the frame: texts, points, and the limits at the jumps of a curve, if these are few. A filled circle
    /// is the value at the jump, an open one the other limit.
    fn unclipped_mark(&self, out: &mut String, mark: &Mark) {
        match mark {
            Mark::Points { points, ink } => {
                let _ = writeln!(out, "<g fill=\"{}\">", self.palette.colour(*ink));
                points.iter().for_each(|(x, y)| self.circle(out, (*x, *y), 2.6, ""));
                let _ = writeln!(out, "</g>");
            }
            Mark::Trace { trace, stroke, side, .. }
                if *side != Side::Neither && (1..=CIRCLES).contains(&trace.jumps.len()) =>
            {
                let colour = self.palette.colour(stroke.ink);
                let _ =
                    writeln!(out, "<g class=\"limits\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"0.9\">");
                for Jump { x, left, right } in &trace.jumps {
                    let (filled, open) = if *side == Side::Left { (left, right) } else { (right, left) };
                    self.circle(out, (*x, *open), 2.1, " fill=\"#ffffff\"");
                    self.circle(out, (*x, *filled), 2.1, "");
                }
                let _ = writeln!(out, "</g>");
            }
            Mark::Text { at: (x, y), text: label, anchor } => {
                let (dx, dy, anchor) = match anchor {
                    Anchor::Left => (-PAD, CENTRE * SMALL, "end"),
                    Anchor::Above => (0.0, -PAD, "middle"),
                    Anchor::Right => (PAD, CENTRE * SMALL, "start"),
                };
                // A white outline keeps curves from running through the text.
                let _ = writeln!(
                    out,
                    "<g paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"2.5\" stroke-linejoin=\"round\">"
                );
                text(out, (self.x(*x) + dx, self.y(*y) + dy), label, TextStyle::small(anchor));
                let _ = writeln!(out, "</g>");
            }
            _ => {}
        }
    }

    /// Writes a circle, if its centre lies in the frame. `attributes` are further SVG attributes, with a blank before each.
    fn circle(&self, out: &mut String, (x, y): (f64, f64), radius: f64, attributes: &str) {
        let is_inside = |value: f64, (low, high): (f64, f64)| low <= value && value <= high;
        if is_inside(x, self.panel.x.range) && is_inside(y, self.panel.y.range) {
            let _ =
                writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"{attributes}/>", n(self.x(x)), n(self.y(y)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_stays_within_its_room() {
        let mut panel = Panel::new("", Axis::new("", 0.0, 1.0), Axis::new("", 0.0, 1.0));
        for name in ["short", "a name that is rather long for a legend", &"x".repeat(300), "last"] {
            panel.line((0.0, 0.0), (1.0, 1.0), Stroke::of(Ink::Strong), name);
        }
        let rows = legend_rows(&panel, 300.0);
        assert_eq!(rows.iter().map(Vec::len).sum::<usize>(), 4);
        for (offset, name, _) in rows.iter().flatten() {
            assert!(offset + SAMPLE + PAD + name.width(SMALL, Style::Upright) <= 300.0);
        }
    }
}
