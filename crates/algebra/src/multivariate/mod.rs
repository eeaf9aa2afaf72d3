//! Polynomials and fractions in named variables with rational coefficients.
//!
//! | file | what it holds |
//! | --- | --- |
//! | [`variable`] | variables: interned names |
//! | [`monomial`] | products of powers of variables, and their order |
//! | [`multinomial`], `operators` | polynomials and their arithmetic |
//! | `gcd` | greatest common divisors of polynomials |
//! | `factors` | products of powers of coprime polynomials: the denominators of fractions |
//! | [`fraction`] | quotients of polynomials |
//! | `display` | how all of these are printed |

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

/// Derives the operators on values from those on references.
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
