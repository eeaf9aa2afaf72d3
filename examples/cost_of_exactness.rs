//! How does the time of an exact evaluation grow with the number of pieces? Prints a table and draws a plot on logarithmic axes:
//!
//! ```sh
//! cargo run --release --example cost_of_exactness -- docs/cost-of-exactness.svg
//! ```

use rocproof::{Level, Model, Request, evaluate};
use std::fmt::Write;
use std::time::Instant;

/// A piecewise linear density with pseudorandom heights.
fn density(pieces: u32, seed: u32) -> String {
    let height = |k: u32| 1 + (k.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 7) % 50;
    let piece = |k: u32| {
        let (a, b) = (height(k), height(k + 1));
        format!("{a} + ({b} - {a})*({pieces}*x - {k}) on [{k}/{pieces}, {}/{pieces}]", k + 1)
    };
    format!("normalize({{ {} }})", (0..pieces).map(piece).collect::<Vec<_>>().join("; "))
}

fn seconds(pieces: u32) -> Result<f64, Box<dyn std::error::Error>> {
    let model = Model::new(&density(pieces, 11), &density(pieces, 2011), "1/3").map_err(|e| e.render(false))?;
    let start = Instant::now();
    let evaluation = evaluate(&model, &Request::at(Level::Exact)).map_err(|e| e.to_string())?;
    assert!(evaluation.metric("RL").is_some_and(|v| v.exact().is_some()));
    Ok(start.elapsed().as_secs_f64())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let counts = [1, 3, 10, 30, 100, 300, 1000];
    let mut points = Vec::new();
    println!("pieces  milliseconds  growth since the last, as a power of the number of pieces");
    for pieces in counts {
        // The shortest of three runs: the machine may be busy.
        let runs = [seconds(pieces)?, seconds(pieces)?, seconds(pieces)?];
        let time = runs.into_iter().fold(f64::INFINITY, f64::min);
        let growth =
            points.last().map(|(n, t): &(u32, f64)| (time / t).ln() / (f64::from(pieces) / f64::from(*n)).ln());
        println!("{pieces:6}  {:12.2}  {}", 1e3 * time, growth.map_or(String::new(), |g| format!("{g:.2}")));
        points.push((pieces, time));
    }
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(&file, plot(&points))?;
        println!("wrote {file}");
    }
    Ok(())
}

/// The points on logarithmic axes, with lines of slope 1 and 2 through the point at ten pieces.
fn plot(points: &[(u32, f64)]) -> String {
    let (width, height, left, top) = (580.0, 445.0, 70.0, 20.0);
    let x = |pieces: f64| left + pieces.log10() / 3.0 * (width - left - 40.0);
    let y = |seconds: f64| top + (2.0 - (1e3 * seconds).log10().clamp(-1.0, 5.0)) / 4.0 * 300.0 + 150.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        height
    );
    // Writing to a string cannot fail.
    for (pieces, label) in [(1.0, "1"), (10.0, "10"), (100.0, "100"), (1000.0, "1,000")] {
        let (at, bottom) = (x(pieces), y(1e-4));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{bottom:.1}\" stroke=\"#ddd\"/>",
            y(10.0)
        );
        let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>", bottom + 18.0);
    }
    for (seconds, label) in
        [(1e-4, "0.1 ms"), (1e-3, "1 ms"), (1e-2, "10 ms"), (1e-1, "100 ms"), (1.0, "1 s"), (10.0, "10 s")]
    {
        let at = y(seconds);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>",
            x(1000.0)
        );
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 6.0, at + 4.0);
    }
    if let Some((n, t)) = points.iter().find(|(n, _)| *n == 10).map(|(n, t)| (f64::from(*n), *t)) {
        for (slope, name) in [(1.0, "linear"), (2.0, "quadratic")] {
            let end: f64 = if slope > 1.5 { 100.0 } else { 1000.0 };
            let to = t * (end / n).powf(slope);
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#999\" stroke-dasharray=\"5 4\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{name}</text>",
                x(n),
                y(t),
                x(end),
                y(to),
                x(end) - 8.0,
                y(to) - 2.0
            );
        }
    }
    let path: Vec<String> = points.iter().map(|(n, t)| format!("{:.1},{:.1}", x(f64::from(*n)), y(*t))).collect();
    let _ =
        writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-width=\"2\"/>", path.join(" "));
    for point in &path {
        if let Some((cx, cy)) = point.split_once(',') {
            let _ = writeln!(svg, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"4\" fill=\"#0072b2\"/>");
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">linear pieces in each density</text>\n</svg>",
        x(31.6),
        y(1e-4) + 40.0
    );
    svg
}
