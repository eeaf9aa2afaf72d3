//! Questions answered in enclosures.

use super::super::definition::Condition;
use super::super::definition::Prior;
use super::super::group::Origin;
use super::super::missing::Missing;
use super::super::plan::{AtPoint, Bundle, Path, Plan, Reader, Site, ViewOf};
use super::super::question::Inquiry;
use super::along::{self, EnclosedEnvironment, MOST_LOSS};
use super::weight::EnclosedCosts;
use super::{CertifiedRefusal, around, enclosed_curve, optimal, points};
use crate::calculus::patch::EnclosedPoint;
use crate::constant::Constant;
use crate::model::Model;
use crate::model::certified::EnclosedCurve;
use crate::transform::certified::{self as transform, UndecidedHull};
use crate::transform::certified_hull::{EnclosedHull, enclosed_hull};
use rocproof_arith::{Interval, Rational};

/// The answers to questions at the certified level.
pub(in crate::functional) struct CertifiedReading {
    /// The answers.
    pub(in crate::functional) values: Vec<Result<Interval, Missing>>,
    /// The hull of the model, if a question needed it.
    pub(in crate::functional) hull: Option<EnclosedHull>,
    /// The smallest power with which the mass of operating conditions vanishes towards 0 or 1, or 1.
    pub(in crate::functional) least_power: f64,
}

/// Reads the answers to questions off a model, aiming at the given width. Only the `wanted` answers are computed; all of them if there is no list.
pub(in crate::functional) fn read_certified(
    model: &Model,
    width: f64,
    inquiry: Inquiry,
    wanted: Option<&[bool]>,
) -> Result<CertifiedReading, CertifiedRefusal> {
    let weights: Vec<Option<EnclosedCosts>> =
        inquiry.costs().iter().map(|cost| EnclosedCosts::new(cost.parameters())).collect();
    let least_power = weights.iter().flatten().map(EnclosedCosts::least_power).fold(1.0, f64::min);
    let curve = enclosed_curve(model, least_power)?;
    let proportions = model.enclosed_proportions();
    let (plan, given) = inquiry.plan(curve.probabilistic, proportions[0] == Interval::from(0.5));
    let (curves, places) = plan.curves(Ok(curve), |curve: &Result<EnclosedCurve, UndecidedHull>, transform| {
        curve.as_ref().map_err(|why| *why).and_then(|curve| transform::apply(curve, transform, proportions))
    });
    let curve = |s: usize| curves[places[s]].as_ref();
    let hull = |s: usize| curve(s).ok().filter(|_| plan.sites[s].hull).map(enclosed_hull);
    let mut hulls: Vec<Option<EnclosedHull>> = (0..plan.sites.len()).map(hull).collect();
    let frame = Frame { proportions, pi0: model.pi0(), weights: &weights, width };
    let reader = |s: usize| {
        let needed = wanted.map(|wanted| plan.needed_bundles(s, wanted));
        curve(s).map(|curve| Certified::new(&plan.sites[s], plan, curve, hulls[s].as_ref(), frame, needed.as_deref()))
    };
    let readers: Vec<Result<Certified, &UndecidedHull>> = (0..plan.sites.len()).map(reader).collect();
    let is_wanted = |k: usize| wanted.is_none_or(|wanted| wanted[k]);
    let answers = plan.answers.iter().enumerate().map(|(k, answer)| match &readers[answer.site] {
        Ok(_) if !is_wanted(k) => Err(Missing::NotEnclosed),
        Ok(reader) => plan.read(answer, reader, given),
        Err(hull) => Err(Missing::UnverifiedHull(hull.0)),
    });
    let values = answers.collect();
    let untransformed = plan.sites.iter().position(|site| site.transforms.is_empty());
    let hull = untransformed.and_then(|site| hulls[site].take());
    Ok(CertifiedReading { values, hull, least_power })
}

/// What a curve is read under.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    pub(super) proportions: [Interval; 2],
    pub(super) pi0: &'a Constant,
    /// The weights of the distributions of operating conditions, where they could be enclosed.
    pub(super) weights: &'a [Option<EnclosedCosts>],
    /// How narrow values should be.
    pub(super) width: f64,
}

/// An enclosed curve and its hull, read in enclosures.
pub(super) struct Certified<'a> {
    plan: &'a Plan,
    site: &'a Site,
    curve: &'a EnclosedCurve,
    hull: Option<&'a EnclosedHull>,
    frame: Frame<'a>,
    integrals: Vec<Vec<Interval>>,
}

/// An interval that tells something.
fn bounded(interval: Interval) -> Result<Interval, Missing> {
    if interval.is_bounded() { Ok(interval) } else { Err(Missing::NotEnclosed) }
}

/// No loss is larger than all are.
fn within(origin: Origin, interval: Interval) -> Interval {
    if origin == Origin::Loss { interval.meet(Interval::new(0.0, MOST_LOSS)) } else { interval }
}

