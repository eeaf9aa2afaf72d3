//! Which columns are asked for, and where they are.

use super::error::{Cause, Role};
use rocproof_language::closest;

/// What to read of a file.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Names of score columns, or several with commas between them; `score` if there is none.
    pub scores: Vec<String>,
    /// The name of the label column; `label` if there is none.
    pub label: Option<String>,
    /// The name of a column of weights.
    pub weight: Option<String>,
    /// The names of two columns that count the rows of class 0 and of class 1, with a comma between them.
    pub counts: Option<String>,
    /// The label of the positive class, which is class 0; of grouped data, the name of its count.
    pub positive: Option<String>,
    /// The label that higher scores speak for; of grouped data, the name of its count.
    pub higher_means: Option<String>,
    /// What stands between cells; a comma, or a tab in `.tsv` files, if nothing is said.
    pub delimiter: Option<u8>,
}

/// The columns that are read, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnIndices {
    pub scores: Vec<usize>,
    pub classes: ClassIndices,
}

/// What says which class a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ClassIndices {
    Labels { label: usize, weight: Option<usize> },
    Counts([usize; 2]),
}

impl ColumnIndices {
    /// Finds the columns of a request among those of a file.
    pub fn find(names: &[String], request: &Request) -> Result<ColumnIndices, Cause> {
        let find = |name: &str, role: Role| {
            let mut found = names.iter().enumerate().filter(|(_, n)| *n == name).map(|(index, _)| index);
            match (found.next(), found.next()) {
                (Some(index), None) => Ok(index),
                (Some(_), Some(_)) => Err(Cause::Twice(name.to_owned())),
                (None, _) => {
                    let advice = advice(name, role, names);
                    Err(Cause::NoColumn { name: name.to_owned(), role, names: names.to_vec(), advice })
                }
            }
        };
        let has = |name: &str| names.iter().any(|n| n == name);
        // A name with a comma in it is one name if there is such a column.
        let split = |text: &str| -> Vec<String> {
            let parts = || text.split(',').map(|part| part.trim().to_owned()).collect();
            if has(text) { vec![text.to_owned()] } else { parts() }
        };
        let scores: Vec<String> = match &request.scores[..] {
            [] => vec!["score".to_owned()],
            asked => asked.iter().flat_map(|text| split(text)).collect(),
        };
        let scores = scores.iter().map(|name| find(name, Role::Score)).collect::<Result<Vec<_>, _>>()?;
        let counts = match &request.counts {
            Some(text) => Some(text.as_str()),
            None if request.label.is_none() && has("n0") && has("n1") => match has("label") {
                true => return Err(Cause::LabelsAndCounts),
                false => Some("n0,n1"),
            },
            None => None,
        };
        let mass = match counts {
            Some(_) if request.label.is_some() => {
                return Err(Cause::Options(
                    "--label names a column of labels, --counts two columns of counts: only one of them",
                ));
            }
            Some(_) if request.weight.is_some() => {
                return Err(Cause::Options("--weight belongs to rows with labels; counts are weights already"));
            }
            Some(text) => match &split(text)[..] {
                [n0, n1] => ClassIndices::Counts([find(n0, Role::Count)?, find(n1, Role::Count)?]),
                _ => return Err(Cause::TwoCounts(text.to_owned())),
            },
            None => ClassIndices::Labels {
                label: find(request.label.as_deref().unwrap_or("label"), Role::Label)?,
                weight: request.weight.as_deref().map(|name| find(name, Role::Weight)).transpose()?,
            },
        };
        let columns = ColumnIndices { scores, classes: mass };
        let all = columns.all();
        match all.iter().enumerate().find(|(k, (index, _))| all[..*k].iter().any(|(other, _)| other == index)) {
            Some((_, (index, _))) => Err(Cause::Shared(names[*index].clone())),
            None => Ok(columns),
        }
    }

    /// All columns with what they are asked for: scores first, then labels and weights, or counts.
    pub fn all(&self) -> Vec<(usize, Role)> {
        let scores = self.scores.iter().map(|index| (*index, Role::Score));
        let mass = match &self.classes {
            ClassIndices::Labels { label, weight } => {
                let label = std::iter::once((*label, Role::Label));
                label.chain(weight.map(|index| (index, Role::Weight))).collect::<Vec<_>>()
            }
            ClassIndices::Counts(counts) => counts.map(|index| (index, Role::Count)).to_vec(),
        };
        scores.chain(mass).collect()
    }
}

/// What would be right in place of a name that is not there.
fn advice(name: &str, role: Role, names: &[String]) -> String {
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
