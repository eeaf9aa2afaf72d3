//! Scored data as a model: atoms in the language.

use super::scored::Scored;
use rocproof_arith::rational::{Rational, from_f64};
use rocproof_engine::constant::Constant;
use rocproof_engine::model::{Model, Transform};
use rocproof_language::Diagnostic;

impl Scored {
    /// The same data as a model: two densities of atoms, every score and weight exact. For a few thousand different scores; all that models
    /// can do can be done with them, at every level.
    ///
    /// ```
    /// use rocproof_scored::Scored;
    /// use rocproof_engine::{Cost, functional::{Thresholds, settle::evaluate_exactly}};
    /// let model = Scored::from_rows(&[0.1, 0.4, 0.3, 0.8], &[false, false, true, true], None)?.model()?;
    /// let evaluation = evaluate_exactly(&model, &Cost::uniform(), &Thresholds::default()).unwrap();
    /// assert_eq!(evaluation.metric("AUC").unwrap().settled().unwrap().form.as_deref(), Ok("3/4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn model(&self) -> Result<Model, Diagnostic> {
        let sum = |terms: &mut dyn Iterator<Item = Rational>| terms.fold(Rational::ZERO, |sum, term| sum + term);
        let weight = |row: usize| from_f64(self.weight(row)).unwrap_or(Rational::ZERO);
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

    /// A threshold on the scale of what was given as one of the model after transforms: the nearest double, as scores are, and turned round
    /// with them.
    pub fn threshold_of_model(&self, given: f64, transforms: &[Transform]) -> Constant {
        let given = from_f64(given).unwrap_or(Rational::ZERO);
        let becomes_probability = transforms.iter().any(|transform| *transform != Transform::Conv);
        Constant::rational(match self.reflection_offset() {
            Some(_) if becomes_probability => Rational::ONE - given,
            Some(whole) => Rational::from(whole) - given,
            None => given,
        })
    }
}
