//! Figures: well-formed, drawn where the curves are, and saved whole or not at all.

use crate::drawing::{check_svg, drawn, drawn_area};
use rocproof::data::Scored;
use rocproof::data::curves::{CurveKind, CurvePiece, Curves, ScoredCurve};
use rocproof::draw::scored::{DrawnModel, FigureKind, FigureOptions, figure};
use rocproof::draw::trace::{PathSegment, Window, trace};
use rocproof::draw::{Axis, Figure, Ink, Palette, Panel, Stroke, save, to_bytes};
use rocproof::{Condition, Method};

/// Rows that look random, the class following the score somewhat; with ties if scores are rounded.
fn rows(count: u32, round_to: Option<f64>) -> Scored {
    let random = |k: u32, salt: u32| {
        let mut z = (u64::from(k) * 8 + u64::from(salt)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let score = |k: u32| {
        let x = random(k, 1);
        round_to.map_or(x, |steps| (x * steps).round() / steps)
    };
    let scores: Vec<f64> = (0..count).map(score).collect();
    let classes: Vec<bool> =
        (0..count).map(|k| if k < 2 { k == 1 } else { random(k, 2) < 0.2 + 0.6 * scores[k as usize] }).collect();
    Scored::from_rows(&scores, &classes, None).unwrap()
}

/// All kinds of data a figure may meet.
fn awkward() -> Vec<Scored> {
    let of = |scores: &[f64], classes: &[bool]| Scored::from_rows(scores, classes, None).unwrap();
    vec![
        rows(12, Some(8.0)),
        rows(300, None),
        rows(1_000, None),
        of(&[0.3; 4], &[true, false, true, true]),
        of(&[7.0; 2], &[true, false]),
        of(&[0.0, 1.0], &[false, true]),
        of(&[1.0, 0.0], &[false, true]),
        of(&[-3.0, 1e9, 2.0], &[false, true, true]),
        of(&[1e-300, 5e-324, 1.0 - 1e-16], &[false, true, true]),
        of(&[0.5, 0.5 + 1e-16, 0.5 + 2e-16], &[false, true, false]),
    ]
}

#[test]
fn every_figure_is_sound() {
    let data = awkward();
    let curves: Vec<Curves> = data.iter().map(Curves::new).collect();
    let names = ["a <b> & \"c\"", "模型", "", "a very long name ".repeat(20).leak()];
    for (name, show) in FigureKind::ALL {
        for (k, curves_of) in curves.iter().enumerate() {
            let one = DrawnModel { name: names[k % names.len()], curves: curves_of };
            let other = DrawnModel { name: "other", curves: &curves[(k + 1) % curves.len()] };
            for models in [vec![one], vec![one, other, one]] {
                for (palette, condition) in
                    [(Palette::Plain, Condition::Cost), (Palette::ColourBlindSafe, Condition::Skew)]
                {
                    let svg = figure(show, &models, FigureOptions { palette, condition, ..FigureOptions::default() })
                        .to_svg();
                    check_svg(&svg, &format!("{name} {k} {}", models.len()));
                }
            }
        }
    }
}

/// What is drawn has the area that is reported, from fourteen rows to two hundred thousand.
#[test]
fn drawn_areas_are_the_values() {
    for data in [rows(14, Some(10.0)), rows(500, Some(50.0)), rows(200_000, None)] {
        let curves = Curves::new(&data);
        let models = [DrawnModel { name: "m", curves: &curves }];
        let svg = figure(FigureKind::Overview, &models, FigureOptions::default()).to_svg();
        assert!(svg.len() < 900_000, "{} bytes", svg.len());
        let paths = drawn(&svg);
        let loss = |method| CurveKind::Loss(method, Condition::Cost);
        for (name, kind) in [
            ("ROC curve", CurveKind::Roc),
            ("hull", CurveKind::Hull),
            ("lower envelope", loss(Method::Optimal)),
            ("Brier curve", loss(Method::ScoreDriven)),
            ("Rate-driven curve", loss(Method::RateDriven)),
            ("Murphy diagram", CurveKind::Murphy),
            ("score-fixed", loss(Method::ScoreFixed(0.5))),
            ("rate-fixed", loss(Method::RateFixed(0.5))),
            ("score-uniform", loss(Method::ScoreUniform)),
            ("score-driven", loss(Method::ScoreDriven)),
            ("rate-uniform", loss(Method::RateUniform)),
            ("rate-driven", loss(Method::RateDriven)),
            ("optimal", loss(Method::Optimal)),
        ] {
            let area = curves.curve(kind).unwrap().area().unwrap();
            let (label, runs) = paths.iter().find(|(label, _)| label.starts_with(name)).unwrap();
            let found = drawn_area(runs);
            assert!((found - area).abs() < 2e-4, "{name}: {found} {area}");
            // The legend says it, too.
            let said: f64 = label.rsplit(' ').next().unwrap().parse().unwrap();
            assert!((said - area).abs() <= 0.5001e-4, "{label} {area}");
        }
    }
}

/// Between the ends of a run the curve is where the pen goes, and runs end at jumps.
#[test]
fn no_line_crosses_a_jump() {
    let data = rows(40, Some(20.0));
    let curves = Curves::new(&data);
    let svg =
        figure(FigureKind::Brier, &[DrawnModel { name: "m", curves: &curves }], FigureOptions::default()).to_svg();
    let paths = drawn(&svg);
    let (_, runs) = paths.iter().find(|(name, _)| name.starts_with("Brier curve")).unwrap();
    let brier = curves.curve(CurveKind::Loss(Method::ScoreDriven, Condition::Cost)).unwrap();
    // What can be seen is a thousandth of the axis.
    let document = roxmltree::Document::parse(&svg).unwrap();
    let axis = document.descendants().find_map(|node| node.attribute("data-y")).unwrap();
    let (low, high) = axis.split_once(' ').unwrap();
    let row = (high.parse::<f64>().unwrap() - low.parse::<f64>().unwrap()) / 1000.0;
    let pieces: Vec<CurvePiece> = brier.pieces().collect();
    let jumps = pieces.windows(2).filter(|p| (p[0].right() - p[1].left()).abs() > row).count();
    assert!(jumps > 5);
    assert_eq!(runs.len(), jumps + 1);
    for step in runs.iter().flat_map(|run| run.windows(2)) {
        let middle = [(step[0].0[0] + step[1].0[0]) / 2.0, (step[0].0[1] + step[1].0[1]) / 2.0];
        let value = brier.limits(middle[0]).value.unwrap();
        assert!((value - middle[1]).abs() < 2e-3, "{middle:?} {value}");
    }
    // Each jump has an open circle where the run before it ends and a filled one where the next begins: thresholds include scores.
    let limits = document.descendants().find(|node| node.attribute("class") == Some("limits")).unwrap();
    let circles: Vec<_> = limits.children().filter(|node| node.is_element()).collect();
    assert_eq!(circles.len(), 2 * jumps);
    let path = document
        .descendants()
        .find(|node| node.attribute("data-name").is_some_and(|n| n.starts_with("Brier")))
        .unwrap();
    let starts: Vec<&str> =
        path.attribute("d").unwrap().split('M').skip(1).map(|run| run.split(['L', 'Q', 'h']).next().unwrap()).collect();
    for (pair, start) in circles.chunks(2).zip(&starts[1..]) {
        let filled = pair.iter().find(|circle| circle.attribute("fill") != Some("#ffffff")).unwrap();
        let at = format!("{} {}", filled.attribute("cx").unwrap(), filled.attribute("cy").unwrap());
        assert_eq!(&at, start);
    }
}

/// Of many pieces in a column the extremes are kept, and a jump among them still lifts the pen.
#[test]
fn extremes_are_kept() {
    let window = Window { x: (0.0, 1.0), y: (0.0, 1.0) };
    let count = 300_000u32;
    let height = |k: u32| if k == 123_456 { 0.9 } else { 0.3 + 1e-5 * f64::from(k % 7) };
    let piece = |k: u32| {
        let x = |k: u32| f64::from(k) / f64::from(count);
        CurvePiece::straight(x(k), x(k + 1), height(k), height(k))
    };
    let found = trace((0..count).map(piece), window);
    assert_eq!((found.runs.len(), found.jumps.len()), (3, 2));
    assert_eq!((found.jumps[0].left, found.jumps[0].right), (height(123_455), 0.9));
    let nodes: Vec<&PathSegment> = found.runs.iter().flatten().collect();
    assert!(nodes.len() < 6_000);
    let heights = nodes.iter().map(|node| if let PathSegment::To(_, y) = node { *y } else { f64::NAN });
    assert_eq!(heights.fold(0.0, f64::max), 0.9);
}

/// Up and down within a column, without a jump: first, lowest, highest and last are drawn, in the order in which they come.
#[test]
fn a_column_keeps_its_shape() {
    let heights = [0.5, 0.9, 0.3, 0.2, 0.6, 0.4];
    let narrow = heights.windows(2).enumerate().map(|(k, pair)| {
        let x = |k: usize| 0.5001 + 1e-5 * k as f64;
        CurvePiece::straight(x(k), x(k + 1), pair[0], pair[1])
    });
    let found = trace(narrow, Window { x: (0.0, 1.0), y: (0.0, 1.0) });
    let drawn: Vec<f64> = found.runs.iter().flatten().map(|node| node.end()[1]).collect();
    assert_eq!((found.runs.len(), drawn), (1, vec![0.5, 0.9, 0.2, 0.4]));
}

/// Net benefit is no polynomial: its chords are as good as the curve.
#[test]
fn chords_follow_net_benefit() {
    let data = rows(100, Some(10.0));
    let curves = Curves::new(&data);
    let svg =
        figure(FigureKind::NetBenefit, &[DrawnModel { name: "m", curves: &curves }], FigureOptions::default()).to_svg();
    for (name, kind) in [("model", CurveKind::NetBenefit), ("treat all", CurveKind::TreatAll)] {
        let paths = drawn(&svg);
        let (_, runs) = paths.iter().find(|(label, _)| label.starts_with(name)).unwrap();
        let curve: ScoredCurve = curves.curve(kind).unwrap();
        let inside = |y: f64| (-0.1..1.0).contains(&y);
        let mut seen = 0;
        for step in runs.iter().flat_map(|run| run.windows(2)) {
            let middle = [(step[0].0[0] + step[1].0[0]) / 2.0, (step[0].0[1] + step[1].0[1]) / 2.0];
            if inside(step[0].0[1]) && inside(step[1].0[1]) {
                seen += 1;
                let value = curve.limits(middle[0]).value.unwrap();
                assert!((value - middle[1]).abs() < 1e-3, "{name} {middle:?} {value}");
            }
        }
        assert!(seen > 3);
    }
}

fn small() -> Figure {
    let mut panel = Panel::new("t", Axis::new("*x*", 0.0, 1.0), Axis::new("*y*", 0.0, 1.0));
    panel.line((0.0, 0.0), (1.0, 1.0), Stroke::of(Ink::Series(0)), "line");
    Figure::new("title").row(1.0, [panel]).note("note")
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("a.svg", &b"<svg"[..]), ("a.PNG", b"\x89PNG"), ("a.pdf", b"%PDF")] {
        let path = folder.path().join(name);
        save(&small(), &path).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(start));
    }
    let files = || std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files(), 3);
    let refused = |name: &str| save(&small(), folder.path().join(name)).unwrap_err().to_string();
    assert!(refused("a.gif").contains(".svg, .png or .pdf") && refused("a").contains(".svg, .png or .pdf"));
    let why = refused("missing/a.svg");
    assert!(why.contains("cannot write") && why.contains("missing"), "{why}");
    std::fs::create_dir(folder.path().join("folder.svg")).unwrap();
    assert!(refused("folder.svg").contains("is a folder"));
    assert_eq!(files(), 4);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::write(folder.path().join("plain"), "").unwrap();
        let mode = |name: &str| std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("a.svg"), mode("plain"));
    }
}

