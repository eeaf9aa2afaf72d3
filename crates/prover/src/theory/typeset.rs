//! Prints formulas: as plain text with Unicode, or as LaTeX.

use super::form::OneForm;
use super::lower::{Lowering, Track};
use super::symbol::{FixedCoordinate, Symbol};
use crate::statement::{Amount, Asked, Comparison, CostDistribution, CurvePoint, Functional, Statement, Term};
use rocproof_algebra::signed_sum;
use rocproof_arith::{Fraction, Multinomial, Rational, Variable};
use rocproof_engine::functional::Condition;
use rocproof_engine::functional::definition::{Method, Reading};
use rocproof_language::{Expr, Kind, Op, Precedence, Relation, Source, parse};
use std::collections::BTreeMap;

/// The output language of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Text,
    Latex,
}

/// A polynomial in `π0`: powers with their coefficients.
type ProportionPolynomial = Vec<(u32, Rational)>;

/// Gives the text of a variable.
type Names<'a> = &'a dyn Fn(Variable) -> String;

/// A side of a comparison, in LaTeX.
pub fn side(term: &Term) -> String {
    Style::Latex.term(term)
}

/// A symbol of a proof, in LaTeX.
pub fn symbol(symbol: &Symbol) -> String {
    Style::Latex.symbol(symbol)
}

/// The sign of a relation, in LaTeX.
pub fn sign_of(relation: Relation) -> &'static str {
    Style::Latex.relation(relation)
}

/// A metric by its name, in LaTeX.
pub fn name(of: &str) -> String {
    Style::Latex.variable(of)
}

/// An expression of the language, in LaTeX.
pub fn definition(text: &str) -> String {
    Style::Latex.definition(text)
}

/// The definition of a functional, in LaTeX; empty where it needs words.
pub fn reading(of: Reading) -> String {
    let style = Style::Latex;
    match of {
        Reading::Along(text) => style.integral(&style.definition(text)),
        Reading::AlongHull(text) => style.integral_along(&style.definition(text), "hull"),
        Reading::AtScore(text) => format!("{} \\text{{ at }} t", style.definition(text)),
        Reading::AtRate(text) => format!("{} \\text{{ at }} R^{{-1}}(r)", style.definition(text)),
        Reading::Largest(text) => format!("\\max |{}|", style.definition(text)),
        Reading::Affine(a, b, metric) => {
            format!("{b} {} {} {}", style.variable(metric), if a < 0 { "-" } else { "+" }, a.abs())
        }
        Reading::Balanced(metric) => format!("{} \\text{{ with }} \\pi_0 = \\pi_1", style.variable(metric)),
        Reading::OfHull(metric) => format!("{}(\\mathrm{{Conv}}(m))", style.variable(metric)),
        Reading::ShareOfChance(_) => String::new(),
    }
}

/// A hypothesis, with formulas in LaTeX between dollars.
pub fn hypothesis(of: &str) -> String {
    Style::Latex.hypothesis(of)
}

/// A statement as a sentence, with formulas in LaTeX between dollars.
///
/// ```
/// use rocproof_prover::{statement::Statement, theory::typeset};
/// let statement = Statement::parse("for convex m: L[o] == RL where pi0 == pi1")?;
/// let sentence = typeset::sentence(&statement);
/// assert_eq!(sentence, r"For every convex model: $L_{\mathrm{o}} = \mathit{RL}$, where $\pi_0 = \pi_1$");
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
pub fn sentence(statement: &Statement) -> String {
    let style = Style::Latex;
    let classes: String = statement.classes.iter().map(|class| format!("{} ", class.name())).collect();
    let named = statement.functionals().iter().any(|functional| !functional.transforms.is_empty());
    let names: Vec<String> = statement.models.iter().map(|name| style.inline(&style.variable(name))).collect();
    let mut text = match names.as_slice() {
        [_, _, ..] => format!("For all {classes}models {}: ", names.join(", ")),
        [name] if named => format!("For every {classes}model {name}: "),
        _ if !classes.is_empty() => format!("For every {classes}model: "),
        _ => String::new(),
    };
    if !statement.premises.is_empty() {
        text += &format!("{} implies ", style.inline(&style.chain(&statement.premises)));
    }
    text += &style.inline(&style.chain(&statement.claims));
    let conditions: Vec<String> = statement.conditions.iter().map(|c| style.inline(&style.comparison(c))).collect();
    if !conditions.is_empty() {
        text += &format!(", where {}", conditions.join(", "));
    }
    text
}

