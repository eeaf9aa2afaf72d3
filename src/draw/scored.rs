//! The figures of scored data: one model, or several overlaid with their differences below.

use super::panel::Bar;
use super::{Axis, Figure, Ink, Palette, Panel, Stroke};
use crate::data::Bootstrap;
use crate::data::curves::{Bin, CurveKind, CurvePiece, CurvePieces, Curves, Divisor, ScoredCurve, Side};
use crate::data::read::excerpt;
use crate::functional::{Condition, Method};
use std::cell::RefCell;
use std::rc::Rc;

/// The largest number of cost lines that are drawn.
const COST_LINES: usize = 120;
/// The number of bins of the histogram.
const BINS: usize = 25;
/// The ends of pools are marked if there are at most this many pools.
const POOL_MARKS: usize = 60;
/// The width of auxiliary lines.
const THIN: f64 = 0.9;
/// Width and height of the frame of a panel, in points: with equal axes, of a curve of losses, and in the overview.
const SQUARE: (f64, f64) = (330.0, 330.0);
const WIDE: (f64, f64) = (400.0, 280.0);
const SMALL: (f64, f64) = (230.0, 190.0);
/// The number of panels in a row.
const PANELS_PER_ROW: usize = 3;
/// The pieces of a curve are cached if there are at most this many.
const MOST_CACHED_PIECES: usize = 1 << 16;
/// Net benefit may be infinite at 1, and interventions avoided at 0: axes are chosen from the part that is farther away than this.
const UNBOUNDED_END: f64 = 0.05;
/// How much a band hides.
const BAND_OPACITY: f64 = 0.15;
/// The height of the panel of differences, relative to the panel above it.
const DIFFERENCE_HEIGHT: f64 = 0.45;

/// A model of a figure.
#[derive(Clone, Copy, Debug)]
pub struct DrawnModel<'a> {
    /// The name in the legend.
    pub name: &'a str,
    /// The curves of its scores.
    pub curves: &'a Curves<'a>,
}

/// The figures of scored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// The ROC curve with its hull.
    Roc,
    /// Cost lines with their lower envelope, the optimal loss.
    CostLines,
    /// The losses of all threshold choice methods.
    Methods,
    /// The Brier curve.
    Brier,
    /// The rate-driven curve.
    RateDriven,
    /// The reliability diagram with a histogram of the scores.
    Reliability,
    /// The Murphy diagram.
    Murphy,
    /// Net benefit, with the lines for treating all and treating none.
    NetBenefit,
    /// Net interventions avoided.
    InterventionsAvoided,
    /// All of these in one figure.
    Overview,
}

impl FigureKind {
    /// All figures with their names.
    pub const ALL: [(&'static str, FigureKind); 10] = [
        ("overview", FigureKind::Overview),
        ("roc", FigureKind::Roc),
        ("cost-lines", FigureKind::CostLines),
        ("methods", FigureKind::Methods),
        ("brier", FigureKind::Brier),
        ("rate-driven", FigureKind::RateDriven),
        ("reliability", FigureKind::Reliability),
        ("murphy", FigureKind::Murphy),
        ("net-benefit", FigureKind::NetBenefit),
        ("interventions-avoided", FigureKind::InterventionsAvoided),
    ];

    /// A figure by name.
    ///
    /// ```
    /// use rocproof::draw::scored::FigureKind;
    /// assert_eq!(FigureKind::named("murphy"), Ok(FigureKind::Murphy));
    /// assert!(FigureKind::named("murphi").unwrap_err().contains("net-benefit"));
    /// ```
    pub fn named(name: &str) -> Result<FigureKind, String> {
        FigureKind::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind).ok_or_else(|| {
            let names = FigureKind::ALL.map(|(name, _)| name);
            format!("there is no figure `{name}`; the figures are {}", names.join(", "))
        })
    }
}

/// Options of figures of scored data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureOptions<'a> {
    /// The palette.
    pub palette: Palette,
    /// Whether losses are by cost proportion or by skew.
    pub condition: Condition,
    /// The seven threshold choice methods, the fixed ones with their parameters.
    pub methods: [Method; 7],
    /// The labels of the positive and of the negative class.
    pub labels: [&'a str; 2],
    /// The samples from which bands around curves are computed, if bands are drawn.
    pub bands: Option<Bootstrap>,
}

