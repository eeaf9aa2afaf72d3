//! The score axis, cut at every end of a component and at every atom.

use super::march::Trouble;
use super::mixture::{EnclosedComponent, EnclosedMixture};
use crate::model::endpoint::Endpoint;
use rocproof_arith::Interval;
use std::cmp::Ordering;

/// The parts of both classes that are active on an interval.
pub(super) type Active<'a> = [Vec<&'a EnclosedComponent>; 2];

/// The densities between two neighbouring endpoints.
pub(super) struct Between<'a> {
    pub(super) active: Active<'a>,
    pub(super) ends: [&'a Endpoint; 2],
}

impl<'a> Between<'a> {
    /// The parts that cover an interval: ends were put in order already, so they start no later and end no earlier.
    pub(super) fn new(classes: [&'a EnclosedMixture; 2], ends: [&'a Endpoint; 2]) -> Between<'a> {
        let [from, to] = ends;
        let active = classes.map(|class| {
            let covers = |p: &&EnclosedComponent| {
                p.ends[0].compare(from) != Some(Ordering::Greater) && p.ends[1].compare(to) != Some(Ordering::Less)
            };
            class.components.iter().filter(covers).collect()
        });
        Between { active, ends }
    }
}

/// The masses of the atoms at a place.
pub(super) fn mass_at(classes: [&EnclosedMixture; 2], place: &Endpoint) -> [Interval; 2] {
    classes.map(|class| {
        let here = class.atoms.iter().filter(|a| a.at.compare(place) == Some(Ordering::Equal));
        here.fold(Interval::ZERO, |sum, atom| sum + atom.mass)
    })
}

/// The places of all ends and atoms, in order.
pub(super) fn places(classes: [&EnclosedMixture; 2]) -> Result<Vec<&Endpoint>, Trouble> {
    let mut sorted = Vec::new();
    let ends = classes.iter().flat_map(|c| c.components.iter().flat_map(|p| p.ends.iter()));
    for place in ends.chain(classes.iter().flat_map(|c| c.atoms.iter().map(|a| &a.at))) {
        insert(&mut sorted, place)?;
    }
    Ok(sorted)
}

/// Puts a place where it belongs, unless it is there.
pub(super) fn insert<'a>(sorted: &mut Vec<&'a Endpoint>, place: &'a Endpoint) -> Result<(), Trouble> {
    for at in 0..sorted.len() {
        match place.compare(sorted[at]).ok_or(Trouble::Order)? {
            Ordering::Equal => return Ok(()),
            Ordering::Less => {
                sorted.insert(at, place);
                return Ok(());
            }
            Ordering::Greater => {}
        }
    }
    sorted.push(place);
    Ok(())
}
