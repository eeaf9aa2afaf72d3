//! Densities in the form in which they are written: pieces, atoms and named families, with rational numbers.

use rocproof_arith::Rational;
use rocproof_engine::model::Model;

/// `scale·(a + b·x)·…` on an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityPiece {
    /// The interval.
    pub on: [Rational; 2],
    /// The constant factor.
    pub scale: Rational,
    /// The factors `a + b·x`.
    pub factors: Vec<[Rational; 2]>,
}

/// A density as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum WrittenDensity {
    /// Pieces, and atoms as `[score, mass]`.
    Parts(Vec<DensityPiece>, Vec<[Rational; 2]>),
    /// A named family with its parameters.
    Named(&'static str, Vec<Rational>),
}

/// A model as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenModel {
    /// The proportion of class 0.
    pub pi0: Rational,
    /// The densities.
    pub densities: [WrittenDensity; 2],
}

/// A model as text in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelText {
    /// The proportion of class 0.
    pub pi0: String,
    /// The density of class 0.
    pub f0: String,
    /// The density of class 1.
    pub f1: String,
}

impl ModelText {
    /// The text of a model, as it was given.
    pub fn of(model: &Model) -> ModelText {
        let [f0, f1] = [0, 1].map(|class| model.density(class).text().to_owned());
        ModelText { pi0: model.pi0().to_string(), f0, f1 }
    }

    /// Reads the model; `None` if the text is not a model.
    pub fn model(&self) -> Option<Model> {
        Model::new(&self.f0, &self.f1, &self.pi0).ok()
    }
}

impl WrittenModel {
    /// The model as text in the language.
    pub fn text(&self) -> ModelText {
        let [f0, f1] = self.densities.each_ref().map(WrittenDensity::text);
        ModelText { pi0: self.pi0.to_string(), f0, f1 }
    }
}

impl DensityPiece {
    /// A piece of constant density.
    pub fn flat(on: [Rational; 2], height: Rational) -> DensityPiece {
        DensityPiece { on, scale: height, factors: Vec::new() }
    }

    /// The density as text, without its interval.
    fn expression(&self) -> String {
        let factors: Vec<String> = self.factors.iter().map(factor_text).collect();
        match (self.scale == Rational::ONE, factors.is_empty()) {
            (false, false) => format!("{}*{}", self.scale, factors.join("*")),
            (true, false) => factors.join("*"),
            (_, true) => self.scale.to_string(),
        }
    }
}

/// A factor `a + b·x` as text: `x`, `(1-x)`, `(x-1/3)`, `(1/3+1/2*x)`.
fn factor_text([a, b]: &[Rational; 2]) -> String {
    let term = if *b == Rational::ONE {
        "x".to_owned()
    } else if *b == -Rational::ONE {
        "-x".to_owned()
    } else {
        format!("{b}*x")
    };
    if a.is_zero() {
        return term;
    }
    if *b > Rational::ZERO && *a < Rational::ZERO {
        return format!("({term}-{})", -a);
    }
    // A negative term brings its own sign.
    let plus = if *b > Rational::ZERO { "+" } else { "" };
    format!("({a}{plus}{term})")
}

impl WrittenDensity {
    /// The density as text in the language.
    pub fn text(&self) -> String {
        match self {
            WrittenDensity::Named(name, parameters) => {
                let parameters: Vec<String> = parameters.iter().map(Rational::to_string).collect();
                format!("{name}({})", parameters.join(", "))
            }
            WrittenDensity::Parts(pieces, atoms) => text_of_parts(&join(pieces), atoms),
        }
    }

    /// All numbers in its text; they determine its complexity.
    pub fn numbers(&self) -> Vec<Rational> {
        match self {
            WrittenDensity::Named(_, parameters) => parameters.clone(),
            WrittenDensity::Parts(pieces, atoms) => {
                let of_piece = |piece: DensityPiece| {
                    let factors = piece.factors.into_iter().flatten();
                    piece.on.into_iter().chain([piece.scale]).chain(factors).collect::<Vec<_>>()
                };
                join(pieces).into_iter().flat_map(of_piece).chain(atoms.iter().flatten().cloned()).collect()
            }
        }
    }
}

/// Joins neighbouring pieces with the same expression; pieces without mass are dropped.
fn join(pieces: &[DensityPiece]) -> Vec<DensityPiece> {
    let mut joined: Vec<DensityPiece> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.scale.is_zero()) {
        match joined.last_mut() {
            Some(last) if last.on[1] == piece.on[0] && last.scale == piece.scale && last.factors == piece.factors => {
                last.on[1] = piece.on[1].clone();
            }
            _ => joined.push(piece.clone()),
        }
    }
    joined
}

/// The text of a density of pieces and atoms: the pieces, the atoms, or their sum.
fn text_of_parts(pieces: &[DensityPiece], atoms: &[[Rational; 2]]) -> String {
    match (text_of_pieces(pieces, atoms.is_empty()), text_of_atoms(atoms, pieces.is_empty())) {
        (Some(pieces), Some(atoms)) => format!("{pieces} + {atoms}"),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => String::from("0"),
    }
}

/// The text of the pieces of a density; `None` if there are none. A single piece that is all of the density (`are_all`) has a shorter form.
fn text_of_pieces(pieces: &[DensityPiece], are_all: bool) -> Option<String> {
    match pieces {
        [] => None,
        [DensityPiece { on: [a, b], factors, .. }] if factors.is_empty() && are_all => {
            Some(format!("uniform({a}, {b})"))
        }
        [piece] if piece.on == [Rational::ZERO, Rational::ONE] && are_all => Some(piece.expression()),
        _ => {
            let on_interval = |piece: &DensityPiece| {
                let [a, b] = &piece.on;
                format!("{} on [{a}, {b}]", piece.expression())
            };
            let texts: Vec<String> = pieces.iter().map(on_interval).collect();
            Some(format!("{{ {} }}", texts.join("; ")))
        }
    }
}

/// The text of the atoms `[score, mass]` of a density; `None` if there are none. Several atoms that are not all of the density (`are_all`)
/// are written as their total mass times atoms of total mass 1.
fn text_of_atoms(atoms: &[[Rational; 2]], are_all: bool) -> Option<String> {
    let total = atoms.iter().fold(Rational::ZERO, |sum, [_, mass]| sum + mass);
    match atoms {
        [] => None,
        [[at, mass]] if *mass == Rational::ONE => Some(format!("atom({at})")),
        [[at, mass]] => Some(format!("{mass}*atom({at})")),
        _ => {
            let (scale, divisor) = if are_all { (String::new(), Rational::ONE) } else { (format!("{total}*"), total) };
            let masses: Vec<String> = atoms.iter().map(|[at, mass]| format!("{at}: {}", mass / &divisor)).collect();
            Some(format!("{scale}atoms: {{ {} }}", masses.join("; ")))
        }
    }
}
