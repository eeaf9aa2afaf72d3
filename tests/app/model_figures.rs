//! Figures of models: what is drawn is what is reported.

use crate::common::{loss, metric, probabilistic, unbounded};
use crate::drawing::{check_svg, drawn, drawn_area};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::data::curves::CurvePiece;
use rocproof::draw::model::{ModelCurves, Portrait, rate_driven};
use rocproof::draw::{Palette, to_bytes};
use rocproof::{Condition, Level, Method, Model, Request, evaluate, paper};

/// How far the area of drawn parabolas may be from the truth, as a share of it.
const FLATNESS: f64 = 1e-4;

/// Jumps, atoms, gaps, singular ends, infinite supports, rare classes, curves that are not convex, computed scores.
const OTHERS: [(&str, &str, &str); 21] = [
    ("beta(0.5, 0.5)", "beta(2, 2)", "1/2"),
    ("normal(0, 1)", "normal(1, 2)", "0.1"),
    ("normal(0, 1)", "normal(1, 1)", "2/3"),
    ("logistic(0, 1)", "normal(2, 1)", "1/3"),
    ("atoms: { 0.25: 0.1; 0.5: 0.9 }", "atoms: { 0.5: 0.3; 0.75: 0.7 }", "1/2"),
    ("atoms: { 3: 0.5; 5: 0.5 }", "atoms: { 4: 1 }", "1/4"),
    ("uniform(0, 0.4)", "uniform(0.6, 1)", "1/2"),
    ("0.7*beta(2, 5) + 0.3*atoms(0.5)", "0.6*beta(5, 2) + 0.25*atoms(0.5) + 0.15*atoms(1)", "1/3"),
    ("beta(2, 5)", "beta(5, 2)", "0.001"),
    ("beta(2, 5)", "beta(5, 2)", "0.9999"),
    ("uniform(-3, 2)", "triangular(-1, 4, 8)", "1/2"),
    ("{ 2 on [0, 1/4]; 2/3 on [1/4, 1] }", "{ 1/2 on [0, 1/2]; 3/2 on [1/2, 1] }", "1/3"),
    ("truncate(normal(0, 1), 0, inf)", "truncate(normal(2, 1), 0, inf)", "1/2"),
    ("beta(0.2, 3)", "beta(3, 0.3)", "1/2"),
    ("beta(30, 40)", "normalize(1 + sin(6*pi*x)/2)", "0.3"),
    ("uniform(1000, 1001)", "uniform(1000.5, 1001.5)", "1/2"),
    ("2*x", "2*(1-x)", "1/2"),
    ("atoms(0.5)", "atoms(0.5)", "1/2"),
    ("atoms(3)", "atoms(3)", "1/5"),
    ("atoms(0)", "atoms(1)", "1/2"),
    ("100 on [0.495, 0.505]", "1", "1/2"),
];

fn models() -> Vec<Model> {
    let of_paper = paper::MODELS.iter().map(|(name, _)| paper::model(name).unwrap().unwrap());
    let others =
        OTHERS.iter().map(|(f0, f1, pi0)| Model::new(f0, f1, pi0).unwrap().named(format!("{f0} | {f1} | {pi0}")));
    let some: Vec<Model> = of_paper.chain(others).collect();
    let transformed = [some[3].even(), some[5].conv(), some[5].cal(), some[7].cal(), some[12].conv(), some[13].cal()];
    some.iter().cloned().chain(transformed).collect()
}

fn area(pieces: &[CurvePiece]) -> f64 {
    pieces.iter().map(|piece| piece.area().unwrap()).sum()
}

fn assert_close(drawn: f64, reported: f64, what: &str) {
    let slack = FLATNESS * reported.abs().max(0.01) + 1e-9;
    assert!((drawn - reported).abs() <= slack, "{what}: drawn {drawn}, reported {reported}");
}

