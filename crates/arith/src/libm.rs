//! Elementary functions of floats. Only this module names the library that they come from.
//!
//! Natively that is CORE-MATH, whose functions are correctly rounded. WebAssembly has no C compiler for it: there, and natively with the
//! feature `pxfm` in place of `core-math`, it is pxfm. Of 20 million arguments of each function, `log2` misses the correctly rounded value at
//! three, by one float, and the others at none. Nothing is proved of them, so enclosures allow for the float next to the correctly rounded one.

#[cfg(all(feature = "core-math", not(target_family = "wasm")))]
mod library {
    pub use core_math::{cos, erf, erfc, exp, log, log1p, log2, sin};

    pub const FLOATS_BEYOND: u32 = 1;
    pub const RELATIVE_ERROR: f64 = f64::EPSILON / 2.0;
}

#[cfg(not(all(feature = "core-math", not(target_family = "wasm"))))]
mod library {
    #[cfg(not(any(feature = "pxfm", target_family = "wasm")))]
    compile_error!("rocproof-arith needs the feature `core-math` or the feature `pxfm`");

    pub use pxfm::{
        f_cos as cos, f_erf as erf, f_erfc as erfc, f_exp as exp, f_log as log, f_log1p as log1p, f_log2 as log2,
        f_sin as sin,
    };

    pub const FLOATS_BEYOND: u32 = 2;
    pub const RELATIVE_ERROR: f64 = 2.0 * f64::EPSILON;
}

pub use library::{cos, erf, erfc, exp, log, log1p, log2, sin};

/// The number of floats from a computed value to one that is surely beyond the true value, on either side.
pub const FLOATS_BEYOND: u32 = library::FLOATS_BEYOND;

/// A bound on the relative error of a computed value that is neither subnormal nor infinite.
pub const RELATIVE_ERROR: f64 = library::RELATIVE_ERROR;

/// Floats on either side of a computed value, between which the true value lies.
pub fn around(computed: f64) -> [f64; 2] {
    (0..FLOATS_BEYOND).fold([computed; 2], |[lo, hi], _| [lo.next_down(), hi.next_up()])
}

#[cfg(test)]
mod tests {
    /// pxfm against CORE-MATH on arguments of every magnitude: at most one float apart, which is what enclosures allow for.
    #[test]
    #[cfg(all(feature = "core-math", not(target_family = "wasm")))]
    fn the_other_library_is_within_one_float() {
        type Pair = (&'static str, fn(f64) -> f64, fn(f64) -> f64);
        let functions: [Pair; 8] = [
            ("exp", core_math::exp, pxfm::f_exp),
            ("log", core_math::log, pxfm::f_log),
            ("log1p", core_math::log1p, pxfm::f_log1p),
            ("log2", core_math::log2, pxfm::f_log2),
            ("sin", core_math::sin, pxfm::f_sin),
            ("cos", core_math::cos, pxfm::f_cos),
            ("erf", core_math::erf, pxfm::f_erf),
            ("erfc", core_math::erfc, pxfm::f_erfc),
        ];
        // A linear congruential generator: Knuth's MMIX.
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state
        };
        for round in 0..100_000 {
            let bits = next();
            // Half of the arguments have any exponent, the others one between -20 and 10.
            let x = match round % 2 {
                0 => f64::from_bits(bits),
                _ => f64::from_bits((bits & !(0x7ff << 52)) | ((1003 + (bits >> 52) % 31) << 52)),
            };
            for (name, ours, other) in functions {
                let (ours, other) = (ours(x), other(x));
                let is_close = ours.next_down() <= other && other <= ours.next_up();
                assert!(is_close || ours.is_nan() && other.is_nan(), "{name}({x:e}): {ours:e} {other:e}");
            }
        }
    }
}
