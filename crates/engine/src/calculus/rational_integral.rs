//! Exact integrals of rational functions.
//!
//! Hermite's reduction splits off the rational part of an antiderivative. The rest has a squarefree denominator and integrates to logarithms
//! and arctangents. It has a closed form if the denominator splits into linear and quadratic factors over the rationals. In any case its
//! value is enclosed to any precision by Taylor series with a bound on the remainder.

use super::quantity::algebraic_form;
use dashu_base::{Abs, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};
use rocproof_arith::closed_form::ClosedForm;
use rocproof_arith::factor::{SmallFactors, small_factors};
use rocproof_arith::roots::binary_between;
use rocproof_arith::whole::square_free;
use rocproof_arith::{Enclosure, Number, Polynomial, Rational, RationalFunction};

/// An antiderivative: a rational function, plus the integral of a remaining integrand that has no rational antiderivative.
#[derive(Clone, Debug)]
pub struct Antiderivative {
    /// The rational part.
    pub rational: RationalFunction,
    /// The remaining integrand: proper, with a squarefree denominator; 0 if there is none.
    pub rest: RationalFunction,
}

/// An antiderivative, by Hermite's reduction.
///
/// ```
/// use rocproof_arith::{Polynomial, RationalFunction};
/// use rocproof_engine::calculus::rational_integral::antiderivative;
/// // 1/(x² + 1)² = (x/(2x² + 2))' + 1/(2x² + 2)
/// let square = Polynomial::whole(&[1, 0, 1]).power(2);
/// let found = antiderivative(&RationalFunction::new(Polynomial::one(), square));
/// assert_eq!((found.rational.to_string(), found.rest.to_string()), ("(1/2*x)/(x^2 + 1)".into(), "(1/2)/(x^2 + 1)".into()));
/// ```
pub fn antiderivative(integrand: &RationalFunction) -> Antiderivative {
    let (mut polynomial_part, mut numerator) = integrand.numerator().divided_by(integrand.denominator());
    let mut denominator = integrand.denominator().clone();
    let mut rational = RationalFunction::constant(Rational::ZERO);
    // The squarefree factor with index i has the multiplicity i + 1. Those with index 0 need no reduction.
    let factors = denominator.squarefree_factors().into_iter().enumerate().skip(1);
    for (index, v) in factors.filter(|(_, v)| !v.is_constant()) {
        // The denominator is u·v^(index + 1), with u coprime to v. For j = index … 1 write -numerator/j = b·u·v' + c·v. Then
        // numerator/(u·v^(j+1)) = (b/v^j)' + (-j·c - u·b')/(u·v^j): the power of v falls by one.
        let u = denominator.divided_by(&v.power(index + 1)).0;
        let (inverse, _) = (&u * &v.derivative()).divided_by(&v).1.bezout(&v);
        for j in (1..=index).rev() {
            let minus = numerator.scaled(&-(Rational::ONE / Rational::from(j)));
            let b = (&minus * &inverse).divided_by(&v).1;
            let c = (&minus - &(&b * &(&u * &v.derivative()))).divided_by(&v).0;
            rational = &rational + &RationalFunction::new(b.clone(), v.power(j));
            numerator = &c.scaled(&-Rational::from(j)) - &(&u * &b.derivative());
        }
        denominator = &u * &v;
    }
    let (quotient, numerator) = numerator.divided_by(&denominator);
    polynomial_part = &polynomial_part + &quotient;
    Antiderivative {
        rational: &rational + &RationalFunction::from(polynomial_part.antiderivative()),
        rest: RationalFunction::new(numerator, denominator),
    }
}

/// The integral of a proper rational function with squarefree denominator, without a pole between its limits.
#[derive(Clone, Debug)]
pub struct LogIntegral {
    /// The lower limit.
    pub from: Number,
    /// The upper limit.
    pub to: Number,
    /// The integrand.
    pub integrand: RationalFunction,
}

/// The reason why a number has no closed form here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoForm {
    /// A denominator has a factor of degree three or more that does not split over the rationals.
    Denominator(Polynomial),
    /// A limit of an integral is algebraic of this degree.
    End(usize),
    /// A term is known by enclosures only.
    Computed,
}

impl std::fmt::Display for NoForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoForm::Denominator(factor) if factor.to_string().len() <= 40 => {
                write!(f, "no closed form: the denominator factor {factor} does not split over the rationals")
            }
            NoForm::Denominator(factor) => write!(
                f,
                "no closed form: a denominator factor of degree {} does not split over the rationals",
                factor.degree()
            ),
            NoForm::End(degree) => write!(f, "no closed form: an end of an interval is algebraic of degree {degree}"),
            NoForm::Computed => f.write_str("no closed form: a number that it rests on is known by its digits only"),
        }
    }
}

