//! Partitions of scored data into cells: ties, hull segments, stated bins.

use super::pools::pools;
use super::scored::Scored;
use super::sum::CompensatedSum;
use rocproof_engine::functional::definition::Scores;
use std::fmt;
use std::str::FromStr;

/// More bins than this are taken for a typing error.
const MOST_BINS: usize = 1_000_000;

/// The end of a bin that belongs to it. The outermost ends always belong to their bins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Closed {
    /// `[a, b)`: a score on an edge belongs to the bin above it.
    Left,
    /// `(a, b]`: a score on an edge belongs to the bin below it, as class 0 is predicted for `s <= t`.
    #[default]
    Right,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Closed::Left => "[a, b), the last closed on both sides",
            Closed::Right => "(a, b], the first closed on both sides",
        })
    }
}

/// A partition of scored data by their scores. Ties are never divided.
///
/// ```
/// use rocproof_scored::{Closed, Partition};
/// assert_eq!("width:10".parse(), Ok(Partition::EqualWidth(10, Closed::Right)));
/// assert_eq!("edges:0,0.5,1:left".parse(), Ok(Partition::Edges(vec![0.0, 0.5, 1.0], Closed::Left)));
/// assert_eq!("hull".parse::<Partition>().unwrap().to_string(), "segments of the ROC convex hull");
/// assert!("width:0".parse::<Partition>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Partition {
    /// One cell for each score: the segments of the ROC curve.
    Ties,
    /// The segments of the ROC hull: adjacent violators pooled.
    HullSegments,
    /// This many bins of equal width on the range of the scores.
    EqualWidth(usize, Closed),
    /// This many bins of equal weight, as far as ties allow: the edges are quantiles of the scores. A tie that spans a quantile belongs to
    /// the bin in which it starts ([`Closed::Right`]) or ends ([`Closed::Left`]), so that bins may be empty.
    EqualMass(usize, Closed),
    /// Bins between these edges, which must hold all scores.
    Edges(Vec<f64>, Closed),
}

/// Why scored data cannot be partitioned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BadPartition {
    /// The text does not name a partition.
    #[error("`{0}` is no partition; write ties, hull, width:K, mass:K or edges:A,B,…, and :left or :right after bins")]
    Unknown(String),
    /// The text is not an admissible number of bins.
    #[error("`{0}` is no number of bins; it must be from 1 to {MOST_BINS}")]
    Bins(String),
    /// The edges are not at least two growing numbers.
    #[error("edges must be at least two numbers that grow, such as 0,0.5,1; this does not: {0}")]
    Edges(String),
    /// A score lies outside the edges.
    #[error("the score {0} lies outside the edges; they must hold all scores")]
    Outside(f64),
    /// The range of the scores cannot be divided.
    #[error("no bins of equal width: {0}")]
    Scale(&'static str),
}

impl FromStr for Partition {
    type Err = BadPartition;

    fn from_str(text: &str) -> Result<Partition, BadPartition> {
        let unknown = || BadPartition::Unknown(text.to_owned());
        let (kind_and_argument, closed) = match text.rsplit_once(':') {
            Some((stem, "left")) => (stem, Closed::Left),
            Some((stem, "right")) => (stem, Closed::Right),
            _ => (text, Closed::default()),
        };
        let parse_count = |k: &str| {
            let count = k.trim().parse::<usize>().ok().filter(|k| (1..=MOST_BINS).contains(k));
            count.ok_or_else(|| BadPartition::Bins(k.to_owned()))
        };
        match kind_and_argument.split_once(':') {
            // `text`, not its stem: `ties:left` has no meaning.
            None if text == "ties" => Ok(Partition::Ties),
            None if text == "hull" => Ok(Partition::HullSegments),
            Some(("width", k)) => Ok(Partition::EqualWidth(parse_count(k)?, closed)),
            Some(("mass", k)) => Ok(Partition::EqualMass(parse_count(k)?, closed)),
            Some(("edges", list)) => {
                let edges: Result<Vec<f64>, _> = list.split(',').map(|edge| edge.trim().parse::<f64>()).collect();
                let edges = edges.map_err(|_| BadPartition::Edges(list.to_owned()))?;
                check_edges(&edges)?;
                Ok(Partition::Edges(edges, closed))
            }
            _ => Err(unknown()),
        }
    }
}

