//! The language of densities, functionals and statements: text to syntax, with the place of everything, and errors that
//! point at it.
//!
//! ```text
//! expr     := expr (+ | - | * | / | ^) expr | - expr | atom | expr "on" "[" expr "," expr "]"
//!           | expr "on" ("arcs" | "ties" | "gaps" | "corners")
//! atom     := number | name | name "(" expr, … ")" | "(" expr ")" | "{" expr; … "}" | "{" expr ":" expr; … "}"
//!           | name "[" expr (";" expr)? "]" | atom "(" expr, … ")"
//! chain    := expr (== | <= | < | >= | >) expr …
//! claim    := ("for" name … name, … ":")? (chain "implies")? chain ("where" chain, …)?
//! ```
//!
//! Braces hold the pieces of a density, or its atoms as `place: mass`. A differential (`dx`, `dF0`, `dF1`, `dR`,
//! `dc`) may follow what it multiplies without a `*`, as on paper: `F0^2 dF1`, and so may `F0`, `F1` and `R`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod definition;
mod diagnostic;
mod lexer;
mod literal;
pub mod meaning;
mod parser;
mod piece;
pub mod question;
mod syntax;

pub use diagnostic::{Diagnostic, Source, closest};
pub use literal::Literal;
pub use parser::{parse, parse_families, parse_statement};
pub use syntax::{ComparisonSyntax, Expr, FamilySyntax, Kind, Op, Relation, Span, StatementSyntax, Word};
