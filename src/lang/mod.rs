//! The language of densities and functionals: text to syntax, with the place of everything, and errors that
//! point at it.
//!
//! ```text
//! expr     := expr (+ | - | * | / | ^) expr | - expr | atom | expr "on" "[" expr "," expr "]"
//! atom     := number | name | name "(" expr, … ")" | "(" expr ")" | "{" expr; … "}" | "{" expr ":" expr; … "}"
//! ```
//!
//! Braces hold the pieces of a density, or its atoms as `place: mass`. A differential (`dx`, `dF0`, `dF1`, `dR`,
//! `dc`) may follow what it multiplies without a `*`, as on paper: `F0^2 dF1`.

mod diagnostic;
mod lexer;
mod parser;
mod syntax;

pub use diagnostic::{Diagnostic, Source, closest};
pub use parser::parse;
pub use syntax::{Expr, Kind, Op, Span};