/// Refuses edges that are not at least two increasing numbers.
fn check_edges(edges: &[f64]) -> Result<(), BadPartition> {
    let are_increasing = edges.len() >= 2 && edges.is_sorted_by(|a, b| a < b);
    let written = || edges.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    if are_increasing { Ok(()) } else { Err(BadPartition::Edges(written())) }
}

impl Partition {
    /// The name that is parsed: `ties`, `hull`, `width:10`.
    pub fn name(&self) -> String {
        let side = |closed: &Closed| if *closed == Closed::Left { ":left" } else { "" };
        match self {
            Partition::Ties => "ties".into(),
            Partition::HullSegments => "hull".into(),
            Partition::EqualWidth(k, closed) => format!("width:{k}{}", side(closed)),
            Partition::EqualMass(k, closed) => format!("mass:{k}{}", side(closed)),
            Partition::Edges(edges, closed) => {
                let edges: Vec<String> = edges.iter().map(f64::to_string).collect();
                format!("edges:{}{}", edges.join(","), side(closed))
            }
        }
    }

    /// The end of a bin that belongs to it, if bins are stated.
    pub fn closed(&self) -> Option<Closed> {
        match self {
            Partition::Ties | Partition::HullSegments => None,
            Partition::EqualWidth(_, closed) | Partition::EqualMass(_, closed) | Partition::Edges(_, closed) => {
                Some(*closed)
            }
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partition::Ties => write!(f, "tie groups (segments of the ROC curve)"),
            Partition::HullSegments => write!(f, "segments of the ROC convex hull"),
            Partition::EqualWidth(k, closed) => write!(f, "{k} bins of equal width, {closed}"),
            Partition::EqualMass(k, closed) => write!(f, "{k} bins of equal weight, ties undivided, {closed}"),
            Partition::Edges(edges, closed) => write!(f, "{} bins with stated edges, {closed}", edges.len().max(1) - 1),
        }
    }
}

/// The scores in one cell of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionCell {
    /// The edges of the bin; without stated bins, the smallest and the largest score.
    pub edges: (f64, f64),
    /// The smallest and the largest score in the cell.
    pub scores: (f64, f64),
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
    /// The weighted mean score.
    pub mean: f64,
    /// The class that higher scores indicate.
    pub indicates: usize,
}

impl PartitionCell {
    /// The weight of both classes.
    pub fn weight(&self) -> f64 {
        self.mass[0] + self.mass[1]
    }

    /// The share of the class that higher scores indicate.
    pub fn share(&self) -> f64 {
        self.mass[self.indicates] / self.weight()
    }
}

/// Adds up the scores of a cell.
struct CellBuilder {
    cell: PartitionCell,
    mass: [CompensatedSum; 2],
    /// The sum of weight times distance from the smallest score.
    moment: CompensatedSum,
}

impl CellBuilder {
    /// The cell, with its weights and its mean score.
    fn finish(self) -> PartitionCell {
        let (first, last) = self.cell.scores;
        let mass = self.mass.map(CompensatedSum::value);
        // Rounding must not move the mean out of the cell: the means of different cells differ.
        let mean = (first + self.moment.value() / (mass[0] + mass[1])).clamp(first, last);
        PartitionCell { mass, mean, ..self.cell }
    }
}

/// The non-empty cells of a partition in order, and the number of empty ones.
pub(super) fn cells(data: &Scored, partition: &Partition) -> Result<(Vec<PartitionCell>, usize), BadPartition> {
    let closed_interval = |from: f64, to: f64| CellInterval { edges: (from, to), closed: true };
    let (bins, edges, closed) = match partition {
        Partition::Ties => return Ok((fill_cells(data, data.ties().map(|tie| closed_interval(tie.x, tie.x))), 0)),
        Partition::HullSegments => {
            let pools = pools(data.ties());
            return Ok((fill_cells(data, pools.iter().map(|pool| closed_interval(pool.first, pool.last))), 0));
        }
        Partition::EqualWidth(k, closed) => (*k, equal_width(data, *k)?, *closed),
        Partition::EqualMass(k, closed) => (*k, equal_mass(data, *k, *closed)?, *closed),
        Partition::Edges(edges, closed) => {
            check_edges(edges)?;
            check_covered(data, edges)?;
            (edges.len() - 1, edges.clone(), *closed)
        }
    };
    let last = edges.len() - 2;
    let intervals = edges
        .windows(2)
        .enumerate()
        .map(|(k, pair)| CellInterval { edges: (pair[0], pair[1]), closed: closed == Closed::Right || k == last });
    let cells = fill_cells(data, intervals);
    let empty = bins - cells.len();
    Ok((cells, empty))
}

