//! Diagnostics: errors that show the source text, underline the place, and suggest a correction.

use super::Span;
use std::fmt;

/// A text with the name that messages call it by, such as a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name for messages.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Source {
    /// A named text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// Makes a diagnostic about a place in this text.
    pub fn error(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic {
            source: self.clone(),
            span,
            message: message.into(),
            label: label.into(),
            help: None,
            alternative: None,
            refutes: false,
        }
    }

    /// The span of the whole text.
    pub fn whole(&self) -> Span {
        Span { start: 0, end: self.text.len() }
    }
}

/// An error in an input: what is wrong, where, and how to correct it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The text that the error is in.
    pub source: Source,
    /// The place of the error.
    pub span: Span,
    /// The error as a sentence.
    pub message: String,
    /// A few words printed under the place.
    pub label: String,
    /// Advice, without that of [`Diagnostic::or_level`].
    help: Option<String>,
    /// A level of evidence that would serve instead of the requested one.
    alternative: Option<Alternative>,
    /// Whether the input is proved to be wrong. Otherwise it may only be beyond some method.
    refutes: bool,
}

/// A level of evidence that would serve instead of the requested one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Alternative {
    /// The name of the level.
    level: &'static str,
    /// Its effect as a verb phrase: "serves this model".
    effect: &'static str,
}

impl Diagnostic {
    /// Moves the diagnostic to a larger text, in which this text begins at a byte position.
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

    /// Advises another level of evidence; `effect` is a verb phrase for its effect: "serves this model". Each interface names the level in
    /// its own way.
    pub fn or_level(mut self, level: &'static str, effect: &'static str) -> Diagnostic {
        self.alternative = Some(Alternative { level, effect });
        self
    }

    /// The advice, if there is any. `name_level` turns a level into the words by which an interface asks for it.
    pub fn advice(&self, name_level: impl Fn(&str) -> String) -> Option<String> {
        let alternative = self.alternative.map(|a| format!("{} {}", name_level(a.level), a.effect));
        match (&self.help, alternative) {
            (Some(help), Some(alternative)) => Some(format!("{help}; {alternative}")),
            (help, alternative) => alternative.or_else(|| help.clone()),
        }
    }

    /// Marks the diagnostic: the input is proved to be wrong.
    pub fn proved(mut self) -> Diagnostic {
        self.refutes = true;
        self
    }

    /// Whether the input is proved to be wrong.
    pub fn is_refutation(&self) -> bool {
        self.refutes
    }

    /// The bytes to underline: the span, cut to whole characters of the text. An empty span would show nothing, so it is widened to the
    /// character before it.
    fn visible_range(&self) -> std::ops::Range<usize> {
        let text = &self.source.text;
        let start = floor_boundary(text, self.span.start.min(text.len()));
        let end = floor_boundary(text, self.span.end.clamp(start, text.len()));
        if start == end { floor_boundary(text, start.saturating_sub(1))..end } else { start..end }
    }

    /// Renders the message with the source text and the place underlined.
    pub fn render(&self, color: bool) -> String {
        self.render_with(color, plain_level)
    }

    /// Renders the message as [`Diagnostic::render`] does; `name_level` is that of [`Diagnostic::advice`].
    pub fn render_with(&self, color: bool, name_level: impl Fn(&str) -> String) -> String {
        use ariadne::{CharSet, Config, IndexType, Label, Report, ReportKind};
        let range = self.visible_range();
        let name = self.source.name.as_str();
        let config = Config::default().with_color(color).with_index_type(IndexType::Byte).with_char_set(CharSet::Ascii);
        let mut report = Report::build(ReportKind::Error, (name, range.clone()))
            .with_config(config)
            .with_message(&self.message)
            .with_label(Label::new((name, range)).with_message(&self.label));
        if let Some(help) = self.advice(name_level) {
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

/// The words for a level of evidence where no interface has its own.
fn plain_level(level: &str) -> String {
    format!("the {level} level")
}

/// The last character boundary at or before a byte position.
fn floor_boundary(text: &str, mut position: usize) -> usize {
    while !text.is_char_boundary(position) {
        position -= 1;
    }
    position
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.source.name, self.message, self.label)?;
        match self.advice(plain_level) {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// The candidate with the smallest edit distance to a misspelt name, if that is at most a third of the candidate's length.
///
/// ```
/// use rocproof_language::closest;
/// assert_eq!(closest("bata", ["beta", "normal"]), Some("beta"));
/// assert_eq!(closest("gamma", ["beta", "normal"]), None);
/// ```
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::levenshtein(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().div_ceil(3))
        .map(|(_, candidate)| candidate)
}
