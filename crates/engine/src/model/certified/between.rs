//! The score axis, cut at every end of a component and at every atom.

use super::march::Trouble;
use super::mixture::{EnclosedComponent, EnclosedMixture};
use crate::model::endpoint::Endpoint;
use rocproof_arith::Interval;
use std::cmp::Ordering;

/// The components of each class that have mass on an interval.
pub(super) type Active<'a> = [Vec<&'a EnclosedComponent>; 2];

/// The densities on an interval between two neighbouring endpoints.
pub(super) struct Between<'a> {
    pub(super) active: Active<'a>,
    pub(super) ends: [&'a Endpoint; 2],
}

impl<'a> Between<'a> {
    /// Finds the components that cover the interval between two neighbouring endpoints. No component starts or ends inside it, since it was
    /// cut at every end.
    pub(super) fn new(classes: [&'a EnclosedMixture; 2], ends: [&'a Endpoint; 2]) -> Between<'a> {
        let [start, end] = ends;
        let active = classes.map(|class| {
            let covers = |part: &&EnclosedComponent| {
                let [from, to] = &part.ends;
                from.compare(start) != Some(Ordering::Greater) && to.compare(end) != Some(Ordering::Less)
            };
            class.components.iter().filter(covers).collect()
        });
        Between { active, ends }
    }
}

/// The mass of the atoms of each class at an endpoint.
pub(super) fn mass_at(classes: [&EnclosedMixture; 2], place: &Endpoint) -> [Interval; 2] {
    classes.map(|class| {
        let atoms = class.atoms.iter().filter(|a| a.at.compare(place) == Some(Ordering::Equal));
        atoms.fold(Interval::ZERO, |sum, atom| sum + atom.mass)
    })
}

/// The positions of all ends of components and of all atoms, sorted, each once. An error if two are too close to tell which comes first.
pub(super) fn places(classes: [&EnclosedMixture; 2]) -> Result<Vec<&Endpoint>, Trouble> {
    let mut sorted = Vec::new();
    let ends = classes.iter().flat_map(|class| class.components.iter().flat_map(|part| part.ends.iter()));
    let atoms = classes.iter().flat_map(|class| class.atoms.iter().map(|atom| &atom.at));
    for place in ends.chain(atoms) {
        insert(&mut sorted, place)?;
    }
    Ok(sorted)
}

/// Inserts a position into a sorted list, unless an equal one is there. An error if the order cannot be told.
pub(super) fn insert<'a>(sorted: &mut Vec<&'a Endpoint>, place: &'a Endpoint) -> Result<(), Trouble> {
    for index in 0..sorted.len() {
        match place.compare(sorted[index]).ok_or(Trouble::Order)? {
            Ordering::Equal => return Ok(()),
            Ordering::Less => {
                sorted.insert(index, place);
                return Ok(());
            }
            Ordering::Greater => {}
        }
    }
    sorted.push(place);
    Ok(())
}
