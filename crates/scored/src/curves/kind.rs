//! The curves of scored data, with their names.

use rocproof_engine::functional::{Condition, Method, Thresholds};

/// A kind of curve of scored data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurveKind {
    /// `F0` by `F1`. A tie is a diagonal segment.
    Roc,
    /// The upper hull of the ROC curve.
    Hull,
    /// The loss `Q(T(c); c)` of a threshold choice method by operating condition.
    ///
    /// Score-driven, it is the Brier curve (Hernández-Orallo, Flach and Ferri, 2011); optimal, it is the lower envelope of the cost
    /// lines. Its area is the expected loss under uniform operating conditions.
    Loss(Method, Condition),
    /// The calibrated probability of the class that higher scores indicate, by input score (Dimitriadis, Gneiting and Jordan, 2021: CORP). It
    /// is constant from the first to the last score of each pool of adjacent violators, and undefined between pools.
    Reliability,
    /// The mean elementary score by threshold (Ehm, Gneiting, Jordan and Krüger, 2016) on the scale of the input: `1-θ` for an instance of
    /// the class that higher scores indicate, scored at most `θ`, and `θ` for one of the other class, scored above `θ`. If that class is
    /// class 1 it is half the Brier curve. Its area is half the Brier score.
    Murphy,
    /// Net benefit by threshold probability `p` (Vickers and Elkin, 2006): `π0 F0 - π1 F1 p/(1-p)`, where class 0 is predicted, and treated,
    /// if its probability is at least `p`. That is `π0 - Q(c; c)/(2c)` with `c = 1-p`. The proportions may be those of a deployment.
    NetBenefit,
    /// Net interventions avoided by threshold probability `p`: the net benefit beyond that of treating everybody, in untreated instances of
    /// class 1: `π1 (1-F1) - π0 (1-F0) (1-p)/p`.
    InterventionsAvoided,
    /// The net benefit of treating everybody.
    TreatAll,
    /// The net benefit of treating nobody: zero.
    TreatNone,
}

/// The side of a jump on which the value of a curve lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The curve is continuous from the left.
    Left,
    /// The curve is continuous from the right.
    Right,
    /// Only the limits are defined.
    Neither,
}

/// The names of the curves without a parameter.
const PLAIN: [(&str, CurveKind); 8] = [
    ("roc", CurveKind::Roc),
    ("hull", CurveKind::Hull),
    ("reliability", CurveKind::Reliability),
    ("murphy", CurveKind::Murphy),
    ("net-benefit", CurveKind::NetBenefit),
    ("interventions-avoided", CurveKind::InterventionsAvoided),
    ("treat-all", CurveKind::TreatAll),
    ("treat-none", CurveKind::TreatNone),
];

impl CurveKind {
    /// The name in JSON and in requests: `roc`, `brier`, `rate-driven`.
    pub fn name(self) -> &'static str {
        match self {
            CurveKind::Loss(Method::ScoreDriven, _) => "brier",
            CurveKind::Loss(method, _) => method.title(),
            other => PLAIN.iter().find(|(_, kind)| *kind == other).map_or("", |(name, _)| name),
        }
    }

    /// All curves, with losses by one kind of operating condition.
    pub fn all(thresholds: &Thresholds, condition: Condition) -> Vec<CurveKind> {
        let losses = thresholds.methods().map(|method| CurveKind::Loss(method, condition));
        let [roc, hull, rest @ ..] = PLAIN.map(|(_, kind)| kind);
        [roc, hull].into_iter().chain(losses).chain(rest).collect()
    }

    /// A curve by name. Losses have the name of their method, in words or in the language: `rate-driven`, `rd`.
    ///
    /// ```
    /// use rocproof_scored::curves::CurveKind;
    /// use rocproof_engine::{Condition, Thresholds, Method};
    /// let brier = CurveKind::named("brier", &Thresholds::default(), Condition::Cost);
    /// assert_eq!(brier, Ok(CurveKind::Loss(Method::ScoreDriven, Condition::Cost)));
    /// assert!(CurveKind::named("briar", &Thresholds::default(), Condition::Cost).unwrap_err().contains("rate-driven"));
    /// ```
    pub fn named(name: &str, thresholds: &Thresholds, condition: Condition) -> Result<CurveKind, String> {
        let all = CurveKind::all(thresholds, condition);
        let has_name = |kind: &&CurveKind| {
            let is_method_name = match kind {
                CurveKind::Loss(method, _) => name == method.title() || method.name().split('(').next() == Some(name),
                _ => false,
            };
            kind.name() == name || is_method_name
        };
        all.iter().find(has_name).copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|kind| kind.name()).collect();
            format!("there is no curve `{name}`; the curves are {}", names.join(", "))
        })
    }

    /// The name in words.
    pub fn title(self) -> &'static str {
        match self {
            CurveKind::Roc => "ROC curve",
            CurveKind::Hull => "ROC convex hull",
            CurveKind::Loss(Method::ScoreFixed(_), _) => "Score-fixed loss",
            CurveKind::Loss(Method::RateFixed(_), _) => "Rate-fixed loss",
            CurveKind::Loss(Method::ScoreUniform, _) => "Score-uniform loss",
            CurveKind::Loss(Method::ScoreDriven, _) => "Brier curve",
            CurveKind::Loss(Method::RateUniform, _) => "Rate-uniform loss",
            CurveKind::Loss(Method::RateDriven, _) => "Rate-driven curve",
            CurveKind::Loss(Method::Optimal, _) => "Optimal loss",
            CurveKind::Reliability => "Reliability (CORP)",
            CurveKind::Murphy => "Murphy diagram",
            CurveKind::NetBenefit => "Net benefit",
            CurveKind::InterventionsAvoided => "Net interventions avoided",
            CurveKind::TreatAll => "Treat all",
            CurveKind::TreatNone => "Treat none",
        }
    }

    /// The symbol of the abscissa.
    pub fn abscissa(self) -> &'static str {
        match self {
            CurveKind::Roc | CurveKind::Hull => "F1",
            CurveKind::Loss(_, Condition::Cost) => "c",
            CurveKind::Loss(_, Condition::Skew) => "z",
            CurveKind::Reliability => "score",
            CurveKind::Murphy => "theta",
            CurveKind::NetBenefit | CurveKind::InterventionsAvoided | CurveKind::TreatAll | CurveKind::TreatNone => "p",
        }
    }

    /// The symbol of the ordinate.
    pub fn ordinate(self) -> &'static str {
        match self {
            CurveKind::Roc | CurveKind::Hull => "F0",
            CurveKind::Loss(..) => "Q",
            CurveKind::Reliability => "probability",
            CurveKind::Murphy => "elementary score",
            CurveKind::NetBenefit | CurveKind::TreatAll | CurveKind::TreatNone => "net benefit",
            CurveKind::InterventionsAvoided => "net interventions avoided",
        }
    }

    /// The side of a jump on which the value lies.
    pub fn side(self) -> Side {
        match self {
            // At a threshold equal to a score, rows with that score are predicted to be of class 0.
            CurveKind::Loss(..) | CurveKind::Murphy => Side::Right,
            // At a threshold probability equal to a row's, the row is treated.
            CurveKind::NetBenefit | CurveKind::InterventionsAvoided | CurveKind::TreatAll | CurveKind::TreatNone => {
                Side::Left
            }
            CurveKind::Roc | CurveKind::Hull | CurveKind::Reliability => Side::Neither,
        }
    }
}
