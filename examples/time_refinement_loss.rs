//! How long does a certified refinement loss take? Prints, as JSON, the enclosure and the seconds for each model of the paper and for
//! some others, at a given width: `time_refinement_loss 1e-12`. `benches/side_by_side_arb.py` compares it with Arb.

use rocproof::functional::certified::refinement_loss;
use rocproof::{Model, paper};
use std::time::Instant;

const OTHERS: [(&str, &str, &str, &str); 3] = [
    ("beta(2.5,3.5)/beta(4.5,1.5) pi0=0.3", "beta(2.5, 3.5)", "beta(4.5, 1.5)", "0.3"),
    ("beta(0.5,2)/beta(3,0.7) pi0=0.2", "beta(0.5, 2)", "beta(3, 0.7)", "0.2"),
    ("normal(0,1)/normal(1,2) pi0=0.3", "normal(0, 1)", "normal(1, 2)", "0.3"),
];

fn main() {
    let width: f64 = std::env::args().nth(1).and_then(|w| w.parse().ok()).unwrap_or(1e-12);
    let of_paper = paper::MODELS.iter().filter_map(|(name, _)| Some((*name, paper::model(name)?.ok()?)));
    let others = OTHERS.iter().filter_map(|(name, f0, f1, pi0)| Some((*name, Model::new(f0, f1, pi0).ok()?)));
    let mut rows = Vec::new();
    for (name, model) in of_paper.chain(others) {
        let Ok(found) = refinement_loss(&model, width) else { continue };
        // The best of five batches of about 50 ms.
        let batch = || {
            let (start, mut runs) = (Instant::now(), 0u32);
            while start.elapsed().as_millis() < 50 {
                std::hint::black_box(refinement_loss(&model, width).is_ok());
                runs += 1;
            }
            start.elapsed().as_secs_f64() / f64::from(runs)
        };
        let seconds = (0..5).map(|_| batch()).fold(f64::INFINITY, f64::min);
        rows.push(format!("\"{name}\": {{\"lo\": {}, \"hi\": {}, \"seconds\": {seconds:e}}}", found.lo(), found.hi()));
    }
    println!("{{{}}}", rows.join(",\n"));
}
