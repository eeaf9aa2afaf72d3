//! What do the figures of scored data look like? Draws every figure for generated scores, including special cases: constant scores, two rows, one
//! positive in a thousand, scores that are not probabilities, a million rows.
//!
//! ```sh
//! cargo run --release --example draw_scored -- figures     # SVG; a second argument png or pdf selects the format
//! ```

use rocproof::data::Scored;
use rocproof::data::curves::Curves;
use rocproof::draw::scored::{DrawnModel, FigureKind, FigureOptions, figure};
use rocproof::draw::{Palette, save};
use rocproof::{Condition, Method};
use std::path::Path;
use std::time::Instant;

/// Pseudorandom numbers between 0 and 1 (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Rows with logistic scores, shifted by the class. `sharpness` multiplies the log-odds; rounding to few digits makes ties.
fn rows(count: usize, share_of_1: f64, sharpness: f64, digits: Option<i32>, seed: u64) -> Scored {
    let mut numbers = Numbers(seed);
    let (mut scores, mut classes) = (Vec::new(), Vec::new());
    for k in 0..count {
        let is_1 = if k < 2 { k == 1 } else { numbers.next() < share_of_1 };
        // A logistic variable, shifted by the class.
        let u = numbers.next().clamp(1e-12, 1.0 - 1e-12);
        let odds = (u / (1.0 - u)).ln() + if is_1 { 1.2 } else { -1.2 };
        let score = 1.0 / (1.0 + (-sharpness * odds).exp());
        let rounded = digits.map_or(score, |d| (score * 10f64.powi(d)).round() / 10f64.powi(d));
        scores.push(rounded);
        classes.push(is_1);
    }
    Scored::from_rows(&scores, &classes, None).unwrap_or_else(|why| unreachable!("{why}"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "figures".into());
    let format = arguments.next().unwrap_or_else(|| "svg".into());
    std::fs::create_dir_all(&folder)?;
    let draw = |name: &str, show: FigureKind, models: &[(&str, &Scored)], options: FigureOptions| {
        let start = Instant::now();
        let curves: Vec<Curves> = models.iter().map(|(_, data)| Curves::new(data)).collect();
        let named: Vec<DrawnModel> =
            models.iter().zip(&curves).map(|((name, _), curves)| DrawnModel { name, curves }).collect();
        let path = Path::new(&folder).join(format!("{name}.{format}"));
        save(&figure(show, &named, options), &path)?;
        println!("{:28} {:7} kB {:6.2} s", name, std::fs::metadata(&path)?.len() / 1000, start.elapsed().as_secs_f64());
        Ok::<(), Box<dyn std::error::Error>>(())
    };
    let (plain, safe) =
        (FigureOptions::default(), FigureOptions { palette: Palette::ColourBlindSafe, ..FigureOptions::default() });
    let few = rows(14, 0.5, 1.0, Some(1), 3);
    let (a, b) = (rows(400, 0.4, 1.0, Some(2), 7), rows(400, 0.4, 2.5, None, 8));
    for (name, show) in FigureKind::ALL {
        draw(&format!("few-{name}"), show, &[("fourteen rows", &few)], plain)?;
        draw(&format!("one-{name}"), show, &[("logistic", &a)], plain)?;
        draw(&format!("two-{name}"), show, &[("logistic", &a), ("overconfident", &b)], safe)?;
    }
    let skew = FigureOptions { condition: Condition::Skew, methods: Method::each(0.3, 0.25), ..plain };
    draw("skew-methods", FigureKind::Methods, &[("logistic", &a)], skew)?;
    let constant =
        Scored::from_rows(&[0.3; 10], &[true, false, true, true, false, true, true, true, true, false], None)?;
    draw("constant", FigureKind::Overview, &[("constant scores", &constant)], plain)?;
    draw(
        "constant-elsewhere",
        FigureKind::Overview,
        &[("all scores 7", &Scored::from_rows(&[7.0; 2], &[true, false], None)?)],
        plain,
    )?;
    draw(
        "two-rows",
        FigureKind::Overview,
        &[("two rows", &Scored::from_rows(&[0.2, 0.9], &[false, true], None)?)],
        plain,
    )?;
    draw(
        "perfect-ends",
        FigureKind::Overview,
        &[("scores 0 and 1", &Scored::from_rows(&[0.0, 1.0], &[false, true], None)?)],
        plain,
    )?;
    draw("rare", FigureKind::Overview, &[("one in a thousand", &rows(50_000, 0.999, 1.0, None, 5))], plain)?;
    draw(
        "odds",
        FigureKind::Overview,
        &[(
            "logarithmic odds",
            &Scored::from_rows(&[-3.0, -1.0, 0.5, 2.0, 4.0], &[false, false, true, false, true], None)?,
        )],
        plain,
    )?;
    let (many, more) = (rows(1_000_000, 0.5, 1.0, None, 1), rows(1_000_000, 0.5, 1.1, None, 2));
    draw("million", FigureKind::Overview, &[("a million rows", &many)], plain)?;
    draw(
        "million-brier",
        FigureKind::Brier,
        &[
            ("a million rows", &many),
            (
                "a <million> more & \"sharper\" ones, with a name that is much too long for any legend, let alone for a title",
                &more,
            ),
        ],
        plain,
    )?;
    draw(
        "many-models",
        FigureKind::Roc,
        &[
            ("模型一", &a),
            ("b", &b),
            ("c", &few),
            ("d", &many),
            ("e", &more),
            ("f", &constant),
            ("g", &a),
            ("h", &b),
            ("i", &few),
        ],
        safe,
    )?;
    Ok(())
}
