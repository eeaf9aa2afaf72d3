//! A page of figures of models, with their main numbers.

use crate::calculus::Estimate;
use crate::draw::Palette;
use crate::draw::model::Portrait;
use crate::functional::{Condition, Method, Value};
use crate::model::Model;
use crate::output::{digits, is_xml_character};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The metrics shown beside a figure.
const SHOWN: [&str; 5] = ["AUC", "AUCH", "BS", "RL", "H"];

/// The error that numbers are rounded to, unless their own is larger.
const SHOWN_TO: f64 = 4e-11;

const STYLE: &str = "body{font-family:system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222}\
section{margin:3rem 0;break-inside:avoid}svg{max-width:100%;height:auto}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.15rem .8rem .15rem 0;text-align:left;white-space:nowrap}\
div{overflow-x:auto}p{overflow-wrap:anywhere}";

/// A model of the gallery.
pub struct Entry {
    /// The stem of its file names, unique in the gallery.
    pub key: String,
    /// The model itself.
    pub model: Model,
    /// Its curves and numbers.
    pub portrait: Portrait,
}

/// The page. It holds the drawings themselves, so that it can be moved.
pub fn page(title: &str, entries: &[Entry], palette: Palette) -> String {
    let title = printable(title);
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            "\n" head {
                "\n" meta charset="utf-8";
                "\n" meta name="viewport" content="width=device-width, initial-scale=1";
                "\n" title { (title) }
                "\n" style { (PreEscaped(STYLE)) } "\n"
            }
            "\n" body {
                "\n" h1 { (title) }
                "\n" ul {
                    "\n"
                    @for (k, entry) in entries.iter().enumerate() { li { a href={ "#m" (k) } { (printable(&entry.model.name())) } } "\n" }
                } "\n"
                @for (k, entry) in entries.iter().enumerate() { (section(k, entry, palette)) }
            } "\n"
        } "\n"
    };
    page.into_string()
}

/// The figure of a model and its main numbers.
fn section(k: usize, Entry { key, model, portrait }: &Entry, palette: Palette) -> Markup {
    let evaluation = &portrait.evaluation;
    let metrics = evaluation.metrics().filter(|(metric, _)| SHOWN.contains(&metric.name));
    let loss_title = |method: Method| match method {
        Method::Optimal => "optimal loss".to_owned(),
        other => format!("{} loss", other.title()),
    };
    let convex = match evaluation.convex {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    };
    let svg = portrait.figure(palette).to_svg_within(&format!("m{k}-"));
    html! {
        section id={ "m" (k) } {
            "\n" h2 { (printable(&model.name())) } "\n"
            @if let Some(note) = &model.note { p { (printable(note.trim())) } "\n" }
            div { (PreEscaped(svg.trim_end())) }
            "\n" p { a href={ (percent_encode(key)) ".svg" } { (printable(key)) ".svg" } }
            "\n" div {
                table {
                    "\n"
                    @for (metric, value) in metrics { (row(metric.title, metric.name, value)) }
                    @for (method, value) in evaluation.losses(Condition::Cost) {
                        (row(&loss_title(method), &format!("L[{}]", method.name()), value))
                    }
                    tr { td { "convex" } td {} td { (convex) } td {} } "\n"
                }
            } "\n"
        } "\n"
    }
}

/// A value in a table: title, name, digits, closed form.
fn row(title: &str, name: &str, value: &Value) -> Markup {
    let (digits_or_reason, form) = match value {
        Value::Missing(why) => (why.to_string(), String::new()),
        known => {
            let form = known.exact().and_then(|exact| exact.form.clone().ok()).unwrap_or_default();
            let round = |e: Estimate| digits(Estimate { error: e.error.max(SHOWN_TO), ..e });
            (known.estimate().map(round).unwrap_or_default(), form)
        }
    };
    html! { tr { @for cell in [title, name, &digits_or_reason, &form] { td { (cell) } } } "\n" }
}

/// A text without control characters, which names of models and files may contain.
fn printable(text: &str) -> String {
    text.chars().filter(|c| is_xml_character(*c)).collect()
}

/// A file name as it stands in a link.
fn percent_encode(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let encoded = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    name.bytes().map(encoded).collect()
}