/// Nothing to draw, or nowhere to draw it, is no reason to break.
#[test]
fn odd_requests_are_met() {
    for (name, show) in FigureKind::ALL {
        check_svg(&figure(show, &[], FigureOptions::default()).to_svg(), name);
    }
    for (low, high) in [(1.0, 0.0), (2.0, 2.0), (f64::NAN, 1.0), (f64::NEG_INFINITY, f64::INFINITY)] {
        let mut panel = Panel::new("", Axis::holding("x", (low, high)), Axis::new("y", low, high));
        panel.line((1.0, 0.0), (0.0, 1.0), Stroke::of(Ink::Strong), "line");
        panel.area([CurvePiece::straight(0.0, 1.0, 0.2, 0.9)].into_iter(), Ink::Series(0), 0.3, "area");
        check_svg(&Figure::new("").row(1.0, [panel]).to_svg(), "axes");
    }
    check_svg(&Figure::new("").to_svg(), "no panels");
}

/// A PNG has text in it: the font is there without the machine's.
#[test]
fn text_is_drawn() {
    let with_text = to_bytes(&small(), "a.png".as_ref()).unwrap();
    let without = Figure::new("").row(1.0, [Panel::new("", Axis::new("", 0.0, 1.0), Axis::new("", 0.0, 1.0))]);
    assert!(with_text.len() > to_bytes(&without, "a.png".as_ref()).unwrap().len() + 1000);
    let pdf = to_bytes(&small(), "a.pdf".as_ref()).unwrap();
    let has = |what: &[u8]| pdf.windows(what.len()).any(|w| w == what);
    assert!(has(b"DejaVuSans"), "text in a PDF is text, in its own font");
}
