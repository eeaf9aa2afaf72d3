//! The claims of the paper: where each stands, what it says, and what there is to settle. How they turn out is not said here.

use serde::Deserialize;

/// What kind of claim it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A theorem.
    Theorem,
    /// A corollary.
    Corollary,
    /// A lemma.
    Lemma,
    /// What a definition says, or must mean.
    Definition,
    /// An equation in the text.
    Identity,
    /// An inequality in the text.
    Inequality,
    /// An entry of a table or of a figure that is one.
    Table,
    /// A printed number.
    Number,
    /// A printed list of intervals.
    Intervals,
    /// Curves that match or do not match pointwise.
    Pointwise,
    /// A sentence of the text or of a caption.
    Remark,
    /// A line of a proof.
    Step,
}

impl Kind {
    /// All kinds, in the order in which they weigh.
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

    /// Its name in JSON.
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

/// Densities as the paper words them.
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

/// What a claim is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// All models of a class that the statement names.
    Every,
    /// One of the paper's models, by its label.
    Named(String),
    /// The densities that the paper's words give.
    Worded(Densities),
}

/// An interval as it is printed.
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

/// How a printed number that is not right may have come about.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Explanation {
    /// The mean of the integrand of a metric at equally spaced scores from 0 to 1, digits cut off.
    Mean {
        /// The metric.
        mean_of: String,
        /// How many scores.
        points: u32,
    },
    /// Digits cut off (`"cut"`) instead of rounded.
    Cut(Cut),
}

/// Digits cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cut {
    /// The value itself, digits cut off.
    Cut,
}

/// What is the matter with a claim if it is not right, where that does not show in how it was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matter {
    /// It would be right under a hypothesis that it does not state.
    Hypothesis,
    /// Its words can be read in more than one way.
    Underdetermined,
    /// One word or one index stands for another.
    Slip,
}

/// What there is to settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// A statement, in the language.
    Statement(String),
    /// A value and the digits that are printed for it.
    Printed {
        /// The value, in the language.
        value: String,
        /// Its digits in the paper.
        printed: String,
        /// How it may have come about.
        explained_by: Option<Explanation>,
    },
    /// The list of intervals.
    Intervals(Vec<PrintedInterval>),
    /// That the model is in a class.
    Class(String),
    /// That what the paper says of the model leaves no other one.
    Determined {
        /// Another one to try.
        unless: Densities,
    },
    /// That the words make a model at all.
    Model,
}

/// A claim of the paper, or the repair of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// A name of its own, after the paper's label.
    pub id: String,
    /// Where it stands.
    pub place: String,
    /// What kind it is.
    pub kind: Kind,
    /// What the paper says, in our words.
    pub words: String,
    /// The claim that it stands for, if that is not right as the paper has it.
    pub repairs: Option<String>,
    /// Whether the paper says that what is to be settled does not hold.
    pub denied: bool,
    /// What it is about.
    pub subject: Subject,
    /// What there is to settle.
    pub check: Check,
    /// What is the matter if it is not right, where that does not show otherwise.
    pub matter: Option<Matter>,
    /// Why it is not right and what was meant: told only if it turns out not to be right.
    pub explanation: Option<String>,
}

/// A slip of the pen: read by eye, as there is nothing in it to compute.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// A name of its own.
    pub id: String,
    /// Where it stands.
    pub place: String,
    /// What the paper says, in our words.
    pub words: String,
    /// What is meant.
    pub meant: String,
}

impl Claim {
    /// The statement about all models that it makes, if it makes one.
    pub fn theorem(&self) -> Option<&str> {
        match (&self.subject, &self.check) {
            (Subject::Every, Check::Statement(statement)) => Some(statement),
            _ => None,
        }
    }

    /// The claim as a name of files.
    pub fn file_stem(&self) -> String {
        self.id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '-' }).collect()
    }
}

/// A claim as it stands in a file.
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
    matter: Option<Matter>,
    explanation: Option<String>,
}

impl Entry {
    fn claim(self) -> Result<Claim, String> {
        let Entry { id, place, kind, words, repairs, denied, matter, explanation, .. } = self;
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
        let said: Vec<Check> = [
            self.statement.map(Check::Statement),
            printed,
            self.intervals.map(Check::Intervals),
            self.class.map(Check::Class),
            self.determined_unless.map(|unless| Check::Determined { unless }),
        ]
        .into_iter()
        .flatten()
        .collect();
        let check = match <[Check; 1]>::try_from(said) {
            Ok([check]) => check,
            Err(none) if none.is_empty() && matches!(subject, Subject::Worded(_)) => Check::Model,
            Err(_) => return Err(wrong("there must be one thing to settle")),
        };
        if subject == Subject::Every && !matches!(check, Check::Statement(_)) {
            return Err(wrong("of which model?"));
        }
        Ok(Claim { id, place, kind, words, repairs, denied, subject, check, matter, explanation })
    }
}

/// Reads a file of claims.
pub fn read(text: &str) -> Result<Vec<Claim>, String> {
    Ok(read_all(text)?.0)
}

/// Reads a file of claims, and of slips of the pen.
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
