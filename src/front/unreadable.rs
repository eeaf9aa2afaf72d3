//! Errors in files of scored data, with advice in terms of options.

use super::{Failure, Interface, Wording};
use crate::data::read::{Cause, LabelRole, ReadError, Role, excerpt};
use crate::lang::closest;
use crate::output::quote_for_shell;

/// A failure to read scored data: what is wrong, and which options would help.
pub fn explain_unreadable(error: &ReadError) -> Failure {
    let message = Wording::new(|interface| match message(&error.cause, interface) {
        Some(message) => format!("{}: {message}", error.location()),
        None => error.to_string(),
    });
    let advice = |interface| help(&error.cause, interface).or_else(|| error.cause.help());
    match advice(Interface::CommandLine) {
        Some(_) => Failure::with_help(message, Wording::new(|interface| advice(interface).unwrap_or_default())),
        None => Failure::new(message),
    }
}

/// The message for causes that lie in the options.
fn message(cause: &Cause, interface: Interface) -> Option<String> {
    let option = |name| interface.option(name);
    Some(match cause {
        Cause::LabelWithCounts => format!(
            "{} names a column of labels, {} two columns of counts: only one of them",
            option("label"),
            option("counts")
        ),
        Cause::WeightWithCounts => {
            format!("{} belongs to rows with labels; counts are weights already", option("weight"))
        }
        Cause::TwoCounts(text) => format!("{} takes the names of two columns, not `{text}`", option("counts")),
        Cause::TwoBinEnds(text) => format!("{} takes the names of two columns, not `{text}`", option("bins")),
        Cause::UnknownLabel { role, value, labels } => {
            let [a, b] = labels.each_ref().map(|label| excerpt(label));
            let setting = match interface {
                Interface::CommandLine => format!("{} {value}", option(option_of(*role))),
                Interface::Python => interface.setting(option_of(*role), value),
            };
            format!("{setting}: there is no such label; the labels are `{a}` and `{b}`")
        }
        _ => return None,
    })
}

/// The option that names the label of a role.
fn option_of(role: LabelRole) -> &'static str {
    match role {
        LabelRole::Positive => "positive",
        LabelRole::HigherMeans => "higher-means",
    }
}

/// Advice that names options.
fn help(cause: &Cause, interface: Interface) -> Option<String> {
    let counts = interface.setting("counts", "n0,n1");
    match cause {
        Cause::NoColumn { name, role, names } => Some(missing_column(name, *role, names, interface)),
        Cause::LabelsAndCounts => Some(format!("say {counts} or {}", interface.setting("label", "label"))),
        Cause::TwoCounts(_) => Some(format!("for example {counts}: how many rows are negative, and how many positive")),
        Cause::WhichPositive(labels) => Some(name_positive(labels, interface)),
        _ => None,
    }
}

/// Advice for a column `name` that is not among the `names` of the file: another delimiter, a header line, or the closest name.
fn missing_column(name: &str, role: Role, names: &[String], interface: Interface) -> String {
    // A single column whose name holds a delimiter is a whole header line.
    if let [only] = names
        && let Some(delimiter) = [';', '\t', '|', ','].into_iter().find(|d| only.contains(*d))
    {
        let delimiter = match (delimiter, interface) {
            ('\t', _) => "tab".to_owned(),
            (delimiter, Interface::CommandLine) => format!("'{delimiter}'"),
            (delimiter, Interface::Python) => delimiter.to_string(),
        };
        let setting = interface.setting("delimiter", delimiter);
        return format!("there is one column only, `{only}`; perhaps {setting}?");
    }
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return "the first line must hold the names of the columns, not numbers".into();
    }
    let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = listed.join(", ");
    let option = interface.option(match role {
        Role::Score => "score",
        Role::BinEnd => "bins",
        Role::Label => "label",
        Role::Weight => "weight",
        Role::Count => "counts",
        Role::Slice => "group-by",
    });
    match closest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? The columns are {listed}; {option} names another"),
        None => format!("the columns are {listed}; {option} names the one that is meant"),
    }
}

/// Advice to name the positive label: on the command line, the command as it was given with the option that it lacks. The second label
/// stands for the user's choice.
fn name_positive([a, b]: &[String; 2], interface: Interface) -> String {
    let example = match interface {
        Interface::CommandLine => {
            let words = std::env::args().skip(1).chain(["--positive".to_owned(), b.clone()]);
            let words: Vec<String> = words.map(|word| quote_for_shell(&word)).collect();
            format!("rocproof {}", words.join(" "))
        }
        Interface::Python => interface.setting("positive", b),
    };
    format!("say so, with '{a}' or '{b}' as it is meant, for example: {example}")
}