#[test]
fn drawn_areas_are_reported_values() {
    for model in models() {
        let name = model.name();
        let Portrait { curves, evaluation, .. } = &Portrait::of(&model).unwrap();
        let metric = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
        let optimal = evaluation.loss(Condition::Cost, Method::Optimal).unwrap().estimate().unwrap().value;
        let at_atoms: f64 = curves.atoms.iter().map(|atom| atom.refinement).sum();
        assert_close(area(&curves.refinement) + at_atoms, metric("RL"), &format!("{name}: refinement loss"));
        assert_close(area(&curves.loss), optimal, &format!("{name}: optimal loss"));
        assert_close(area(&curves.roc), metric("AUC"), &format!("{name}: ROC curve"));
        assert_close(area(&curves.hull), metric("AUCH"), &format!("{name}: hull"));
        let [smooth, singular] = curves.lambda_parts.map(|part| part.value);
        assert_close(area(&curves.lambda), smooth, &format!("{name}: Λ"));
        let jumps: f64 = curves.lambda_jumps.iter().map(|(_, mass)| mass).sum();
        assert!((jumps - singular).abs() < 1e-6, "{name}: stems {jumps}, singular part {singular}");
        if evaluation.convex == Some(true) {
            assert_close(area(&curves.lambda) + singular, optimal, &format!("{name}: both parts of Λ"));
        }
        for class in [0, 1] {
            let mass: f64 = curves.atoms.iter().map(|atom| atom.mass[class]).sum();
            // A singular density holds mass closer to its end than floating point can tell.
            let slack = if name.contains("beta(0.") || name.contains("0.3)") { 1e-2 } else { FLATNESS };
            let total = area(&curves.densities[class]) + mass;
            assert!((total - 1.0).abs() <= slack, "{name}: density {class} {total}");
        }
    }
}

/// The same, read back from the figure itself: its lines have the areas that stand beside them.
#[test]
fn lines_have_the_areas_of_the_legend() {
    // Coordinates are written to a hundredth of a point.
    let slack = 1e-3;
    for (name, _) in paper::MODELS {
        let portrait = Portrait::of(&paper::model(name).unwrap().unwrap()).unwrap();
        let paths = drawn(&portrait.figure(Palette::Plain).to_svg());
        let area_of = |start: &str| {
            let path = paths.iter().find(|(name, _)| name.starts_with(start));
            drawn_area(&path.unwrap_or_else(|| panic!("{name}: no {start}")).1)
        };
        let reported = |value: f64, start: &str| {
            let area = area_of(start);
            assert!((area - value).abs() <= slack * value.abs().max(0.1), "{name}: {start}: {area}, not {value}");
        };
        let evaluation = &portrait.evaluation;
        let metric = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
        let optimal = evaluation.loss(Condition::Cost, Method::Optimal).unwrap().estimate().unwrap().value;
        reported(metric("AUC"), "ROC curve");
        reported(metric("AUCH"), "hull");
        reported(metric("RL"), "refinement loss");
        // Where the axis is made for something much higher, a hundredth of a point is more of the loss.
        if *name != "diagonal2" {
            reported(optimal, "loss");
        }
        // The frame cuts a stretch off where the posterior falls steeply.
        if !["diagonal2", "severalconcavities"].contains(name) {
            reported(portrait.curves.lambda_parts[0].value, "Λ");
        }
        [("f₀", 1.0), ("f₁", 1.0)].into_iter().for_each(|(start, one)| reported(one, start));
    }
}

/// The singular part of Λ is drawn where the posterior jumps: a stem of the height that it has.
#[test]
fn jumps_of_the_posterior_are_stems() {
    for (name, places) in
        [("discontinuous", vec![0.5, 0.6]), ("notcumulative-simple", vec![0.0, 1.0]), ("diagonal", vec![0.0, 1.0])]
    {
        let portrait = Portrait::of(&paper::model(name).unwrap().unwrap()).unwrap();
        let found: Vec<f64> = portrait.curves.lambda_jumps.iter().map(|(x, _)| *x).collect();
        assert_eq!(found, places, "{name}");
        let svg = portrait.figure(Palette::Plain).to_svg();
        assert!(svg.contains("singular part of Λ, at jumps of c"), "{name}");
    }
}

