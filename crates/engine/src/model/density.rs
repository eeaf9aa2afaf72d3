//! A score density: smooth components and atoms.

use super::behaviour::Behaviour;
use super::certified::EnclosedMixture;
use super::curve::Curve;
use super::family::{End, Function, NumericDensity};
use super::numeric::NumericMixture;
use super::piecewise::{NotPiecewise, Piecewise};
use super::sample;
use super::tree::DensityTree;
use crate::calculus::coordinate::Places;
use crate::calculus::rule::SITES;
use crate::constant::Constant;
use rocproof_language::{Diagnostic, Source, parse};
use std::sync::{Arc, OnceLock};

/// A smooth density on its support or a part of it, with a weight.
#[derive(Clone, Debug)]
pub struct Component {
    /// The factor by which the density is multiplied.
    pub weight: f64,
    /// The density.
    pub density: Arc<dyn NumericDensity>,
    /// The left end of the interval to which the density is restricted.
    pub lo: f64,
    /// The right end of that interval.
    pub hi: f64,
    /// Bounds on the errors of both ends, which are rounded.
    pub rounding: [f64; 2],
}

impl Component {
    /// How the component behaves at an end of its interval. An end that cuts the support is regular.
    pub fn behaviour(&self, end: End) -> Behaviour {
        let (lo, hi) = self.density.support();
        let at_support_end = if end == End::Left { self.lo == lo } else { self.hi == hi };
        if at_support_end { self.density.behaviour(end) } else { Behaviour::REGULAR }
    }

    /// The interval, with infinite ends replaced by scores beyond which the mass is negligible.
    pub fn effective_range(&self) -> (f64, f64) {
        let (lo, hi) = self.density.effective_support();
        // The finite end may lie far out in a tail, perhaps beyond the effective support. The range extends from there by at least the length
        // of that support.
        let length = hi - lo;
        let lo = if self.lo.is_finite() { self.lo } else { lo.min(self.hi - length) };
        let hi = if self.hi.is_finite() { self.hi } else { hi.max(self.lo + length) };
        (lo, hi)
    }
}

/// A point mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Atom {
    /// The score.
    pub x: f64,
    /// The mass.
    pub mass: f64,
}

/// A score density, as the user wrote it and ready to be evaluated.
///
/// ```
/// use rocproof_engine::model::Density;
/// let density = Density::parse("0.3*beta(2,5) + 0.7*uniform(0,1)")?;
/// assert!((density.cdf(0.5) - (0.3 * 0.890625 + 0.35)).abs() < 1e-15);
/// assert!((density.mean() - (0.3 * 2.0 / 7.0 + 0.35)).abs() < 1e-15);
/// assert!((density.quantile(density.cdf(0.2)) - 0.2).abs() < 1e-13);
/// # Ok::<(), rocproof_language::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Density {
    /// The text.
    pub source: Source,
    /// The checked syntax, which all levels of evidence interpret. A density that is known by its values only has none.
    pub tree: Option<Arc<DensityTree>>,
    /// The smooth part.
    pub components: Vec<Component>,
    /// The atoms, at distinct places.
    pub atoms: Vec<Atom>,
    /// A bound on the relative error of the weights.
    pub rounding: f64,
    /// The positions of all atoms, and all other knots that floats round.
    pub positions: Arc<[Constant]>,
    /// The numeric curve of the model both of whose classes have this density, made when it is first needed.
    curve: OnceLock<Arc<Curve>>,
    /// The exact reading, made when it is first needed.
    piecewise: OnceLock<Result<Arc<Piecewise>, NotPiecewise>>,
    /// The certified reading, made when it is first needed.
    enclosed: OnceLock<Result<Arc<EnclosedMixture>, Diagnostic>>,
}

impl Density {
    /// Reads a density in the language.
    pub fn parse(text: &str) -> Result<Density, Diagnostic> {
        Density::from_source(Source::new("density", text))
    }

    /// Reads a density from a named source.
    pub fn from_source(source: Source) -> Result<Density, Diagnostic> {
        let tree = DensityTree::read(&source, parse(&source)?)?;
        let mixture = NumericMixture::read(&source, &tree)?;
        Ok(Density::of_mixture(source, Some(tree), mixture))
    }

    /// A density that is known by its values only, with a text that says what it is. The numeric level alone serves it.
    pub fn of_function(source: Source, function: Function) -> Result<Density, Diagnostic> {
        let mixture = NumericMixture::of_function(&source, function)?;
        Ok(Density::of_mixture(source, None, mixture))
    }

