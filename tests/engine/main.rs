//! Values of models at every level of evidence. One program, because each test program is linked on its own.

#[path = "../common/mod.rs"]
mod common;

mod certified;
mod exact;
mod families;
mod identities;
mod questions;
mod reference;
mod regressions;
mod routes;
mod torture;
