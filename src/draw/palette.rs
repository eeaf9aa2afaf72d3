//! Colours and dashes.

/// The colours of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// Strong colours on white.
    #[default]
    Plain,
    /// The colours of Okabe and Ito, which colour-blind readers can tell apart, and a dash pattern for each, for prints in grey. Curves with
    /// jumps have no dashes, since gaps would look like jumps.
    ColourBlindSafe,
}

/// The role of a colour. The palette of the figure maps it to a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The colour of a series, counted from 0.
    Series(usize),
    /// Nearly black.
    Strong,
    /// Grey, for auxiliary lines.
    Faint,
    /// A fixed colour, such as `#8c510a`.
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

    /// The dash pattern of an ink; empty for a solid line.
    pub fn dash(self, ink: Ink) -> &'static str {
        match (ink, self) {
            (Ink::Series(k), Palette::ColourBlindSafe) => DASHES[k % DASHES.len()],
            // Dashes begin when the colours are used up.
            (Ink::Series(k), Palette::Plain) => DASHES[k / PLAIN.len() % DASHES.len()],
            _ => "",
        }
    }
}
