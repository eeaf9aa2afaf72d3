//! A model: two score densities, a class proportion, and the transforms that are applied.

use super::density::Density;
use crate::constant::Constant;
use dashu_base::BitTest;
use rocproof_arith::Interval;
use rocproof_arith::rational::{Rational, to_f64};
use rocproof_language::{Diagnostic, Source, parse};

/// The smallest class proportion that the numeric level takes: `π0` and `1 - π0` must both keep digits in floating point.
const RAREST: f64 = 1e-15;

/// Up to this many binary digits of the class proportion, exact arithmetic is fast enough.
const MODEST_DIGITS: usize = 128;

/// The most binary digits of the class proportion at the exact level: a few more than those of 1e-300.
const MOST_DIGITS: usize = 1000;

/// Beyond `MODEST_DIGITS`, the largest product of the number of digits and the square of the degree: some seconds of work.
const MOST_WORK: usize = 9000;

pub use rocproof_language::definition::Transform;

/// Two score densities and a class proportion, perhaps transformed.
///
/// ```
/// use rocproof_engine::model::Model;
/// let model = Model::new("2*(1-x)", "4*x^3", "1/2")?;
/// let calibrated = model.cal();
/// assert_eq!(calibrated.name(), "Cal(model)");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    /// Why the model is as it is, if its author said so.
    pub note: Option<String>,
    pi0: Constant,
    pi0_source: Source,
    densities: Box<[Density; 2]>,
    transforms: Vec<Transform>,
}

impl Model {
    /// Reads two densities and a class proportion in the language.
    pub fn new(f0: &str, f1: &str, pi0: &str) -> Result<Model, Diagnostic> {
        Model::from_sources(Source::new("f0", f0), Source::new("f1", f1), Source::new("pi0", pi0))
    }

    /// Reads two densities and a class proportion from named sources.
    pub fn from_sources(f0: Source, f1: Source, pi0: Source) -> Result<Model, Diagnostic> {
        Model::of_densities(pi0, || Ok([Density::from_source(f0)?, Density::from_source(f1)?]))
    }

    /// A model of two densities. The function `densities` is called after the class proportion has been read and checked, so that errors in
    /// the proportion are reported first.
    pub fn of_densities(
        pi0: Source,
        densities: impl FnOnce() -> Result<[Density; 2], Diagnostic>,
    ) -> Result<Model, Diagnostic> {
        let expr = parse(&pi0)?;
        let proportion = Constant::of(&pi0, &expr)?;
        let is_inside = match &proportion.exact {
            Some(exact) => Rational::ZERO < *exact && *exact < Rational::ONE,
            None => 0.0 < proportion.value && proportion.value < 1.0,
        };
        if !is_inside {
            return Err(pi0
                .error(expr.span, "π0 must lie strictly between 0 and 1", format!("this is {proportion}"))
                .help("π0 is the proportion of class 0, e.g. 1/2"));
        }
        let densities = Box::new(densities()?);
        let name = "model".into();
        Ok(Model { name, note: None, pi0: proportion, pi0_source: pi0, densities, transforms: Vec::new() })
    }

    /// The model under another name.
    pub fn named(mut self, name: impl Into<String>) -> Model {
        self.name = name.into();
        self
    }

    /// The name with the transforms applied to it, the last one outermost: `Cal(Conv(name))`.
    pub fn name(&self) -> String {
        self.transforms.iter().fold(self.name.clone(), |name, t| format!("{}({name})", t.name()))
    }

    /// The class proportion.
    pub fn pi0(&self) -> &Constant {
        &self.pi0
    }

    /// The error that a class is too rare for floating-point posteriors; `None` if the numeric level can evaluate the model.
    pub fn beyond_floating_point(&self) -> Option<Diagnostic> {
        let (pi0, pi1) = self.proportions();
        // `π1` is rounded from the exact proportion; `1 - π0` is what remains of it in floating point.
        if pi0 >= RAREST && pi1 >= RAREST && 1.0 - pi0 >= RAREST {
            return None;
        }
        let source = &self.pi0_source;
        let message = "π0 is too close to 0 or 1 to be evaluated numerically";
        let error = source.error(source.whole(), message, format!("this is {}", self.pi0));
        Some(
            error.help(
                "for the numeric level it must lie between 1e-15 and 1 - 1e-15; the exact and the certified level take smaller ones",
            ),
        )
    }

    /// The model with equal class proportions.
    pub fn balanced(&self) -> Model {
        let half = Constant::rational(Rational::ONE / Rational::from(2));
        Model { pi0: half, ..self.clone() }
    }

    /// The class proportion as a rational, or an error if it is irrational.
    pub fn exact_pi0(&self) -> Result<&Rational, Diagnostic> {
        self.pi0.exact.as_ref().ok_or_else(|| {
            let source = &self.pi0_source;
            source
                .error(source.whole(), "no exact level here: π0 is not rational", "not rational")
                .or_level("numeric", "serves this model")
        })
    }

    /// The error that exact arithmetic takes minutes with the digits of the class proportion, for densities of this degree; `None` if it does
    /// not.
    pub fn beyond_exact_arithmetic(&self, degree: usize) -> Option<Diagnostic> {
        let bits = self.pi0.exact.as_ref().map_or(0, |exact| exact.denominator().bit_len());
        let is_small = bits <= MODEST_DIGITS || (bits <= MOST_DIGITS && bits * degree * degree <= MOST_WORK);
        if is_small {
            return None;
        }
        let source = &self.pi0_source;
        let message = "no exact level here: exact arithmetic takes minutes with so many digits";
        Some(source.error(source.whole(), message, "too many digits").or_level("certified", "serves this model"))
    }

    /// `π0` and `π1`, each rounded once.
    pub fn proportions(&self) -> (f64, f64) {
        let pi1 = self.pi0.exact.as_ref().map_or(1.0 - self.pi0.value, |exact| to_f64(&(Rational::ONE - exact)));
        (self.pi0.value, pi1)
    }

    /// `π0` and `π1`, enclosed.
    pub fn enclosed_proportions(&self) -> [Interval; 2] {
        let pi0 = self.pi0.enclosure;
        let pi1 = match &self.pi0.exact {
            // From an interval of positive width the exact complement is tighter. From a point, one rounding is as tight, and cheaper.
            Some(exact) if !pi0.is_point() => Interval::of(&(Rational::ONE - exact)),
            _ => Interval::ONE - pi0,
        };
        [pi0, pi1]
    }

    /// The density of a class, before any transform.
    pub fn density(&self, class: usize) -> &Density {
        &self.densities[class]
    }

    /// The transforms, in the order in which they are applied.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }

    /// The model with one more transform, applied after those it has.
    pub fn transformed(&self, transform: Transform) -> Model {
        let mut model = self.clone();
        model.transforms.push(transform);
        model
    }

    /// `Conv(m)`: the model with the upper convex hull of its ROC curve.
    pub fn conv(&self) -> Model {
        self.transformed(Transform::Conv)
    }

    /// `Cal(m)`: the hull, with its scores replaced by posteriors.
    pub fn cal(&self) -> Model {
        self.transformed(Transform::Cal)
    }

    /// `Even(m)`: the model with its scores replaced by predicted positive rates.
    pub fn even(&self) -> Model {
        self.transformed(Transform::Even)
    }
}