/// All curves are, point by point, what follows from the densities that are drawn.
#[test]
fn curves_over_scores_agree() {
    for (name, _) in paper::MODELS {
        let model = paper::model(name).unwrap().unwrap();
        let (pi0, pi1) = model.proportions();
        let curves = ModelCurves::of(&model);
        let at = |pieces: &[CurvePiece], x: f64| pieces.iter().find(|p| p.from < x && x < p.to).map(|p| p.at(x));
        for k in 0..97 {
            let x = (f64::from(k) + 0.37) / 97.0;
            let [f0, f1] = [0, 1].map(|class| at(&curves.densities[class], x).unwrap());
            for class in [0, 1] {
                let below: f64 = curves.densities[class]
                    .iter()
                    .filter(|p| p.from < x)
                    .map(|p| p.part(p.from, p.to.min(x)).area().unwrap())
                    .sum();
                assert!((below - at(&curves.distributions[class], x).unwrap()).abs() < 1e-4, "{name} F{class}({x})");
            }
            match at(&curves.posterior, x) {
                None => assert_eq!([f0, f1], [0.0, 0.0], "{name}: there is a posterior at {x}"),
                // Where there is little mass, the densities are drawn less well than their ratio.
                Some(_) if f0 + f1 < 0.1 => {}
                Some(c) => assert!((c - pi1 * f1 / (pi0 * f0 + pi1 * f1)).abs() < 1e-3, "{name}: c({x}) = {c}"),
            }
            let [big_f0, big_f1] = [0, 1].map(|class| at(&curves.distributions[class], x).unwrap());
            let (p0, p1) = (pi0 * f0, pi1 * f1);
            let refinement = if p0 + p1 > 0.0 { p0 * p1 / (p0 + p1) } else { 0.0 };
            assert!(
                (refinement - at(&curves.refinement, x).unwrap()).abs() < 1e-3 * (1.0 + refinement),
                "{name}: RL at {x}"
            );
            if let (Some(c), Some(slope)) = (at(&curves.posterior, x), at(&curves.slope, x)) {
                let lambda = 2.0 * (c * pi0 * (1.0 - big_f0) + (1.0 - c) * pi1 * big_f1) * slope;
                assert!(
                    (lambda - at(&curves.lambda, x).unwrap()).abs() < 1e-3 * (1.0 + lambda.abs()),
                    "{name}: Λ at {x}"
                );
            }
            // The loss at a cost proportion is the least over thresholds, none of which is better than the hull.
            let q = |k: u32| {
                let t = f64::from(k) / 500.0 + 1e-7;
                let [a, b] = [0, 1].map(|class| at(&curves.distributions[class], t).unwrap_or(1.0));
                2.0 * (x * pi0 * (1.0 - a) + (1.0 - x) * pi1 * b)
            };
            let least = (0..500).map(q).fold(f64::min(2.0 * x * pi0, 2.0 * (1.0 - x) * pi1), f64::min);
            let loss = at(&curves.loss, x).unwrap();
            assert!(loss <= least + 1e-4 && least <= loss + 1e-3, "{name}: loss at {x}: {loss}, not {least}");
            let near = 1e-4;
            if let (Some(a), Some(b), Some(slope)) =
                (at(&curves.posterior, x - near), at(&curves.posterior, x + near), at(&curves.slope, x))
                && curves.posterior.iter().all(|p| (p.to - x).abs() > 2.0 * near)
            {
                let difference = (b - a) / (2.0 * near);
                assert!(
                    (difference - slope).abs() < 0.02 * (1.0 + slope.abs()),
                    "{name}: c'({x}) = {slope}, not {difference}"
                );
            }
        }
    }
}

/// No line is drawn across a jump, nothing where there is no posterior, and atoms stand at their scores.
#[test]
fn jumps_gaps_and_atoms_are_drawn_as_such() {
    let of = |f0: &str, f1: &str| ModelCurves::of(&Model::new(f0, f1, "1/2").unwrap());
    let jumping = of("5/3 on [0, 0.6]", "2 on [0.5, 1]");
    let jumps = |pieces: &[CurvePiece]| pieces.windows(2).filter(|p| (p[0].right() - p[1].left()).abs() > 0.1).count();
    assert_eq!([jumps(&jumping.densities[0]), jumps(&jumping.densities[1]), jumps(&jumping.posterior)], [1, 1, 2]);
    let apart = of("uniform(0, 0.4)", "uniform(0.6, 1)");
    assert!(apart.posterior.iter().all(|p| p.to <= 0.4 || p.from >= 0.6) && !apart.posterior.is_empty());
    let atoms = of("atoms: { 0.25: 0.1; 0.5: 0.9 }", "atoms: { 0.5: 0.3; 0.75: 0.7 }");
    let found: Vec<(f64, f64)> = atoms.atoms.iter().map(|atom| (atom.x, atom.posterior)).collect();
    assert_eq!(found, [(0.25, 0.0), (0.5, 0.25), (0.75, 1.0)]);
    assert!(atoms.posterior.is_empty() && atoms.densities.iter().flatten().all(|p| p.extremes() == (0.0, 0.0)));
}

