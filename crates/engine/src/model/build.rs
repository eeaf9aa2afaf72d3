//! Syntax to densities, with every check that a user's density needs.

use super::density::{Atom, Component};
use super::family::{Beta, Expression, Family, Function, Logistic, Normal, ParameterError, Triangular, Uniform};
use super::sample;
use crate::calculus::Estimate;
use crate::constant::Constant;
use rocproof_arith::rational::to_f64;
use rocproof_language::{Diagnostic, Expr, Kind, Op, Source, Span};
use std::sync::Arc;

/// Names that make a density.
pub const FAMILIES: [&str; 9] =
    ["beta", "triangular", "uniform", "normal", "logistic", "truncate", "normalize", "atom", "atoms"];

/// How far an integral may be from one: what the numeric level can tell from one.
const MASS_TOLERANCE: f64 = 1e-12;

/// How far it may be from one where only values are known, as well as somebody else computed them: what is missing counts as an error.
const VALUES_TOLERANCE: f64 = 1e-6;

/// What a density is made of.
#[derive(Debug, Default)]
pub struct Parts {
    /// The smooth part.
    pub components: Vec<Component>,
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// A bound on the relative error of the weights.
    pub rounding: f64,
}

impl Parts {
    fn scale(&mut self, by: f64) {
        self.components.iter_mut().for_each(|c| c.weight *= by);
        self.atoms.iter_mut().for_each(|a| a.mass *= by);
    }

    fn join(&mut self, other: Parts) {
        self.components.extend(other.components);
        for atom in other.atoms {
            match self.atoms.iter_mut().find(|a| a.x == atom.x) {
                Some(same) => same.mass += atom.mass,
                None => self.atoms.push(atom),
            }
        }
        self.rounding = self.rounding.max(other.rounding);
    }
}

/// Reads a density and checks that it is one.
pub fn density(source: &Source, expr: &Expr) -> Result<Parts, Diagnostic> {
    let mut parts = lower(source, expr)?;
    let advice = "split it into pieces where it is smooth: { … on [a,b]; … on [b,c] }";
    let mass = mass(source, expr.span, &parts, advice)?;
    if (mass.value - 1.0).abs() > MASS_TOLERANCE + mass.error {
        let text = source.text.trim();
        return Err(not_one(source, expr.span, mass.value).help(format!("normalize({text}) divides by it")));
    }
    // An atom of weight zero, or a component of weight zero, is not there.
    parts.components.retain(|c| c.weight > 0.0);
    parts.atoms.retain(|a| a.mass > 0.0);
    parts.atoms.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(parts)
}

/// A density that is known by its values only, checked to be one as far as these are right.
pub fn function(source: &Source, function: Function) -> Result<Parts, Diagnostic> {
    let (lo, hi) = function.support();
    let component = Component { weight: 1.0, family: Arc::new(function), lo, hi };
    let parts = Parts { components: vec![component], atoms: Vec::new(), rounding: 0.0 };
    let mass = mass(source, source.whole(), &parts, "it jumps, or peaks, where nothing says so")?;
    if (mass.value - 1.0).abs() > VALUES_TOLERANCE + mass.error {
        return Err(not_one(source, source.whole(), mass.value));
    }
    Ok(parts)
}

fn mass(source: &Source, span: Span, parts: &Parts, advice: &str) -> Result<Estimate, Diagnostic> {
    let mass = sample::mass(&parts.components, &parts.atoms);
    if mass.value.is_finite() && mass.error <= 1e-3 {
        return Ok(mass);
    }
    Err(source.error(span, "the integral of this density could not be computed", "too irregular").help(advice))
}

fn not_one(source: &Source, span: Span, mass: f64) -> Diagnostic {
    let message = format!("a density must integrate to 1, but this integrates to {}", short(mass));
    source.error(span, message, format!("integral {}", short(mass)))
}

/// A number for a message: up to twelve digits, no trailing zeros.
fn short(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e9).contains(&value.abs()) {
        return format!("{value:.6e}");
    }
    // A sum of nothing is -0.
    let text = format!("{:.12}", value + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Whether an expression makes a density by itself rather than an expression in x.
pub(super) fn is_density(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Number(_) | Kind::Name(_) | Kind::Bracket(..) | Kind::Apply(..) => false,
        Kind::Negate(inner) => is_density(inner),
        Kind::Binary(_, left, right) => is_density(left) || is_density(right),
        Kind::Call(name, _, _) => FAMILIES.contains(&name.as_str()),
        Kind::On(..) | Kind::OnPieces(..) | Kind::Pieces(_) | Kind::Atoms(_) => true,
    }
}

