//! Labels, measured in the compiled-in font.

use crate::output;
use std::sync::LazyLock;
use ttf_parser::Face;

/// The fonts that a viewer of SVG may use: the one that text is measured in, then fonts that are not much wider.
pub(super) const FAMILIES: &str = "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

/// The font files: upright, slanted, bold.
pub(super) fn fonts() -> [&'static [u8]; 3] {
    [dejavu::sans::regular(), dejavu::sans::oblique(), dejavu::sans::bold()]
}

static FACES: LazyLock<[Option<Face<'static>>; 3]> = LazyLock::new(|| fonts().map(|font| Face::parse(font, 0).ok()));

/// The style of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Upright,
    Slanted,
    Bold,
}

/// A text with some parts slanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// The parts of the text, each with whether it is slanted.
    runs: Vec<(String, bool)>,
}

impl Label {
    /// A text without slanted parts.
    pub fn plain(text: &str) -> Label {
        Label { runs: vec![(text.to_owned(), false)] }
    }

    /// A text with mathematics between asterisks: `cost proportion *c*`.
    pub fn marked(text: &str) -> Label {
        let runs = text.split('*').enumerate().filter(|(_, run)| !run.is_empty());
        Label { runs: runs.map(|(k, run)| (run.to_owned(), k % 2 == 1)).collect() }
    }

    /// Whether the label has no characters.
    pub fn is_empty(&self) -> bool {
        self.runs.iter().all(|(run, _)| run.is_empty())
    }

    /// Appends text.
    pub fn with(mut self, more: &str) -> Label {
        self.runs.push((more.to_owned(), false));
        self
    }

    /// The width in points.
    pub(super) fn width(&self, size: f64, style: Style) -> f64 {
        let style_of = |slanted: bool| if slanted { Style::Slanted } else { style };
        self.runs.iter().map(|(run, slanted)| width(run, size, style_of(*slanted))).sum()
    }

    /// The label cut to a width of `room` points, with an ellipsis if it was cut.
    pub(super) fn fitted(&self, size: f64, style: Style, room: f64) -> Label {
        if self.width(size, style) <= room {
            return self.clone();
        }
        let mut remaining_room = room - width("…", size, style);
        let mut label = Label::default();
        for (run, slanted) in &self.runs {
            let style = if *slanted { Style::Slanted } else { style };
            let fits = |c: &char| {
                remaining_room -= width(c.encode_utf8(&mut [0; 4]), size, style);
                remaining_room >= 0.0
            };
            label.runs.push((run.chars().take_while(fits).collect(), *slanted));
        }
        label.with("…")
    }

    /// The content of an SVG `text` element.
    pub(super) fn to_svg(&self) -> String {
        let run = |(text, slanted): &(String, bool)| match slanted {
            true => format!("<tspan font-style=\"italic\">{}</tspan>", escape_line(text)),
            false => escape_line(text),
        };
        self.runs.iter().map(run).collect()
    }

    /// The characters.
    pub(super) fn text(&self) -> String {
        self.runs.iter().map(|(run, _)| run.as_str()).collect()
    }
}

/// The width of a text in points. A character that the font lacks counts as one em.
pub(super) fn width(text: &str, size: f64, style: Style) -> f64 {
    let Some(face) = &FACES[style as usize] else { return size * text.chars().count() as f64 };
    let advance = |c: char| face.glyph_index(c).and_then(|glyph| face.glyph_hor_advance(glyph)).map(f64::from);
    let em = f64::from(face.units_per_em());
    text.chars().map(|c| advance(c).unwrap_or(em) / em * size).sum()
}

/// Whether the font has all characters of a text.
#[cfg(feature = "images")]
pub(super) fn is_covered(text: &str) -> bool {
    FACES[0].as_ref().is_some_and(|face| text.chars().all(|c| c.is_control() || face.glyph_index(c).is_some()))
}

/// A text escaped for SVG, on one line.
pub(super) fn escape_line(text: &str) -> String {
    output::escape_xml(&text.replace(['\t', '\n', '\r'], " "))
}

/// Breaks a text into lines no wider than `room`.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let Some(line) = lines.last_mut() else { continue };
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || width(&longer, size, Style::Upright) <= room {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_fit_their_room() {
        let label = Label::marked("cost proportion *c*, and a long explanation of it");
        assert_eq!(label.fitted(12.0, Style::Upright, 1000.0), label);
        for room in [20.0, 60.0, 150.0] {
            let fitted = label.fitted(12.0, Style::Upright, room);
            assert!(fitted.width(12.0, Style::Upright) <= room && fitted.text().ends_with('…'));
        }
    }

    #[test]
    fn nothing_breaks_xml() {
        assert_eq!(escape_line("a<b & \"c\"\u{1}\n>"), "a&lt;b &amp; &quot;c&quot; &gt;");
        assert!(is_covered("F₀ π₁ ≤ ∫ θ") && !is_covered("模型"));
    }
}