impl Default for FigureOptions<'_> {
    fn default() -> Self {
        FigureOptions {
            palette: Palette::default(),
            condition: Condition::Cost,
            methods: Method::ALL,
            labels: ["positive", "negative"],
            bands: None,
        }
    }
}

/// A figure of one model or of several. Where a curve does not apply to a model, the figure says why.
///
/// ```
/// use rocproof::data::{Scored, curves::Curves};
/// use rocproof::draw::scored::{DrawnModel, FigureOptions, FigureKind, figure};
/// let data = Scored::from_rows(&[0.1, 0.4, 0.35, 0.8], &[false, false, true, true], None).unwrap();
/// let curves = Curves::new(&data);
/// let svg = figure(FigureKind::Roc, &[DrawnModel { name: "mine", curves: &curves }], FigureOptions::default()).to_svg();
/// assert!(svg.contains("area 0.7500"));
/// ```
pub fn figure<'a>(kind: FigureKind, models: &'a [DrawnModel<'a>], options: FigureOptions<'a>) -> Figure {
    if models.is_empty() {
        return Figure::new("").row(1.0, [Panel::empty("", "There is no model to draw.")]);
    }
    let labels = options.labels.map(plain_text);
    let drawing = ScoredFigure { models, options, labels, cache: RefCell::default() };
    let title = models.iter().map(|model| model.name).collect::<Vec<_>>().join(", ");
    let figure = Figure::new(&title).palette(options.palette).note(&drawing.note());
    let loss = |method| CurveKind::Loss(method, options.condition);
    match kind {
        FigureKind::Roc => drawing.with_difference(figure.frame(SQUARE.0, SQUARE.1), drawing.roc(), CurveKind::Roc),
        FigureKind::CostLines => drawing.with_difference(wide(figure), drawing.cost_lines(), loss(Method::Optimal)),
        FigureKind::Methods => {
            let panels: Vec<Panel> = (0..models.len()).map(|model| drawing.methods(model)).collect();
            panels.chunks(PANELS_PER_ROW).fold(wide(figure), |figure, row| figure.row(1.0, row.to_vec()))
        }
        FigureKind::Brier => {
            drawing.with_difference(wide(figure), drawing.losses(loss(Method::ScoreDriven)), loss(Method::ScoreDriven))
        }
        FigureKind::RateDriven => {
            drawing.with_difference(wide(figure), drawing.losses(loss(Method::RateDriven)), loss(Method::RateDriven))
        }
        FigureKind::Murphy => {
            drawing.with_difference(wide(figure), drawing.losses(CurveKind::Murphy), CurveKind::Murphy)
        }
        FigureKind::NetBenefit => drawing.with_difference(wide(figure), drawing.net_benefit(), CurveKind::NetBenefit),
        FigureKind::InterventionsAvoided => {
            drawing.with_difference(wide(figure), drawing.interventions_avoided(), CurveKind::InterventionsAvoided)
        }
        FigureKind::Reliability => {
            figure.frame(SQUARE.0, SQUARE.1).row(1.0, [drawing.reliability()]).row(0.3, [drawing.histogram("")])
        }
        FigureKind::Overview => drawing.overview(figure.frame(SMALL.0, SMALL.1)),
    }
}

/// Makes the panels of a figure wide.
fn wide(figure: Figure) -> Figure {
    figure.frame(WIDE.0, WIDE.1)
}

/// A curve with its area and extremes, which several panels need.
struct CachedCurve<'a> {
    curve: ScoredCurve<'a>,
    area: Option<f64>,
    /// The smallest and the largest value.
    extremes: (f64, f64),
    /// The pieces, if there are at most `MOST_CACHED_PIECES`.
    cached_pieces: Option<Vec<CurvePiece>>,
}