impl<'a> Certified<'a> {
    pub(super) fn new(
        site: &'a Site,
        plan: &'a Plan,
        curve: &'a EnclosedCurve,
        hull: Option<&'a EnclosedHull>,
        frame: Frame<'a>,
        needed: Option<&[bool]>,
    ) -> Certified<'a> {
        let mut reader = Certified { plan, site, curve, hull, frame, integrals: Vec::new() };
        let is_needed = |k: usize| needed.is_none_or(|needed| needed[k]);
        let integrals = site.bundles.iter().enumerate().map(|(k, bundle)| {
            if !is_needed(k) {
                return None;
            }
            let view = reader.view(bundle.view)?;
            Some(match bundle.path {
                Path::Curve => along::along(curve, &bundle.group, &view),
                Path::Hull => {
                    let slack = Interval::around(0.0, optimal::SLACK * hull?.slack);
                    let found = along::along(&hull?.curve, &bundle.group, &view);
                    found.into_iter().map(|value| value + slack).collect()
                }
                Path::Optimal => vec![optimal::optimal_of_hull(hull?, &view)],
                Path::Corners => around::with_corners(curve, &bundle.group, &view),
            })
        });
        reader.integrals = integrals.map(Option::unwrap_or_default).collect();
        reader
    }

    /// Under what something is read; nothing if the density of operating conditions could not be enclosed.
    fn view(&self, of: ViewOf) -> Option<EnclosedEnvironment<'a>> {
        let half = Interval::from(0.5);
        let Frame { proportions, weights, width, .. } = self.frame;
        let proportions = if of.condition == Condition::Cost { proportions } else { [half; 2] };
        let weight = weights[of.cost].as_ref()?;
        Some(EnclosedEnvironment { proportions, weight, range: self.curve.range, width, scale: 1.0 })
    }

    /// The value of an expression at a point.
    fn at(&self, point: &AtPoint, spot: &EnclosedPoint, view: &EnclosedEnvironment) -> Result<Interval, Missing> {
        let found = points::value_at(spot, &point.program, view).ok_or(Missing::NotEnclosed)?;
        bounded(within(point.origin, found))
    }
}

impl Reader for Certified<'_> {
    type Number = Interval;

    fn scale(&self) -> (f64, f64) {
        if self.curve.probabilistic {
            return (0.0, 1.0);
        }
        let [l, h] = self.curve.range;
        (l.mid(), h.mid())
    }

    fn integral(&self, bundle: usize, k: usize) -> Result<Interval, Missing> {
        let found = self.integrals[bundle].get(k).copied().ok_or(Missing::NotEnclosed)?;
        let Bundle { group, path, .. } = &self.site.bundles[bundle];
        let followed = match path {
            Path::Curve | Path::Corners => self.curve,
            Path::Hull | Path::Optimal => &self.hull.ok_or(Missing::NotEnclosed)?.curve,
        };
        if let Some(why) = group.lacks(k, followed.pieces()) {
            return Err(why);
        }
        bounded(within(group.origins[k], found))
    }

    fn affine(&self, a: f64, b: f64, of: Interval) -> Interval {
        Interval::from(a) + Interval::from(b) * of
    }

    fn largest(&self, k: usize) -> Result<Interval, Missing> {
        let view = self.view(ViewOf { condition: Condition::Cost, cost: 0 }).ok_or(Missing::NotEnclosed)?;
        let point = &self.plan.points[self.site.extremes[k]];
        bounded(points::largest(self.curve, &point.program, &view).ok_or(Missing::NotEnclosed)?)
    }

    fn at_score(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Interval, Missing> {
        // Beyond all scores the threshold is still what it is.
        let x = [at.enclosure, Interval::ONE - at.enclosure];
        let spot = EnclosedPoint { x, ..points::at_score(self.curve, at) };
        self.at(point, &spot, &self.view(view).ok_or(Missing::NotEnclosed)?)
    }

    fn at_rate(&self, point: &AtPoint, at: &Constant, view: ViewOf) -> Result<Interval, Missing> {
        let view = self.view(view).ok_or(Missing::NotEnclosed)?;
        self.at(point, &points::at_rate(self.curve, at.enclosure, view.proportions), &view)
    }

    fn share_of_chance(&self, prior: Prior, of: ViewOf) -> Result<Interval, Missing> {
        let view = self.view(of).ok_or(Missing::NotEnclosed)?;
        let hull = self.hull.ok_or(Missing::NotEnclosed)?;
        let pi0 = self.frame.pi0;
        let proportions = match &pi0.exact {
            _ if of.condition == Condition::Skew => [0.5; 2].map(|half| Constant::real(half, Interval::from(half))),
            Some(exact) => [exact.clone(), Rational::ONE - exact].map(Constant::rational),
            None => {
                let values = [pi0.value, 1.0 - pi0.value];
                [0, 1].map(|k| Constant::real(values[k], view.proportions[k]))
            }
        };
        let weight = EnclosedCosts::new(&prior.parameters(proportions)).ok_or(Missing::NotEnclosed)?;
        let plain = EnclosedEnvironment { weight: &weight, ..view };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &plain);
        // As narrow as the share should be.
        let scale = of_chance.mid().clamp(0.0, 1.0);
        let view = EnclosedEnvironment { width: plain.width * scale, scale, ..plain.clone() };
        let of_chance = optimal::optimal(&EnclosedCurve::diagonal(), &view);
        let mut loss = optimal::optimal_of_hull(hull, &view);
        if loss.width() > plain.width {
            loss = loss.meet(optimal::optimal_of_hull(hull, &plain));
        }
        let share = loss / of_chance;
        bounded((Interval::ONE - share).meet(Interval::UNIT))
    }
}