impl Style {
    fn is_text(self) -> bool {
        self == Style::Text
    }

    /// A formula within a sentence.
    pub fn inline(self, formula: &str) -> String {
        if self.is_text() { formula.to_owned() } else { format!("${formula}$") }
    }

    /// A remark after a formula.
    pub fn note(self, words: &str) -> String {
        match (self, words) {
            (_, "") => String::new(),
            (Style::Text, _) => format!("  {}", words.trim()),
            (Style::Latex, _) => {
                // Formulas within the remark stand outside of `\text`.
                let part = |(k, part): (usize, &str)| match part {
                    "" => String::new(),
                    words if k % 2 == 0 => format!("\\text{{{words}}}"),
                    formula => formula.to_owned(),
                };
                let parts: String = self.prose(words.trim()).split('$').enumerate().map(part).collect();
                format!("\\quad{parts}")
            }
        }
    }

    /// A hypothesis: a comparison or a sentence.
    pub fn hypothesis(self, words: &str) -> String {
        match Statement::parse(words) {
            Ok(statement) if !self.is_text() => self.inline(&self.chain(&statement.claims)),
            _ => self.prose(words),
        }
    }

    /// A sentence, in which names of the language become formulas.
    pub fn prose(self, words: &str) -> String {
        if self.is_text() {
            return words.replace("pi0", "π0").replace("pi1", "π1").replace("==", "=");
        }
        let words =
            words.replace("==", "=").replace("<=", "≤").replace(">=", "≥").replace("pi0", "π0").replace("pi1", "π1");
        // Whole words that are names become formulas.
        let is_name = |word: &&str| {
            ["c", "x", "l", "h", "R", "F0", "F1", "dF0", "dF1", "dR", "s0", "s1"].contains(word)
                || word.strip_prefix(['t', 'r']).is_some_and(|index| ["", "0", "1", "2"].contains(&index))
        };
        let words: String = split_words(&words)
            .map(|word| match Some(word).filter(is_name) {
                Some(name) if name.len() > 1 && name.starts_with('d') => {
                    self.inline(self.differential(name).trim_start_matches("\\,"))
                }
                Some(name) => self.inline(&self.variable(name)),
                None => self.plain(word),
            })
            .collect();
        words.replace("$/$", "/")
    }

