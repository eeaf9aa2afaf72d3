//! rocproof settles statements about the evaluation of binary classifiers.
//!
//! A model is two score densities and a class proportion. [`evaluate()`] gives every metric and every expected loss of "Threshold Choice
//! Methods: the Missing Link" (Hernández-Orallo, Flach and Ferri): a closed form if the densities are piecewise polynomial, otherwise an
//! interval that contains the true value by proof, or a number with its error.
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
//! // Each value is given at the strongest level of evidence that applies. Here the densities are polynomials, and values are exact.
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
//! Values of other densities are certified: the true value lies in the interval, by proof. Estimates are faster.
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
//! use rocproof::Statement;
//! use rocproof::verdict::{CEILING, Verdict, settle};
//!
//! let statement = Statement::parse("for convex m: L[o] == RL")?;
//! assert!(matches!(settle(&statement, CEILING).verdict, Verdict::Proved(_)));
//! # Ok::<(), rocproof::lang::Diagnostic>(())
//! ```
//!
//! # The idea: a model is a curve
//!
//! A model is a class proportion `π0` and a curve `u ↦ (x, F1, F0)` whose coordinates never decrease. It consists of arcs (densities), gaps (no
//! mass) and ties (atoms). The ROC curve is its projection. Metrics and expected losses are integrals along the curve of an expression in `dx`,
//! `dF0`, `dF1`. Each is defined once, as text, in [`functional::definition`], and all code that evaluates or proves uses that text.
//!
//! # Modules
//!
//! A module depends only on modules above it. Modules without a link are internal: they may change without notice.
//!
//! | module | crate | content |
//! | --- | --- | --- |
//! | `arith` | `rocproof-arith` | rationals, polynomials, algebraic numbers, closed forms; intervals, series and Gauss rules with proved errors; special functions |
//! | [`lang`] | `rocproof-language` | syntax, diagnostics with positions, definitions, and the meaning of an integrand |
//! | [`theory::check`] | `rocproof-checker` | statements, forms, rules, certificates, and their check |
//! | `calculus` | `rocproof-engine` | one quadrature rule, coordinates, panels, integrals, roots; rational functions integrated exactly |
//! | [`model`] | | densities, their families, models and model files; the curve, sampled, exact and enclosed |
//! | `transform` | | `Conv`, `Cal`, `Even`; bijective, constant and singular intervals; hulls at each level |
//! | [`functional`] | | evaluation of definitions: along the curve at each level, and literally |
//! | [`statement`] | `rocproof-prover` | statements about models: names, classes, conditions |
//! | [`theory`] | | proofs: search, certificates, derivations |
//! | `search` | | counterexamples: search, decision, simplification |
//! | [`verdict`] | | proved, refuted, supported or undecided |
//! | [`discover`](mod@discover) | | linear relations between functionals, with proofs |
//! | [`data`] | `rocproof-scored` | scored data: CSV, Parquet and Arrow, evaluation, sampling intervals, and exact curves ([`data::curves`]) |
//! | `output` | `rocproof` | atomic files, numbers with justified digits, escaped texts |
//! | [`paper`] | | the paper as data (models and claims), and its audit |
//! | [`draw`] | | figures of models and of scored data, as SVG, PNG and PDF |
//! | [`report`] | | results as JSON, CSV and tables; the report on the paper as a page |
//! | `front` | | requests as texts, shared by the command line and the Python package |
//! | `cli` | | the command line |
//!
//! # Levels of evidence
//!
//! * *Exact*: rational arithmetic on piecewise-polynomial models; the number itself.
//! * *Certified*: an interval that contains the true value by proof. For piecewise-polynomial models it can be as narrow as requested, for others
//!   down to about 1e-13.
//! * *Numeric*: floating point with an error estimate. The estimates are tested against 20,000 models with independent reference values and against
//!   the exact level, but not proved.
//!
//! [`evaluate()`] picks the strongest level that applies, unless the [`Request`] selects one.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[doc(hidden)]
pub mod cli;
pub mod draw;
#[doc(hidden)]
pub mod front;
#[doc(hidden)]
pub mod output;
pub mod paper;
pub mod report;

#[doc(hidden)]
pub use rocproof_arith as arith;
#[doc(hidden)]
pub use rocproof_engine::{calculus, transform};
pub use rocproof_engine::{functional, model};
pub use rocproof_language as lang;
#[doc(hidden)]
pub use rocproof_prover::search;
pub use rocproof_prover::{discover, statement, theory, verdict};
pub use rocproof_scored as data;

pub use data::Scored;
pub use functional::{
    Condition, Cost, Evaluation, Level, Method, Missing, Refusal, Request, Thresholds, Value, evaluate,
};
pub use model::{Density, Model};
pub use statement::Statement;