impl<'a> CachedCurve<'a> {
    /// Computes the area and the extremes in one pass over the pieces, and caches the pieces unless they are too many.
    fn new(curve: ScoredCurve<'a>) -> CachedCurve<'a> {
        let mut cached_pieces = Vec::new();
        let mut extremes = (f64::INFINITY, f64::NEG_INFINITY);
        let area = curve.area_with(|piece| {
            let is_bounded = match piece.divisor {
                Divisor::One => true,
                Divisor::Complement => piece.to < 1.0 - UNBOUNDED_END,
                Divisor::Abscissa => piece.from > UNBOUNDED_END,
            };
            if is_bounded {
                let (low, high) = piece.extremes();
                extremes = (extremes.0.min(low), extremes.1.max(high));
            }
            // One piece too many says that the cache is incomplete.
            if cached_pieces.len() <= MOST_CACHED_PIECES {
                cached_pieces.push(*piece);
            }
        });
        let cached_pieces = (cached_pieces.len() <= MOST_CACHED_PIECES).then_some(cached_pieces);
        CachedCurve { curve, area, extremes, cached_pieces }
    }

    /// The pieces, from the cache or computed again.
    fn pieces(&self) -> CurvePieces<'_> {
        match &self.cached_pieces {
            Some(pieces) => Box::new(pieces.iter().copied()),
            None => self.curve.pieces(),
        }
    }

    /// The legend of the curve: its name and area.
    fn legend(&self, name: &str) -> String {
        self.area.map_or(name.to_owned(), |area| format!("{name}, area {}", short(area)))
    }
}

/// A figure in the making: its models and options, and the curves that were computed for it.
struct ScoredFigure<'a> {
    models: &'a [DrawnModel<'a>],
    options: FigureOptions<'a>,
    /// The labels of the positive and of the negative class, as text without markup.
    labels: [String; 2],
    /// The curves computed so far, by model and kind.
    cache: RefCell<Vec<(usize, CurveKind, Rc<CachedCurve<'a>>)>>,
}

