//! Ways to cut scored data into cells: ties, segments of the hull, stated bins.

use super::pools::pools;
use super::scored::Scored;
use super::sum::CompensatedSum;
use rocproof_engine::functional::definition::Scores;
use std::fmt;
use std::str::FromStr;

/// More bins than this are a slip, and would only eat memory.
const MOST_BINS: usize = 1_000_000;

/// Which end of a bin belongs to it. The outermost ends always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Closed {
    /// `[a, b)`: a score on an edge belongs to the bin above it.
    Left,
    /// `(a, b]`: a score on an edge belongs to the bin below it, as `s <= t` does with thresholds.
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
    /// The segments of the hull of the ROC curve: ties pooled until the share of class 1 grows.
    HullSegments,
    /// So many bins of equal width on the scale of the scores.
    EqualWidth(usize, Closed),
    /// So many bins of equal weight as far as ties allow: their edges are quantiles of the scores. Where a tie spans a quantile it
    /// belongs to the bin that it starts in ([`Closed::Right`]) or that it ends in ([`Closed::Left`]), and bins may stay empty.
    EqualMass(usize, Closed),
    /// Bins between these edges, which must hold all scores.
    Edges(Vec<f64>, Closed),
}

/// Why scored data cannot be cut like that.
#[derive(Clone, Debug, PartialEq)]
pub enum BadPartition {
    /// The text names no partition.
    Unknown(String),
    /// That is no number of bins.
    Bins(String),
    /// Edges must be numbers, at least two, and grow: from this one to the next they do not.
    Edges(String),
    /// A score lies outside the edges.
    Outside(f64),
    /// The scale of the scores cannot be cut.
    Scale(&'static str),
}

impl fmt::Display for BadPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPartition::Unknown(text) => write!(
                f,
                "`{text}` is no partition; write ties, hull, width:K, mass:K or edges:A,B,…, and :left or :right after bins"
            ),
            BadPartition::Bins(text) => write!(f, "`{text}` is no number of bins; it must be from 1 to {MOST_BINS}"),
            BadPartition::Edges(text) => {
                write!(f, "edges must be at least two numbers that grow, such as 0,0.5,1; this does not: {text}")
            }
            BadPartition::Outside(score) => {
                write!(f, "the score {score} lies outside the edges; they must hold all scores")
            }
            BadPartition::Scale(why) => write!(f, "no bins of equal width: {why}"),
        }
    }
}

impl std::error::Error for BadPartition {}

impl FromStr for Partition {
    type Err = BadPartition;