impl LogIntegral {
    /// Whether two integrals have the same limits and the same denominator, so that their integrands can be added.
    pub(crate) fn joins(&self, other: &LogIntegral) -> bool {
        self.integrand.denominator() == other.integrand.denominator()
            && self.from.is_same(&other.from)
            && self.to.is_same(&other.to)
    }

    /// The value as a sum of logarithms and arctangents.
    pub fn closed_form(&self) -> Result<ClosedForm, NoForm> {
        let (numerator, denominator) = (self.integrand.numerator(), self.integrand.denominator());
        let SmallFactors { linear, quadratic, rest } = small_factors(denominator);
        if !rest.is_constant() {
            return Err(NoForm::Denominator(rest));
        }
        let mut form = ClosedForm::default();
        let slope = denominator.derivative();
        for factor in &linear {
            // ∫ r/(x - p) dx = r·ln|x - p| with the residue r = n(p)/d'(p).
            let pole = -factor.coefficient(0) / factor.coefficient(1);
            let residue = numerator.at(&pole) / slope.at(&pole);
            let distance = |x: &Number| x - &Number::Rational(pole.clone());
            add_ln_ratio(&mut form, residue, &distance(&self.to), &distance(&self.from))?;
        }
        for q in &quadratic {
            // The partial fraction over q has the numerator n·(d/q)⁻¹ modulo q, for the integrand n/d.
            let cofactor = denominator.divided_by(q).0;
            let inverse = cofactor.divided_by(q).1.bezout(q).0;
            let part = (numerator * &inverse).divided_by(q).1;
            add_quadratic(&mut form, &part, q, [&self.from, &self.to])?;
        }
        Ok(form)
    }

    /// An enclosure, computed with this many binary digits. `None` if a limit has no enclosure, or a pole is too close.
    pub fn enclosure(&self, bits: usize) -> Option<Enclosure> {
        // A rational inside the enclosure of a limit, and the integral from there to the limit, bounded by integrand times distance.
        let split_limit = |end: &Number| -> Option<(Rational, Enclosure)> {
            if let Some(value) = end.as_rational() {
                return Some((value.clone(), Enclosure::of(&Rational::ZERO, bits)));
            }
            let enclosure = end.enclosure(bits)?;
            let [lo, hi] = enclosure.ends();
            let middle = (lo + hi) / Rational::from(2);
            let step = enclosure.minus(&Enclosure::of(&middle, bits));
            Some((middle, enclosure.through(&self.integrand)?.times(&step)))
        };
        let ((from, from_remainder), (to, to_remainder)) = (split_limit(&self.from)?, split_limit(&self.to)?);
        let between = integrate_by_taylor(&self.integrand, &from, &to, bits)?;
        Some(between.plus(&to_remainder).minus(&from_remainder))
    }
}

/// Adds `coefficient·ln(to/from)`; both numbers have the same sign.
///
/// Fails, like the functions below, if a number that would be printed has no closed form.
fn add_ln_ratio(form: &mut ClosedForm, coefficient: Rational, to: &Number, from: &Number) -> Result<(), NoForm> {
    let ratio = to / from;
    if !matches!(ratio, Number::Computed(_)) {
        return add_ln(form, coefficient, &ratio);
    }
    // The quotient has no closed form: add two logarithms.
    add_ln(form, coefficient.clone(), &size(to))?;
    add_ln(form, -coefficient, &size(from))
}

/// The absolute value.
fn size(number: &Number) -> Number {
    if number.sign() == Some(-1) { -number } else { number.clone() }
}

/// Adds `coefficient·ln(argument)` for a positive number.
fn add_ln(form: &mut ClosedForm, coefficient: Rational, argument: &Number) -> Result<(), NoForm> {
    match argument.as_rational() {
        Some(argument) => form.add_ln(coefficient, argument),
        None => form.add_ln_of(coefficient, UBig::ONE, algebraic_form(argument)?.to_string()),
    }
    Ok(())
}

