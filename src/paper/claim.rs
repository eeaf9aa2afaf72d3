//! The claims of the paper as data: where each stands, what it says, and what is to be checked. Outcomes are not part of the data.

use serde::Deserialize;

/// The kind of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A theorem.
    Theorem,
    /// A corollary.
    Corollary,
    /// A lemma.
    Lemma,
    /// A consequence of a definition.
    Definition,
    /// An equation in the text.
    Identity,
    /// An inequality in the text.
    Inequality,
    /// An entry of a table.
    Table,
    /// A printed number.
    Number,
    /// A printed list of intervals.
    Intervals,
    /// Curves that are said to coincide pointwise, or not to.
    Pointwise,
    /// A sentence of the text or of a caption.
    Remark,
    /// A line of a proof.
    Step,
}

impl Kind {
    /// All kinds, the weightiest first.
    pub const ALL: [Kind; 12] = [
        Kind::Theorem,
        Kind::Corollary,
        Kind::Lemma,
        Kind::Definition,
        Kind::Identity,
        Kind::Inequality,
        Kind::Table,
        Kind::Number,
        Kind::Intervals,
        Kind::Pointwise,
        Kind::Remark,
        Kind::Step,
    ];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Theorem => "theorem",
            Kind::Corollary => "corollary",
            Kind::Lemma => "lemma",
            Kind::Definition => "definition",
            Kind::Identity => "identity",
            Kind::Inequality => "inequality",
            Kind::Table => "table",
            Kind::Number => "number",
            Kind::Intervals => "intervals",
            Kind::Pointwise => "pointwise",
            Kind::Remark => "remark",
            Kind::Step => "step",
        }
    }
}

/// The densities of a model in the paper's words.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Densities {
    /// The score density of class 0.
    pub f0: String,
    /// The score density of class 1.
    pub f1: String,
    /// The proportion of class 0.
    pub pi0: String,
}

/// The subject of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// All models; the statement may name a class.
    Every,
    /// One of the paper's models, by its label.
    Named(String),
    /// A model with densities in the paper's words.
    Worded(Densities),
}

/// An interval as printed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedInterval {
    /// Bijective, constant or singular.
    pub kind: String,
    /// The interval of thresholds.
    pub tau: [String; 2],
    /// The interval of posteriors.
    pub sigma: [String; 2],
}

/// How a wrong printed number may have come about.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Explanation {
    /// The mean of a metric's integrand at equally spaced scores from 0 to 1, truncated.
    Mean {
        /// The metric.
        mean_of: String,
        /// The number of scores.
        points: u32,
    },
    /// The value truncated (`"cut"`) instead of rounded.
    Cut(Cut),
}

/// Truncation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The value, truncated.
    Cut,
}

/// The defect of a wrong claim, where the data name it: the evidence alone does not show which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Defect {
    /// The claim needs a hypothesis that it does not state.
    Hypothesis,
    /// It is ambiguous.
    Underdetermined,
    /// A word or an index is wrong.
    Slip,
}

/// The check of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// A statement, in the language.
    Statement(String),
    /// A value has the printed digits.
    Printed {
        /// The value, in the language.
        value: String,
        /// The digits in the paper.
        printed: String,
        /// How wrong digits may have come about.
        explained_by: Option<Explanation>,
    },
    /// The model has these intervals.
    Intervals(Vec<PrintedInterval>),
    /// The model is in a class.
    Class(String),
    /// The paper's claims about the model determine it.
    Determined {
        /// A second model to try.
        unless: Densities,
    },
    /// The words make a model.
    Model,
}