    /// Escapes words for LaTeX; class proportions and signs become formulas.
    fn plain(self, words: &str) -> String {
        let mut out = String::new();
        let mut letters = words.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                'π' => {
                    let class = letters.next_if(|next| matches!(next, '0' | '1'));
                    out += &class.map_or("$\\pi$".to_owned(), |class| format!("$\\pi_{class}$"));
                }
                '⁻' => out += "$^{-}$",
                '¹' => out += "$^{1}$",
                '<' | '>' | '=' | '≤' | '≥' => out += &format!("${letter}$"),
                '^' => out += "\\^{}",
                '*' => out += "$\\cdot$",
                '_' | '&' | '%' | '#' | '{' | '}' | '$' => out += &format!("\\{letter}"),
                '\\' | '~' => out.push(' '),
                _ => out.push(letter),
            }
        }
        out.replace('≤', "\\le ").replace('≥', "\\ge ")
    }

    /// The sign of "at most".
    pub fn at_most(self) -> &'static str {
        self.relation(Relation::AtMost)
    }

    /// A reference to the lemmas and rules of a proof, by their anchors in the foundations.
    pub fn foundations(self, anchors: &[&str]) -> String {
        match self {
            Style::Text => {
                let all: Vec<String> = anchors.iter().map(|anchor| format!("#{anchor}")).collect();
                format!("Lemmas and rules, in docs/foundations.md: {}", all.join(" "))
            }
            Style::Latex => format!("Lemmas and rules of the foundations: {}.", anchors.join(", ")),
        }
    }

    /// A point: its coordinates in parentheses.
    pub fn list<T: AsRef<str>>(self, of: [T; 4]) -> String {
        let all: Vec<String> = of.iter().map(|name| self.variable(name.as_ref())).collect();
        format!("({})", all.join(", "))
    }

    /// A symbol of a proof.
    pub fn symbol(self, symbol: &Symbol) -> String {
        match symbol {
            Symbol::At { class, by, amount, hull } => {
                let function = self.variable(&format!("F{class}"));
                let inverse = |rate: &str, latex: &str| {
                    if self.is_text() { format!("{rate}⁻¹({amount})") } else { format!("{latex}^{{-1}}({amount})") }
                };
                let at = match by {
                    FixedCoordinate::Rate => inverse("R", "R"),
                    FixedCoordinate::BalancedRate => inverse("Rz", "R_z"),
                    FixedCoordinate::Score | FixedCoordinate::Posterior => amount.clone(),
                };
                match (self, hull) {
                    (Style::Text, true) => format!("{function}({at}) on the hull"),
                    (Style::Latex, true) => format!("{function}^{{\\mathrm{{hull}}}}({at})"),
                    (_, false) => format!("{function}({at})"),
                }
            }
            Symbol::Weight(at) => format!("w({})", self.definition(at)),
            Symbol::Border if !self.is_text() => "x^{*}".into(),
            Symbol::Distance(Track::Hull) if !self.is_text() => "\\mathit{KS}_{\\mathrm{hull}}".into(),
            other => self.variable(&other.to_string()),
        }
    }

    /// A name of the language.
    pub fn variable(self, name: &str) -> String {
        if self.is_text() {
            return name.replace("pi0", "π0").replace("pi1", "π1");
        }
        match name {
            "pi0" => "\\pi_0".into(),
            "pi1" => "\\pi_1".into(),
            "F0" | "F1" => format!("F_{}", &name[1..]),
            "beta0" | "beta1" => format!("\\beta_{}", &name[4..]),
            "s0" | "s1" => format!("\\bar{{s}}_{}", &name[1..]),
            "mean" => "\\bar{c}".into(),
            _ if name.starts_with(|letter: char| {
                letter.is_ascii_digit() || letter == '(' || letter == '\\' || letter == '-'
            }) =>
            {
                name.to_owned()
            }
            _ if name.len() > 1 => match name.char_indices().next_back() {
                // A parameter such as t0 or r1.
                Some((1, digit)) if digit.is_ascii_digit() => format!("{}_{digit}", &name[..1]),
                // A name with an index, such as RL_conv.
                _ => match name.split_once('_') {
                    Some((name, of)) => format!("\\mathit{{{name}}}_{{\\mathrm{{{}}}}}", of.replace('_', "\\_")),
                    None => format!("\\mathit{{{name}}}"),
                },
            },
            _ => name.to_owned(),
        }
    }

    /// A differential, such as `dF0`.
    pub fn differential(self, name: &str) -> String {
        if self.is_text() { name.to_owned() } else { format!("\\,d{}", self.variable(name.trim_start_matches('d'))) }
    }

    /// An integral along the curve.
    pub fn integral(self, of: &str) -> String {
        match (self, is_sum(of)) {
            (Style::Text, true) => format!("∫ {{{of}}}"),
            (Style::Text, false) => format!("∫ {of}"),
            (Style::Latex, true) => format!("\\int \\{{{of}\\}}"),
            (Style::Latex, false) => format!("\\int {of}"),
        }
    }

    /// An integral along the curve or its hull, as `whose` says.
    pub fn integral_along(self, of: &str, whose: &str) -> String {
        if self.is_text() {
            return format!("{} along the {whose}", self.integral(of));
        }
        self.integral_over(of, whose)
    }

    /// An integral with its domain below the sign, in LaTeX.
    fn integral_over(self, of: &str, what: &str) -> String {
        self.integral(of).replacen("\\int", &format!("\\int_{{\\text{{{what}}}}}"), 1)
    }

    pub fn number(self, value: &Rational) -> String {
        if self.is_text() || value.is_int() {
            return value.to_string();
        }
        let sign = if *value < Rational::ZERO { "-" } else { "" };
        let size = if *value < Rational::ZERO { -value } else { value.clone() };
        format!("{sign}\\frac{{{}}}{{{}}}", size.numerator(), size.denominator())
    }

    /// A power of a formula.
    pub fn power(self, plain: &str, power: u32) -> String {
        let simple = plain.chars().all(|letter| letter.is_alphanumeric() || "\\_{}".contains(letter));
        let base = if simple { plain.to_owned() } else { format!("({plain})") };
        match (self, power) {
            (_, 1) if is_sum(plain) => base,
            (_, 1) => plain.to_owned(),
            (Style::Latex, _) => format!("{base}^{{{power}}}"),
            (Style::Text, _) => format!("{base}{}", superscript(&power.to_string())),
        }
    }

    /// An expression of the language.
    pub fn definition(self, text: &str) -> String {
        parse(&Source::new("definition", text))
            .map_or_else(|_| self.prose(text), |expr| self.expression(&expr, Precedence::Lowest))
    }

    /// A product; a dot separates a right factor that begins with a digit.
    fn product(self, left: &str, right: &str) -> String {
        let dot = match self {
            _ if !right.starts_with(|letter: char| letter.is_ascii_digit()) => "",
            Style::Text => "· ",
            Style::Latex => "\\cdot ",
        };
        format!("{left} {dot}{right}")
    }

    /// An expression of the language, in parentheses if its precedence is below `least`.
    fn expression(self, expr: &Expr, least: Precedence) -> String {
        let operand = |expr: &Expr, least: Precedence| self.expression(expr, least);
        let (text, precedence) = match &expr.kind {
            Kind::Number(value) => {
                (self.number(value), if value.is_int() { Precedence::Atom } else { Precedence::Product })
            }
            Kind::Name(name) => {
                let differential = name.starts_with('d') && name.len() > 1;
                (if differential { self.differential(name) } else { self.variable(name) }, Precedence::Atom)
            }
            Kind::Call(name, _, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|of| operand(of, Precedence::Lowest)).collect();
                (format!("{}({})", self.variable(name), arguments.join(", ")), Precedence::Atom)
            }
            Kind::Negate(inner) => (format!("-{}", operand(inner, Precedence::Product)), Precedence::Sum),
            Kind::Binary(Op::Pow, base, exponent) => {
                let power = operand(exponent, Precedence::Lowest);
                (self.raised(&operand(base, Precedence::Atom), &power), Precedence::Power)
            }
            Kind::Binary(op, left, right) => {
                self.binary(*op, |least| operand(left, least), |least| operand(right, least))
            }
            _ => (String::new(), Precedence::Atom),
        };
        if precedence < least { format!("({text})") } else { text }
    }

    /// A sum, difference, product or quotient, with its precedence; the operands are written for the precedence that their position asks.
    fn binary(
        self,
        op: Op,
        left: impl Fn(Precedence) -> String,
        right: impl Fn(Precedence) -> String,
    ) -> (String, Precedence) {
        let [l, r] = op.operand_precedences();
        match op {
            Op::Add => (format!("{} + {}", left(l), right(r)), op.precedence()),
            Op::Sub => (format!("{} - {}", left(l), right(r)), op.precedence()),
            Op::Mul => (self.product(&left(l), &right(r)), op.precedence()),
            _ if self.is_text() => (format!("{}/{}", left(l), right(r)), op.precedence()),
            // A bar needs no parentheses.
            _ => {
                let [above, below] = [left(Precedence::Lowest), right(Precedence::Lowest)];
                (format!("\\frac{{{above}}}{{{below}}}"), Precedence::Power)
            }
        }
    }

    /// A base with an exponent, both as formulas.
    fn raised(self, base: &str, exponent: &str) -> String {
        if self.is_text() { format!("{base}{}", superscript(exponent)) } else { format!("{base}^{{{exponent}}}") }
    }

    /// A functional by its name.
    pub fn functional(self, functional: &Functional) -> String {
        if self.is_text() {
            return functional.to_string().replace("pi0", "π0").replace("pi1", "π1");
        }
        let balanced = functional.condition == Condition::Skew;
        let name = match &functional.asked {
            Asked::Loss(method) => {
                let fixed = |name: &str, at: &Amount| format!("\\mathrm{{{name}}}({})", self.variable(&at.to_string()));
                let method = match method {
                    Method::ScoreFixed(threshold) => fixed("sf", threshold),
                    Method::RateFixed(rate) => fixed("rf", rate),
                    other => format!("\\mathrm{{{}}}", other.map(|_| 0.0).name()),
                };
                let weight = match &functional.weight {
                    CostDistribution::Known(cost) if cost.is_uniform() => String::new(),
                    CostDistribution::Known(cost) => {
                        format!(";\\,\\mathrm{{{}}}", cost.to_string().replace('_', "\\_"))
                    }
                    CostDistribution::Any => ";\\,w".into(),
                };
                format!("L{}_{{{method}{weight}}}", if balanced { "^{z}" } else { "" })
            }
            Asked::Integral(integrand) => {
                let (inner, only) = rocproof_language::meaning::split_restriction(integrand.expr());
                let inner = self.expression(inner, Precedence::Lowest);
                let integral =
                    only.map_or_else(|| self.integral(&inner), |piece| self.integral_over(&inner, piece.plural()));
                format!("\\textstyle{{{integral}}}")
            }
            Asked::Metric(definition, _) => {
                let name = self.variable(definition.name);
                let name = if balanced { format!("M{name}") } else { name };
                functional.point().map_or(name.clone(), |place| format!("{name}({})", self.place(place)))
            }
            Asked::At(name, place) => format!("{}({})", self.variable(name), self.place(place.as_ref())),
        };
        let name = if let Some(inner) = name.strip_prefix("\\textstyle{") {
            format!("{{\\textstyle{{}}{inner}")
        } else {
            name
        };
        if functional.transforms.is_empty() && functional.only {
            return name;
        }
        let model = functional.model_name.replace('_', "\\_");
        let applied = functional.transforms.iter().fold(model, |inner, t| format!("\\mathrm{{{}}}({inner})", t.name()));
        match functional.asked {
            Asked::Integral(_) => format!("({name})({applied})"),
            _ => format!("{name}({applied})"),
        }
    }

    fn place(self, place: CurvePoint<&Amount>) -> String {
        let amount = self.variable(&place.parameter().to_string());
        if matches!(place, CurvePoint::Rate(_)) { format!("R^{{-1}}({amount})") } else { amount }
    }

    /// A functional minus another.
    pub fn difference(self, of: &Functional, other: &Functional) -> String {
        format!("({} - {})", self.functional(of), self.functional(other))
    }

    /// The larger side of a comparison, given as text, minus the smaller one.
    pub fn difference_of(self, comparison: &str) -> String {
        let parsed = Statement::parse(comparison).ok().and_then(|mut statement| statement.claims.pop());
        parsed.map_or_else(String::new, |claim| {
            let [left, right] = claim.sides().map(|side| self.term(side));
            let turned = matches!(claim.relation, Relation::AtMost | Relation::Less);
            let (larger, smaller) = if turned { (right, left) } else { (left, right) };
            format!("({larger} - ({smaller}))")
        })
    }

    /// A side of a comparison.
    pub fn term(self, term: &Term) -> String {
        self.side(term, Precedence::Lowest)
    }

    /// A side of a comparison or a part of it, in parentheses if its precedence is below `least`.
    fn side(self, term: &Term, least: Precedence) -> String {
        let (text, precedence) = match term {
            Term::Number(value) => match &value.exact {
                Some(exact) if exact.is_int() && *exact >= Rational::ZERO => (self.number(exact), Precedence::Atom),
                Some(exact) => (self.number(exact), Precedence::Product),
                None => (value.to_string(), Precedence::Atom),
            },
            Term::Symbol(name) => (self.variable(name), Precedence::Atom),
            Term::Value(functional) => (self.functional(functional), Precedence::Atom),
            Term::Binary(op, left, right) => {
                self.binary(*op, |least| self.side(left, least), |least| self.side(right, least))
            }
            Term::Power(base, exponent) => {
                (self.raised(&self.side(base, Precedence::Atom), &exponent.to_string()), Precedence::Power)
            }
            Term::Function(function, terms) => {
                let terms: Vec<String> = terms.iter().map(|term| self.side(term, Precedence::Lowest)).collect();
                let name = if self.is_text() {
                    function.name().to_owned()
                } else {
                    format!("\\operatorname{{{}}}", function.name())
                };
                (format!("{name}({})", terms.join(", ")), Precedence::Atom)
            }
        };
        if precedence < least { format!("({text})") } else { text }
    }

    fn relation(self, relation: Relation) -> &'static str {
        match (self, relation) {
            (_, Relation::Equal) => "=",
            (_, Relation::Less) => "<",
            (_, Relation::Greater) => ">",
            (Style::Text, Relation::AtMost) => "≤",
            (Style::Text, Relation::AtLeast) => "≥",
            (Style::Latex, Relation::AtMost) => "\\le",
            (Style::Latex, Relation::AtLeast) => "\\ge",
        }
    }

    /// A comparison.
    pub fn comparison(self, comparison: &Comparison) -> String {
        self.chain(std::slice::from_ref(comparison))
    }

    /// Comparisons, chained where one begins with the side that the one before ends with, else separated by commas.
    fn chain(self, comparisons: &[Comparison]) -> String {
        let mut text = String::new();
        for (k, Comparison { left, relation, right, .. }) in comparisons.iter().enumerate() {
            if k == 0 || comparisons[k - 1].right != *left {
                text += &format!("{}{}", if k == 0 { "" } else { ", " }, self.term(left));
            }
            text += &format!(" {} {}", self.relation(*relation), self.term(right));
        }
        text
    }

    /// A fraction.
    pub fn fraction(self, of: &Fraction) -> String {
        self.fraction_named(of, &|variable| self.symbol(&Symbol::of(variable)))
    }

    /// A fraction whose variables are written by `names`.
    pub fn fraction_named(self, of: &Fraction, names: Names) -> String {
        if of.factors().next().is_none() {
            return self.polynomial(of.numerator(), names);
        }
        // A factor π0 - 1 is written as π1, and its sign goes to the numerator.
        let (mut negative, mut below) = (false, Vec::new());
        for (factor, power) in of.factors() {
            let text = self.polynomial(factor, names);
            let turned = text.strip_prefix('-').filter(|rest| !is_sum(rest));
            negative ^= turned.is_some() && power % 2 == 1;
            below.push(self.power(turned.unwrap_or(&text), power));
        }
        let above = self.polynomial(&if negative { -of.numerator() } else { of.numerator().clone() }, names);
        if !self.is_text() {
            return format!("\\frac{{{above}}}{{{}}}", below.join(" "));
        }
        let above = if is_sum(&above) { format!("({above})") } else { above };
        match below.as_slice() {
            [only] => format!("{above}/{only}"),
            all => format!("{above}/({})", all.join(" ")),
        }
    }

    /// A fraction in the values of integrals, which are written by their functionals.
    pub fn fraction_of_integrals(self, lowering: &Lowering, of: &Fraction) -> String {
        self.fraction_named(of, &|name| self.integral_name(lowering, name))
    }

    /// A variable of a fraction: the functional, if it stands for an integral.
    pub fn integral_name(self, lowering: &Lowering, name: Variable) -> String {
        let known = lowering.integrals.iter().find(|integral| integral.name == name);
        known.map_or_else(|| self.symbol(&Symbol::of(name)), |integral| self.functional(&integral.functional))
    }

    /// A one-form.
    pub fn form(self, form: &OneForm) -> String {
        let parts = form.parts().into_iter().zip(["dx", "dR", "dc"]).filter(|(part, _)| !part.is_zero());
        let parts: Vec<String> =
            parts.map(|(part, d)| format!("{} {}", self.factor(part), self.differential(d))).collect();
        if parts.is_empty() { "0".into() } else { parts.join(" + ") }
    }

    /// A fraction as a factor: a sum gets parentheses.
    pub fn factor(self, of: &Fraction) -> String {
        let text = self.fraction(of);
        if of.numerator().terms().len() > 1 && is_sum(&text) { format!("({text})") } else { text }
    }

    /// A multiple of a formula, as a term for [`signed_sum`].
    pub fn multiple(self, factor: &Fraction, of: &str) -> (bool, String) {
        let text = self.fraction(factor);
        let (negative, size) = match text.strip_prefix('-') {
            Some(size) if !is_sum(size) => (true, size.to_owned()),
            _ => (false, text),
        };
        let size = match size.as_str() {
            "1" => String::new(),
            sum if is_sum(sum) => format!("({size}) "),
            _ => format!("{size} "),
        };
        (negative, format!("{size}{of}"))
    }

    /// The text of a fraction with its leading sign split off, for [`signed_sum`]. The sign of a sum is that of its first term, so no parentheses
    /// are needed.
    pub fn summand(self, of: &Fraction) -> (bool, String) {
        let text = self.fraction(of);
        match text.strip_prefix('-') {
            Some(rest) => (true, rest.to_owned()),
            None => (false, text),
        }
    }

    /// A polynomial, collected by the variables other than `π0`; the coefficients are written in `π0` and `π1`, as short as possible.
    fn polynomial(self, of: &Multinomial, names: Names) -> String {
        let mut collected: BTreeMap<Vec<(Variable, u32)>, ProportionPolynomial> = BTreeMap::new();
        for (powers, coefficient) in of.terms() {
            let (share, rest): (Vec<_>, Vec<_>) =
                powers.iter().copied().partition(|(v, _)| Symbol::of(*v) == Symbol::Pi0);
            let power = share.first().map_or(0, |(_, power)| *power);
            collected.entry(rest).or_default().push((power, coefficient.clone()));
        }
        let mut terms: Vec<_> = collected.into_iter().collect();
        let degree = |powers: &[(Variable, u32)]| powers.iter().map(|(_, power)| *power).sum::<u32>();
        terms.sort_by(|(a, _), (b, _)| degree(b).cmp(&degree(a)).then_with(|| a.cmp(b)));
        let mut written: Vec<(bool, String)> = Vec::new();
        for (powers, coefficients) in terms {
            let monomial: Vec<String> =
                powers.iter().map(|(variable, power)| self.power(&names(*variable), *power)).collect();
            let share = coefficients
                .into_iter()
                .map(|(power, coefficient)| Multinomial::variable("pi0").power(power).scaled(&coefficient));
            let (negative, mut coefficient) = self.in_proportions(&share.sum(), !monomial.is_empty());
            if coefficient == "1" && !monomial.is_empty() {
                coefficient.clear();
            }
            let parts = [vec![coefficient], monomial].concat();
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            written.push((negative, parts.join(" ")));
        }
        // A positive term comes first, if there is one.
        if let Some(k) = written.iter().position(|(negative, _)| !negative) {
            let first = written.remove(k);
            written.insert(0, first);
        }
        if written.is_empty() { "0".into() } else { signed_sum(written) }
    }

    /// A polynomial in `π0` as the shortest text in `π0` and `π1`: its sign and its absolute value.
    fn in_proportions(self, of: &Multinomial, within_product: bool) -> (bool, String) {
        if let Some(constant) = of.as_constant() {
            let negative = constant < Rational::ZERO;
            return (negative, self.number(&if negative { -constant } else { constant }));
        }
        let pi0 = Multinomial::variable("pi0");
        let pi1 = Multinomial::one() - pi0.clone();
        let (content, primitive) = of.content_and_primitive();
        let whole = content.is_int() && !primitive.is_constant();
        let (mut rest, mut powers) = if whole { (primitive, [0u32; 2]) } else { (of.clone(), [0u32; 2]) };
        let content = if whole { content } else { Rational::ONE };
        for (k, factor) in [&pi0, &pi1].into_iter().enumerate() {
            while !rest.is_constant()
                && let Some(quotient) = rest.divided_exactly_by(factor)
            {
                (rest, powers[k]) = (quotient, powers[k] + 1);
            }
        }
        let shares: Vec<String> = [("pi0", powers[0]), ("pi1", powers[1])]
            .into_iter()
            .filter(|(_, power)| *power > 0)
            .map(|(name, power)| self.power(&self.variable(name), power))
            .collect();
        let size = if content < Rational::ZERO { -&content } else { content.clone() };
        let with = |rest: &str, negative: bool| {
            let multiplied = within_product || !shares.is_empty() || !size.is_one();
            let mut parts = Vec::new();
            if !size.is_one() {
                parts.push(self.number(&size));
            }
            match rest {
                "1" if !shares.is_empty() || !parts.is_empty() => {}
                sum if is_sum(sum) && multiplied => parts.push(format!("({sum})")),
                other => parts.push(other.to_owned()),
            }
            parts.extend(shares.iter().cloned());
            (negative != (content < Rational::ZERO), parts.join(" "))
        };
        let mut candidates = Vec::new();
        for (polynomial, name) in
            [(Some(rest.clone()), "pi0"), (Some(rest.substitute("pi0", &pi1)), "pi1"), (in_product(&rest), "pi0 pi1")]
        {
            let Some(polynomial) = polynomial else { continue };
            // A sum of negative terms is negated.
            let leading_negative =
                polynomial.terms().next_back().is_some_and(|(_, coefficient)| *coefficient < Rational::ZERO);
            let negative = leading_negative && polynomial.terms().all(|(_, coefficient)| *coefficient < Rational::ZERO);
            let polynomial = if negative { -&polynomial } else { polynomial };
            candidates.push(with(&self.ascending(&polynomial, name), negative));
        }
        candidates
            .into_iter()
            .min_by_key(|(negative, text)| text.chars().count() + usize::from(*negative))
            .unwrap_or_default()
    }

    /// A polynomial in one class proportion or in the product of both, in ascending powers.
    fn ascending(self, of: &Multinomial, name: &str) -> String {
        let mut terms: Vec<(u32, Rational)> =
            of.terms().map(|(p, k)| (p.first().map_or(0, |(_, n)| *n), k.clone())).collect();
        terms.sort_by_key(|(power, _)| *power);
        // A positive term comes first, if there is one.
        if terms.first().is_some_and(|(_, k)| *k < Rational::ZERO)
            && let Some(k) = terms.iter().position(|(_, k)| *k > Rational::ZERO)
        {
            let first = terms.remove(k);
            terms.insert(0, first);
        }
        let term = |(power, coefficient): (u32, Rational)| {
            let negative = coefficient < Rational::ZERO;
            let size = if negative { -coefficient } else { coefficient };
            let names =
                name.split(' ').map(|name| self.power(&self.variable(name), power)).collect::<Vec<_>>().join(" ");
            let text = match (power, size.is_one()) {
                (0, _) => self.number(&size),
                (_, true) => names,
                _ => format!("{} {names}", self.number(&size)),
            };
            (negative, text)
        };
        signed_sum(terms.into_iter().map(term))
    }
}

