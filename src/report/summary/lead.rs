//! The best model of a row, and whether its lead over the runner-up is beyond chance.

use super::number::short;
use super::row::{Better, Row};
use crate::data::Spread;
use crate::functional::Value;
use crate::report::spread::Uncertainty;

/// The best model of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lead {
    /// The index of the model.
    pub(super) model: usize,
    pub(super) mark: Mark,
}

/// How sure a lead is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The interval of the difference from the runner-up excludes 0.
    BeyondChance,
    /// The interval of the difference from the runner-up contains 0.
    WithinChance,
    /// The difference has no interval, or one that cannot be relied on.
    Untested,
}

impl Mark {
    /// The sign in the table.
    pub(super) fn sign(self) -> char {
        match self {
            Mark::BeyondChance => '*',
            Mark::WithinChance => '~',
            Mark::Untested => '^',
        }
    }

    /// The line of the legend.
    pub(super) fn legend(self) -> &'static str {
        match self {
            Mark::BeyondChance => "* best, and its lead over the next is beyond chance",
            Mark::WithinChance => "~ best, but its lead over the next is within chance",
            Mark::Untested => "^ best; whether by chance was not tested, or these rows cannot tell",
        }
    }
}

/// Models from best to worst. Models without a value are left out, as are those that lack the ties on which the quantity depends.
pub(super) fn ranking(row: &Row) -> Vec<usize> {
    let Some(better) = row.better else { return Vec::new() };
    let sign = if better == Better::Higher { -1.0 } else { 1.0 };
    let value =
        |m: usize| row.values[m].estimate().filter(|_| !row.lacks_ties[m]).map(|estimate| sign * estimate.value);
    let mut models: Vec<(usize, f64)> = (0..row.values.len()).filter_map(|m| Some((m, value(m)?))).collect();
    models.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    models.into_iter().map(|(m, _)| m).collect()
}

/// Whether an interval of the difference `first - second` says that the first is better.
pub(super) fn is_beyond_chance(difference: &Spread, better: Better) -> bool {
    match better {
        Better::Higher => difference.interval.0 > 0.0,
        Better::Lower => difference.interval.1 < 0.0,
    }
}

/// The best model of a row; `None` if there are fewer than two to compare, or the best two are equal (without a test: to the digits shown).
pub(super) fn lead(row: &Row, uncertainty: Option<&Uncertainty>) -> Option<Lead> {
    let better = row.better?;
    let [first, second, ..] = ranking(row)[..] else { return None };
    let value = |m: usize| row.values.get(m).and_then(Value::estimate).map(|estimate| estimate.value);
    if value(first) == value(second) {
        return None;
    }
    let looks_equal = value(first).map(short) == value(second).map(short);
    let difference = uncertainty.and_then(|uncertainty| uncertainty.difference_of(first, second, &row.quantity));
    let mark = match difference {
        None if looks_equal => return None,
        None => Mark::Untested,
        Some(difference) if is_beyond_chance(&difference, better) => match difference.caveat {
            None => Mark::BeyondChance,
            Some(_) => Mark::Untested,
        },
        Some(_) => Mark::WithinChance,
    };
    Some(Lead { model: first, mark })
}
