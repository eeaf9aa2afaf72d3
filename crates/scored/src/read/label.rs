//! Class labels: when two are equal, and which one is the positive class.

use super::error::{Cause, LabelRole, Role};
use super::request::ColumnRequest;

/// A class label.
///
/// Numbers are compared as numbers, whole numbers exactly: `1`, `1.0` and `01` are one label. `true` and `false` are compared without
/// regard to case, other texts letter by letter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ClassLabel {
    /// `true` or `false`, in any case.
    Truth(bool),
    /// A whole number.
    Whole(i128),
    /// Another number.
    Number(f64),
    /// Anything else.
    Text(String),
}

/// Larger floats are not converted to whole numbers.
const LARGEST_WHOLE: f64 = 1e30;

impl ClassLabel {
    /// The label that a text stands for; white space around it is ignored. `None` if it is empty or NaN.
    pub fn of_text(text: &str) -> Option<ClassLabel> {
        let text = text.trim();
        if let Ok(whole) = text.parse::<i128>() {
            return Some(ClassLabel::Whole(whole));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_nan() => return None,
            Ok(number) if number.is_finite() => return ClassLabel::of_number(number),
            _ => {}
        }
        let truth = [false, true].into_iter().find(|truth| text.eq_ignore_ascii_case(&truth.to_string()));
        match truth {
            Some(truth) => Some(ClassLabel::Truth(truth)),
            None => (!text.is_empty()).then(|| ClassLabel::Text(text.to_owned())),
        }
    }

    /// A number as a label; `None` for NaN.
    pub fn of_number(number: f64) -> Option<ClassLabel> {
        if number.is_nan() {
            return None;
        }
        let is_whole = number.fract() == 0.0 && number.abs() < LARGEST_WHOLE;
        Some(if is_whole { ClassLabel::Whole(number as i128) } else { ClassLabel::Number(number) })
    }

    /// Whether the label is positive by itself, as 1 and true are, or negative, as 0, -1 and false are; `None` for other labels.
    fn is_positive(&self) -> Option<bool> {
        match self {
            ClassLabel::Truth(truth) => Some(*truth),
            ClassLabel::Whole(0 | -1) => Some(false),
            ClassLabel::Whole(1) => Some(true),
            _ => None,
        }
    }
}

impl std::fmt::Display for ClassLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ClassLabel::Truth(truth) => write!(f, "{truth}"),
            ClassLabel::Whole(whole) => write!(f, "{whole}"),
            ClassLabel::Number(number) => write!(f, "{number}"),
            ClassLabel::Text(text) => f.write_str(text),
        }
    }
}

/// The number of spellings that are remembered, so that repeated ones are not parsed again.
const SPELLINGS: usize = 8;

/// The labels of a file, in the order of their appearance.
#[derive(Debug, Default)]
pub(super) struct Labels {
    known: Vec<ClassLabel>,
    /// Spellings, each with the index of its label.
    spellings: Vec<(Box<[u8]>, usize)>,
}

impl Labels {
    /// The labels of grouped data: the names of the count columns.
    pub fn of_counts(names: [&str; 2]) -> Labels {
        Labels { known: names.map(|name| ClassLabel::Text(name.to_owned())).to_vec(), spellings: Vec::new() }
    }

    /// The index of a label, 0 for the first one that appeared. A new label is added, unless there are two already.
    pub fn index(&mut self, label: Option<ClassLabel>) -> Result<usize, Cause> {
        let label = label.ok_or(Cause::Missing(Role::Label))?;
        if let Some(index) = self.known.iter().position(|known| *known == label) {
            return Ok(index);
        }
        if let [a, b] = &self.known[..] {
            return Err(Cause::ThirdLabel { known: [a.to_string(), b.to_string()], third: label.to_string() });
        }
        self.known.push(label);
        Ok(self.known.len() - 1)
    }

    /// The index of a label as it is written.
    pub fn index_of_text(&mut self, text: &[u8]) -> Result<usize, Cause> {
        if let Some((_, index)) = self.spellings.iter().find(|(spelling, _)| **spelling == *text) {
            return Ok(*index);
        }
        let label = std::str::from_utf8(text).map_err(|_| Cause::NotUtf8)?;
        let index = self.index(ClassLabel::of_text(label))?;
        if self.spellings.len() < SPELLINGS {
            self.spellings.push((text.into(), index));
        }
        Ok(index)
    }

    /// Finds out which label is positive, and which one higher scores indicate. By default the positive label is 1 or true, that of counts
    /// is the second, and higher scores indicate the positive label.
    pub fn assign_classes(&self, request: &ColumnRequest, are_counts: bool) -> Result<ClassRoles, Cause> {
        let [a, b] = match &self.known[..] {
            [] => return Err(Cause::NoRows),
            [only] => return Err(Cause::OneLabel(only.to_string())),
            [a, b, ..] => [a, b],
        };
        let labels = [a.to_string(), b.to_string()];
        let requested = |role: LabelRole, value: &Option<String>| {
            let Some(value) = value else { return Ok(None) };
            let label = if are_counts { Some(ClassLabel::Text(value.clone())) } else { ClassLabel::of_text(value) };
            match [a, b].into_iter().position(|known| Some(known) == label.as_ref()) {
                Some(index) => Ok(Some(index)),
                None => Err(Cause::UnknownLabel { role, value: value.clone(), labels: labels.clone() }),
            }
        };
        let positive = requested(LabelRole::Positive, &request.positive)?;
        let higher_means = requested(LabelRole::HigherMeans, &request.higher_means)?;
        let default = match (are_counts, a.is_positive(), b.is_positive()) {
            (true, ..) => Some(1),
            (_, Some(true), Some(false)) if are_same_kind(a, b) => Some(0),
            (_, Some(false), Some(true)) if are_same_kind(a, b) => Some(1),
            _ => None,
        };
        // The positive label is class 0.
        let Some(class0) = positive.or(default) else { return Err(Cause::WhichPositive(labels)) };
        let higher = higher_means.unwrap_or(class0);
        let names = if class0 == 0 { labels } else { [labels[1].clone(), labels[0].clone()] };
        let classes = Classes {
            names,
            higher_means: usize::from(higher != class0),
            by_default: [positive.is_none(), higher_means.is_none()],
        };
        Ok(ClassRoles { exchanged: class0 == 1, classes })
    }
}

/// Whether both labels are numbers, or both truth values.
fn are_same_kind(a: &ClassLabel, b: &ClassLabel) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// The classes of two labels.
pub(super) struct ClassRoles {
    /// Whether the label that appeared first is class 1.
    pub exchanged: bool,
    /// The classes.
    pub classes: Classes,
}

/// The labels of the classes, and the class that higher scores indicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The labels of class 0, the positive class, and of class 1; for grouped data, the names of the count columns.
    pub names: [String; 2],
    /// The class that higher scores indicate.
    pub higher_means: usize,
    /// Whether the positive class, and the class that higher scores indicate, were chosen by default.
    pub by_default: [bool; 2],
}

#[cfg(test)]
mod tests {
    use super::ClassLabel;

    #[test]
    fn labels_are_compared_by_value() {
        assert_eq!(ClassLabel::of_text("1.0"), ClassLabel::of_text(" 1"));
        assert_eq!(ClassLabel::of_text("True"), ClassLabel::of_text("true"));
        assert_ne!(ClassLabel::of_text("Spam"), ClassLabel::of_text("spam"));
        assert_ne!(ClassLabel::of_text("9007199254740993"), ClassLabel::of_text("9007199254740992"));
        assert_eq!(ClassLabel::of_text(""), None);
    }
}