/// Refuses edges that do not enclose all scores.
fn check_covered(data: &Scored, edges: &[f64]) -> Result<(), BadPartition> {
    let (first, last) = data.ends();
    let outside = [first, last].into_iter().find(|x| *x < edges[0] || *x > edges[edges.len() - 1]);
    outside.map_or(Ok(()), |score| Err(BadPartition::Outside(score)))
}

/// The interval of a cell, and whether its right end belongs to it.
#[derive(Clone, Copy)]
struct CellInterval {
    edges: (f64, f64),
    closed: bool,
}

/// Assigns each tie to the first interval that does not end before it. Intervals must come in order.
fn fill_cells(data: &Scored, mut intervals: impl Iterator<Item = CellInterval>) -> Vec<PartitionCell> {
    let mut cells = Vec::new();
    let mut interval = intervals.next();
    let mut filling: Option<CellBuilder> = None;
    for tie in data.ties() {
        while let Some(CellInterval { edges: (_, end), closed }) = interval
            && !(tie.x < end || (closed && tie.x == end))
        {
            cells.extend(filling.take().map(CellBuilder::finish));
            interval = intervals.next();
        }
        let Some(CellInterval { edges, .. }) = interval else { break };
        let cell = PartitionCell { edges, scores: (tie.x, tie.x), mass: [0.0; 2], mean: tie.x, indicates: 1 };
        let builder = filling.get_or_insert(CellBuilder {
            cell,
            mass: [CompensatedSum::default(); 2],
            moment: CompensatedSum::default(),
        });
        builder.cell.scores.1 = tie.x;
        builder.mass = [0, 1].map(|k| builder.mass[k].plus(tie.mass[k]));
        builder.moment = builder.moment.plus((tie.mass[0] + tie.mass[1]) * (tie.x - builder.cell.scores.0));
    }
    cells.extend(filling.map(CellBuilder::finish));
    cells
}

/// Refuses a number of bins that is not from 1 to `MOST_BINS`.
fn check_count(k: usize) -> Result<(), BadPartition> {
    if (1..=MOST_BINS).contains(&k) { Ok(()) } else { Err(BadPartition::Bins(k.to_string())) }
}

/// The edges of `k` bins of equal width on the range of the scores. Refused if the range is not bounded, or so narrow that two edges are the
/// same float.
fn equal_width(data: &Scored, k: usize) -> Result<Vec<f64>, BadPartition> {
    check_count(k)?;
    let (low, high) = data.range();
    if let Some(why) = Scores::Bounded.refusal((low, high)) {
        return Err(BadPartition::Scale(why));
    }
    // Multiply before dividing: the tenths of [0, 1] are then 0.1, 0.2, 0.3, … as one writes them.
    let edges: Vec<f64> = (0..k).map(|j| low + (high - low) * j as f64 / k as f64).chain([high]).collect();
    let are_increasing = edges.is_sorted_by(|a, b| a < b);
    if are_increasing {
        Ok(edges)
    } else {
        Err(BadPartition::Scale("the bins are narrower than floating point tells apart"))
    }
}

/// The edges of bins of equal weight: the different quantiles.
fn equal_mass(data: &Scored, k: usize, closed: Closed) -> Result<Vec<f64>, BadPartition> {
    check_count(k)?;
    let [n0, n1] = data.totals();
    let (first, last) = data.ends();
    let mut edges = vec![first];
    let mut weight_below = CompensatedSum::default();
    // The number of the next quantile.
    let mut j = 1;
    for tie in data.ties() {
        weight_below = weight_below.plus(tie.mass[0]).plus(tie.mass[1]);
        let weight = weight_below.value() * k as f64;
        let passes_quantile = |j: usize| match closed {
            Closed::Right => weight >= j as f64 * (n0 + n1),
            Closed::Left => weight > j as f64 * (n0 + n1),
        };
        let first_quantile = j;
        while j < k && passes_quantile(j) {
            j += 1;
        }
        let is_inner = if closed == Closed::Right { tie.x < last } else { tie.x > first };
        if j > first_quantile && is_inner {
            edges.push(tie.x);
        }
    }
    edges.push(last);
    Ok(edges)
}
