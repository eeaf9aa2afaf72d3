//! Polynomials and fractions in named variables with rational coefficients.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`variable`] | names, cheap to copy and compare |
//! | [`monomial`] | products of powers of variables, and their order |
//! | [`multinomial`] | polynomials: sums of monomials with coefficients; `operators`: their arithmetic |
//! | `gcd` | their greatest common divisors; `factors`: products of polynomials without any |
//! | [`fraction`] | their quotients |

pub mod fraction;
pub mod monomial;
pub mod multinomial;
pub mod variable;

mod display;
mod factors;
mod gcd;
mod operators;
#[cfg(test)]
mod tests;

pub use fraction::Fraction;
pub use monomial::Monomial;
pub use multinomial::Multinomial;
pub use variable::Variable;

/// The operators by value, from those by reference.
macro_rules! by_value {
    ($type:ty: $($trait:ident $method:ident),*) => {$(
        impl std::ops::$trait for $type {
            type Output = $type;
            fn $method(self, other: $type) -> $type {
                std::ops::$trait::$method(&self, &other)
            }
        }
        impl std::ops::$trait<&$type> for $type {
            type Output = $type;
            fn $method(self, other: &$type) -> $type {
                std::ops::$trait::$method(&self, other)
            }
        }
        impl std::ops::$trait<$type> for &$type {
            type Output = $type;
            fn $method(self, other: $type) -> $type {
                std::ops::$trait::$method(self, &other)
            }
        }
    )*};
}
pub(crate) use by_value;
