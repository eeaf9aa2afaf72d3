//! Errors that show the source, underline the place, and say what would be right.

use super::Span;
use std::fmt;

/// A text and what to call it in messages (`--f0`, a file name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the text is called.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// A named text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// A diagnostic about a place in this text.
    pub fn error(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            source: self.clone(),
            span,
            message: message.into(),
            label: label.into(),
            help: None,
            refutes: false,
        }
    }

    /// The span of the whole text.
    pub fn whole(&self) -> Span {
        Span { start: 0, end: self.text.len() }
    }
}

/// What is wrong with an input, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The text it is about.
    pub source: Source,
    /// The place.
    pub span: Span,
    /// What is wrong, as a sentence.
    pub message: String,
    /// What to write under the place.
    pub label: String,
    /// What would be right.
    pub help: Option<String>,
    /// Whether it is proved that the input is wrong, rather than that it is beyond some method.
    refutes: bool,
}

impl Diagnostic {
    /// The same about a text that this one's text stands in, from a byte on.
    pub fn within(mut self, outer: &Source, from: usize) -> Diagnostic {
        self.span = Span { start: self.span.start + from, end: self.span.end + from };
        self.source = outer.clone();
        self
    }

    /// Adds advice.
    pub fn help(mut self, advice: impl Into<String>) -> Diagnostic {
        self.help = Some(advice.into());
        self
    }

    /// The same, as something that is proved of the input.
    pub fn proved(mut self) -> Diagnostic {
        self.refutes = true;
        self
    }

    /// Whether it is proved that the input is wrong.
    pub fn is_refutation(&self) -> bool {
        self.refutes
    }

    /// The message with the source shown and the place underlined.
    pub fn render(&self, color: bool) -> String {
        use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind};
        let end = self.source.text.len();
        let start = floor_boundary(&self.source.text, self.span.start.min(end));
        // An empty span at the end of the text would show nothing: it points at the last character then.
        let stop = floor_boundary(&self.source.text, self.span.end.clamp(start, end));
        let range = if start == stop {
            floor_boundary(&self.source.text, start.saturating_sub(1))..stop.max(start)
        } else {
            start..stop
        };
        let name = self.source.name.as_str();
        let config = Config::default().with_color(color).with_index_type(IndexType::Byte).with_char_set(CharSet::Ascii);
        let mut report = Report::build(ReportKind::Error, (name, range.clone()))
            .with_config(config)
            .with_message(&self.message)
            .with_label(Label::new((name, range)).with_message(&self.label));
        if let Some(help) = &self.help {
            report = report.with_help(help);
        }
        let mut out = Vec::new();
        let written = report.finish().write((name, ariadne::Source::from(self.source.text.as_str())), &mut out);
        match written {
            Ok(()) => String::from_utf8_lossy(&out).into_owned(),
            Err(_) => self.to_string(),
        }
    }
}

fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.source.name, self.message, self.label)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate nearest to a misspelt name, if one is near enough to be meant.
///
/// ```
/// use rocproof_language::closest;
/// assert_eq!(closest("bata", ["beta", "normal"]), Some("beta"));
/// assert_eq!(closest("gamma", ["beta", "normal"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .map(|(_, candidate)| candidate)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