/// A polynomial in `pi0` that is symmetric under exchange of the classes, as a polynomial in `pi0 pi1`, which the variable `pi0` then stands
/// for.
fn in_product(of: &Multinomial) -> Option<Multinomial> {
    let pi0 = Multinomial::variable("pi0");
    let product = &pi0 * &(Multinomial::one() - pi0.clone());
    let (mut rest, mut found) = (of.clone(), Multinomial::zero());
    while !rest.is_zero() {
        let degree = rest.degree_in("pi0");
        if degree % 2 == 1 {
            return None;
        }
        let leading = rest.coefficients_in("pi0").pop()?.as_constant()?;
        let leading = if (degree / 2) % 2 == 1 { -leading } else { leading };
        rest -= product.power(degree / 2).scaled(&leading);
        found += pi0.power(degree / 2).scaled(&leading);
    }
    Some(found)
}

/// Splits a text into words and the text between them.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = is_word(rest.chars().next()?);
        let end = rest.find(|letter| is_word(letter) != first).unwrap_or(rest.len());
        let (word, left) = rest.split_at(end);
        rest = left;
        Some(word)
    })
}

/// Whether a formula is a sum at its outermost level.
fn is_sum(text: &str) -> bool {
    let mut depth = 0i32;
    let letters: Vec<char> = text.chars().collect();
    letters.windows(3).any(|three| {
        match three[0] {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(three, [' ', '+' | '-', ' '])
    })
}

/// Digits as Unicode superscripts.
fn superscript(digits: &str) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => digit.to_digit(10).and_then(|k| char::from_u32(0x2070 + k)).unwrap_or(digit),
    };
    digits.chars().map(raised).collect()
}
