//! The kinds of piece that a curve is made of.

/// The kinds of piece that a curve is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// Scores with densities: all coordinates may move.
    Arc,
    /// One score with mass: `F0` and `F1` move along a straight line.
    Tie,
    /// Scores without mass: only the score moves.
    Gap,
    /// A jump of the posterior: only `c` moves.
    Corner,
}

impl Piece {
    /// All kinds.
    pub const ALL: [Piece; 4] = [Piece::Arc, Piece::Tie, Piece::Gap, Piece::Corner];

    /// The differentials that are 0 on such a piece.
    pub const fn still(self) -> &'static [&'static str] {
        match self {
            Piece::Arc => &[],
            Piece::Tie => &["dx", "dc"],
            Piece::Gap => &["dF0", "dF1", "dR", "dc"],
            Piece::Corner => &["dx", "dF0", "dF1", "dR"],
        }
    }

    /// The word after `on` that restricts an integral to such pieces.
    pub const fn plural(self) -> &'static str {
        match self {
            Piece::Arc => "arcs",
            Piece::Tie => "ties",
            Piece::Gap => "gaps",
            Piece::Corner => "corners",
        }
    }

    /// The kind of piece with a given plural.
    pub(crate) fn of_plural(word: &str) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.plural() == word)
    }

    /// A phrase for a place on such a piece: `on an arc`, `in a gap`.
    pub const fn place(self) -> &'static str {
        match self {
            Piece::Arc => "on an arc",
            Piece::Tie => "on a tie",
            Piece::Gap => "in a gap",
            Piece::Corner => "at a corner",
        }
    }
}