    fn from_str(text: &str) -> Result<Partition, BadPartition> {
        let unknown = || BadPartition::Unknown(text.to_owned());
        let (bins, closed) = match text.rsplit_once(':') {
            Some((bins, "left")) => (bins, Closed::Left),
            Some((bins, "right")) => (bins, Closed::Right),
            _ => (text, Closed::default()),
        };
        let count = |k: &str| {
            let bins = k.trim().parse::<usize>().ok().filter(|k| (1..=MOST_BINS).contains(k));
            bins.ok_or_else(|| BadPartition::Bins(k.to_owned()))
        };
        match bins.split_once(':') {
            None if text == "ties" => Ok(Partition::Ties),
            None if text == "hull" => Ok(Partition::HullSegments),
            Some(("width", k)) => Ok(Partition::EqualWidth(count(k)?, closed)),
            Some(("mass", k)) => Ok(Partition::EqualMass(count(k)?, closed)),
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

fn check_edges(edges: &[f64]) -> Result<(), BadPartition> {
    let grow = edges.len() >= 2 && edges.is_sorted_by(|a, b| a < b);
    let written = || edges.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    if grow { Ok(()) } else { Err(BadPartition::Edges(written())) }
}

impl Partition {
    /// Its short name, as it is written: `ties`, `hull`, `width:10`.
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

    /// Which end of a bin belongs to it, if there are stated bins.
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

/// Scores that lie together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionCell {
    /// The edges of the bin; the smallest and the largest score where there is no stated bin.
    pub edges: (f64, f64),
    /// The smallest and the largest score in it.
    pub scores: (f64, f64),
    /// The weight of class 0 and of class 1.
    pub mass: [f64; 2],
    /// The mean score.
    pub mean: f64,
    /// The class that higher scores speak for.
    pub speaks_for: usize,
}

impl PartitionCell {
    /// The weight of both classes.
    pub fn weight(&self) -> f64 {
        self.mass[0] + self.mass[1]
    }

    /// The share of the class that higher scores speak for.
    pub fn share(&self) -> f64 {
        self.mass[self.speaks_for] / self.weight()
    }
}

/// A cell while its scores are added up.
struct CellBuilder {
    cell: PartitionCell,
    mass: [CompensatedSum; 2],
    /// Weight times the distance from the smallest score.
    moment: CompensatedSum,
}

impl CellBuilder {
    fn done(self) -> PartitionCell {
        let (first, last) = self.cell.scores;
        let mass = self.mass.map(CompensatedSum::value);
        // Rounding must not carry a mean out of its cell: two cells never have the same.
        let mean = (first + self.moment.value() / (mass[0] + mass[1])).clamp(first, last);
        PartitionCell { mass, mean, ..self.cell }
    }
}

/// The cells of a partition that hold a score, in order, and how many hold none.
pub(super) fn cells(data: &Scored, partition: &Partition) -> Result<(Vec<PartitionCell>, usize), BadPartition> {
    let (edges, closed) = match partition {
        Partition::Ties | Partition::HullSegments => {
            let spans: Vec<CellInterval> = match partition {
                Partition::Ties => {
                    data.ties().map(|tie| CellInterval { edges: (tie.x, tie.x), closed: true }).collect()
                }
                _ => {
                    pools(data.ties()).iter().map(|p| CellInterval { edges: (p.first, p.last), closed: true }).collect()
                }
            };
            return Ok((filled(data, spans.into_iter()), 0));
        }
        Partition::EqualWidth(k, closed) => (equal_width(data, *k)?, *closed),
        Partition::EqualMass(k, closed) => (equal_mass(data, *k, *closed)?, *closed),
        Partition::Edges(edges, closed) => {
            check_edges(edges)?;
            let (first, last) = data.ends();
            let outside = [first, last].into_iter().find(|x| *x < edges[0] || *x > edges[edges.len() - 1]);
            if let Some(score) = outside {
                return Err(BadPartition::Outside(score));
            }
            (edges.clone(), *closed)
        }
    };
    let bins = edges.len() - 1;
    let pairs = edges.windows(2).enumerate();
    let spans = pairs.map(|(bin, pair)| CellInterval {
        edges: (pair[0], pair[1]),
        closed: closed == Closed::Right || bin + 1 == bins,
    });
    let cells = filled(data, spans);
    let asked = if let Partition::EqualMass(k, _) = partition { *k } else { bins };
    let empty = asked - cells.len();
    Ok((cells, empty))
}

/// Where a cell lies, and whether its right end belongs to it.
#[derive(Clone, Copy)]
struct CellInterval {
    edges: (f64, f64),
    closed: bool,
}

/// Puts ties into spans that come in order: each into the first that does not end before it.
fn filled(data: &Scored, mut spans: impl Iterator<Item = CellInterval>) -> Vec<PartitionCell> {
    let mut cells = Vec::new();
    let mut span = spans.next();
    let mut filling: Option<CellBuilder> = None;
    for tie in data.ties() {
        while let Some(CellInterval { edges: (_, end), closed }) = span
            && !(tie.x < end || (closed && tie.x == end))
        {
            cells.extend(filling.take().map(CellBuilder::done));
            span = spans.next();
        }
        let Some(CellInterval { edges, .. }) = span else { break };
        let cell = PartitionCell { edges, scores: (tie.x, tie.x), mass: [0.0; 2], mean: tie.x, speaks_for: 1 };
        let now = filling.get_or_insert(CellBuilder {
            cell,
            mass: [CompensatedSum::default(); 2],
            moment: CompensatedSum::default(),
        });
        now.cell.scores.1 = tie.x;
        now.mass = [0, 1].map(|k| now.mass[k].plus(tie.mass[k]));
        now.moment = now.moment.plus((tie.mass[0] + tie.mass[1]) * (tie.x - now.cell.scores.0));
    }
    cells.extend(filling.map(CellBuilder::done));
    cells
}

fn check_count(k: usize) -> Result<(), BadPartition> {
    if (1..=MOST_BINS).contains(&k) { Ok(()) } else { Err(BadPartition::Bins(k.to_string())) }
}

/// The edges of bins of equal width on the scale of the scores.
fn equal_width(data: &Scored, k: usize) -> Result<Vec<f64>, BadPartition> {
    check_count(k)?;
    let (low, high) = data.range();
    if let Some(why) = Scores::Bounded.refusal((low, high)) {
        return Err(BadPartition::Scale(why));
    }
    // The product first: tenths of [0, 1] are the numbers that one writes.
    let edges: Vec<f64> = (0..k).map(|j| low + (high - low) * j as f64 / k as f64).chain([high]).collect();
    let grow = edges.is_sorted_by(|a, b| a < b);
    if grow { Ok(edges) } else { Err(BadPartition::Scale("the bins are narrower than floating point tells apart")) }
}

/// The edges of bins of equal weight: quantiles, each once.
fn equal_mass(data: &Scored, k: usize, closed: Closed) -> Result<Vec<f64>, BadPartition> {
    check_count(k)?;
    let [n0, n1] = data.totals();
    let (first, last) = data.ends();
    let mut edges = vec![first];
    let mut reached = CompensatedSum::default();
    let mut j = 1;
    for tie in data.ties() {
        reached = reached.plus(tie.mass[0]).plus(tie.mass[1]);
        let weight = reached.value() * k as f64;
        let beyond = |j: usize| match closed {
            Closed::Right => weight >= j as f64 * (n0 + n1),
            Closed::Left => weight > j as f64 * (n0 + n1),
        };
        let from = j;
        while j < k && beyond(j) {
            j += 1;
        }
        let inner = if closed == Closed::Right { tie.x < last } else { tie.x > first };
        if j > from && inner {
            edges.push(tie.x);
        }
    }
    edges.push(last);
    Ok(edges)
}
