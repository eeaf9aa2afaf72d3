//! The language of densities, functionals and statements: its grammar, its parser, and the definitions of all functionals.
//!
//! Every part of the syntax knows its place in the text, so that errors can point at it.
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
//! Braces hold the pieces of a density, or its atoms as `score: mass`. The `*` before a differential (`dx`, `dF0`, `dF1`, `dR`, `dc`) and
//! before `F0`, `F1` and `R` may be left out, as on paper: `F0^2 dF1`.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `lexer`, `parser`, `syntax` | text to tokens to syntax trees, and back to text |
//! | `diagnostic` | errors that point at their place in the text |
//! | `literal` | numbers as they were written |
//! | [`definition`] | the definitions of metrics and losses, as text |
//! | [`question`] | what can be asked of a model |
//! | [`meaning`] | the meaning of an integrand on each kind of piece |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod definition;
mod diagnostic;
mod lexer;
mod literal;
pub mod meaning;
mod parser;
mod piece;
mod precedence;
pub mod question;
mod syntax;

pub use diagnostic::{Diagnostic, Source, closest};
pub use literal::Literal;
pub use parser::{parse, parse_families, parse_statement};
pub use precedence::Precedence;
pub use syntax::{ComparisonSyntax, Expr, FamilySyntax, Kind, Op, Relation, Span, StatementSyntax, Word};