fn lower(source: &Source, expr: &Expr) -> Result<Parts, Diagnostic> {
    if !is_density(expr) {
        let unit = [Constant::rational(0u8.into()), Constant::rational(1u8.into())];
        return piece(source, expr, unit);
    }
    match &expr.kind {
        Kind::Call(name, _, arguments) => call(source, expr, name, arguments),
        Kind::Pieces(items) => pieces(source, items),
        Kind::Atoms(items) => atoms(source, items),
        Kind::On(inner, ends) => {
            if is_density(inner) {
                return Err(source
                    .error(inner.span, "`on` takes an expression in x, not a density", "a density")
                    .help(
                        "pieces stand in braces: { 1 on [0,1/2]; … }; truncate(density, a, b) cuts a density to [a, b]",
                    ));
            }
            piece(source, inner, interval(source, ends)?)
        }
        Kind::Binary(Op::Add, left, right) => {
            let mut parts = lower(source, left)?;
            parts.join(lower(source, right)?);
            Ok(parts)
        }
        Kind::Binary(Op::Mul, left, right) if !is_density(left) => weighted(source, left, right, |w| w),
        Kind::Binary(Op::Mul, left, right) if !is_density(right) => weighted(source, right, left, |w| w),
        Kind::Binary(Op::Div, left, right) if !is_density(right) => weighted(source, right, left, |w| 1.0 / w),
        _ => Err(source
            .error(expr.span, "densities can only be added and weighted", "not a mixture")
            .help("a mixture is written 0.3*beta(2,5) + 0.7*uniform(0,1)")),
    }
}

fn weighted(source: &Source, weight: &Expr, of: &Expr, f: fn(f64) -> f64) -> Result<Parts, Diagnostic> {
    let constant = Constant::of(source, weight)?;
    let value = f(constant.value);
    if value < 0.0 || !value.is_finite() {
        return Err(source.error(weight.span, "a weight must be positive", format!("this is {constant}")));
    }
    let mut parts = lower(source, of)?;
    parts.scale(value);
    Ok(parts)
}

fn interval(source: &Source, ends: &[Expr; 2]) -> Result<[Constant; 2], Diagnostic> {
    let lo = Constant::extended(source, &ends[0])?;
    let hi = Constant::extended(source, &ends[1])?;
    if lo.value >= hi.value {
        return Err(source
            .error(ends[0].span.to(ends[1].span), "an interval needs its smaller end first", "empty")
            .help("[a, b] with a < b"));
    }
    Ok([lo, hi])
}

fn piece(source: &Source, expr: &Expr, [lo, hi]: [Constant; 2]) -> Result<Parts, Diagnostic> {
    if let Some(component) = constant_piece(source, expr, [&lo, &hi]) {
        return Ok(Parts { components: vec![component], atoms: Vec::new(), rounding: f64::EPSILON });
    }
    let expression = Expression::new(source, expr, &lo, &hi)?;
    if expression.is_zero() {
        return Ok(Parts::default());
    }
    expression.check().map_err(|error| source.error(expr.span, error.to_string(), "not a density"))?;
    let component = Component { weight: 1.0, family: Arc::new(expression), lo: lo.value, hi: hi.value };
    Ok(Parts { components: vec![component], atoms: Vec::new(), rounding: 0.0 })
}

/// A piece on which the density is the same everywhere: a uniform density with a weight.
fn constant_piece(source: &Source, expr: &Expr, [lo, hi]: [&Constant; 2]) -> Option<Component> {
    let height = Constant::of(source, expr).ok().filter(|height| height.value > 0.0)?;
    let family = Uniform::new(lo.value, hi.value).ok()?;
    let weight = match (&height.exact, &lo.exact, &hi.exact) {
        (Some(height), Some(lo), Some(hi)) => to_f64(&(height * (hi - lo))),
        _ => height.value * (hi.value - lo.value),
    };
    weight.is_finite().then(|| Component { weight, family: Arc::new(family), lo: lo.value, hi: hi.value })
}

fn pieces(source: &Source, items: &[Expr]) -> Result<Parts, Diagnostic> {
    let mut parts = Parts::default();
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for item in items {
        let Kind::On(_, ends) = &item.kind else {
            return Err(source
                .error(item.span, "a piece needs an interval", "on which interval?")
                .help("write: expression on [a, b]"));
        };
        let [lo, hi] = interval(source, ends)?;
        if let Some((a, b)) = taken.iter().find(|(a, b)| lo.value < *b && *a < hi.value) {
            return Err(source
                .error(ends[0].span.to(ends[1].span), "pieces overlap", format!("[{a}, {b}] is already taken"))
                .help("pieces may touch but not overlap; densities are added with `+`"));
        }
        taken.push((lo.value, hi.value));
        parts.join(lower(source, item)?);
    }
    Ok(parts)
}

