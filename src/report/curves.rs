//! Curves of scored data as JSON and as CSV, written piece by piece.

use super::json::score as number;
use crate::data::Bootstrap;
use crate::data::curves::{Band, BandPoint, CurveKind, CurvePiece, Divisor, ScoredCurve};
use crate::functional::Condition;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The fields of a curve before its pieces.
fn head(model: &str, curve: &ScoredCurve) -> Vec<(&'static str, Json)> {
    let kind = curve.kind();
    let mut head = vec![("model", json!(model)), ("curve", json!(kind.name())), ("title", json!(kind.title()))];
    if let CurveKind::Loss(method, condition) = kind {
        head.push(("method", json!(method.name())));
        head.push(("condition", json!(if condition == Condition::Cost { "cost" } else { "skew" })));
    }
    head.push(("difference", json!(curve.is_difference())));
    head.extend([("x", json!(kind.abscissa())), ("y", json!(kind.ordinate()))]);
    head
}

/// A piece as JSON.
fn piece_json(piece: &CurvePiece) -> Json {
    let coefficients = piece.polynomial.coefficients();
    let mut object = json!({
        "from": piece.from, "to": piece.to, "left": number(piece.left()), "right": number(piece.right()),
        "degree": coefficients.len() - 1, "coefficients": coefficients,
    });
    if let Json::Object(map) = &mut object
        && piece.divisor != Divisor::One
    {
        map.insert("divisor".into(), json!(piece.divisor.name()));
    }
    object
}

/// Writes a curve as one JSON object, a piece at a time:
///
/// ```text
/// {"model", "curve", "title", ["method", "condition",] "difference", "x", "y",
///  "pieces": [{"from", "to", "left", "right", "degree", "coefficients"[, "divisor"]}, …], "area"
///  [, "band": {"level", "method", "x": […], "lo": […], "hi": […]}]}
/// ```
///
/// Between `from` and `to` the curve is `c0 + c1·u + c2·u²` with `u = (x - from)/(to - from)`, divided by the `divisor`, `1-x` or `x`, if there is one.
/// `left` and `right` are its limits, which may be `"-inf"`. Pieces come from left to right. The curve jumps where the `right` of one piece
/// differs from the `left` of the next. A piece with `from = to` is vertical, from `left` to `right`, or a single point. `area` is `null` for
/// curves without one. `band` holds intervals at abscissas `x`, from the samples that `bands` asks for, if the curve has a band.
///
/// ```
/// use rocproof::data::Scored;
/// use rocproof::data::curves::{Curves, CurveKind};
/// use rocproof::report::curves::write_json;
/// let data = Scored::from_rows(&[0.1, 0.4], &[false, true], None).unwrap();
/// let curves = Curves::new(&data);
/// let mut out = Vec::new();
/// write_json(&mut out, "mine", &curves.curve(CurveKind::Roc).unwrap(), None).unwrap();
/// let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
/// assert_eq!(json["pieces"][0]["right"], 1.0);
/// ```
pub fn write_json(out: &mut impl Write, model: &str, curve: &ScoredCurve, bands: Option<&Bootstrap>) -> io::Result<()> {
    write!(out, "{{")?;
    for (name, value) in head(model, curve) {
        write!(out, "\"{name}\": {value}, ")?;
    }
    write!(out, "\"pieces\": [")?;
    // One pass writes the pieces and adds up the area. The callback cannot stop the pass: the first error is kept and returned after it.
    let (mut separator, mut written) = ("", Ok(()));
    let area = curve.area_with(|piece| {
        if written.is_ok() {
            written = write!(out, "{separator}{}", piece_json(piece));
            separator = ",\n";
        }
    });
    written?;
    write!(out, "], \"area\": {}", json!(area))?;
    if let Some(band) = bands.and_then(|plan| curve.band(plan)) {
        write!(out, ", \"band\": {}", band_json(&band))?;
    }
    write!(out, "}}")
}

/// A band as JSON.
fn band_json(band: &Band) -> Json {
    let column = |end: fn(&BandPoint) -> f64| band.points.iter().map(end).collect::<Vec<f64>>();
    json!({
        "level": band.level, "method": band.method.name(),
        "x": column(|point| point.x), "lo": column(|point| point.low), "hi": column(|point| point.high),
    })
}

/// Writes curves as CSV, one row per piece: `model,curve,from,to,left,right,c0,c1,c2,divisor`, with the meaning of [`write_json`]. The name of a
/// difference ends in `-difference`.
pub fn write_csv<'a>(out: &mut impl Write, curves: &[(&str, ScoredCurve<'a>)]) -> io::Result<()> {
    writeln!(out, "model,curve,from,to,left,right,c0,c1,c2,divisor")?;
    for (model, curve) in curves {
        let difference = if curve.is_difference() { "-difference" } else { "" };
        let start = format!("{},{}{difference}", field(model), curve.kind().name());
        for piece in curve.pieces() {
            // At most c0, c1, c2; those above the degree are written as 0.
            let mut c = piece.polynomial.coefficients();
            c.resize(3, 0.0);
            let divisor = piece.divisor.name();
            let (from, to, left, right) = (piece.from, piece.to, piece.left(), piece.right());
            writeln!(out, "{start},{from},{to},{left},{right},{},{},{},{divisor}", c[0], c[1], c[2])?;
        }
    }
    Ok(())
}

/// A CSV field, quoted if necessary.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