impl<'a> ScoredFigure<'a> {
    /// The model, if there is only one.
    fn single(&self) -> Option<&DrawnModel<'a>> {
        if let [model] = self.models { Some(model) } else { None }
    }

    /// A curve of a model, or the reason why there is none.
    fn curve(&self, model: usize, kind: CurveKind) -> Result<Rc<CachedCurve<'a>>, String> {
        let is_same = |(m, k, _): &&(usize, CurveKind, Rc<CachedCurve<'a>>)| *m == model && *k == kind;
        if let Some((.., cached)) = self.cache.borrow().iter().find(is_same) {
            return Ok(cached.clone());
        }
        let cached = Rc::new(CachedCurve::new(self.models[model].curves.curve(kind)?));
        self.cache.borrow_mut().push((model, kind, cached.clone()));
        Ok(cached)
    }

    /// The curve of a kind, for each model.
    fn curves(&self, kind: CurveKind) -> Vec<Result<Rc<CachedCurve<'a>>, String>> {
        (0..self.models.len()).map(|model| self.curve(model, kind)).collect()
    }

    /// The note below the panels: the weight of each label.
    fn note(&self) -> String {
        let class_weights = |model: &DrawnModel| {
            let [n0, n1] = model.curves.data().totals().map(thousands);
            let [positive, negative] = &self.labels;
            match self.options.labels == FigureOptions::default().labels {
                true => format!("{n0} positive, {n1} negative"),
                false => format!("{n0} {positive} (positive), {n1} {negative} (negative)"),
            }
        };
        let are_alike = self.models.windows(2).all(|m| m[0].curves.data().totals() == m[1].curves.data().totals());
        match self.models {
            [first, ..] if are_alike => class_weights(first),
            _ => self
                .models
                .iter()
                .map(|model| format!("{}: {}", model.name, class_weights(model)))
                .collect::<Vec<_>>()
                .join("; "),
        }
    }

    /// Adds a panel, and below it the differences between models if there are several.
    fn with_difference(&self, figure: Figure, panel: Panel, kind: CurveKind) -> Figure {
        let figure = figure.row(1.0, [panel]);
        if self.models.len() > 1 { figure.row(DIFFERENCE_HEIGHT, [self.difference(kind)]) } else { figure }
    }

    /// The horizontal axis of a kind of curve.
    fn abscissa(&self, kind: CurveKind) -> Axis {
        let [positive, negative] = &self.labels;
        let label = match kind {
            CurveKind::Roc | CurveKind::Hull => format!("false positive rate ({negative})"),
            CurveKind::Loss(_, Condition::Cost) => format!("cost proportion *c* of missing {positive}"),
            CurveKind::Loss(_, Condition::Skew) => format!("skew *z* of missing {positive}"),
            CurveKind::Murphy => "threshold *θ* of the score".to_owned(),
            CurveKind::NetBenefit | CurveKind::InterventionsAvoided | CurveKind::TreatAll | CurveKind::TreatNone => {
                format!("threshold probability *p* of {positive}")
            }
            CurveKind::Reliability => return self.scores(),
        };
        Axis::new(&label, 0.0, 1.0)
    }

    /// The label of the vertical axis of a kind of curve.
    fn ordinate(&self, kind: CurveKind) -> String {
        match kind {
            CurveKind::Roc | CurveKind::Hull => format!("true positive rate ({})", self.labels[0]),
            CurveKind::Loss(..) => "loss *Q*".to_owned(),
            CurveKind::Murphy => "mean elementary score".to_owned(),
            CurveKind::NetBenefit | CurveKind::TreatAll | CurveKind::TreatNone => "net benefit".to_owned(),
            CurveKind::InterventionsAvoided => "net interventions avoided per case".to_owned(),
            CurveKind::Reliability => {
                let indicated = self.models.first().map_or(0, |model| model.curves.indicated());
                format!("calibrated probability of {}", self.labels[indicated])
            }
        }
    }

    /// Draws a curve of each model, and puts it with its area at the top of the legend. The legend says where a curve does not apply. The curve
    /// of a single model is called `curve_name`, those of several have the names of the models.
    fn draw_each(&self, panel: &mut Panel, kind: CurveKind, curve_name: &str) {
        for k in 0..self.models.len() {
            self.draw_band(panel, k, kind);
        }
        for (k, (model, curve)) in self.models.iter().zip(self.curves(kind)).enumerate() {
            let name = if self.single().is_some() { curve_name } else { model.name };
            let stroke = Stroke::of(Ink::Series(k));
            match curve {
                Ok(curve) => {
                    let side = if self.single().is_some() { curve.curve.side() } else { Side::Neither };
                    panel.jumping_curve(curve.pieces(), stroke, side, &curve.legend(name));
                }
                Err(_) => panel.entry(stroke, &format!("{name}: does not apply")),
            }
        }
        panel.entries_first(self.models.len());
    }

    /// Draws the band of a curve of the `k`-th model, if bands are drawn and it has one.
    fn draw_band(&self, panel: &mut Panel, k: usize, kind: CurveKind) {
        let Some(plan) = &self.options.bands else { return };
        if let Some(band) = self.models[k].curves.band(kind, plan) {
            panel.band(
                band.points.iter().map(|point| [point.x, point.low, point.high]),
                Ink::Series(k),
                BAND_OPACITY,
                "",
            );
        }
    }

    /// The reason why a kind of curve does not apply to the first model, if it applies to none of the models; `None` if it applies to some.
    fn refusal(&self, kind: CurveKind) -> Option<String> {
        let reasons: Option<Vec<String>> = self.models.iter().map(|model| model.curves.curve(kind).err()).collect();
        reasons?.into_iter().next()
    }

    /// The ROC curve of each model; for a single model, with its hull.
    fn roc(&self) -> Panel {
        let mut panel = Panel::new(
            CurveKind::Roc.title(),
            self.abscissa(CurveKind::Roc),
            Axis::new(&self.ordinate(CurveKind::Roc), 0.0, 1.0),
        );
        panel.line((0.0, 0.0), (1.0, 1.0), Stroke::of(Ink::Faint).width(THIN).dashed("3 3"), "");
        if self.single().is_some()
            && let Ok(hull) = self.curve(0, CurveKind::Hull)
        {
            let stroke = Stroke::of(Ink::Series(1)).width(THIN).dashed("5 3");
            panel.curve(hull.pieces(), stroke, &hull.legend("hull"));
        }
        self.draw_each(&mut panel, CurveKind::Roc, "ROC curve");
        panel
    }

    /// A curve of losses for each model; for a single model, with the optimal loss.
    fn losses(&self, kind: CurveKind) -> Panel {
        if let Some(why) = self.refusal(kind) {
            return Panel::empty(kind.title(), &why);
        }
        let mut panel = self.loss_panel(kind, &self.curves(kind));
        if let (Some(_), CurveKind::Loss(_, condition)) = (self.single(), kind)
            && let Ok(optimal) = self.curve(0, CurveKind::Loss(Method::Optimal, condition))
        {
            panel.curve(optimal.pieces(), Stroke::of(Ink::Faint).width(THIN), &optimal.legend("optimal loss"));
        }
        self.draw_each(&mut panel, kind, kind.title());
        panel
    }

    /// An empty panel whose axis holds these curves.
    fn loss_panel(&self, kind: CurveKind, curves: &[Result<Rc<CachedCurve<'a>>, String>]) -> Panel {
        let highest = curves.iter().flatten().map(|curve| curve.extremes.1).fold(0.0, f64::max);
        let y = Axis::holding(&self.ordinate(kind), (0.0, if highest > 0.0 { highest } else { 1.0 }));
        Panel::new(kind.title(), self.abscissa(kind), y)
    }

    /// The cost lines of a single model with their lower envelope; for several models, only the envelopes.
    fn cost_lines(&self) -> Panel {
        let condition = self.options.condition;
        let kind = CurveKind::Loss(Method::Optimal, condition);
        let Some(model) = self.single() else {
            return self.losses(kind);
        };
        // A line for each threshold: below all scores, and at each score. Those drawn are evenly spread over the thresholds, including the first and
        // the last, which have the highest ends: `rank` maps the indices onto 0..drawn, and the first index of each rank is drawn.
        let count = model.curves.data().ties().count() + 1;
        let drawn = count.min(COST_LINES);
        let rank = |k: usize| k * (drawn - 1) / (count - 1);
        let lines = model.curves.cost_lines_where(condition, |k| k == 0 || rank(k) > rank(k - 1));
        let lines: Vec<CurvePiece> = lines.map(|line| line.line).collect();
        let highest = lines.iter().map(|line| line.extremes().1).fold(0.0, f64::max);
        let y = Axis::holding(&self.ordinate(kind), (0.0, highest));
        let mut panel = Panel::new("Cost lines", self.abscissa(kind), y);
        let of_count = if lines.len() == count { String::new() } else { format!(" of {}", thousands(count as f64)) };
        let thin = Stroke::of(Ink::Faint).width(0.5);
        panel.entry(thin, &format!("cost lines ({}{of_count})", lines.len()));
        lines.into_iter().for_each(|line| panel.curve(std::iter::once(line), thin, ""));
        if let Ok(envelope) = self.curve(0, kind) {
            panel.curve(envelope.pieces(), Stroke::of(Ink::Series(0)).width(2.0), &envelope.legend("lower envelope"));
        }
        panel
    }

    /// The losses of all methods for one model.
    fn methods(&self, model: usize) -> Panel {
        let methods = self.options.methods;
        let kinds = methods.map(|method| CurveKind::Loss(method, self.options.condition));
        let curves: Vec<Result<Rc<CachedCurve<'a>>, String>> =
            kinds.iter().map(|kind| self.curve(model, *kind)).collect();
        let title = self.single().map_or(self.models[model].name, |_| "Threshold choice methods");
        let mut panel = self.loss_panel(kinds[0], &curves).titled(title);
        for (k, (method, curve)) in methods.iter().zip(&curves).enumerate() {
            let name = format!("{} {}", method.title(), method.name());
            let stroke = Stroke::of(Ink::Series(k)).width(1.3);
            match curve {
                Ok(curve) => {
                    let area = curve.area.map_or(String::new(), short);
                    panel.curve(curve.pieces(), stroke, &format!("{name} {area}"));
                }
                Err(_) => panel.entry(stroke, &format!("{name}: does not apply")),
            }
        }
        panel
    }

    /// The calibrated probability by score, with the ends of pools marked if they are few.
    fn reliability(&self) -> Panel {
        let (low, high) = self.score_range();
        let x = self.scores();
        let kind = CurveKind::Reliability;
        let mut panel = Panel::new(kind.title(), x, Axis::new(&self.ordinate(kind), 0.0, 1.0));
        if (low, high) == (0.0, 1.0) {
            panel.line((0.0, 0.0), (1.0, 1.0), Stroke::of(Ink::Faint).width(THIN).dashed("3 3"), "");
        }
        for k in 0..self.models.len() {
            self.draw_band(&mut panel, k, kind);
        }
        for (k, model) in self.models.iter().enumerate() {
            let name = if self.single().is_some() { "pooled adjacent violators" } else { model.name };
            let pools = model.curves.pools();
            if let Ok(curve) = model.curves.curve(kind) {
                panel.curve(curve.pieces(), Stroke::of(Ink::Series(k)).width(2.0), name);
            }
            if pools.len() <= POOL_MARKS {
                let probability = |pool| model.curves.probability(pool);
                let marks =
                    pools.iter().flat_map(|pool| [pool.first, pool.last].map(|score| (score, probability(pool))));
                panel.points(marks, Ink::Series(k), "");
            }
        }
        panel
    }

    /// The axis of scores, as they are in the input.
    fn scores(&self) -> Axis {
        let range = self.score_range();
        if range == (0.0, 1.0) { Axis::new("score", 0.0, 1.0) } else { Axis::holding("score", range) }
    }

    /// The smallest range that contains the scores of all models.
    fn score_range(&self) -> (f64, f64) {
        let ranges = self.models.iter().map(|model| model.curves.score_range());
        ranges.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (low, high)| (l.min(low), h.max(high)))
    }

    /// The histogram of scores: by class for one model, of all scores for several.
    fn histogram(&self, title: &str) -> Panel {
        let series: Vec<(&str, Vec<Bar>)> = match self.models {
            [model] => {
                let bins = model.curves.histogram(BINS);
                [0, 1].map(|class| (self.labels[class].as_str(), histogram_bars(model, &bins, &[class]))).to_vec()
            }
            models => {
                let of_model =
                    |model: &'a DrawnModel| (model.name, histogram_bars(model, &model.curves.histogram(BINS), &[0, 1]));
                models.iter().map(of_model).collect()
            }
        };
        let heights = series.iter().flat_map(|(_, bars)| bars).map(|[_, (_, height)]| *height);
        let label = if self.single().is_some() { "share of each label" } else { "share" };
        let y = Axis::holding(label, (0.0, heights.fold(0.0, f64::max)));
        let mut panel = Panel::new(title, self.scores(), y);
        for (k, (name, bars)) in series.into_iter().enumerate() {
            panel.bars(bars, Ink::Series(k), 0.45, name);
        }
        panel
    }

    /// The net benefit of each model, with the lines for treating all and none.
    fn net_benefit(&self) -> Panel {
        let kind = CurveKind::NetBenefit;
        if let Some(why) = self.refusal(kind) {
            return Panel::empty(kind.title(), &why);
        }
        let highest = self.models.iter().map(|model| model.curves.deployed_proportions()[0]).fold(0.0, f64::max);
        // Net benefit is at most the proportion of the positive class. It may fall without bound: a fifth of the height below 0 is shown.
        let y = Axis::holding(&self.ordinate(kind), (-0.2 * highest, highest));
        let mut panel = Panel::new(kind.title(), self.abscissa(kind), y);
        let faint = Stroke::of(Ink::Faint).width(THIN);
        // Models with the same class proportions share one line.
        let mut drawn: Vec<[f64; 2]> = Vec::new();
        for model in self.models.iter() {
            let proportions = model.curves.deployed_proportions();
            if !drawn.contains(&proportions)
                && let Ok(treat_all) = model.curves.curve(CurveKind::TreatAll)
            {
                panel.curve(treat_all.pieces(), faint.dashed("5 3"), if drawn.is_empty() { "treat all" } else { "" });
            }
            drawn.push(proportions);
        }
        panel.line((0.0, 0.0), (1.0, 0.0), faint, "treat none");
        self.draw_each(&mut panel, kind, "model");
        panel
    }

    /// The net interventions that each model avoids, beside treating everybody, which avoids none.
    fn interventions_avoided(&self) -> Panel {
        let kind = CurveKind::InterventionsAvoided;
        if let Some(why) = self.refusal(kind) {
            return Panel::empty(kind.title(), &why);
        }
        // At most the proportion of the negative class is avoided; a fifth of the height below 0 is shown.
        let highest = self.models.iter().map(|model| model.curves.deployed_proportions()[1]).fold(0.0, f64::max);
        let y = Axis::holding(&self.ordinate(kind), (-0.2 * highest, highest));
        let mut panel = Panel::new(kind.title(), self.abscissa(kind), y);
        panel.line((0.0, 0.0), (1.0, 0.0), Stroke::of(Ink::Faint).width(THIN), "treat all");
        self.draw_each(&mut panel, kind, "model");
        panel
    }

    /// The difference of each model's curve to the first model's.
    fn difference(&self, kind: CurveKind) -> Panel {
        let curve_of = |model: usize| self.models[model].curves.curve(kind);
        let Ok(first) = curve_of(0) else {
            return Panel::empty("", &format!("no difference: {} has no such curve", self.models[0].name));
        };
        let minus_first = |model: usize| Some((model, CachedCurve::new(curve_of(model).ok()?.minus(&first).ok()?)));
        let differences: Vec<(usize, CachedCurve)> = (1..self.models.len()).filter_map(minus_first).collect();
        // The range of all differences and 0; from -1 to 1 if all differences are 0.
        let extremes = differences.iter().map(|(_, difference)| difference.extremes);
        let (low, high) = extremes.fold((0.0f64, 0.0f64), |(l, h), (low, high)| (l.min(low), h.max(high)));
        let (low, high) = if low < high { (low, high) } else { (-1.0, 1.0) };
        // Net benefit and interventions avoided may fall to minus infinity.
        let is_unbounded = matches!(kind, CurveKind::NetBenefit | CurveKind::InterventionsAvoided);
        let (low, high) = if is_unbounded { (low.max(-0.5), high.min(0.5)) } else { (low, high) };
        let mut panel = Panel::new("", self.abscissa(kind), Axis::holding("difference", (low, high)));
        panel.line((0.0, 0.0), (1.0, 0.0), Stroke::of(Ink::Faint).width(THIN), "");
        for (k, difference) in &differences {
            let name = format!("{} − {}", self.models[*k].name, self.models[0].name);
            panel.curve(difference.pieces(), Stroke::of(Ink::Series(*k)).width(1.3), &difference.legend(&name));
        }
        panel
    }

    /// Nine panels in three rows. For one model: scores, ROC curve and reliability; cost lines, score-driven and rate-driven losses; all
    /// methods, the Murphy diagram and net benefit. For several models: ROC curves, reliability and net benefit; optimal, score-driven and
    /// rate-driven losses; below each of these, the differences from the first model.
    fn overview(&self, figure: Figure) -> Figure {
        let loss = |method| CurveKind::Loss(method, self.options.condition);
        let [by_score, by_rate, optimal] = [Method::ScoreDriven, Method::RateDriven, Method::Optimal].map(loss);
        match self.single() {
            Some(_) => figure
                .row(1.0, [self.histogram("Scores"), self.roc(), self.reliability()])
                .row(1.0, [self.cost_lines(), self.losses(by_score), self.losses(by_rate)])
                .row(1.0, [self.methods(0), self.losses(CurveKind::Murphy), self.net_benefit()]),
            None => figure
                .row(1.0, [self.roc(), self.reliability(), self.net_benefit()])
                .row(1.0, [self.losses(optimal), self.losses(by_score), self.losses(by_rate)])
                .row(DIFFERENCE_HEIGHT, [optimal, by_score, by_rate].map(|kind| self.difference(kind))),
        }
    }
}