fn atoms(source: &Source, items: &[(Expr, Expr)]) -> Result<Parts, Diagnostic> {
    let mut parts = Parts::default();
    for (place, mass) in items {
        let x = Constant::of(source, place)?.value;
        let mass_value = Constant::of(source, mass)?.value;
        if mass_value < 0.0 {
            return Err(source.error(mass.span, "the mass of an atom must be positive", "negative"));
        }
        if parts.atoms.iter().any(|a| a.x == x) {
            return Err(source.error(place.span, "two atoms at the same place", "already has an atom"));
        }
        parts.atoms.push(Atom { x, mass: mass_value });
    }
    Ok(parts)
}

/// What each name takes, for messages.
fn signature(name: &str) -> (&'static str, usize) {
    match name {
        "beta" => ("beta(a, b)", 2),
        "triangular" => ("triangular(lo, mode, hi)", 3),
        "uniform" => ("uniform(lo, hi)", 2),
        "normal" => ("normal(mean, deviation)", 2),
        "logistic" => ("logistic(location, scale)", 2),
        "truncate" => ("truncate(density, lo, hi)", 3),
        "atom" | "atoms" => ("atom(place)", 1),
        _ => ("normalize(density)", 1),
    }
}

fn call(source: &Source, expr: &Expr, name: &str, arguments: &[Expr]) -> Result<Parts, Diagnostic> {
    let (form, arity) = signature(name);
    if arguments.len() != arity {
        let found = arguments.len();
        let numbers = if arity == 1 { "1 argument".to_owned() } else { format!("{arity} arguments") };
        return Err(source
            .error(expr.span, format!("`{name}` takes {numbers}, not {found}"), format!("{found} given"))
            .help(format!("write {form}")));
    }
    match name {
        "normalize" => {
            let mut parts = lower(source, &arguments[0])?;
            normalise(source, &arguments[0], &mut parts, "no mass was found to normalize")?;
            return Ok(parts);
        }
        "truncate" => {
            let [lo, hi] = interval(source, &[arguments[1].clone(), arguments[2].clone()])?;
            let mut parts = lower(source, &arguments[0])?;
            for component in &mut parts.components {
                (component.lo, component.hi) = (component.lo.max(lo.value), component.hi.min(hi.value));
            }
            parts.components.retain(|c| c.lo < c.hi);
            parts.atoms.retain(|a| lo.value <= a.x && a.x <= hi.value);
            normalise(source, expr, &mut parts, "no mass lies in this interval")?;
            return Ok(parts);
        }
        _ => {}
    }
    let mut parameters = [0.0; 3];
    for (parameter, argument) in parameters.iter_mut().zip(arguments) {
        *parameter = Constant::of(source, argument)?.value;
    }
    let [p, q, r] = parameters;
    if name == "atom" || name == "atoms" {
        return Ok(Parts { components: Vec::new(), atoms: vec![Atom { x: p, mass: 1.0 }], rounding: 0.0 });
    }
    let family: Result<Arc<dyn Family>, ParameterError> = match name {
        "beta" => Beta::new(p, q).map(|f| Arc::new(f) as Arc<dyn Family>),
        "triangular" => Triangular::new(p, q, r).map(|f| Arc::new(f) as Arc<dyn Family>),
        "uniform" => Uniform::new(p, q).map(|f| Arc::new(f) as Arc<dyn Family>),
        "normal" => Normal::new(p, q).map(|f| Arc::new(f) as Arc<dyn Family>),
        _ => Logistic::new(p, q).map(|f| Arc::new(f) as Arc<dyn Family>),
    };
    let family = family.map_err(|error| {
        let at = &arguments[error.argument];
        source.error(at.span, error.to_string(), format!("this is {}", parameters[error.argument])).help(form)
    })?;
    let (lo, hi) = family.support();
    let component = Component { weight: 1.0, family, lo, hi };
    Ok(Parts { components: vec![component], atoms: Vec::new(), rounding: 0.0 })
}

fn normalise(source: &Source, expr: &Expr, parts: &mut Parts, if_empty: &str) -> Result<(), Diagnostic> {
    let mass = sample::mass(&parts.components, &parts.atoms);
    if mass.value.is_nan() || mass.value <= 1e-290 || mass.value.is_infinite() {
        let message =
            if mass.value > 0.0 && mass.value.is_finite() { "too little mass for floating point" } else { if_empty };
        return Err(source.error(expr.span, message, format!("its mass is {}", short(mass.value))));
    }
    parts.scale(1.0 / mass.value);
    parts.rounding += mass.error / mass.value;
    Ok(())
}
