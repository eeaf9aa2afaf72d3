//! Scores that are known by bins only: the range of each metric and expected loss over all ways to place the scores within their bins.
//!
//! | file | contents |
//! | --- | --- |
//! | `binned` | bins in order, with the weight of both classes in each |
//! | `order` | placements that are extreme for what depends on the order of scores only |
//! | `ends` | placements that are extreme for what is a sum over rows |
//! | `calibration` | the range of the calibration loss by ties |
//! | `range` | ranges, and their evaluation |
//!
//! Words are those of the curve: class 0 is predicted where `s <= t`, so that scores of class 0 should be low. Bins do not overlap. Two bins
//! *touch* if they share an end that belongs to both: scores of both may tie there. A bin of zero width is a known score.
//!
//! # What depends on the order of scores
//!
//! The *best* placement has class 0 at the lower end of each bin and class 1 at the upper end; the *worst* has them exchanged. An end that
//! belongs to no neighbour stands for a score of its own within the bin.
//!
//! **Lemma.** The ROC curve of the best placement lies nowhere below that of any other placement, and the curve of the worst nowhere above.
//!
//! *Proof.* Let `A` be the point of the curve before a bin with the increments `b = (b0, b1)` in `(F0, F1)`. A vertex of any placement has the form
//! `A + β` with `0 <= β <= b` for some bin, whichever threshold it belongs to. At `F1 = A1 + β1` the best curve has at least `A0 + b0`, since it
//! rises to `A0 + b0` before, or at, the first of class 1 in the bin. So vertices lie on the best curve or below it. A chord between two vertices
//! is a tie. If it is a tie within a bin, all of the chord lies below `A0 + b0`. Otherwise it is a tie at an end where bins touch, from
//! `(A1 - α1, A0 - α0)` to `(A1 + e1 + γ1, A0 + e0 + γ0)`: parts `α` and `γ` of the bins on either side, and all of a bin `e` of zero width. The
//! best curve has there the chord from `(A1 - a1, A0)` to `(A1 + e1, A0 + e0 + c0)`, with all of class 1 of the bin below and all of class 0 of
//! the bin above. At `F1 = A1 - α1` the tie has at most `A0`, the best curve at least that. From `F1 = A1 + e1` on the tie has at most
//! `A0 + e0 + c0`, and the best curve at least that. Between the two both are straight. The worst curve is the best one with classes
//! exchanged, which reflects the square. ∎
//!
//! So a quantity that only grows, or only falls, as the curve rises is extreme at these two placements, and its range is sharp:
//!
//! * `AUC`, `Gini`: the area below the curve.
//! * `AUCH`: the hull of a higher curve is higher.
//! * `L[o]`, `RL_conv`, `H` with every prior, `DSC`: `min_t Q(t; c)` does not grow as the curve rises, at each `c`; `RL_conv` is `L[o]` over
//!   uniform costs; `1 - H` is `L[o]` divided by a number that the class proportions determine; `DSC = UNC - RL_conv`.
//! * `L[rf]`, `L[ru]`, `L[rd]`: at the rate `r` it holds that `π1 F1 = r - π0 F0`, so `Q = 2{c π0 + (1-c) r - π0 F0}`, which falls as `F0` grows.
//!   The point of a higher curve on the line `R = r` has a higher `F0`. The losses are integrals of this `Q` over rates with a weight that is
//!   not negative. With balanced classes (skews, `M…`) read 1/2 for both proportions.
//! * `KS` is the larger one of `max(F0 - F1)`, which grows with the curve, and `max(F1 - F0)`, which falls. So its greatest value is that of the
//!   best or of the worst placement; and it is at least the larger one of `max(F0 - F1)` at the worst and `max(F1 - F0)` at the best. If no bins
//!   touch, the placement in which each bin is a tie attains this: its vertices lie between bins, where all curves meet.
//! * `RL` is the sum of `g(m) = m0 m1/(m0 + m1)` over ties. `g` is concave and homogeneous, so joining ties never lowers the sum. It is least
//!   if only known scores tie, and greatest if as much ties as can. Without touching bins that is a tie for each bin. A run of bins that all touch
//!   at one score can tie there as a whole. For a longer run the tie of the whole run is an upper bound.
//!
//! # What is a sum over rows
//!
//! `MAE`, `BS`, `L[sd]`, `s0`, `s1`, and `L[su]` on the scale [0, 1] are means over rows of a function of the score, which grows with the score
//! for one class and does not for the other: `x` and `1-x`, `x²` and `(1-x)²`, `∫_0^x 2c w(c) dc` and `∫_x^1 2(1-c) w(c) dc`. So they are extreme
//! where each class is at one end of its bins; open ends are approached. `Acc(t)` and `L[sf(t)]` depend on `s <= t` only: class 0 is predicted
//! for some score of a bin if its lower end is below `t`, or is `t` and belongs to the bin; class 1 if its upper end is above `t`.
//!
//! # What is not monotone
//!
//! * `CL = BS - RL` for ties. `BS` is greatest with class 1 at the lower end of a bin and class 0 at the upper end, and `RL` is least if the two
//!   are different scores: both are approached at once. Its least value: see `calibration`.
//! * `MCB = BS - RL_conv`: the two are not extreme together. The range is that of the difference, which contains all values.
//! * `L[su]` where scores are no probabilities: its scale runs from the smallest score to the largest, which move. Each row counts
//!   `u = (x - l)/(h - l)`, which grows with `x` and falls with `l` and with `h`; extreme `u` of each row bound the loss. If all scores may lie in
//!   [0, 1] and need not, the scale is [0, 1] in some placements only, and there is no range.

mod binned;
mod calibration;
mod ends;
mod order;
mod range;

pub use binned::{BadBins, BinRows, Binned};
pub use range::{BinnedCorp, BinnedEvaluation, RangeOrMissing, ValueRange, evaluate_bins};