/// A claim of the paper, or the repair of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The identifier, after the paper's label.
    pub id: String,
    /// The place in the paper.
    pub place: String,
    /// The kind.
    pub kind: Kind,
    /// The claim in our words.
    pub words: String,
    /// The claim that it repairs, if it is a repair.
    pub repairs: Option<String>,
    /// Whether the paper says that the check fails.
    pub denied: bool,
    /// The subject.
    pub subject: Subject,
    /// The check.
    pub check: Check,
    /// The defect, if the claim is wrong and the evidence does not show it.
    pub defect: Option<Defect>,
    /// Why it is not right and what was meant. Shown only if it turns out not to be right.
    pub explanation: Option<String>,
}

/// A slip of the pen. It was found by reading: there is nothing to compute.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The identifier.
    pub id: String,
    /// The place in the paper.
    pub place: String,
    /// The claim in our words.
    pub words: String,
    /// The correction.
    pub meant: String,
}

impl Claim {
    /// The statement, if the claim is about all models.
    pub fn theorem(&self) -> Option<&str> {
        match (&self.subject, &self.check) {
            (Subject::Every, Check::Statement(statement)) => Some(statement),
            _ => None,
        }
    }

    /// The identifier as a stem of file names.
    pub fn file_stem(&self) -> String {
        self.id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
    }
}

/// A claim as a file of claims contains it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    place: String,
    kind: Kind,
    words: String,
    repairs: Option<String>,
    #[serde(default)]
    denied: bool,
    model: Option<String>,
    densities: Option<Densities>,
    statement: Option<String>,
    value: Option<String>,
    printed: Option<String>,
    explained_by: Option<Explanation>,
    intervals: Option<Vec<PrintedInterval>>,
    class: Option<String>,
    determined_unless: Option<Densities>,
    defect: Option<Defect>,
    explanation: Option<String>,
}

impl Entry {
    /// The claim, if the fields fit together: at most one subject, and one thing to check.
    fn claim(self) -> Result<Claim, String> {
        let Entry { id, place, kind, words, repairs, denied, defect, explanation, .. } = self;
        let wrong = |what: &str| format!("claim {id}: {what}");
        let subject = match (self.model, self.densities) {
            (None, None) => Subject::Every,
            (Some(label), None) => Subject::Named(label),
            (None, Some(densities)) => Subject::Worded(densities),
            (Some(_), Some(_)) => return Err(wrong("a model or densities, not both")),
        };
        let printed = match (self.value, self.printed, self.explained_by) {
            (Some(value), Some(printed), explained_by) => Some(Check::Printed { value, printed, explained_by }),
            (None, None, None) => None,
            _ => return Err(wrong("a printed number has `value` and `printed`")),
        };
        let checks: Vec<Check> = [
            self.statement.map(Check::Statement),
            printed,
            self.intervals.map(Check::Intervals),
            self.class.map(Check::Class),
            self.determined_unless.map(|unless| Check::Determined { unless }),
        ]
        .into_iter()
        .flatten()
        .collect();
        let check = match <[Check; 1]>::try_from(checks) {
            Ok([check]) => check,
            // Densities alone claim that they make a model.
            Err(checks) if checks.is_empty() && matches!(subject, Subject::Worded(_)) => Check::Model,
            Err(_) => return Err(wrong("there must be one thing to settle")),
        };
        if subject == Subject::Every && !matches!(check, Check::Statement(_)) {
            return Err(wrong("of which model?"));
        }
        Ok(Claim { id, place, kind, words, repairs, denied, subject, check, defect, explanation })
    }
}

/// Reads a file of claims.
pub fn read(text: &str) -> Result<Vec<Claim>, String> {
    Ok(read_all(text)?.0)
}

/// Reads a file of claims and slips of the pen.
pub(super) fn read_all(text: &str) -> Result<(Vec<Claim>, Vec<Slip>), String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        claim: Vec<Entry>,
        #[serde(default)]
        slip: Vec<Slip>,
    }
    let file: File = toml::from_str(text).map_err(|why| why.to_string())?;
    let claims: Result<Vec<Claim>, String> = file.claim.into_iter().map(Entry::claim).collect();
    Ok((claims?, file.slip))
}
