//! Polynomials in the class proportions, as short as possible: `π0 - π0²` is written as `π0 π1`.

use super::polynomial::move_positive_first;
use super::{SignedText, Style, is_sum};
use rocproof_algebra::signed_sum;
use rocproof_arith::{Multinomial, Rational};

/// A polynomial in `π0` as `content · cofactor · π0^a · π1^b`, with the largest `a` and `b`.
struct ProportionFactors {
    /// A whole number; 1 if the content of the polynomial is not whole.
    content: Rational,
    cofactor: Multinomial,
    /// The powers `a` and `b`.
    powers: [u32; 2],
}

impl ProportionFactors {
    /// Factors a polynomial that is not constant.
    fn new(polynomial: &Multinomial) -> ProportionFactors {
        let (content, primitive) = polynomial.content_and_primitive();
        let (content, mut cofactor) =
            if content.is_int() { (content, primitive) } else { (Rational::ONE, polynomial.clone()) };
        let mut powers = [0; 2];
        for (factor, power) in [pi0(), pi1()].iter().zip(&mut powers) {
            while !cofactor.is_constant()
                && let Some(quotient) = cofactor.divided_exactly_by(factor)
            {
                cofactor = quotient;
                *power += 1;
            }
        }
        ProportionFactors { content, cofactor, powers }
    }
}

impl Style {
    /// A polynomial in `π0` as the shortest text in `π0` and `π1`. As a factor `within_product`, a sum gets parentheses.
    pub(super) fn in_proportions(self, polynomial: &Multinomial, within_product: bool) -> SignedText {
        if let Some(constant) = polynomial.as_constant() {
            let negative = constant < Rational::ZERO;
            return (negative, self.number(&if negative { -constant } else { constant }));
        }
        let factors = ProportionFactors::new(polynomial);
        // The cofactor in π0, in π1 = 1 - π0, or in the product π0 π1.
        let in_pi1 = factors.cofactor.substitute("pi0", &pi1());
        let candidates = [
            Some(self.factored(&factors, &factors.cofactor, &["pi0"], within_product)),
            Some(self.factored(&factors, &in_pi1, &["pi1"], within_product)),
            in_product(&factors.cofactor).map(|p| self.factored(&factors, &p, &["pi0", "pi1"], within_product)),
        ];
        let length = |(negative, text): &SignedText| text.chars().count() + usize::from(*negative);
        candidates.into_iter().flatten().min_by_key(length).unwrap_or_default()
    }

    /// The product of the factors. `cofactor` is their cofactor as a polynomial in the product of `names`, for which its variable stands.
    fn factored(
        self,
        factors: &ProportionFactors,
        cofactor: &Multinomial,
        names: &[&str],
        within_product: bool,
    ) -> SignedText {
        let ProportionFactors { content, powers, .. } = factors;
        // A sum of negative terms is negated.
        let negate = cofactor.terms().all(|(_, coefficient)| *coefficient < Rational::ZERO);
        let cofactor = self.ascending(&if negate { -cofactor } else { cofactor.clone() }, names);
        let mut parts = Vec::new();
        let size = if *content < Rational::ZERO { -content } else { content.clone() };
        if !size.is_one() {
            parts.push(self.number(&size));
        }
        let has_other_factors = !size.is_one() || powers.iter().any(|power| *power > 0);
        match cofactor.as_str() {
            "1" if has_other_factors => {}
            sum if is_sum(sum) && (within_product || has_other_factors) => parts.push(format!("({sum})")),
            _ => parts.push(cofactor),
        }
        let proportions = ["pi0", "pi1"].into_iter().zip(powers).filter(|(_, power)| **power > 0);
        parts.extend(proportions.map(|(name, power)| self.power(&self.variable(name), *power)));
        (negate != (*content < Rational::ZERO), parts.join(" "))
    }

    /// A polynomial in ascending powers. Its variable stands for the product of `names`.
    fn ascending(self, polynomial: &Multinomial, names: &[&str]) -> String {
        let mut terms: Vec<(u32, &Rational)> = polynomial
            .terms()
            .map(|(powers, coefficient)| (powers.first().map_or(0, |(_, power)| *power), coefficient))
            .collect();
        terms.sort_by_key(|(power, _)| *power);
        let write_term = |(power, coefficient): (u32, &Rational)| {
            let negative = *coefficient < Rational::ZERO;
            let size = if negative { -coefficient } else { coefficient.clone() };
            let product: Vec<String> = names.iter().map(|name| self.power(&self.variable(name), power)).collect();
            let text = match power {
                0 => self.number(&size),
                _ if size.is_one() => product.join(" "),
                _ => format!("{} {}", self.number(&size), product.join(" ")),
            };
            (negative, text)
        };
        let mut terms: Vec<SignedText> = terms.into_iter().map(write_term).collect();
        move_positive_first(&mut terms);
        signed_sum(terms)
    }
}

/// `π0`.
fn pi0() -> Multinomial {
    Multinomial::variable("pi0")
}

/// `π1 = 1 - π0`.
fn pi1() -> Multinomial {
    Multinomial::one() - pi0()
}

/// A polynomial in `π0` as a polynomial in the product `π0 π1`, for which the variable `pi0` stands in the result. `None` if the polynomial
/// changes when the classes are exchanged.
fn in_product(polynomial: &Multinomial) -> Option<Multinomial> {
    let product = pi0() * pi1();
    let (mut remainder, mut quotient) = (polynomial.clone(), Multinomial::zero());
    while !remainder.is_zero() {
        let degree = remainder.degree_in("pi0");
        if degree % 2 == 1 {
            return None;
        }
        let half = degree / 2;
        // The leading term of (π0 - π0²)^half is (-1)^half π0^degree.
        let leading = remainder.coefficients_in("pi0").pop()?.as_constant()?;
        let coefficient = if half % 2 == 1 { -leading } else { leading };
        remainder -= product.power(half).scaled(&coefficient);
        quotient += pi0().power(half).scaled(&coefficient);
    }
    Some(quotient)
}