    /// A density with a given numeric reading; the other readings are made from the tree when they are needed.
    fn of_mixture(source: Source, tree: Option<DensityTree>, mixture: NumericMixture) -> Density {
        Density {
            source,
            tree: tree.map(Arc::new),
            components: mixture.components,
            atoms: mixture.atoms,
            rounding: mixture.rounding,
            positions: mixture.positions.into(),
            curve: OnceLock::new(),
            piecewise: OnceLock::new(),
            enclosed: OnceLock::new(),
        }
    }

    /// The checked syntax, or an error which says that `level` needs it and the density has none.
    pub fn tree_for(&self, level: &str) -> Result<&DensityTree, Diagnostic> {
        self.tree.as_deref().ok_or_else(|| {
            let message = format!("no {level} level here: this density is known by its values only");
            self.source
                .error(self.source.whole(), message, "no formula")
                .or_level("numeric", "serves this model; a density that is written as an expression in x has more")
        })
    }

    /// The text as the user wrote it.
    pub fn text(&self) -> &str {
        self.source.text.trim()
    }

    /// The density as piecewise polynomials with rational coefficients, or the reason why it is not of this kind.
    pub fn piecewise(&self) -> Result<&Piecewise, NotPiecewise> {
        let read = || Piecewise::read(&self.source, self.tree_for("exact")?).map(Arc::new);
        let piecewise = self.piecewise.get_or_init(read);
        piecewise.as_ref().map(Arc::as_ref).map_err(Clone::clone)
    }

    /// The density at the certified level, or the reason why it has no such reading.
    pub fn enclosed(&self) -> Result<&EnclosedMixture, Diagnostic> {
        let read = || EnclosedMixture::read(&self.source, self.tree_for("certified")?).map(Arc::new);
        let enclosed = self.enclosed.get_or_init(read);
        enclosed.as_ref().map(Arc::as_ref).map_err(Clone::clone)
    }

    /// Bounds on the mass, and on the part of the mean, in the tails that are cut off from infinite supports.
    pub(super) fn tails(&self) -> (f64, f64) {
        let (mut total_mass, mut total_mean) = (0.0, 0.0);
        for component in &self.components {
            let (mass, mean) = component.density.tails();
            total_mass += component.weight * mass;
            total_mean += component.weight * mean;
        }
        (total_mass, total_mean)
    }

    /// The smallest interval that holds all mass.
    pub fn support(&self) -> (f64, f64) {
        let ends = self.components.iter().map(|c| (c.lo, c.hi)).chain(self.atoms.iter().map(|a| (a.x, a.x)));
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), (a, b)| (lo.min(a), hi.max(b)))
    }

    /// The scores at which the density is not smooth: ends of components, kinks, atoms; sorted.
    pub fn breakpoints(&self) -> Vec<f64> {
        sample::breakpoints(&self.components, &self.atoms)
    }

    /// The density of the smooth part at `x`. Atoms do not count. At a jump it is the limit from the right, and at the right end of the
    /// support the limit from the left.
    ///
    /// ```
    /// use rocproof_engine::Density;
    /// let steps = Density::parse("{ 1/2 on [0, 1/2]; 3/2 on [1/2, 1] }")?;
    /// let close = |x: f64, y: f64| (steps.density(x) - y).abs() < 1e-15;
    /// assert!(close(0.25, 0.5) && close(0.5, 1.5) && close(1.0, 1.5) && close(1.5, 0.0));
    /// # Ok::<(), rocproof_language::Diagnostic>(())
    /// ```
    pub fn density(&self, x: f64) -> f64 {
        let mut total = 0.0;
        let is_right_end = self.components.iter().all(|component| component.hi <= x);
        let holds = |lo: f64, hi: f64| if is_right_end { lo < x && x <= hi } else { lo <= x && x < hi };
        for component in self.components.iter().filter(|component| holds(component.lo, component.hi)) {
            let (a, b) = component.density.support();
            // The density is evaluated at all sites of a panel at once; here all sites are `x`.
            let places = Places::at((a, b), x, x - a, b - x);
            let (mut log, mut slope) = ([0.0; SITES], [0.0; SITES]);
            component.density.log_density(&places, &mut log, &mut slope);
            total += component.weight * log[0].exp();
        }
        total
    }

    /// The distribution function: the mass at or below `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        self.curve_of_density().at_score(x).below[0]
    }

    /// The score at or below which the mass is `p`; if a whole interval of scores qualifies, its middle.
    pub fn quantile(&self, p: f64) -> f64 {
        // Both classes of the curve have this density, so the rate is the distribution function for any proportion.
        self.curve_of_density().at_rate(p, 0.5).x
    }

    /// The curve of the model whose classes both have this density.
    pub(crate) fn curve_of_density(&self) -> &Curve {
        self.curve.get_or_init(|| Arc::new(sample::curve_of_density(self)))
    }
}