/// Every model makes a figure, in every format, with both palettes; many of them can stand in one page.
#[test]
fn figures_are_whole() {
    let mut names = std::collections::BTreeSet::new();
    for (k, model) in models().iter().enumerate() {
        let portrait = Portrait::of(model).unwrap();
        for palette in [Palette::Plain, Palette::ColourBlindSafe] {
            let svg = portrait.figure(palette).to_svg_within(&format!("m{k}-")).replace(", inf)", "");
            check_svg(&svg, &model.name());
            if palette == Palette::Plain {
                let ids = svg.split("id=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
                ids.for_each(|id| assert!(names.insert(id.clone()), "{id} twice"));
                let used = svg.split("url(#").skip(1).map(|rest| rest.split(')').next().unwrap());
                used.for_each(|id| assert!(names.contains(id), "{id} is not there"));
            }
        }
    }
    let figure = Portrait::of(&models()[3]).unwrap().figure(Palette::Plain);
    assert!(to_bytes(&figure, "a.pdf".as_ref()).unwrap().starts_with(b"%PDF"));
    assert!(to_bytes(&figure, "a.png".as_ref()).unwrap().starts_with(b"\x89PNG"));
}

/// Legends say what the engine says.
#[test]
fn legends_have_the_numbers() {
    let svg = |name: &str| Portrait::of(&paper::model(name).unwrap().unwrap()).unwrap().figure(Palette::Plain).to_svg();
    assert!(svg("strictlyconvex").matches("0.10256").count() >= 3);
    assert!(svg("diagonal").contains("Λ: 0 bijective + 0.25000 singular"));
    assert!(svg("nonstrictlyconvex").contains(">1/3<") && svg("nonstrictlyconvex").contains(">21/41<"));
    assert!(svg("severalconcavities").contains("not convex"));
}

/// The rate-driven method errs less than a rate drawn uniformly, and its loss is the shaded area.
#[test]
fn rate_driven_thresholds() {
    // F0 = x, F1 = x²: (x + x²)/2 = 1/4 at x = (√3 - 1)/2, where errors are (1-x)/4 + 3x²/4 = 0.259; of a uniform rate, 5/12.
    let svg = rate_driven("1", "2*x", Palette::Plain).unwrap().to_svg();
    let x = (3f64.sqrt() - 1.0) / 2.0;
    let loss = (1.0 - x) / 4.0 + 0.75 * x * x;
    assert!(svg.contains(&format!("loss {loss:.5}")), "{loss}");
    assert!(rate_driven("2", "1", Palette::Plain).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, rng_seed: RngSeed::Fixed(2012), ..ProptestConfig::default() })]

    /// Whatever the model: what is drawn has the areas that are reported.
    #[test]
    fn areas_of_random_models(text in prop_oneof![probabilistic(), unbounded()]) {
        let model = text.model();
        let (curves, evaluation) = (ModelCurves::of(&model), evaluate(&model, &Request::at(Level::Numeric)).unwrap());
        let at_atoms: f64 = curves.atoms.iter().map(|atom| atom.refinement).sum();
        let optimal = loss(&evaluation, Condition::Cost, Method::Optimal);
        for (pieces, more, reported, what) in [
            (&curves.refinement, at_atoms, metric(&evaluation, "RL"), "refinement loss"),
            (&curves.loss, 0.0, optimal, "optimal loss"),
            (&curves.roc, 0.0, metric(&evaluation, "AUC"), "ROC curve"),
            (&curves.hull, 0.0, metric(&evaluation, "AUCH"), "hull"),
            (&curves.lambda, 0.0, curves.lambda_parts[0], "Λ"),
        ] {
            let drawn = area(pieces) + more;
            // What is singular is an upright line, closer to its end than anybody could see.
            let upright: f64 = pieces.iter().filter(|p| p.width() < 1e-9).map(|p| p.area().unwrap().abs()).sum();
            let slack = reported.error + FLATNESS * reported.value.abs().max(0.01) + upright;
            prop_assert!((drawn - reported.value).abs() <= slack, "{text:?}: {what}: drawn {drawn}, reported {reported:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, rng_seed: RngSeed::Fixed(2013), ..ProptestConfig::default() })]

    /// Whatever the model, its figure is sound.
    #[test]
    fn figures_of_random_models(text in prop_oneof![probabilistic(), unbounded()]) {
        let figure = Portrait::of(&text.model()).unwrap().figure(Palette::Plain);
        check_svg(&figure.to_svg(), &format!("{text:?}"));
    }
}
