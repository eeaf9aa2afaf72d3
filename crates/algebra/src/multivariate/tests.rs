use super::*;
use crate::Rational;
use proptest::prelude::*;
use rocproof_language::{Expr, Kind, Op, Source, parse};

/// The variables of random polynomials. `F0(t)` is a call in the language, but one variable here.
const NAMES: [&str; 4] = ["F0(t)", "pi0", "x", "y"];

/// A random rational with a small numerator and denominator.
fn rational() -> impl Strategy<Value = Rational> {
    (-6i32..=6, 1u32..=4).prop_map(|(n, d)| Rational::from_parts(n.into(), d.into()))
}

/// A random product of up to two powers of variables, each 1 or 2.
fn monomial() -> impl Strategy<Value = Monomial> {
    let powers = prop::collection::vec((0usize..4, 1u32..=2), 0..3);
    powers.prop_map(|powers| Monomial::new(powers.into_iter().map(|(v, n)| (Variable::new(NAMES[v]), n))))
}

/// A random polynomial of up to four terms.
fn multinomial() -> impl Strategy<Value = Multinomial> {
    prop::collection::vec((monomial(), rational()), 0..5).prop_map(Multinomial::from_terms)
}

/// A random product of polynomials and reciprocals of polynomials, so that there is something to cancel.
fn fraction() -> impl Strategy<Value = Fraction> {
    prop::collection::vec((multinomial(), -1i32..=1), 1..4).prop_map(|factors| {
        // The polynomial 0 has no reciprocal, and is left out.
        let powers = factors.into_iter().filter_map(|(p, exponent)| Fraction::from(p).power(exponent));
        powers.fold(Fraction::one(), |product, power| product * power)
    })
}

/// Values for the variables in `NAMES`.
type Point = [Rational; 4];

/// A random point.
fn point() -> impl Strategy<Value = Point> {
    [rational(), rational(), rational(), rational()]
}

/// The values of the variables at a point.
fn values_at(point: &Point) -> impl Fn(&str) -> Option<Rational> {
    |name| NAMES.iter().position(|n| *n == name).map(|i| point[i].clone())
}

/// The value of a polynomial at a point.
fn at(p: &Multinomial, point: &Point) -> Rational {
    p.value(values_at(point)).unwrap()
}

/// Reads an expression of the language as a fraction; a call `F0(t)` is a variable.
fn read(expr: &Expr) -> Fraction {
    match &expr.kind {
        Kind::Number(value) => Fraction::constant(value.clone()),
        Kind::Name(name) => Fraction::variable(name.as_str()),
        Kind::Call(name, _, arguments) => {
            let Kind::Name(argument) = &arguments[0].kind else { panic!("a name was written") };
            Fraction::variable(format!("{name}({argument})").as_str())
        }
        Kind::Negate(inner) => -read(inner),
        Kind::Binary(Op::Pow, base, exponent) => {
            let power = read(exponent).as_rational().unwrap();
            read(base).power(power.numerator().try_into().unwrap()).unwrap()
        }
        Kind::Binary(op, left, right) => {
            let (l, r) = (read(left), read(right));
            match op {
                Op::Add => l + r,
                Op::Sub => l - r,
                Op::Mul => l * r,
                _ => l.over(&r).unwrap(),
            }
        }
        other => panic!("{other:?}"),
    }
}

/// Parses a printed polynomial or fraction.
fn read_back(text: String) -> Fraction {
    read(&parse(&Source::new("written", text)).unwrap())
}

