//! Scored data as a model of atoms.

use super::scored::Scored;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_engine::constant::Constant;
use rocproof_engine::model::{Model, Transform};
use rocproof_language::Diagnostic;

impl Scored {
    /// The data as a model: a density of atoms for each class, with exact scores and weights.
    ///
    /// The model can be evaluated at every level and transformed like any other. It is meant for a few thousand different scores.
    ///
    /// ```
    /// use rocproof_scored::Scored;
    /// use rocproof_engine::{Level, Request, evaluate};
    /// let model = Scored::from_rows(&[0.1, 0.4, 0.3, 0.8], &[false, false, true, true], None)?.model()?;
    /// let evaluation = evaluate(&model, &Request::at(Level::Exact))?;
    /// assert_eq!(evaluation.metric("AUC").unwrap().exact().unwrap().form.as_deref(), Ok("3/4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn model(&self) -> Result<Model, Diagnostic> {
        let sum = |terms: &mut dyn Iterator<Item = Rational>| terms.fold(Rational::ZERO, |sum, term| sum + term);
        let weight = |row: usize| from_f64(self.weight(row)).unwrap_or(Rational::ZERO);
        // Each tie: its score, and the weight of each class.
        let ties: Vec<(Rational, [Rational; 2])> = (self.tied_rows())
            .map(|(rows, _)| {
                let x = self.exact_score(rows[0].start);
                (x, rows.map(|rows| sum(&mut rows.map(weight))))
            })
            .collect();
        let totals = [0, 1].map(|class| sum(&mut ties.iter().map(|(_, mass)| mass[class].clone())));
        let density = |class: usize| {
            let atoms = ties.iter().filter(|(_, mass)| mass[class] != Rational::ZERO);
            let atoms: Vec<String> = atoms.map(|(x, mass)| format!("{x}: {}", &mass[class] / &totals[class])).collect();
            format!("{{ {} }}", atoms.join("; "))
        };
        let pi0 = &totals[0] / (&totals[0] + &totals[1]);
        Model::new(&density(0), &density(1), &pi0.to_string())
    }

    /// A threshold on the scale of the input as a threshold of [`Scored::model`] after transforms.
    ///
    /// The threshold is rounded to a double first, as scores are.
    pub fn threshold_of_model(&self, threshold: f64, transforms: &[Transform]) -> Constant {
        let threshold = from_f64(threshold).unwrap_or(Rational::ZERO);
        let becomes_probability = transforms.iter().any(|transform| *transform != Transform::Conv);
        Constant::rational(match self.reflection_offset() {
            Some(_) if becomes_probability => Rational::ONE - threshold,
            Some(offset) => Rational::from(offset) - threshold,
            None => threshold,
        })
    }
}
