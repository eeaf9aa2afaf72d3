//! How does the time of evaluating scored data grow with the number of rows? Times all metrics and losses, from rows in memory and from grouped rows,
//! and for comparison the sorting of the rows alone. Prints a table and draws a plot on logarithmic axes:
//!
//! ```sh
//! cargo run --release --example cost_of_data -- 8 docs/cost-of-data.svg     # up to 1e8 rows: takes 8 GB of memory
//! ```

use rocproof::data::{Bootstrap, Paired, ScoreDirection, Scored, ScoredBuilder, Units, bootstrap, evaluate_scored};
use rocproof::draw::{Axis, Figure, Ink, Panel, Stroke, save};
use rocproof::{Cost, Thresholds};
use std::time::Instant;

/// Pseudorandom numbers between 0 and 1 (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn seconds<T>(of: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let made = of();
    (start.elapsed().as_secs_f64(), made)
}

fn evaluate(data: &Scored) {
    let evaluation = evaluate_scored(data, &Cost::uniform(), &Thresholds::default());
    assert!(evaluation.metric("BS").is_some_and(|value| value.estimate().is_some()));
}

/// Seconds for sorting rows, for all metrics and losses from these rows, and for one bootstrap sample.
fn rows(count: usize) -> Result<[f64; 3], Box<dyn std::error::Error>> {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let scores: Vec<f64> = (0..count).map(|_| numbers.next()).collect();
    let is_1: Vec<bool> = scores.iter().map(|score| numbers.next() < *score).collect();
    let mut pairs: Vec<(f64, bool)> = scores.iter().copied().zip(is_1.iter().copied()).collect();
    let (sorting, ()) = seconds(|| pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0)));
    drop(pairs);
    let (evaluating, data) = seconds(|| -> Result<Scored, rocproof::data::BadScore> {
        let data = Scored::from_rows(&scores, &is_1, None)?;
        evaluate(&data);
        Ok(data)
    });
    let data = Paired::single(data?, Units::Rows);
    let samples = 2;
    let plan = Bootstrap { replicates: samples, ..Bootstrap::default() };
    let (bootstrapping, _) = seconds(|| bootstrap(&data, &Cost::uniform(), &Thresholds::default(), &plan, || ()));
    // The bootstrap also evaluates the data themselves.
    Ok([sorting, evaluating, bootstrapping / (samples as f64 + 1.0)])
}

/// Seconds for all metrics and losses from groups: scores with counts of both classes.
fn groups(count: usize) -> Result<f64, Box<dyn std::error::Error>> {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let (time, data) = seconds(|| -> Result<Scored, rocproof::data::BadScore> {
        let mut rows = ScoredBuilder::new(ScoreDirection::TowardClass1);
        for _ in 0..count {
            let score = numbers.next();
            rows.push(score, false, (20.0 * numbers.next() * (1.0 - score)).floor())?;
            rows.push(score, true, (20.0 * numbers.next() * score).floor())?;
        }
        let data = rows.finish()?;
        evaluate(&data);
        Ok(data)
    });
    data?;
    Ok(time)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let largest: u32 = arguments.next().map_or(Ok(7), |digits| digits.parse())?;
    let mut found: Vec<(f64, [f64; 4])> = Vec::new();
    println!("{:>11} {:>10} {:>10} {:>6} {:>10} {:>10}", "rows", "sort", "evaluate", "ratio", "a sample", "groups");
    for half in 8..=2 * largest {
        let count = 10f64.powf(f64::from(half) / 2.0).round();
        // The shortest of three runs: the machine may be busy.
        let mut best = [f64::INFINITY; 4];
        for _ in 0..if half > 15 { 1 } else { 3 } {
            let [sort, evaluate, sample] = rows(count as usize)?;
            let times = [sort, evaluate, sample, groups(count as usize)?];
            best = std::array::from_fn(|k| best[k].min(times[k]));
        }
        let [sort, evaluate, sample, groups] = best;
        println!("{count:>11} {sort:>9.4}s {evaluate:>9.4}s {:>6.2} {sample:>9.4}s {groups:>9.4}s", evaluate / sort);
        found.push((count, best));
    }
    let Some(file) = arguments.next() else { return Ok(()) };
    let decades = |from: i32, to: i32| (from..=to).map(|k| (f64::from(k), format!("1e{k}")));
    let x = Axis::new("rows", 4.0, f64::from(largest)).with_places(decades(4, largest as i32));
    let y = Axis::new("seconds", -4.0, 2.0).with_places(decades(-4, 2));
    let mut panel = Panel::new("All metrics and losses of scored data", x, y);
    let names = ["sorting rows, nothing else", "from rows", "a sample of a bootstrap", "from groups"];
    for (k, name) in names.into_iter().enumerate() {
        let stroke = Stroke { ink: Ink::Series(k), width: 1.5, dash: None };
        let at = |(count, times): &(f64, [f64; 4])| (count.log10(), times[k].log10());
        for (i, pair) in found.windows(2).enumerate() {
            panel.line(at(&pair[0]), at(&pair[1]), stroke, if i == 0 { name } else { "" });
        }
    }
    save(&Figure::new("").row(1.0, [panel]).frame(520.0, 380.0), &file)?;
    println!("wrote {file}");
    Ok(())
}
