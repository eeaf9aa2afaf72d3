//! A page of figures of models, with their main numbers.

use crate::calculus::Estimate;
use crate::draw::Palette;
use crate::draw::model::Portrait;
use crate::functional::{Method, Value};
use crate::model::Model;
use crate::output::{digits, escaped};
use std::fmt::Write;

/// The numbers beside a figure: metrics by name.
const SHOWN: [&str; 5] = ["AUC", "AUCH", "BS", "RL", "H"];

/// Numbers are shown to this, as far as they are known.
const SHOWN_TO: f64 = 4e-11;

const STYLE: &str = "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222}\
section{margin:3rem 0;break-inside:avoid}svg{max-width:100%;height:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15rem .8rem .15rem 0;text-align:left;white-space:nowrap}\
div{overflow-x:auto}p{overflow-wrap:anywhere}";

/// A model that is shown, by the name of its files, which no other has.
pub struct Entry {
    /// The name of its files.
    pub key: String,
    /// The model.
    pub model: Model,
    /// Its curves and numbers.
    pub portrait: Portrait,
}

/// The page: everything is in it, so that it can be read anywhere.
pub fn page(title: &str, entries: &[Entry], palette: Palette) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<ul>\n",
        title = escaped(title)
    );
    // Writing to a string cannot fail.
    for (k, entry) in entries.iter().enumerate() {
        let _ = writeln!(out, "<li><a href=\"#m{k}\">{}</a></li>", escaped(&entry.model.name()));
    }
    out += "</ul>\n";
    for (k, entry) in entries.iter().enumerate() {
        section(&mut out, k, entry, palette);
    }
    out + "</body>\n</html>\n"
}

fn section(out: &mut String, k: usize, Entry { key, model, portrait }: &Entry, palette: Palette) {
    let _ = writeln!(out, "<section id=\"m{k}\">\n<h2>{}</h2>", escaped(&model.name()));
    if let Some(note) = &model.note {
        let _ = writeln!(out, "<p>{}</p>", escaped(note.trim()));
    }
    let _ = writeln!(out, "<div>{}</div>", portrait.figure(palette).to_svg_within(&format!("m{k}-")).trim_end());
    let _ = writeln!(out, "<p><a href=\"{}.svg\">{}.svg</a></p>\n<div><table>", linked(key), escaped(key));
    let evaluation = &portrait.evaluation;
    let metrics = evaluation.metrics.iter().filter(|(metric, _)| SHOWN.contains(&metric.name));
    for (metric, value) in metrics {
        row(out, metric.title, metric.name, value);
    }
    for (method, value) in &evaluation.cost_losses {
        let title =
            if *method == Method::Optimal { "optimal loss".to_owned() } else { format!("{} loss", method.title()) };
        row(out, &title, &format!("L[{}]", method.name()), value);
    }
    let convex = match evaluation.convex {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    };
    let _ = writeln!(out, "<tr><td>convex</td><td></td><td>{convex}</td><td></td></tr>\n</table></div>\n</section>");
}

fn row(out: &mut String, title: &str, name: &str, value: &Value) {
    let (shown, form) = match value {
        Value::Unavailable(why) => (why.to_string(), String::new()),
        known => {
            let form = known.settled().and_then(|settled| settled.form.clone().ok()).unwrap_or_default();
            let shown = |e: Estimate| digits(Estimate { error: e.error.max(SHOWN_TO), ..e });
            (known.estimate().map(shown).unwrap_or_default(), form)
        }
    };
    let cells = [title, name, &shown, &form].map(|cell| format!("<td>{}</td>", escaped(cell)));
    let _ = writeln!(out, "<tr>{}</tr>", cells.concat());
}

/// The name of a file as it stands in a link.
fn linked(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encoded = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(encoded).collect()
}