proptest! {
    #[test]
    fn sums_products_and_powers_are_those_of_values(a in multinomial(), b in multinomial(), n in 0u32..4, p in point()) {
        prop_assert_eq!(at(&(&a + &b), &p), at(&a, &p) + at(&b, &p));
        prop_assert_eq!(at(&(&a - &b), &p), at(&a, &p) - at(&b, &p));
        prop_assert_eq!(at(&(&a * &b), &p), at(&a, &p) * at(&b, &p));
        prop_assert_eq!(at(&a.power(n), &p), at(&a, &p).pow(n as isize));
        prop_assert_eq!(at(&a.scaled(&p[0]), &p), at(&a, &p) * &p[0]);
        prop_assert_eq!(&(-&a) + &a, Multinomial::zero());
    }

    #[test]
    fn polynomials_are_a_commutative_ring(a in multinomial(), b in multinomial(), c in multinomial()) {
        prop_assert_eq!(&a * &(&b + &c), &a * &b + &a * &c);
        prop_assert_eq!((&a * &b) * &c, &a * (&b * &c));
        prop_assert_eq!(&a * &b, &b * &a);
        prop_assert_eq!(&a + &b, &b + &a);
        prop_assert!((&a - &a).is_zero() && (&a + &b - &b) == a);
    }

    #[test]
    fn products_preserve_the_order_of_monomials(a in multinomial(), b in multinomial(), c in multinomial()) {
        for ((a, _), ((b, _), (c, _))) in a.monomials().zip(b.monomials().zip(c.monomials())) {
            prop_assert_eq!(a.cmp(b), a.times(c).cmp(&b.times(c)));
            prop_assert!(a.times(c).over(c).as_ref() == Some(a));
        }
    }

    #[test]
    fn derivatives_follow_leibniz(a in multinomial(), b in multinomial()) {
        prop_assert_eq!((&a * &b).derivative("x"), a.derivative("x") * &b + &a * b.derivative("x"));
        prop_assert_eq!(a.antiderivative("x").derivative("x"), a.clone());
        prop_assert!(a.antiderivative("x").at("x", &Rational::ZERO).is_zero());
    }

    #[test]
    fn substitution_is_evaluation(a in multinomial(), b in multinomial(), p in point()) {
        // `x` is the third variable: move its value to that of `b`.
        let mut moved = p.clone();
        moved[2] = at(&b, &p);
        prop_assert_eq!(at(&a.substitute("x", &b), &p), at(&a, &moved));
        prop_assert_eq!(at(&a.at("x", &moved[2]), &p), at(&a, &moved));
        let by_power = a.coefficients_in("x");
        prop_assert_eq!(by_power.len().saturating_sub(1), a.degree_in("x") as usize);
        prop_assert!(by_power.iter().all(|c| !c.depends_on("x")));
    }

    #[test]
    fn products_divide_and_others_do_not(a in multinomial(), b in multinomial(), c in multinomial()) {
        if b.is_zero() {
            prop_assert_eq!((&a * &b).divided_exactly_by(&b), None);
        } else {
            prop_assert_eq!((&a * &b).divided_exactly_by(&b), Some(a.clone()));
            // A quotient times the divisor is the dividend; a remainder of lower degree rules a quotient out.
            if let Some(quotient) = c.divided_exactly_by(&b) {
                prop_assert_eq!(quotient * &b, c);
            }
            if !b.is_constant() {
                prop_assert_eq!((&a * &b + Multinomial::one()).divided_exactly_by(&b), None);
            }
        }
    }

    #[test]
    fn common_divisors_are_found(a in multinomial(), b in multinomial(), c in multinomial()) {
        let common = (&a * &c).gcd(&(&b * &c));
        for product in [&a * &c, &b * &c].iter().filter(|p| !p.is_zero()) {
            prop_assert!(product.divided_exactly_by(&common).is_some());
            prop_assert!(common.divided_exactly_by(&c).is_some());
        }
        // The cofactors are coprime.
        if let (Some(p), Some(q)) = ((&a * &c).divided_exactly_by(&common), (&b * &c).divided_exactly_by(&common)) {
            prop_assert!(p.gcd(&q).is_constant());
        }
        prop_assert_eq!(a.gcd(&b), b.gcd(&a));
    }

    #[test]
    fn fractions_are_in_lowest_terms(f in fraction(), g in fraction()) {
        for h in [&f + &g, &f * &g, f.derivative("x")] {
            let factors: Vec<&Multinomial> = h.factors().map(|(factor, _)| factor).collect();
            for (i, factor) in factors.iter().enumerate() {
                prop_assert!(h.numerator().gcd(factor).is_constant() && !factor.is_constant());
                prop_assert!(factors[..i].iter().all(|other| other.gcd(factor).is_constant()));
            }
        }
    }

    #[test]
    fn content_times_primitive_part_is_the_polynomial(a in multinomial()) {
        let (content, primitive) = a.content_and_primitive();
        prop_assert_eq!(primitive.scaled(&content), a.clone());
        prop_assert!(primitive.terms().next().is_some_and(|(_, leading)| *leading > Rational::ZERO));
        prop_assert!(primitive.terms().all(|(_, c)| c.is_int()));
    }

    #[test]
    fn printed_polynomials_and_fractions_read_back(a in multinomial(), f in fraction()) {
        prop_assert_eq!(read_back(a.to_string()), Fraction::from(a));
        prop_assert_eq!(read_back(f.to_string()), f);
    }

    #[test]
    fn fractions_are_a_field(f in fraction(), g in fraction(), h in fraction()) {
        prop_assert_eq!(&f * &(&g + &h), &f * &g + &f * &h);
        prop_assert!((&f + &g - &g) == f && (&f - &f).is_zero());
        match g.inverse() {
            Some(inverse) => {
                prop_assert_eq!((&g * &inverse).as_rational(), Some(Rational::ONE));
                prop_assert_eq!((&f * &g).over(&g), Some(f.clone()));
                prop_assert_eq!(g.power(-2), Some(&inverse * &inverse));
            }
            None => prop_assert!(g.is_zero() && f.over(&g).is_none()),
        }
        prop_assert_eq!((&f * &g).derivative("x"), f.derivative("x") * &g + &f * g.derivative("x"));
    }

    #[test]
    fn fractions_are_those_of_values(f in fraction(), g in fraction(), p in point()) {
        let value = |f: &Fraction| f.value(values_at(&p));
        if let (Some(a), Some(b)) = (value(&f), value(&g)) {
            prop_assert_eq!(value(&(&f + &g)), Some(&a + &b));
            prop_assert_eq!(value(&(&f * &g)), Some(&a * &b));
            // `x` is the third variable: move its value to that of `g`.
            let mut moved = p.clone();
            moved[2] = b;
            if let (Some(direct), Some(formal)) = (f.value(values_at(&moved)), f.substitute("x", &g)) {
                prop_assert_eq!(value(&formal).unwrap_or(direct.clone()), direct);
            }
        }
    }
}

