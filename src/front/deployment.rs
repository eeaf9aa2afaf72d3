//! Losses on rows that thresholds were not chosen on, and which model and method to deploy.

use super::{Failure, Interface, ScoreSettings};
use crate::data::{
    AtCondition, Bootstrap, ChosenOn, KnownAt, LossAt, OperatingPoint, Paired, Scored, deployed_threshold,
    losses_out_of_sample, recommend,
};
use crate::functional::{Condition, Evaluation, Method};
use crate::report::deploy::Deployment;

/// The number of samples of rows that show how thresholds vary.
const SAMPLES: usize = 200;

/// With more rows than this the variation of thresholds is computed on request only.
const MOST_ROWS: usize = 200_000;

/// A request for losses out of sample.
pub(super) struct DeploymentPlan<'a> {
    pub(super) at: &'a [OperatingPoint],
    pub(super) known: Option<KnownAt>,
    /// Separate training data, if there are any.
    pub(super) training: Option<&'a [Scored]>,
    pub(super) samples: Bootstrap,
}

impl DeploymentPlan<'_> {
    /// Holds out rows of `paired`, if it can be had. The evaluations and the thresholds of all rows are those of each model.
    pub(super) fn evaluate(
        &self,
        paired: Result<&Paired, &Failure>,
        settings: &ScoreSettings,
        evaluations: &[Evaluation],
        at_conditions: &[&[AtCondition]],
    ) -> Deployment {
        let loss_at: Vec<LossAt> = [Condition::Cost, Condition::Skew]
            .map(LossAt::Over)
            .into_iter()
            .chain(self.at.iter().cloned().map(LossAt::At))
            .collect();
        let chosen_on = self.training.map_or(ChosenOn::OtherFolds(self.samples.seed), ChosenOn::Separate);
        let ScoreSettings { cost, thresholds, .. } = settings;
        let out_of_sample = match paired {
            Ok(paired) => losses_out_of_sample(paired, chosen_on, &loss_at, cost, thresholds, self.samples.level)
                .map_err(|why| why.to_string()),
            Err(why) => Err(why.message(Interface::CommandLine).to_owned()),
        };
        let recommended = out_of_sample.iter().flat_map(|out| {
            let asked = out.losses.iter().filter(|losses| match &losses.loss_at {
                LossAt::At(_) => true,
                LossAt::Over(condition) => *condition == Condition::Cost && self.known.is_some(),
            });
            asked.filter_map(|losses| Some((losses.loss_at.clone(), recommend(losses, &out.methods, self.known)?)))
        });
        let recommendations = recommended.collect();
        let estimate = |value: &crate::functional::Value| value.estimate().map(|estimate| estimate.value);
        let in_sample = evaluations.iter().zip(at_conditions).map(|(evaluation, at)| {
            let over = [Condition::Cost, Condition::Skew]
                .map(|condition| evaluation.loss(condition, Method::Optimal).and_then(estimate));
            let at = at.iter().map(|at| {
                let optimal = at.chosen.iter().find(|chosen| chosen.method == Method::Optimal);
                optimal.and_then(|chosen| estimate(&chosen.loss))
            });
            over.into_iter().chain(at).collect()
        });
        let in_sample = in_sample.collect();
        let thresholds = paired.map_or(Vec::new(), |paired| self.thresholds(paired, settings));
        Deployment { out_of_sample, known: self.known, recommendations, thresholds, in_sample }
    }

    /// For each condition and model the threshold of each method, on the training data if there are any.
    fn thresholds(
        &self,
        paired: &Paired,
        settings: &ScoreSettings,
    ) -> Vec<Vec<Vec<Option<crate::data::DeployedThreshold>>>> {
        let training: Option<Vec<Paired>> = self
            .training
            .map(|models| models.iter().map(|model| Paired::single(model.clone(), paired.units())).collect());
        let models = paired.models().len();
        let of_model = |m: usize, at: &OperatingPoint| {
            let (data, place) = training.as_ref().map_or((paired, m), |training| (&training[m], 0));
            let samples = match self.samples.replicates {
                0 if data.rows() > MOST_ROWS => 0,
                asked => asked.max(SAMPLES),
            };
            let samples = (samples, self.samples.seed, self.samples.level);
            let methods = settings.thresholds.methods().into_iter();
            methods.map(|method| deployed_threshold(data, place, method, at, &settings.thresholds, samples)).collect()
        };
        if training.as_ref().is_some_and(|training| training.len() != models) {
            return Vec::new();
        }
        self.at.iter().map(|at| (0..models).map(|m| of_model(m, at)).collect()).collect()
    }
}
