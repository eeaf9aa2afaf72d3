//! The classes of models that statements speak of.

use rocproof_language::closest;
use rocproof_language::definition::Scores;
use rocproof_language::meaning::Pieces;

/// A class of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// The posterior never falls along the curve.
    Convex,
    /// The score is the posterior.
    Calibrated,
    /// The score is the predicted positive rate.
    Even,
    /// Every positive scores below every negative.
    Perfect,
    /// Both classes have the same scores.
    Random,
    /// No score has a point mass.
    Continuous,
    /// Two beta densities.
    Beta,
    /// Two normal densities.
    Binormal,
    /// Two triangular densities on [0, 1].
    Triangular,
    /// Piecewise-polynomial densities on [0, 1].
    Piecewise,
}

/// Combinations of classes without a model, and why: the lemma on empty classes.
const EMPTY: [(&[Class], &str); 8] = {
    use Class::{Beta, Binormal, Calibrated, Even, Perfect, Piecewise, Random, Triangular};
    const NORMAL: &str = "normal scores do not lie in [0, 1]";
    const OVERLAP: &str = "both densities are positive on a common interval of scores, so the ranking is not perfect";
    [
        (&[Perfect, Random], "a perfect ranking passes (0, 1), where F0 is not F1"),
        (&[Perfect, Beta], OVERLAP),
        (&[Perfect, Binormal], OVERLAP),
        (&[Calibrated, Binormal], NORMAL),
        (&[Even, Binormal], NORMAL),
        (&[Beta, Binormal], NORMAL),
        (&[Triangular, Binormal], NORMAL),
        (&[Piecewise, Binormal], NORMAL),
    ]
};

impl Class {
    /// The reason why no model belongs to all of some classes; `None` if no reason is known.
    ///
    /// ```
    /// use rocproof_checker::statement::Class;
    /// assert!(Class::why_empty(&[Class::Random, Class::Calibrated, Class::Even]).is_some());
    /// assert!(Class::why_empty(&[Class::Random, Class::Calibrated]).is_none());
    /// ```
    pub fn why_empty(classes: &[Class]) -> Option<&'static str> {
        let has_all = |combination: &[Class]| combination.iter().all(|class| classes.contains(class));
        // The posterior of perfect and random models is constant on a stretch with mass. If it is the score, that stretch is a tie.
        let needs_tie = has_all(&[Class::Calibrated, Class::Perfect]) || has_all(&[Class::Calibrated, Class::Random]);
        if needs_tie && !Class::pieces(classes).ties {
            return Some("a calibrated model whose posterior stands still on a stretch has a tie there");
        }
        EMPTY.iter().find(|(combination, _)| has_all(combination)).map(|(_, why)| *why)
    }

    /// All classes.
    pub const ALL: [Class; 10] = [
        Class::Convex,
        Class::Calibrated,
        Class::Even,
        Class::Perfect,
        Class::Random,
        Class::Continuous,
        Class::Beta,
        Class::Binormal,
        Class::Triangular,
        Class::Piecewise,
    ];

    /// The class that a word names: `Some(None)` for `all`, `any` and `every`, which restrict nothing; `None` for an unknown word.
    pub fn named(word: &str) -> Option<Option<Class>> {
        match word {
            "all" | "any" | "every" => Some(None),
            _ => Class::ALL.into_iter().find(|class| class.name() == word).map(Some),
        }
    }

    /// The name of a class that is close to a misspelt word, or `all`; `None` if there is none.
    pub fn near(word: &str) -> Option<&'static str> {
        closest(word, Class::ALL.map(Class::name).into_iter().chain(["all"]))
    }

    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            Class::Convex => "convex",
            Class::Calibrated => "calibrated",
            Class::Even => "even",
            Class::Perfect => "perfect",
            Class::Random => "random",
            Class::Continuous => "continuous",
            Class::Beta => "beta",
            Class::Binormal => "binormal",
            Class::Triangular => "triangular",
            Class::Piecewise => "piecewise",
        }
    }

    /// The defining property, as a sentence.
    pub(crate) fn hypothesis(self) -> &'static str {
        match self {
            Class::Convex => "the posterior c = π1 dF1/dR never falls along the curve",
            Class::Calibrated => "scores are posteriors: x = c along the curve, and c never falls",
            Class::Even => "scores are evenly spaced: x = R along the curve, R = π0 F0 + π1 F1",
            Class::Perfect => "the ranking is perfect: F0 = 1 before F1 leaves 0",
            Class::Random => "scores tell nothing: F0 = F1 along the curve",
            Class::Continuous => "no score has mass of its own",
            Class::Beta => "both scores have beta densities",
            Class::Binormal => "both scores have normal densities",
            Class::Triangular => "both scores have triangular densities on [0, 1]",
            Class::Piecewise => "both scores have piecewise-polynomial densities on [0, 1]",
        }
    }

    /// Whether all its models are convex.
    pub fn is_convex(self) -> bool {
        matches!(self, Class::Convex | Class::Calibrated | Class::Perfect | Class::Random)
    }

    /// Whether it is a family of densities. Proofs do not use these.
    pub fn is_family(self) -> bool {
        matches!(self, Class::Beta | Class::Binormal | Class::Triangular | Class::Piecewise)
    }

    /// The kinds of pieces that may occur on the curves of models that belong to all of some classes. Each class excludes some kinds.
    pub(crate) fn pieces(classes: &[Class]) -> Pieces {
        classes.iter().fold(Pieces::ANY, |pieces, class| match class {
            // Scores that are rates have neither ties nor gaps.
            Class::Even => Pieces { ties: false, gaps: false, ..pieces },
            Class::Continuous | Class::Piecewise | Class::Triangular => Pieces { ties: false, ..pieces },
            Class::Random => Pieces { pure: false, ..pieces },
            // Both densities are positive wherever there is a score.
            Class::Beta => Pieces { ties: false, gaps: false, pure: false, ..pieces },
            // The posterior may jump at infinite scores. Such a corner has no score, as at a gap.
            Class::Binormal => Pieces { ties: false, pure: false, ..pieces },
            Class::Convex | Class::Calibrated | Class::Perfect => pieces,
        })
    }

    /// The reason why models of the class never meet a requirement on scores; `None` if they may.
    pub(crate) fn refusal(self, required: Scores) -> Option<&'static str> {
        match (self, required) {
            (Class::Binormal, Scores::Bounded) => Some("normal scores have no bounded scale to draw a threshold from"),
            (Class::Binormal, Scores::Probabilities) => Some("normal scores are not probabilities"),
            _ => None,
        }
    }
}
