//! Errors in files of scored data, with advice in terms of options.

use crate::data::read::{Cause, LabelRole, ReadError, Role, excerpt};
use crate::front::Failure;
use crate::lang::closest;
use crate::output::quote_for_shell;

/// A failure to read scored data: what is wrong, and which options would help.
pub(crate) fn explain(error: &ReadError) -> Failure {
    let message = match message(&error.cause) {
        Some(message) => format!("{}: {message}", error.location()),
        None => error.to_string(),
    };
    match help(&error.cause).or_else(|| error.cause.help()) {
        Some(help) => Failure::with_help(message, help),
        None => Failure::new(message),
    }
}

/// The message for causes that lie in the options.
fn message(cause: &Cause) -> Option<String> {
    Some(match cause {
        Cause::LabelWithCounts => {
            "--label names a column of labels, --counts two columns of counts: only one of them".into()
        }
        Cause::WeightWithCounts => "--weight belongs to rows with labels; counts are weights already".into(),
        Cause::TwoCounts(text) => format!("--counts takes the names of two columns, not `{text}`"),
        Cause::UnknownLabel { role, value, labels } => {
            let option = option_of(*role);
            let [a, b] = labels.each_ref().map(|label| excerpt(label));
            format!("{option} {value}: there is no such label; the labels are `{a}` and `{b}`")
        }
        _ => return None,
    })
}

/// The option that names the label of a role.
fn option_of(role: LabelRole) -> &'static str {
    match role {
        LabelRole::Positive => "--positive",
        LabelRole::HigherMeans => "--higher-means",
    }
}

/// Advice that names options.
fn help(cause: &Cause) -> Option<String> {
    match cause {
        Cause::NoColumn { name, role, names } => Some(missing_column(name, *role, names)),
        Cause::LabelsAndCounts => Some("say --counts n0,n1 or --label label".into()),
        Cause::TwoCounts(_) => Some("for example --counts n0,n1: how many rows of class 0, and of class 1".into()),
        Cause::WhichClass { labels, positive, higher_means } => {
            let missing = [(*positive, LabelRole::Positive), (*higher_means, LabelRole::HigherMeans)];
            Some(command_with_classes(labels, missing.into_iter().filter(|(known, _)| !known).map(|(_, role)| role)))
        }
        _ => None,
    }
}

/// Advice for a column that is not in the file.
fn missing_column(name: &str, role: Role, names: &[String]) -> String {
    if let [only] = names
        && let Some(delimiter) = [';', '\t', '|', ','].into_iter().find(|d| only.contains(*d))
    {
        let delimiter = if delimiter == '\t' { "tab".to_owned() } else { format!("'{delimiter}'") };
        return format!("there is one column only, `{only}`; perhaps --delimiter {delimiter}?");
    }
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return "the first line must hold the names of the columns, not numbers".into();
    }
    let listed: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let listed = listed.join(", ");
    let option = match role {
        Role::Score => "--score",
        Role::Label => "--label",
        Role::Weight => "--weight",
        Role::Count => "--counts",
    };
    match closest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`? The columns are {listed}; {option} names another"),
        None => format!("the columns are {listed}; {option} names the one that is meant"),
    }
}

/// The whole command as it was given, with the missing roles of labels added.
fn command_with_classes([a, b]: &[String; 2], missing: impl Iterator<Item = LabelRole>) -> String {
    let mut command = vec!["rocproof".to_owned()];
    command.extend(std::env::args().skip(1).map(|word| quote_for_shell(&word)));
    command.extend(missing.flat_map(|role| [option_of(role).to_owned(), quote_for_shell(b)]));
    format!("say so, with '{a}' or '{b}' as it is meant, for example: {}", command.join(" "))
}