/// Adds the integral of `part/q` between two limits, for an irreducible quadratic `q` and a linear `part`.
fn add_quadratic(form: &mut ClosedForm, part: &Polynomial, q: &Polynomial, ends: [&Number; 2]) -> Result<(), NoForm> {
    let [_, b, a] = [0, 1, 2].map(|k| q.coefficient(k));
    let (p0, p1) = (part.coefficient(0), part.coefficient(1));
    // p1·x + p0 = p1/2a·q' + (p0 - p1·b/2a), and ∫ q'/q = ln|q|.
    let logarithmic = &p1 / (&Rational::from(2) * &a);
    if !logarithmic.is_zero() {
        let [from, to] = ends.map(|x| x.through(&RationalFunction::from(q.clone())));
        add_ln_ratio(form, logarithmic.clone(), &to, &from)?;
    }
    let constant = p0 - &logarithmic * &b;
    if constant.is_zero() { Ok(()) } else { add_inverse_quadratic(form, constant, q, ends) }
}

/// Adds the integral of `constant/q` between two limits, for an irreducible quadratic `q` with integer coefficients.
fn add_inverse_quadratic(
    form: &mut ClosedForm,
    constant: Rational,
    q: &Polynomial,
    ends: [&Number; 2],
) -> Result<(), NoForm> {
    let [c, b, a] = [0, 1, 2].map(|k| q.coefficient(k));
    // The discriminant D is an integer: |D| = outside²·d with d squarefree.
    let discriminant = &b * &b - Rational::from(4) * &a * &c;
    let (outside, d) = square_free(&discriminant.numerator().clone().unsigned_abs());
    let (outside, root) = (Rational::from(outside), Rational::from(d.clone()));
    // With s = √|D| = outside·√d: 1/s = √d/(outside·d). Let y and z be q'/(outside·d) at the limits, so that q'/s is y·√d and z·√d.
    let one_over_s = Rational::ONE / (&outside * &root);
    let slope = RationalFunction::from(q.derivative().scaled(&one_over_s));
    let [y, z] = ends.map(|x| x.through(&slope));
    if discriminant.is_negative() {
        // ∫ dx/q = 2/s·atan(q'/s).
        return add_arctangents(form, constant * &Rational::from(2) * &one_over_s, &y, &z, d);
    }
    // ∫ dx/q = 1/s·ln|(q' - s)/(q' + s)|, and the quotient is (y√d - 1)/(y√d + 1).
    let scale = constant * one_over_s;
    let root = Number::from(root);
    if y.as_rational().is_some() && z.as_rational().is_some() {
        // Both limits in one logarithm: the quotient of two terms (y√d - 1)/(y√d + 1) is such a term with (yzd - 1)/((y - z)d) for y.
        let (product, difference) = (&(&(&y * &z) * &root) - &Number::ONE, &(&y - &z) * &root);
        return add_ln_of_root(form, scale, &(&product / &difference), &root, d);
    }
    add_ln_of_root(form, scale.clone(), &z, &root, d.clone())?;
    add_ln_of_root(form, -scale, &y, &root, d)
}

/// Adds `scale·√d·ln|(y√d - 1)/(y√d + 1)|`, where `root` is the number `d`.
fn add_ln_of_root(form: &mut ClosedForm, scale: Rational, y: &Number, root: &Number, d: UBig) -> Result<(), NoForm> {
    // (y√d - 1)/(y√d + 1) = (y√d - 1)²/(y²d - 1).
    let square = &(y * y) * root;
    let denominator = size(&(&square - &Number::ONE));
    // The argument of the logarithm is rational_part + root_coefficient·√d.
    let rational_part = &(&square + &Number::ONE) / &denominator;
    let root_coefficient = &(y * &Number::from(-Rational::from(2))) / &denominator;
    let mut argument = algebraic_form(&rational_part)?;
    let text = match root_coefficient.as_rational() {
        Some(coefficient) => {
            argument.add_root(coefficient.clone(), d.clone());
            argument.to_string()
        }
        None => format!("{argument} + ({})*sqrt({d})", algebraic_form(&root_coefficient)?),
    };
    form.add_ln_of(scale, d, text);
    Ok(())
}

