//! rocproof settles statements about the evaluation of binary classifiers.
//!
//! You hand it a model, two score densities and a class proportion, and it answers with every metric and every expected
//! loss of "Threshold Choice Methods: the Missing Link" (Hernández-Orallo, Flach and Ferri): the number itself where the
//! densities are piecewise polynomial, a number with its error elsewhere.
//!
//! # A tour
//!
//! ```
//! use rocproof::{Condition, Cost, Method, Model, Request, evaluate};
//!
//! // Class 0 is positive, scores grow with class 1, and `s <= t` predicts class 0.
//! let model = Model::new("beta(2, 5)", "beta(5, 2)", "1/3")?;
//! let evaluation = evaluate(&model, &Request::default())?;
//!
//! // Each value has the strongest evidence there is. Here the densities are polynomials, and values are exact.
//! assert_eq!(evaluation.metric("AUC").unwrap().exact().unwrap().form.as_deref(), Ok("887/924"));
//!
//! // The Brier score is the expected loss of score-driven thresholds: two definitions, one number.
//! let brier_score = evaluation.metric("BS").unwrap().exact().unwrap();
//! let score_driven = evaluation.loss(Condition::Cost, Method::ScoreDriven).unwrap().exact().unwrap();
//! assert_eq!(brier_score.quantity().equals(score_driven.quantity()), Some(true));
//!
//! // Transforms return models that can be evaluated and transformed again.
//! let calibrated = evaluate(&model.cal(), &Request::default())?;
//! assert_eq!(calibrated.metric("CL").unwrap().exact().unwrap().form.as_deref(), Ok("0"));
//!
//! // Costs need not be uniform: Hand's H rests on this distribution.
//! let weighted = evaluate(&model, &Request::default().under(Cost::parse("beta(2, 2)")?))?;
//! assert!(weighted.loss(Condition::Skew, Method::Optimal).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Other densities are certified: the truth lies in the interval, by proof. Estimates are faster.
//!
//! ```
//! use rocproof::{Condition, Level, Method, Model, Request, evaluate};
//!
//! let model = Model::new("beta(2.5, 4)", "1 + sin(6*pi*x)/2", "1/3")?;
//! let evaluation = evaluate(&model, &Request::at(Level::Certified).within(1e-12))?;
//! let optimal = evaluation.loss(Condition::Cost, Method::Optimal).unwrap().enclosure().unwrap();
//! assert!(optimal.width() < 1e-10 && evaluation.convex == Some(false));
//!
//! let estimates = evaluate(&model, &Request::at(Level::Numeric))?;
//! let estimate = estimates.loss(Condition::Cost, Method::Optimal).unwrap().estimate().unwrap();
//! assert!((estimate.value - optimal.mid()).abs() <= estimate.error + optimal.radius());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Statements about all models are proved, or refuted by a model that breaks them:
//!
//! ```
//! use rocproof::statement::Statement;
//! use rocproof::verdict::{CEILING, Verdict, settle};
//!
//! let statement = Statement::parse("for convex m: L[o] == RL")?;
//! assert!(matches!(settle(&statement, CEILING).verdict, Verdict::Proved(_)));
//! # Ok::<(), rocproof::lang::Diagnostic>(())
//! ```
//!
//! # The idea: a model is a curve
//!
//! A model is a class proportion `π0` and a curve `u ↦ (x, F1, F0)` that never falls: arcs (densities), gaps (no mass) and
//! atoms (ties). The ROC curve is its projection. Metrics and expected losses are integrals along it of an expression in
//! `dx`, `dF0`, `dF1`; each is written down once, as text, in [`functional::definition`], and everything that runs is derived
//! from that text.
//!
//! # The map of the house
//!
//! Dependencies point up this list: a room uses rooms above it only.
//!
//! | module | crate | what lives there |
//! | --- | --- | --- |
//! | [`arith`] | `rocproof-arith` | rationals, polynomials, algebraic numbers, closed forms; intervals, series and Gauss rules with proved errors; special functions |
//! | [`lang`] | `rocproof-language` | text to syntax, with places and errors that point at them; the definitions, and the meaning of an integrand |
//! | [`theory::check`] | `rocproof-checker` | statements, forms, rules, certificates, and their check |
//! | [`calculus`] | `rocproof-engine` | one quadrature rule, coordinates, panels, integrals, roots; rational functions integrated exactly |
//! | [`model`] | | densities, their families, models and model files; the curve, sampled, exact and enclosed |
//! | [`transform`] | | `Conv`, `Cal`, `Even`; bijective, constant and singular intervals; hulls at each level |
//! | [`functional`] | | the readings of definitions: along the curve in floats, exactly and in enclosures, and literally |
//! | [`statement`] | `rocproof-prover` | statements about models: names resolved, classes, conditions |
//! | [`theory`] | | proofs: how they are found and written down |
//! | [`search`] | | counterexamples: families of models, decided and made simple |
//! | [`verdict`] | | proved, refuted, supported or undecided |
//! | [`discover`](mod@discover) | | linear relations between functionals, proved |
//! | [`data`] | `rocproof-scored` | scored data: CSV and Parquet files, ties and gaps, pooling of adjacent violators; [`data::curves`], piece by piece |
//! | [`output`] | `rocproof` | files that are written whole, numbers with their justified digits |
//! | [`paper`] | | the paper as data, its models and its claims; and their audit |
//! | [`draw`] | | figures: panels, axes, curves; SVG, PNG, PDF; the figures of models and of scored data |
//! | [`report`] | | JSON, CSV and tables; the report on the paper as a page |
//! | [`front`] | | requests as texts, answered or refused: shared by the command line and the Python package |
//! | [`cli`] | | the command line |
//!
//! # Levels of evidence
//!
//! *Exact*: rational arithmetic on piecewise-polynomial models; the number itself. *Certified*: an interval that holds the truth by
//! proof; of a piecewise-polynomial model as narrow as one likes, of all others down to about 1e-13. *Numeric*: estimates whose errors are tested never to be smaller than
//! the truth allows (20,000 models against independent reference values, and the exact level), but not proved.
//! [`functional::settle`] picks the strongest that serves.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cli;
pub mod draw;
pub mod front;
pub mod output;
pub mod paper;
pub mod report;

pub use rocproof_arith as arith;
pub use rocproof_engine::{calculus, functional, model, transform};
pub use rocproof_language as lang;
pub use rocproof_prover::{discover, search, statement, theory, verdict};
pub use rocproof_scored as data;

pub use functional::{
    Condition, Cost, Evaluation, Level, Method, Missing, Refusal, Request, Thresholds, Value, evaluate,
};
pub use model::{Density, Model};