/// The bars of a histogram: in each bin, the share that it holds of the total weight of `classes`. Empty bins have none.
fn histogram_bars(model: &DrawnModel, bins: &[Bin], classes: &[usize]) -> Vec<Bar> {
    let weight = |mass: [f64; 2]| classes.iter().map(|class| mass[*class]).sum::<f64>();
    let total = weight(model.curves.data().totals());
    let bar = |bin: &Bin| {
        let share = weight(bin.mass) / total;
        // A bin of width 0 still needs a visible bar.
        let room = if bin.from < bin.to { 0.0 } else { 0.01 };
        (share > 0.0).then_some([(bin.from - room, bin.to + room), (0.0, share)])
    };
    bins.iter().filter_map(bar).collect()
}

/// A label on one line, shortened if it is long. The star of markup becomes another one.
fn plain_text(label: &str) -> String {
    excerpt(label).replace('*', "∗")
}

/// A number with four decimals, or with three significant digits if it is small.
fn short(value: f64) -> String {
    let text = if value == 0.0 || value.abs() >= 1e-3 { format!("{value:.4}") } else { format!("{value:.2e}") };
    text.replace('-', "−")
}

/// A whole number with commas between thousands; any other number as it is.
fn thousands(value: f64) -> String {
    if value.fract() != 0.0 || value >= 1e15 {
        return format!("{value}");
    }
    let digits = format!("{value:.0}");
    // Groups of three digits from the right, then back in order.
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups.filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}