/// Adds `scale·√d·(atan(z·√d) - atan(y·√d))` for `y < z`; between rational limits as a single arctangent.
fn add_arctangents(form: &mut ClosedForm, scale: Rational, y: &Number, z: &Number, d: UBig) -> Result<(), NoForm> {
    let (Some(y), Some(z)) = (y.as_rational(), z.as_rational()) else {
        for (end, sign) in [(z, Rational::ONE), (y, -Rational::ONE)] {
            let coefficient = &scale * sign;
            match end.as_rational() {
                Some(end) => form.add_atan(coefficient, end, d.clone()),
                None => {
                    let inside = algebraic_form(end)?;
                    let text = if d.is_one() { inside.to_string() } else { format!("({inside})*sqrt({d})") };
                    form.add_atan_of(coefficient, d.clone(), text);
                }
            }
        }
        return Ok(());
    };
    // With y < z: atan(z√d) - atan(y√d) = atan(√d(z-y)/(1+yzd)), plus π if 1+yzd < 0; π/2 if 1+yzd = 0.
    let denominator = Rational::ONE + y * z * Rational::from(d.clone());
    if denominator.is_zero() {
        form.add_pi(scale / Rational::from(2), d);
        return Ok(());
    }
    if denominator.is_negative() {
        form.add_pi(scale.clone(), d.clone());
    }
    form.add_atan(scale, &((z - y) / denominator), d);
    Ok(())
}

/// Largest number of panels of an integral. Close to a pole there would be more: then there is no enclosure.
const MOST_PANELS: usize = 100_000;

/// The integral of a rational function between two rationals by Taylor series, with a bound on the error. `None` if a pole is too close.
///
/// On a panel of half width `h` around `m` let `t = (x - m)/2h`. Let the denominator be `d0·(1 + Σ dⱼtʲ)` with `Σ |dⱼ| ≤ 1/2`, the numerator
/// `Σ nⱼtʲ`, and `M = Σ |nⱼ|`. For `|t| ≤ 1` the quotient is at most `2M/|d0|`, and so is every Taylor coefficient (Cauchy). The
/// coefficients satisfy `sₖ = nₖ - Σ dⱼsₖ₋ⱼ`; rounding errors shrink along this recurrence.
fn integrate_by_taylor(f: &RationalFunction, from: &Rational, to: &Rational, bits: usize) -> Option<Enclosure> {
    let work = bits + 16;
    let mut sum = IBig::ZERO;
    let mut error = IBig::ZERO;
    let mut pending = vec![(from.clone(), to.clone())];
    let mut budget = MOST_PANELS;
    while let Some((a, b)) = pending.pop() {
        budget = budget.checked_sub(1)?;
        match integrate_panel(f, &a, &b, work) {
            Some(panel) => {
                sum += panel.value;
                error += panel.error;
            }
            None => {
                // Too wide: halve it.
                let middle = if a < b { binary_between(&a, &b) } else { binary_between(&b, &a) };
                pending.push((middle.clone(), b));
                pending.push((a, middle));
            }
        }
    }
    let scale = UBig::ONE << work;
    let end = |v: IBig| Rational::from_parts(v, scale.clone());
    Some(Enclosure::between(&end(&sum - &error), &end(sum + error), bits))
}

/// The integral over one panel and a bound on its error, in units of `2^-work`.
struct PanelIntegral {
    value: IBig,
    error: IBig,
}

/// The integral over the panel from `a` to `b`, in the notation of [`integrate_by_taylor`]; `None` if the panel is too wide.
fn integrate_panel(f: &RationalFunction, a: &Rational, b: &Rational, work: usize) -> Option<PanelIntegral> {
    if a == b {
        return Some(PanelIntegral { value: IBig::ZERO, error: IBig::ZERO });
    }
    let width = b - a;
    let middle = (a + b) / &Rational::from(2);
    let d0 = f.denominator().at(&middle);
    if d0.is_zero() {
        return None;
    }
    // A bound on the sum of the true |vₖ|: each fixed-point number is off by less than one unit.
    let bound_on_sum = |values: &[IBig]| values.iter().fold(IBig::ZERO, |sum, v| sum + v.abs() + IBig::ONE);
    let d = fixed_point_coefficients(f.denominator(), &middle, &width, &(Rational::ONE / &d0), work);
    let one = IBig::ONE << work;
    if bound_on_sum(&d[1..]) > &one >> 1 {
        return None;
    }
    // The numerator is divided by d0, too, and multiplied by the width: dx = width·dt.
    let n = fixed_point_coefficients(f.numerator(), &middle, &width, &(&width / d0), work);
    let most = bound_on_sum(&n);
    // 2M bounds every |sₖ|; rounded up to a whole number.
    let bound = (&most >> (work - 1)) + IBig::ONE;
    let error_of_coefficient = IBig::from(2) * (IBig::ONE + IBig::from(d.len()) * (&bound + IBig::from(2)));
    let terms = work + 8;
    // Errors of coefficients have the total weight Σ 2^-k/(k+1) < 2. Each term rounds by at most 2. The
    // truncated terms, from `terms` on, are below 4M·2^-terms; 16M·2^-terms is taken.
    let error = IBig::from(2) * error_of_coefficient + IBig::from(2 * terms) + (most >> (terms - 4)) + IBig::ONE;
    Some(PanelIntegral { value: integrate_quotient(&n, &d, terms, work), error })
}

