//! All values of a model at one level of evidence alone: no level stands in for another.

use rocproof::arith::{Interval, Number};
use rocproof::calculus::quantity::Quantity;
use rocproof::functional::certified::{self, HullShape, WIDTH};
use rocproof::functional::definition::METRICS;
use rocproof::functional::exact::{self, exact_curve};
use rocproof::functional::question::{Question, Questions};
use rocproof::transform::exact_hull::exact_hull;
use rocproof::{Condition, Cost, Method, Missing, Model, Thresholds};

fn all(cost: &Cost) -> Questions {
    let Thresholds { threshold, rate } = Thresholds::default();
    Questions::new(&Question::all(cost, &threshold, &rate)).unwrap()
}

fn metric_index(name: &str) -> usize {
    METRICS.iter().position(|metric| metric.name == name).unwrap()
}

fn loss_index(condition: Condition, method: Method) -> usize {
    let before = METRICS.len() + if condition == Condition::Cost { 0 } else { Method::ALL.len() };
    before + Method::ALL.iter().position(|known| known.title() == method.title()).unwrap()
}

/// The certified level.
#[derive(Debug)]
pub struct Enclosures {
    pub values: Vec<Option<Interval>>,
    pub convex: Option<bool>,
    pub gaps: Vec<[Interval; 2]>,
    pub undecided: Option<f64>,
}

pub fn enclose(model: &Model, cost: &Cost) -> Result<Enclosures, certified::CertifiedRefusal> {
    let values = all(cost).certified(model, WIDTH)?.into_iter().map(Result::ok).collect();
    let HullShape { convex, gaps, undecided } = certified::hull_shape(model, cost)?;
    Ok(Enclosures { values, convex, gaps, undecided })
}

impl Enclosures {
    pub fn metric(&self, name: &str) -> Option<Interval> {
        self.values[metric_index(name)]
    }

    pub fn loss(&self, condition: Condition, method: Method) -> Option<Interval> {
        self.values[loss_index(condition, method)]
    }
}

/// The exact level.
pub struct ExactReading {
    pub values: Vec<Result<Quantity, Missing>>,
    pub convex: bool,
    pub gaps: Vec<[Number; 2]>,
}

pub fn read_exactly(model: &Model, cost: &Cost) -> Result<ExactReading, exact::ExactRefusal> {
    let (_, gaps) = exact_hull(&exact_curve(model)?.0)?;
    Ok(ExactReading { values: all(cost).exact(model)?, convex: gaps.is_empty(), gaps })
}

impl ExactReading {
    pub fn metric(&self, name: &str) -> Option<&Quantity> {
        self.values[metric_index(name)].as_ref().ok()
    }

    pub fn loss(&self, condition: Condition, method: Method) -> Option<&Quantity> {
        self.values[loss_index(condition, method)].as_ref().ok()
    }
}
