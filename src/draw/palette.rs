//! Colours and dashes.

/// Which colours a figure has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Strong colours on white.
    #[default]
    Plain,
    /// Colours that can be told apart by nearly everybody (Okabe and Ito), and a dash for each, so that they can be told apart in grey;
    /// but no dashes where a curve jumps, since gaps would look like jumps.
    ColourBlindSafe,
}

/// What something is drawn with; the palette of the figure makes a colour of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The colour of a series, counted from 0.
    Series(usize),
    /// Nearly black.
    Strong,
    /// Grey, for what is beside the point.
    Faint,
    /// A colour of its own: `#8c510a`.
    Colour(&'static str),
}

const PLAIN: [&str; 7] = ["#1864ab", "#d6302b", "#2f9e44", "#862e9c", "#6d4c2f", "#15aabf", "#f08c00"];
const SAFE: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
const DASHES: [&str; 7] = ["", "7 3", "2 2", "9 3 2 3", "4 2", "12 3", "1 3"];

impl Palette {
    /// The colour of an ink.
    pub fn colour(self, ink: Ink) -> &'static str {
        match (ink, self) {
            (Ink::Series(k), Palette::Plain) => PLAIN[k % PLAIN.len()],
            (Ink::Series(k), Palette::ColourBlindSafe) => SAFE[k % SAFE.len()],
            (Ink::Strong, _) => "#222222",
            (Ink::Faint, _) => "#9a9a9a",
            (Ink::Colour(colour), _) => colour,
        }
    }

    /// The dashes of an ink: none where colours are enough.
    pub fn dash(self, ink: Ink) -> &'static str {
        match (ink, self) {
            (Ink::Series(k), Palette::ColourBlindSafe) => DASHES[k % DASHES.len()],
            // There are only so many colours.
            (Ink::Series(k), Palette::Plain) => DASHES[k / PLAIN.len() % DASHES.len()],
            _ => "",
        }
    }
}