#[test]
fn fractions_are_written_with_whole_coefficients() {
    let [x, y] = ["x", "y"].map(Fraction::variable);
    let one = Fraction::one();
    let half = Fraction::constant(Rational::ONE / Rational::from(2));
    let written = |a: Fraction, b: Fraction| a.over(&b).unwrap().to_string();
    assert_eq!(written(&x + &half, &y * &y), "(2*x + 1)/(2*y^2)");
    assert_eq!(written(-&x, y.clone()), "-x/y");
    assert_eq!(written(&half - &x, one.clone()), "-x + 1/2");
    assert_eq!(written(one.clone(), (&x - &one) * (&one - &x) * &y), "-1/((x - 1)^2*y)");
    assert_eq!(written(Fraction::zero(), x.clone()), "0");
    // Common divisors of numerator and denominator cancel, whole factors or not.
    assert_eq!(written((&x - &y) * &x, (&x - &y) * &y + &x - &y), "x/(y + 1)");
    assert_eq!(written(&x - &one, &x * &x - &one), "1/(x + 1)");
    assert_eq!(one.numerator().to_univariate("pi0").unwrap().to_string(), "1");
    assert_eq!(x.numerator().to_univariate("pi0"), None);
}

#[test]
fn monomials_are_written_by_degree_and_name() {
    let [pi0, x, y] = ["pi0", "x", "y"].map(Multinomial::variable);
    let third = Rational::from_parts(1.into(), 3u32.into());
    let p = &pi0 * &x.power(2) + &x - y.scaled(&third) + y.power(3) - Multinomial::constant(7);
    assert_eq!(p.to_string(), "pi0*x^2 + y^3 + x - 1/3*y - 7");
    assert_eq!(p.variables().iter().map(|v| v.name()).collect::<Vec<_>>(), ["pi0", "x", "y"]);
    assert_eq!(p.value(|name| (name != "y").then_some(Rational::ONE)), None);
}

#[test]
fn powers_that_cannot_be_written_out_are_refused() {
    let x = Fraction::variable("x");
    let sum = ["a", "b", "c", "d"].map(Fraction::variable).into_iter().sum::<Fraction>();
    assert_eq!(Fraction::zero().power(-1), None);
    assert_eq!(Fraction::zero().power(0), Some(Fraction::one()));
    assert_eq!(Fraction::constant(-1).power(i32::MAX), Some(Fraction::constant(-1)));
    assert_eq!(x.power(-3).map(|f| f.to_string()).as_deref(), Some("1/x^3"));
    for (base, power) in [(&x, i32::MAX), (&x, i32::MIN), (&Fraction::constant(2), 1 << 30), (&sum, 1000)] {
        assert_eq!(base.power(power), None);
    }
}