/// The coefficients of `factor·p` as a polynomial in `t = (x - middle)/width`, in units of `2^-work`.
fn fixed_point_coefficients(
    p: &Polynomial,
    middle: &Rational,
    width: &Rational,
    factor: &Rational,
    work: usize,
) -> Vec<IBig> {
    let mut scale = factor.clone();
    let mut coefficients = Vec::new();
    for coefficient in p.shifted(middle).coefficients() {
        let value = coefficient * &scale;
        coefficients.push((value.numerator() << work) / IBig::from(value.denominator().clone()));
        scale = &scale * width;
    }
    coefficients
}

/// The integral of `Σ nₖtᵏ/(1 + Σ dⱼtʲ)` from `t = -1/2` to `1/2`, by the first `terms` of its Taylor series `Σ sₖtᵏ`. All numbers are in units
/// of `2^-work`, and `d[0]` is not read. Odd terms cancel; an even one contributes `sₖ·2^-k/(k+1)`.
fn integrate_quotient(n: &[IBig], d: &[IBig], terms: usize, work: usize) -> IBig {
    let mut series: Vec<IBig> = Vec::with_capacity(terms);
    let mut value = IBig::ZERO;
    for k in 0..terms {
        let convolved = d.iter().enumerate().skip(1).take(k).fold(IBig::ZERO, |sum, (j, dj)| sum + dj * &series[k - j]);
        let s = n.get(k).cloned().unwrap_or(IBig::ZERO) - (convolved >> work);
        if k % 2 == 0 {
            value += (&s >> k) / IBig::from(k + 1);
        }
        series.push(s);
        // Over a constant denominator the series is finite.
        if d.len() <= 1 && k >= n.len() {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error bound of a panel at low precision covers the difference to a much higher precision, and is needed for that.
    #[test]
    fn panel_errors_are_bounded_and_the_bound_is_needed() {
        let (low, high) = (24, 400);
        // Panels whose error at low precision exceeds the bound at high precision.
        let mut inexact = 0;
        for k in 1..40i64 {
            let numerator = Polynomial::whole(&[3 * k, -7, 1 - k, 5]);
            let denominator = Polynomial::whole(&[5 + k, 3, -2 * k, 1, 2]);
            let f = RationalFunction::new(numerator, denominator);
            let (a, b) = (Rational::ZERO, Rational::ONE / Rational::from(8 + k));
            let [rough, fine] = [low, high]
                .map(|work| integrate_panel(&f, &a, &b, work).unwrap_or_else(|| panic!("panel {k} is too wide")));
            let difference = ((rough.value << (high - low)) - fine.value).abs();
            assert!(difference <= (&rough.error << (high - low)) + &fine.error, "{k}");
            inexact += usize::from(difference > fine.error);
            // The bound is not excessive either.
            assert!(rough.error < IBig::from(1000 * low), "{k}: {}", rough.error);
        }
        assert!(inexact > 30);
    }

    /// Each enclosure of an integral contains one at a higher precision, and is as narrow as its precision demands.
    #[test]
    fn enclosures_contain_finer_ones() {
        let f = RationalFunction::new(Polynomial::one(), Polynomial::whole(&[1, 0, 1]));
        let integral = LogIntegral { from: Number::ZERO, to: Number::ONE, integrand: f };
        assert_eq!(integral.closed_form().unwrap().to_string(), "pi/4");
        let fine = integral.enclosure(500).unwrap();
        for bits in [8, 16, 64, 200] {
            let rough = integral.enclosure(bits).unwrap();
            assert!(rough.meets(&fine) && rough.contains(&fine.ends()[0]) && rough.contains(&fine.ends()[1]));
            assert!(rough.width_exponent() <= 3 - bits as i64);
        }
    }

    /// Across a pole of the tangent, π is added to the arctangent.
    #[test]
    fn arctangents_continue_across_a_pole_of_the_tangent() {
        let f = RationalFunction::new(Polynomial::one(), Polynomial::whole(&[1, 0, 1]));
        let (from, to) = (Number::from(Rational::from(-3)), Number::from(Rational::from(2)));
        let form = LogIntegral { from, to, integrand: f }.closed_form().unwrap();
        // atan(2) + atan(3) = 3π/4.
        assert_eq!(form.to_string(), "3*pi/4");
    }
}
