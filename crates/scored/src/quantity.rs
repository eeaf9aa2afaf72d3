//! The quantities that have intervals, and how each varies from sample to sample.

use super::spread::NormalScale;
use rocproof_engine::functional::definition::Reading;
use rocproof_engine::functional::{Condition, Definition, Evaluation, Method, Thresholds};

/// A metric, an expected loss, or a part of the Brier score.
#[derive(Clone, Debug, PartialEq)]
pub enum MetricOrLoss {
    /// A metric.
    Metric(Definition),
    /// The expected loss of a threshold choice method.
    Loss(Condition, Method),
    /// A part of the Brier score by isotonic recalibration.
    Corp(CorpPart),
}

/// A part of the Brier score by isotonic recalibration: `BS = MCB - DSC + UNC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CorpPart {
    /// `MCB = BS - RL_conv`.
    Miscalibration,
    /// `DSC = UNC - RL_conv`.
    Discrimination,
    /// `UNC = π0 π1`.
    Uncertainty,
}

impl CorpPart {
    /// All parts.
    pub const ALL: [CorpPart; 3] = [CorpPart::Miscalibration, CorpPart::Discrimination, CorpPart::Uncertainty];

    /// The name: `MCB`, `DSC` or `UNC`.
    pub fn name(self) -> &'static str {
        match self {
            CorpPart::Miscalibration => "MCB",
            CorpPart::Discrimination => "DSC",
            CorpPart::Uncertainty => "UNC",
        }
    }
}

impl MetricOrLoss {
    /// The name, with the parameter of a fixed method.
    pub fn label(&self, thresholds: &Thresholds) -> String {
        match self {
            MetricOrLoss::Metric(definition) => thresholds.label(definition),
            MetricOrLoss::Loss(_, method) => method.name(),
            MetricOrLoss::Corp(part) => part.name().to_owned(),
        }
    }

    /// How the quantity varies from sample to sample, which decides on its interval.
    pub(super) fn variation(&self) -> Variation {
        match self {
            MetricOrLoss::Metric(Definition { name: "CL" | "RL", .. }) => Variation::ByTies,
            MetricOrLoss::Metric(Definition { name: "AUC" | "Gini", .. }) => Variation::Ranking,
            MetricOrLoss::Metric(Definition { reading: Reading::OfHull("RL"), .. })
            | MetricOrLoss::Loss(_, Method::Optimal) => Variation::Hull(NormalScale::LogLoss),
            MetricOrLoss::Metric(Definition {
                reading: Reading::OfHull(_) | Reading::Largest(_) | Reading::ShareOfChance(_),
                ..
            }) => Variation::Hull(NormalScale::LogDistanceFromOne),
            MetricOrLoss::Loss(_, Method::RateUniform | Method::RateDriven) => Variation::Ranking,
            MetricOrLoss::Metric(Definition { reading: Reading::Balanced(_), .. })
            | MetricOrLoss::Metric(Definition { mean_of: Some(_), .. })
            | MetricOrLoss::Loss(Condition::Skew, _)
            | MetricOrLoss::Loss(_, Method::RateFixed(_)) => Variation::ByClass,
            MetricOrLoss::Metric(_) | MetricOrLoss::Loss(..) | MetricOrLoss::Corp(CorpPart::Uncertainty) => {
                Variation::Regular
            }
            MetricOrLoss::Corp(CorpPart::Miscalibration | CorpPart::Discrimination) => {
                Variation::Hull(NormalScale::Plain)
            }
        }
    }
}

/// How a quantity varies from sample to sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variation {
    /// A mean over all rows, without bias to speak of.
    Regular,
    /// It counts both classes alike, or one alone: a mean over the rows of the smaller class.
    ByClass,
    /// A function of the AUC: as [`Variation::ByClass`], unless few rows are ranked in error.
    Ranking,
    /// Fitted to the rows, and so biased; close to normal on this scale.
    Hull(NormalScale),
    /// By ties, which samples of rows make more of.
    ByTies,
}

/// The metrics and losses of an evaluation.
pub(super) fn quantities(evaluation: &Evaluation) -> Vec<MetricOrLoss> {
    let metrics = evaluation.metrics().map(|(definition, _)| MetricOrLoss::Metric(*definition));
    let cost = evaluation.losses(Condition::Cost).map(|(method, _)| MetricOrLoss::Loss(Condition::Cost, method));
    let skew = evaluation.losses(Condition::Skew).map(|(method, _)| MetricOrLoss::Loss(Condition::Skew, method));
    metrics.chain(cost).chain(skew).chain(CorpPart::ALL.map(MetricOrLoss::Corp)).collect()
}
