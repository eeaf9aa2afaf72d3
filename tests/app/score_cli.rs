//! `rocproof score` as a user meets it: results, conventions in words, errors with their place, exit statuses.

use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder that is gone with this.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("rocproof-score-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }

    fn run(&self, command: &str) -> Output {
        let words = command.split_whitespace().map(|word| word.replace('␣', " "));
        Command::new(env!("CARGO_BIN_EXE_rocproof")).args(words).current_dir(&self.0).output().unwrap()
    }

    pub(crate) fn text(&self, command: &str) -> String {
        let output = self.run(command);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, command: &str) -> Value {
        serde_json::from_str(&self.text(&format!("{command} --json"))).unwrap()
    }

    /// Exit status 2, nothing written, and a message with all of the given words.
    pub(crate) fn refused(&self, command: &str, words: &[&str]) {
        let output = self.run(&format!("{command} -o out.txt"));
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {message}");
        assert!(output.stdout.is_empty() && !self.0.join("out.txt").exists(), "{command} wrote something");
        assert!(!message.contains("panicked"), "{command}: {message}");
        for word in words {
            assert!(message.contains(word), "{command}: no `{word}` in\n{message}");
        }
    }

    /// A file with this text is refused.
    fn bad(&self, text: impl AsRef<[u8]>, words: &[&str]) {
        self.write("bad.csv", text);
        self.refused("score bad.csv", words);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SMALL: &str = "score,label\n0.1,0\n0.4,0\n0.35,1\n0.8,1\n";

pub(crate) fn value(number: &Value) -> f64 {
    number["value"].as_f64().unwrap()
}

#[test]
fn one_model_has_the_keys_of_eval() {
    let folder = Folder::new("one");
    folder.write("small.csv", SMALL);
    let result = folder.json("score small.csv --no-intervals");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let expected = ["data", "cost", "convex", "gaps", "intervals", "metrics", "loss", "corp", "models", "notes"];
    assert_eq!(keys(&result), expected);
    assert_eq!(
        result["data"],
        json!({"file": "small.csv", "rows": 4, "score": ["score"], "label": "label", "counts": null, "weight": null,
               "class0": "1", "class1": "0", "higher_means": "1", "totals": [2.0, 2.0], "pi0": 0.5, "transforms": []})
    );
    for (name, expected) in [("AUC", 0.75), ("BS", 0.158125), ("Acc(1/2)", 0.75), ("s0", 0.575)] {
        let number = &result["metrics"][name];
        assert_eq!(keys(number), ["value", "lo", "hi", "exact", "level"]);
        assert!((value(number) - expected).abs() < 1e-15 && number["level"] == "numeric", "{name}: {number}");
    }
    for condition in ["cost", "skew"] {
        assert_eq!(keys(&result["loss"][condition]), ["sf(1/2)", "rf(1/2)", "su", "sd", "ru", "rd", "o"]);
    }
    let expected = ["score", "convex", "gaps", "intervals", "metrics", "loss", "notes", "corp"];
    assert_eq!(keys(&result["models"][0]), expected);
    assert_eq!((&result["models"][0]["metrics"], &result["convex"]), (&result["metrics"], &false.into()));
    let calibrated = folder.json("score small.csv --transform cal");
    assert_eq!((&calibrated["convex"], &calibrated["data"]["transforms"]), (&true.into(), &json!(["cal"])));
    assert_eq!(
        (value(&calibrated["metrics"]["CL"]), value(&calibrated["metrics"]["AUC"])),
        (0.0, value(&result["metrics"]["AUCH"]))
    );
    assert!(folder.text("score small.csv --transform conv --transform even").contains("transformed: Conv, then Even"));
}

#[test]
fn conventions_are_said_in_words() {
    let folder = Folder::new("words");
    folder.write("small.csv", SMALL);
    folder.write("mail.csv", "p,y\n0.1,ham\n0.4,ham\n0.35,spam\n0.8,spam\n");
    let text = folder.text("score small.csv");
    for words in [
        "`1` is positive, `0` negative (labels in column `label`)",
        "higher scores mean `1`",
        "at least the threshold",
        "by default: --positive and --higher-means change that",
    ] {
        assert!(text.contains(words), "no `{words}` in\n{text}");
    }
    let paper = folder.text("score small.csv --positive 0 --higher-means 1");
    assert!(paper.contains("`0` is predicted where the score is at most the threshold"), "{paper}");
    let mail = folder.text("score mail.csv --score p --label y --positive spam --higher-means spam");
    assert!(mail.contains("`spam` is positive, `ham` negative (labels in column `y`)"), "{mail}");
    assert!(!mail.contains("default") && !mail.contains("class 0") && !mail.contains("class 1"), "{mail}");
    let by_default = folder.text("score mail.csv --score p --label y --positive spam");
    assert_eq!(
        by_default.lines().filter(|line| !line.contains("default")).collect::<Vec<_>>(),
        mail.lines().collect::<Vec<_>>()
    );
    folder.refused(
        "score mail.csv --score p --label y",
        &[
            "`ham` and `spam`",
            "which one is positive?",
            "rocproof score mail.csv --score p --label y -o out.txt --positive spam",
        ],
    );
    folder.refused(
        "score mail.csv --score p --label y --positive spma",
        &["no such label", "`ham` and `spam`", "did you mean `spam`?"],
    );
}

#[test]
fn scores_are_never_reversed_silently() {
    let folder = Folder::new("auc");
    folder.write("small.csv", SMALL);
    let result = folder.json("score small.csv --higher-means 0");
    assert_eq!(value(&result["metrics"]["AUC"]), 0.25);
    let notes = result["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note.as_str().unwrap().contains("below 1/2")
        && note.as_str().unwrap().contains("the direction was not changed")
        && note.as_str().unwrap().contains("--higher-means '1'")));
    assert!(folder.text("score small.csv --higher-means 0").contains("note: the AUC of `score` is 0.25"));
    assert!(!folder.text("score small.csv").contains("below 1/2"));
}

/// A threshold is on the scale of the file, whichever class higher scores mean.
#[test]
fn thresholds_are_those_of_the_user() {
    let folder = Folder::new("threshold");
    folder.write("logits.csv", "score,label\n-3,0\n-1,1\n-1,0\n2,1\n2,1\n5,0\n");
    let loss =
        |options: &str, name: &str| value(&folder.json(&format!("score logits.csv {options}"))["loss"]["cost"][name]);
    // Predicted 0 at most 2: wrong are three rows of the label 1, and one of the label 0 above.
    assert!((loss("--threshold 2 --positive 0 --higher-means 1", "sf(2)") - 4.0 / 6.0).abs() < 1e-15);
    // Predicted 1 from 2 on: wrong are one row of the label 1 below, and one of the label 0.
    assert!((loss("--threshold 2", "sf(2)") - 2.0 / 6.0).abs() < 1e-15);
    assert!((loss("--threshold -1", "sf(-1)") - 2.0 / 6.0).abs() < 1e-15);
    let result = folder.json("score logits.csv --rate 1/3 --cost beta(2,␣3)");
    assert_eq!(
        (&result["cost"], result["loss"]["cost"]["rf(0.3333333333333333)"]["value"].is_f64()),
        (&"beta(2, 3)".into(), true)
    );
    assert!(result["metrics"]["BS"]["why"].as_str().unwrap().contains("outside [0, 1]"));
    folder.refused("score logits.csv --rate 2", &["a rate lies between 0 and 1"]);
    folder.refused("score logits.csv --cost gamma(2)", &["unknown cost distribution"]);
}

#[test]
fn several_models_stand_side_by_side() {
    let folder = Folder::new("several");
    folder.write("two.csv", "a,b,label,w\n0.1,0.9,0,1\n0.4,3,0,2\n0.35,0.3,1,0.5\n0.8,0.2,1,1\n");
    let result = folder.json("score two.csv --score a,b --weight w --no-intervals");
    assert!(
        result.get("metrics").is_none()
            && result["data"]["totals"] == json!([1.5, 3.0])
            && result["data"]["weight"] == "w"
    );
    let alone = folder.json("score two.csv --score b --weight w --no-intervals");
    assert_eq!((&result["models"][1], result["models"].as_array().unwrap().len()), (&alone["models"][0], 2));
    let text = folder.text("score two.csv --score a --score b --weight w");
    let row = text.lines().find(|line| line.contains("area under ROC curve")).unwrap();
    // Of pairs of the weight 9/2, those of 7/2 are in the order of `a`, and none in that of `b`.
    assert_eq!(value(&result["models"][1]["metrics"]["AUC"]), 0.0);
    assert!(row.contains("0.7778 ["), "{row}");
    assert!(!text.contains('±'), "{text}");
    assert!(text.contains("the AUC of `b` is") && !text.contains("the AUC of `a` is"), "{text}");
}

#[test]
fn grouped_rows_are_the_same_data() {
    let folder = Folder::new("groups");
    folder.write("rows.csv", "score,label\n0.2,0\n0.2,1\n0.2,0\n0.7,1\n0.9,1\n0.9,0\n");
    folder.write("groups.csv", "score,n0,n1\n0.9,1,1\n0.2,2,1\n0.7,0,1\n");
    folder.write("named.tsv", "s\tgood\tbad\n0.9\t1\t1.0\n0.2\t1\t2\n0.7\t1\t0\n");
    let rows = folder.json("score rows.csv");
    let groups = folder.json("score groups.csv");
    assert_eq!((&rows["metrics"], &rows["loss"]), (&groups["metrics"], &groups["loss"]));
    assert_eq!(
        (&groups["data"]["counts"], &groups["data"]["rows"], &groups["data"]["label"]),
        (&json!(["n0", "n1"]), &3.into(), &Value::Null)
    );
    let named = folder.json("score named.tsv --score s --counts bad,good");
    assert_eq!((&rows["metrics"], &named["data"]["class0"]), (&named["metrics"], &"good".into()));
    folder.refused("score groups.csv --positive n2", &["no such label", "`n0` and `n1`"]);
    folder.refused("score groups.csv --counts n0", &["two columns"]);
    folder.refused("score groups.csv --counts n0,n1 --weight n0", &["counts are weights already"]);
}

#[test]
fn text_comes_packed_piped_and_otherwise_separated() {
    let folder = Folder::new("packed");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(SMALL.as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    folder.write("small.csv.gz", &packed);
    folder.write("cut.csv.gz", &packed[..packed.len() - 10]);
    folder.write("small.tsv", SMALL.replace(',', "\t"));
    folder.write("semi.csv", SMALL.replace(',', ";"));
    for command in ["score small.csv.gz", "score small.tsv", "score semi.csv --delimiter ;"] {
        assert_eq!(value(&folder.json(command)["metrics"]["AUC"]), 0.75, "{command}");
    }
    folder.refused("score cut.csv.gz", &["cut.csv.gz", "cannot be read"]);
    folder.refused("score semi.csv", &["perhaps --delimiter ';'?"]);
    folder.refused("score semi.csv --delimiter tabs", &["one ASCII character"]);
    let piped = |bytes: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rocproof"));
        let command =
            command.args(["score", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    };
    let output: Value = serde_json::from_slice(&piped(SMALL.as_bytes()).stdout).unwrap();
    assert_eq!((&output["data"]["file"], value(&output["metrics"]["AUC"])), (&"-".into(), 0.75));
    for (broken, message) in [
        (&b"PAR1...."[..], "standard input: the Parquet file cannot be read"),
        (b"ARROW1\0\0....ARROW1", "standard input: the Arrow data cannot be read"),
        (b"\xff\xff\xff\xff\x10\0\0\0....", "standard input: the Arrow data cannot be read"),
    ] {
        let output = piped(broken);
        assert_eq!(output.status.code(), Some(2));
        let found = String::from_utf8_lossy(&output.stderr);
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn bad_data_are_refused_with_their_place() {
    let folder = Folder::new("bad");
    let rows = |rows: &str| format!("score,label\n0.1,0\n{rows}");
    folder.bad(rows("NaN,1\n"), &["bad.csv, row 2 (line 3), column `score`: the score is NaN"]);
    folder.bad(rows("-inf,1\n"), &["row 2 (line 3), column `score`: the score is -inf"]);
    folder.bad(rows("1e999,1\n"), &["the score is inf"]);
    folder.bad(rows(",1\n"), &["row 2 (line 3), column `score`: the score is missing"]);
    folder.bad(rows("0.2,\n"), &["row 2 (line 3), column `label`: the label is missing"]);
    folder.bad(rows("high,1\n"), &["row 2 (line 3), column `score`: the score `high` is not a number"]);
    folder.bad(rows("\"1,000\",1\n"), &["`1,000` is not a number", "without thousands separators"]);
    folder.bad(rows("0.2,1\n0.3,2\n"), &["row 3 (line 4), column `label`: `2` is a third label, after `0` and `1`"]);
    folder.bad(rows("0.2,1,7\n"), &["row 2 (line 3): the row has 3 cells, and the header has 2"]);
    folder.bad(rows("0.2,0\n"), &["all rows have the label `0`"]);
    folder.bad("score,label,score\n1,0,1\n", &["more than one column is called `score`"]);
    folder.bad("Score,label\n1,0\n", &["no score column `score`", "did you mean `Score`?", "`Score`, `label`"]);
    folder.bad("score,y\n1,0\n", &["no label column `label`", "`score`, `y`", "--label"]);
    folder.bad("0.1,1\n0.2,0\n", &["the first line must hold the names"]);
    folder.bad("", &["the file is empty"]);
    folder.bad("score,label\n", &["there are no rows of data"]);
    folder.bad(b"\xff\xfes\x00,\x00", &["UTF-16", "iconv"]);
    folder.bad(b"score,label\n0.1,caf\xe9\n", &["row 1 (line 2), column `label`: this is not UTF-8"]);
    folder.bad(b"\x00\x01\x02\x03score", &["a binary file"]);
    folder.write("weights.csv", "score,label,w\n0.1,0,1\n0.2,1,-1\n");
    folder.refused("score weights.csv --weight w", &["row 2 (line 3), column `w`: the weight is -1"]);
    folder.write("weights.csv", "score,label,w\n0.1,0,1\n0.2,1,0\n");
    folder.refused("score weights.csv --weight w", &["nothing of class `1` has any weight"]);
    folder.write("counts.csv", "score,n0,n1\n0.1,0,1\n0.2,1,nan\n");
    folder.refused("score counts.csv", &["row 2 (line 3), column `n1`: the count is NaN"]);
    folder.write("broken.parquet", "PAR1 and nothing else PAR1");
    folder.refused("score broken.parquet", &["broken.parquet: the Parquet file cannot be read"]);
    folder.write("text.parquet", SMALL);
    folder.refused("score text.parquet", &["does not start as a Parquet file does"]);
    folder.refused("score no-such.csv", &["no-such.csv", "no such file"]);
    std::fs::create_dir_all(folder.0.join("empty")).unwrap();
    folder.refused("score empty", &["this directory holds no CSV, Parquet or Arrow file", ".parquet"]);
}

#[test]
fn the_data_are_not_overwritten() {
    let folder = Folder::new("output");
    folder.write("small.csv", SMALL);
    assert_eq!(folder.run("score small.csv -o ./small.csv").status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(folder.0.join("small.csv")).unwrap(), SMALL);
    assert!(folder.text("score small.csv -o out.txt").is_empty());
    assert!(std::fs::read_to_string(folder.0.join("out.txt")).unwrap().contains("AUC"));
}

/// Scores for the other class as the file has them: the positive class is what higher scores mean.
const TURNED: &str = "p,class\n0.1,ham\n0.4,ham\n0.3,spam\n0.8,spam\n0.8,ham\n0.9,spam\n";
const BOTH: &str = "--score p --label class --positive spam --higher-means spam";

#[test]
fn thresholds_and_choice() {
    let folder = Folder::new("at");
    folder.write("mail.csv", TURNED);
    let result = folder.json(&format!("score mail.csv {BOTH} --at c=1/2 --at z=0.3 --known deployment"));
    let at = &result["models"][0]["at"][0];
    assert_eq!((&at["predicts_class_0"], &at["at"]), (&json!("score >= threshold"), &json!("c = 1/2")));
    // Spam from 0.8 on finds two of three and takes one of three ham; from 0.9 on one, and takes none: the loss is 1/3 for both.
    let optimal = &at["methods"][6];
    let minimiser = &optimal["threshold"]["minimisers"][0];
    assert_eq!((&minimiser["above"], &minimiser["to"], &minimiser["points"]), (&json!(0.4), &json!(0.9), &json!(2)));
    assert!((value(&optimal["loss"]) - 1.0 / 3.0).abs() < 1e-15, "{optimal}");
    // s >= 1 - c.
    assert_eq!(at["methods"][3]["threshold"], json!({"kind": "at", "threshold": 0.5}));
    let choice = &result["models"][0]["choice"];
    let applies = |k: usize| choice["methods"][k]["applies"].as_bool().unwrap();
    assert_eq!((0..7).filter(|k| applies(*k)).count(), 7);
    let text = folder.text(&format!("score mail.csv {BOTH} --at c=1/2 --known never"));
    assert!(text.contains("s >= t predicts the positive label") && text.contains("nothing is known"), "{text}");
}

/// Thresholds chosen on one file and evaluated on another, and what to deploy. From the training rows the cut is 0.5: two of six are lost.
#[test]
fn thresholds_are_paid_for_on_other_rows() {
    let folder = Folder::new("train");
    folder.write("mail.csv", TURNED);
    folder.write("train.csv", "class,p\nham,0.25\nspam,0.75\n");
    let result = folder.json(&format!("score mail.csv {BOTH} --at c=1/2 --train train.csv"));
    let optimal = &result["models"][0]["at"][0]["methods"][6];
    assert!((value(&optimal["out_of_sample"]) - 1.0 / 3.0).abs() < 1e-15, "{optimal}");
    assert_eq!(
        optimal["out_of_sample"]["method"],
        json!("Wilson with an effective number of rows, mean of losses by row")
    );
    let deploy = &result["deploy"][0];
    assert_eq!((&deploy["at"], &deploy["model"], &deploy["method"]), (&json!("c = 1/2"), &json!("p"), &json!("sd")));
    assert_eq!((&deploy["threshold"], &deploy["threshold_interval"]), (&json!(0.5), &json!(null)));
    assert!(deploy["why"].as_str().unwrap().contains("lowest loss out of sample"), "{deploy}");
    let text = folder.text(&format!("score mail.csv {BOTH} --at c=1/2 --train train.csv"));
    assert!(text.contains("use threshold 0.5: `spam` where the score is >= 0.5"), "{text}");
    assert_eq!(deploy["rule"], "threshold 0.5: `spam` where the score is >= 0.5");
    // The optimal method, in sample too: both cuts lose two rows of six.
    let row = text.lines().find(|line| line.contains("in sample: too low")).unwrap();
    assert_eq!(row.split(['│', '┆']).nth(2).unwrap().trim(), "0.3333", "{text}");
    // By folds: both classes have three rows. Over costs, nothing known: methods that need the condition are left out.
    let text = folder.text(&format!("score mail.csv {BOTH} --known never"));
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("3 folds, stratified by class, drawn 20 times"), "{text}");
    let result = folder.json(&format!("score mail.csv {BOTH} --known never"));
    let method = result["deploy"][0]["method"].as_str().unwrap();
    assert!(["sf(1/2)", "rf(1/2)"].contains(&method), "{method}");
    // A class with one row has no two parts, which is said.
    folder.write("one.csv", "p,class\n0.1,ham\n0.4,ham\n0.9,spam\n");
    let result = folder.json(&format!("score one.csv {BOTH} --at c=1/2"));
    let missing = &result["models"][0]["at"][0]["methods"][6]["out_of_sample"];
    assert!(missing["value"].is_null() && missing["why"].as_str().unwrap().contains("single row"), "{missing}");
    assert_eq!(result["deploy"], json!([]));
    folder.refused(&format!("score mail.csv {BOTH} --train none.csv"), &["none.csv"]);
    folder.write("other.csv", "q,class\n0.1,ham\n0.4,spam\n");
    folder.refused(&format!("score mail.csv {BOTH} --train other.csv"), &["other.csv", "`p`"]);
    folder.refused(&format!("score mail.csv {BOTH} --train train.csv --transform cal"), &["--transform"]);
}

/// 0.7654321 of ten million rows are 7654321 rows: no tie is split for one row more or less.
#[test]
fn rates_are_exact() {
    let folder = Folder::new("rate");
    let method = |rows: u32, rate: &str| {
        folder.write("groups.csv", format!("score,n0,n1\n0.2,{},{}\n0.8,1000000,{}\n", rows - 67, 67, 9000000 - rows));
        let command = format!("score groups.csv --positive n0 --higher-means n1 --at c=1/2 --rate {rate}");
        folder.json(&command)["models"][0]["at"][0]["methods"][1].clone()
    };
    for rate in ["0.7654321", "7654321/10000000", "7/10+0.0654321"] {
        let between = &method(7654321, rate)["threshold"];
        assert_eq!(
            (&between["kind"], &between["from"], &between["below"]),
            (&json!("between"), &json!(0.2), &json!(0.8))
        );
        assert_eq!(method(7654320, rate)["threshold"]["kind"], json!("split"));
        assert_eq!(method(7654322, rate)["threshold"]["kind"], json!("split"));
    }
}

/// Scores that 1 - s cannot tell apart: thresholds lie between those of the file.
#[test]
fn thresholds_between_close_scores() {
    let folder = Folder::new("close");
    folder.write("close.csv", "score,label\n0.1,1\n0.10000000000000002,0\n0.5,0\n0.09999999999999999,1\n");
    let result = folder.json("score close.csv --positive 0 --higher-means 0 --at c=0.5");
    let optimal = &result["models"][0]["at"][0]["methods"][6];
    let minimiser = &optimal["threshold"]["minimisers"][0];
    assert_eq!((&minimiser["above"], &minimiser["to"]), (&json!(0.1), &json!(0.10000000000000002)));
    assert_eq!(value(&optimal["loss"]), 0.0);
}

/// A threshold that is a score takes its tie: the gap before it ended beyond it by a rounding.
#[test]
fn thresholds_at_scores() {
    let folder = Folder::new("tie");
    folder.write("wide.csv", "score,label\n-1.1,0\n0.3,0\n0.7,1\n");
    let result = folder.json("score wide.csv --positive 0 --higher-means 1 --threshold 0.3");
    assert_eq!(value(&result["metrics"]["Acc(0.3)"]), 1.0);
    folder.write("turned.csv", "score,label\n0.9,0\n0.1,0\n0.05,1\n");
    let result = folder.json("score turned.csv --positive 0 --higher-means 0 --threshold 0.1");
    assert_eq!(value(&result["metrics"]["Acc(0.1)"]), 1.0);
    folder.write("cal.csv", "score,label\n0.9,0\n0.5,0\n0.5,0\n0.5,1\n0.1,0\n0.1,1\n");
    let result = folder.json("score cal.csv --positive 0 --higher-means 0 --transform cal");
    assert_eq!(value(&result["metrics"]["MAcc(1/2)"]), 0.5);
}

#[test]
fn decompositions_and_finite_samples() {
    let folder = Folder::new("parts");
    folder.write("mail.csv", TURNED);
    let options = "--decompose ties --decompose edges:0,0.35,1 --finite-sample";
    let result = folder.json(&format!("score mail.csv {BOTH} {options}"));
    let parts = &result["models"][0]["decompositions"];
    assert_eq!((value(&parts[0]["BS"]), &parts[0]["partition"]), (value(&result["metrics"]["BS"]), &json!("ties")));
    // Bins are on the scale of the file, weights are of spam, the positive label, and of ham.
    let cells = parts[1]["cells"].as_array().unwrap();
    assert_eq!((&cells[0]["weight"], &cells[1]["weight"]), (&json!([1.0, 1.0]), &json!([2.0, 2.0])));
    assert_eq!((&cells[0]["mean_score"], &cells[0]["share"]), (&json!(0.2), &json!(0.5)));
    let sum: f64 = ["CL", "RL", "defect"].iter().map(|part| value(&parts[1][part])).sum();
    assert!((sum - value(&parts[1]["BS"])).abs() < 1e-15);
    assert!((value(&result["models"][0]["corp"]["UNC"]) - 0.25).abs() < 1e-15);
    assert!(result["models"][0]["finite_sample"].as_array().unwrap().len() > 10);
    folder.refused("score mail.csv --decompose width:0", &["width:0"]);
}

#[test]
fn intervals_and_differences() {
    let folder = Folder::new("spread");
    let row = |k: u32| format!("{},{},{}\n", f64::from(k % 17) / 17.0, k % 13, u8::from(k % 17 + k % 5 > 10));
    folder.write("two.csv", format!("a,b,label\n{}", (0..200).map(row).collect::<String>()));
    let command = "score two.csv --score a,b --bootstrap 40 --seed 3 --confidence 0.8";
    let result = folder.json(command);
    assert_eq!(result, folder.json(command));
    assert_ne!(
        result["models"][0]["bootstrap"],
        folder.json("score two.csv --score a,b --bootstrap 40")["models"][0]["bootstrap"]
    );
    let [a, b] = [0, 1].map(|k| &result["models"][k]["bootstrap"]["metrics"]["AUC"]);
    let difference = &result["differences"][0];
    assert_eq!(difference["models"], json!(["a", "b"]));
    assert!((value(&difference["bootstrap"]["metrics"]["AUC"]) - (value(a) - value(b))).abs() < 1e-15);
    assert!(a["lo"].as_f64() < a["hi"].as_f64() && difference["delong"]["p"].as_f64().unwrap() < 1.0);
    // The second has no Brier score: its scores are no probabilities.
    assert!(result["models"][1]["bootstrap"]["metrics"]["BS"]["value"].is_null());
    let alone = folder.json("score two.csv --score a --delong");
    // Both add up the same pairs, in different orders.
    let delong = alone["models"][0]["delong"]["AUC"].as_f64().unwrap();
    assert!((delong - value(&alone["metrics"]["AUC"])).abs() < 1e-15);
    folder.refused("score two.csv --score a --bootstrap 0", &["bootstrap"]);
    folder.refused("score two.csv --score a --delong --confidence 2", &["between 0 and 1"]);
    folder.write("half.csv", "score,n0,n1\n0.1,1,2.5\n0.6,1,1\n");
    folder.refused("score half.csv --bootstrap 10", &["2.5"]);
}

#[test]
fn curves_and_figures_are_files() {
    let folder = Folder::new("files");
    folder.write("mail.csv", TURNED);
    let result = folder.json(&format!("score mail.csv {BOTH} --curves curves.json --figure roc.svg --show roc"));
    let curves: Value = serde_json::from_str(&folder.read("curves.json")).unwrap();
    let area = |name: &str| {
        let curve = curves["curves"].as_array().unwrap().iter().find(|curve| curve["curve"] == name).unwrap();
        curve["area"].as_f64().unwrap()
    };
    for (name, expected) in [("roc", "AUC"), ("hull", "AUCH"), ("brier", "BS")] {
        assert!((area(name) - value(&result["metrics"][expected])).abs() < 1e-13, "{name}");
    }
    for method in [("score-fixed", "sf(1/2)"), ("rate-driven", "rd"), ("optimal", "o"), ("score-uniform", "su")] {
        assert!((area(method.0) - value(&result["loss"]["cost"][method.1])).abs() < 1e-13, "{method:?}");
    }
    assert!(folder.read("roc.svg").contains("<svg"));
    folder.text(&format!("score mail.csv {BOTH} --curves brier.csv --curve brier"));
    assert!(folder.read("brier.csv").starts_with("model,curve,from,to,left,right"));
    for (options, says) in [
        ("--figure roc.gif", ".svg, .png or .pdf"),
        ("--figure no/such/roc.svg --curves left.json", "no such folder"),
        ("--figure a.svg --show roq", "there is no figure"),
        ("--curves a.json --curve roq", "there is no curve"),
        ("--curves a.txt", ".json or .csv"),
        ("--figure a.svg --transform cal", "--transform"),
    ] {
        folder.refused(&format!("score mail.csv {BOTH} {options}"), &[says]);
    }
    let output = folder.run(&format!("score mail.csv {BOTH} --curves a.json -o a.json"));
    assert!(output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("two results"));
    assert!(!folder.has("left.json") && !folder.has("a.json"));
}

/// Bands are intervals around the curve, in the file of curves and in the figure; curves without a band have none.
#[test]
fn bands_are_written_and_drawn() {
    let folder = Folder::new("bands");
    let rows: Vec<String> = (0..200)
        .map(|k| {
            let score = (f64::from(k) + 0.5) / 200.0;
            let label = u8::from((f64::from(k) * 0.618_033_988_749_895).fract() < score);
            format!("{score},{label}")
        })
        .collect();
    folder.write("rows.csv", format!("score,label\n{}\n", rows.join("\n")));
    folder.text("score rows.csv --bands --curves curves.json --figure roc.svg --show roc");
    let curves: Value = serde_json::from_str(&folder.read("curves.json")).unwrap();
    let band = |name: &str| {
        let curve = curves["curves"].as_array().unwrap().iter().find(|curve| curve["curve"] == name).unwrap();
        curve["band"].clone()
    };
    for (name, method) in [
        ("roc", "percentile"),
        ("hull", "smoothed"),
        ("brier", "percentile"),
        ("optimal", "smoothed"),
        ("reliability", "consistency"),
    ] {
        let band = band(name);
        assert!(band["method"].as_str().unwrap().contains(method), "{name}: {band}");
        let ends =
            |key: &str| band[key].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect::<Vec<_>>();
        assert!(ends("lo").iter().zip(ends("hi")).all(|(low, high)| 0.0 <= *low && *low <= high), "{name}");
        assert!(ends("x").is_sorted(), "{name}");
    }
    assert_eq!(band("murphy"), Value::Null);
    folder.refused("score rows.csv --bands", &["--figure FILE"]);
    folder.refused("score rows.csv --bands --figure a.svg --weight score", &["--weight"]);
    assert!(folder.read("roc.svg").contains("class=\"band\""));
}

#[test]
fn exact_values() {
    let folder = Folder::new("exact");
    folder.write("small.csv", SMALL);
    let result = folder.json("score small.csv --level exact");
    assert_eq!(
        (&result["metrics"]["AUC"]["exact"], &result["metrics"]["AUC"]["level"]),
        (&json!("3/4"), &json!("exact"))
    );
    folder.write("wide.csv", "score,label\n-1,0\n2,1\n");
    let result = folder.json("score wide.csv --positive 1 --higher-means 1 --transform cal --level exact");
    assert_eq!(
        (&result["metrics"]["Acc(1/2)"]["exact"], &result["loss"]["cost"]["sf(1/2)"]["exact"]),
        (&json!("1"), &json!("0"))
    );
}

/// Costs that are singular where all scores are: the gap after them was graded towards its wrong end.
#[test]
fn singular_costs_at_the_ends() {
    let folder = Folder::new("singular");
    folder.write("zero.csv", "score,label\n0,0\n0,1\n");
    let result = folder.json("score zero.csv --positive 0 --higher-means 1 --cost beta(0.3,2.5)");
    assert!((value(&result["loss"]["cost"]["sd"]) - 25.0 / 28.0).abs() < 1e-12);
    folder.write("two.csv", "score,label\n2,0\n2,1\n");
    let result = folder.json("score two.csv --cost beta(0.5,0.5)");
    assert!((value(&result["loss"]["cost"]["rd"]) - 0.25).abs() < 1e-12);
}

/// Standard input may be compressed: it waited for a lock of its own.
#[test]
fn compressed_standard_input() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(SMALL.as_bytes()).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rocproof"))
        .args(["score", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&encoder.finish().unwrap()).unwrap();
    let output = child.wait_with_output().unwrap();
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value(&result["metrics"]["AUC"]), 0.75);
}

#[test]
fn each_value_of_a_column_is_evaluated() {
    let folder = Folder::new("groups");
    folder.write("a.csv", "score,label,site\n0.1,0,b\n0.4,0,a\n0.35,1,a\n0.8,1,a\n");
    folder.write("b.csv", "site,label,score\nb,1,0.9\nb,0,0.3\nc,1,0.7\n");
    let found = folder.json("score *.csv --group-by site");
    assert_eq!((&found["group_by"], &found["data"]["files"]), (&json!("site"), &json!(["a.csv", "b.csv"])));
    assert!((value(&found["metrics"]["AUC"]) - 11.0 / 12.0).abs() < 1e-14);
    let groups = found["groups"].as_array().unwrap();
    let named: Vec<(&Value, &Value)> = groups.iter().map(|group| (&group["group"], &group["rows"])).collect();
    assert_eq!(named, [(&json!("a"), &json!(3)), (&json!("b"), &json!(3)), (&json!("c"), &json!(1))]);
    // In group a one pair of two is in order, in group b both.
    assert_eq!([0, 1].map(|k| value(&groups[k]["metrics"]["AUC"])), [0.5, 1.0]);
    assert_eq!(groups[2]["why"], "no row of `0` has any weight: both labels are needed");
    let text = folder.text("score a.csv b.csv --group-by site");
    assert!(text.contains("all rows") && text.contains("0.5000") && text.contains("site c: "), "{text}");
    folder.refused("score a.csv --group-by sight", &["there is no group column `sight`", "`site`", "--group-by"]);
}

/// Groups had no intervals if the whole file had too many rows for samples; in the table they had none by formulas either.
#[test]
fn groups_have_the_intervals_of_their_size() {
    let folder = Folder::new("groupsizes");
    let mut text = String::from("score,label,site\n");
    for k in 0..21_000_u64 {
        let score = (k.wrapping_mul(2_654_435_761) % 1000) as f64 / 1000.0;
        let label = u8::from((k.wrapping_mul(40_503) % 997) as f64 / 997.0 < score);
        text += &format!("{score},{label},{}\n", if k < 300 { "small" } else { "large" });
    }
    folder.write("sites.csv", text);
    let found = folder.json("score sites.csv --group-by site");
    let groups = found["groups"].as_array().unwrap();
    assert!(groups[1]["models"][0]["bootstrap"]["loss"]["cost"]["o"]["lo"].is_number(), "{}", groups[1]["models"][0]);
    assert!(groups[0]["models"][0]["formulas"]["metrics"]["AUC"]["lo"].is_number());
    let text = folder.text("score sites.csv --group-by site");
    let intervals = |name: &str| text.lines().find(|line| line.contains(name)).unwrap().matches('[').count();
    assert_eq!((intervals("│ small"), intervals("│ large"), intervals("│ all rows")), (3, 2, 2), "{text}");
    assert!(text.contains("intervals of the rest: --bootstrap 200"), "{text}");
}

/// Memory that does not suffice is said before it runs out: the program used to be aborted.
#[test]
#[cfg(target_os = "linux")]
fn too_little_memory_is_said() {
    let folder = Folder::new("memory");
    let mut text = String::from("score,label\n");
    for k in 0..1_000_000_u64 {
        text += &format!("{},{}\n", k.wrapping_mul(2_654_435_761) % 10_000_019, k % 2);
    }
    folder.write("rows.csv", text);
    let mut said = Vec::new();
    for kilobytes in (60_000..=180_000).step_by(20_000) {
        let program = env!("CARGO_BIN_EXE_rocproof");
        let command = format!("ulimit -v {kilobytes}; exec {program} score rows.csv --delong");
        let output = Command::new("sh").args(["-c", &command]).current_dir(&folder.0).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 2)), "{kilobytes} KB: {:?} {error}", output.status);
        said.push(error);
    }
    assert!(said.iter().any(|error| error.contains("there is too little memory: 1000000 rows take about")), "{said:?}");
    assert!(said.iter().any(|error| error.contains("Help: ")), "{said:?}");
}

#[test]
fn sorted_rows_are_read_once() {
    let folder = Folder::new("sorted");
    folder.write("grows.csv", "score,label\n0.1,0\n0.35,1\n0.4,0\n0.8,1\n");
    folder.write("falls.csv", "score,label\n0.8,1\n0.4,0\n0.35,1\n0.1,0\n");
    folder.write("rest.csv", "label,score\n1,0.9\n0,0.95\n");
    let kept = folder.json("score grows.csv");
    for file in ["grows.csv", "falls.csv"] {
        let found = folder.json(&format!("score {file} --sorted"));
        assert_eq!((&found["data"]["rows"], &found["data"]["totals"]), (&json!(4), &kept["data"]["totals"]));
        for (name, expected) in kept["metrics"].as_object().unwrap() {
            assert!((value(&found["metrics"][name]) - value(expected)).abs() < 1e-13, "{file}: {name}");
        }
        for (name, expected) in kept["loss"]["cost"].as_object().unwrap() {
            assert!((value(&found["loss"]["cost"][name]) - value(expected)).abs() < 1e-13, "{file}: {name}");
        }
        assert_eq!(found["gaps"], kept["gaps"]);
        // The parts of the Brier score, and that few rows tie, as without --sorted.
        for part in ["MCB", "DSC", "UNC"] {
            let [found, kept] = [&found, &kept].map(|data| value(&data["corp"][part]));
            assert!((found - kept).abs() < 1e-13, "{file}: {part}");
        }
        assert_eq!(found["metrics"]["CL"]["note"], kept["metrics"]["CL"]["note"]);
        assert!(folder.text(&format!("score {file} --sorted")).contains("not meaningful"));
    }
    assert_eq!(folder.json("score grows.csv rest.csv --sorted")["data"]["rows"], json!(6));
    folder.refused("score grows.csv falls.csv --sorted", &["falls.csv, row 2 (line 3)", "0.4 comes after 0.8"]);
    folder.refused("score grows.csv --sorted --group-by label", &["--sorted goes with metrics and losses only"]);
}

/// A closed form that is too long for the table stands below it; the table said so, and nothing stood there.
#[test]
fn long_closed_forms_stand_below() {
    let folder = Folder::new("forms");
    let rows: String =
        (1..60).map(|k| format!("0.{:02}{:02},{}\n", k, (k * k * 7) % 97, (k * 13 % 60 < k) as u8)).collect();
    folder.write("s.csv", format!("score,label\n{rows}"));
    let text = folder.text("score s.csv --level exact --no-intervals --digits 8");
    let promised = text.matches("= below").count();
    assert!(promised > 0, "{text}");
    assert!(text.lines().any(|line| line.starts_with("BS = ") && line.contains('/')), "{text}");
}

/// The hull has the corners (0, 1/2) and (1/4, 1), in shares of negatives and positives, so that the least loss at `c` is the smaller of `c/3` and
/// `(1-c)/3`, and that of chance the smaller of `2c/3` and `4(1-c)/3`.
#[test]
fn severities_are_those_of_hmeasure() {
    let folder = Folder::new("severity");
    folder.write("six.csv", "score,label\n0.1,0\n0.2,0\n0.3,0\n0.7,0\n0.8,1\n0.7,1\n");
    let measure = |options: &str| {
        let result = folder.json(&format!("score six.csv {options}"));
        let found = &result["severity"][0];
        (found["severity"].clone(), found["prior"].clone(), value(&found["H"]))
    };
    let (given, prior, h) = measure("--severity 1");
    assert_eq!((given, prior), (json!("1"), json!("beta(2, 2)")));
    assert!((h - 217.0 / 352.0).abs() < 1e-14, "{h}");
    // A false alarm is half as severe as a miss: Beta(2, 3) for its share of the costs, Beta(3, 2) for that of a miss.
    let (given, prior, h) = measure("--severity 1/2");
    assert_eq!((given, prior), (json!("1/2"), json!("beta(3, 2)")));
    for same in ["--severity 1/2", "--severity beta(3,2)", "--severity 1/2 --positive 0 --higher-means 1"] {
        assert!((measure(same).2 - 83.0 / 128.0).abs() < 1e-14, "{same}");
    }
    assert!((h - 83.0 / 128.0).abs() < 1e-14);
    assert!(folder.text("score six.csv --severity 2 --severity beta(2,3)").contains("Hand's H by severity"));
    folder.refused("score six.csv --severity 0", &["--severity", "a severity ratio lies between"]);
    folder.refused("score six.csv --severity beta(0,1)", &["--severity"]);
    // Negatives are twice the positives: the ratio of hmeasure is 1/2, and the measure has an exact value.
    for options in ["", "--positive 0 --higher-means 1"] {
        let found = &folder.json(&format!("score six.csv {options} --level exact"))["metrics"]["H_hmeasure"];
        assert_eq!((&found["level"], &found["exact"]), (&json!("exact"), &json!("83/128")), "{options}");
    }
}

#[test]
fn net_benefit_where_it_is_deployed() {
    let folder = Folder::new("prevalence");
    folder.write("mail.csv", TURNED);
    let at = |options: &str, name: &str, p: f64| {
        folder.text(&format!(
            "score mail.csv --score p --label class --positive spam --curves a.json --curve {name} {options}"
        ));
        let curves: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
        let pieces = curves["curves"][0]["pieces"].as_array().unwrap();
        let piece = pieces.iter().find(|piece| p <= piece["to"].as_f64().unwrap()).unwrap();
        let [from, to] = ["from", "to"].map(|end| piece[end].as_f64().unwrap());
        let c: Vec<f64> = piece["coefficients"].as_array().unwrap().iter().map(|c| c.as_f64().unwrap()).collect();
        let divisor = if piece["divisor"] == "x" { p } else { 1.0 - p };
        c.iter().rev().fold(0.0, |sum, c| sum * (p - from) / (to - from) + c) / divisor
    };
    // From 0.8 on, two of three spam and one of three ham are treated. At p = 0.8 the odds are 4.
    assert!((at("", "net-benefit", 0.8) - (2.0 / 6.0 - 4.0 / 6.0)).abs() < 1e-14);
    assert!((at("--prevalence 1/10", "net-benefit", 0.8) - (0.1 * 2.0 / 3.0 - 4.0 * 0.9 / 3.0)).abs() < 1e-14);
    // Two of three ham are spared, and a third of the spam is missed.
    assert!((at("", "interventions-avoided", 0.8) - (2.0 / 6.0 - 1.0 / 6.0 / 4.0)).abs() < 1e-14);
    let expected = 0.9 * 2.0 / 3.0 - 0.1 / 3.0 / 4.0;
    assert!((at("--prevalence 0.1", "interventions-avoided", 0.8) - expected).abs() < 1e-14);
    folder.refused(
        "score mail.csv --score p --label class --positive spam --prevalence 2",
        &["--prevalence", "between 0 and 1"],
    );
}

/// Figures name labels, not classes.
#[test]
fn figures_name_the_labels() {
    let folder = Folder::new("labels");
    folder.write("mail.csv", TURNED);
    for show in ["overview", "roc", "reliability", "net-benefit", "interventions-avoided", "brier"] {
        folder.text(&format!("score mail.csv --score p --label class --positive spam --figure a.svg --show {show}"));
        let svg = folder.read("a.svg");
        assert!(svg.contains("3 spam (positive), 3 ham (negative)"), "{show}");
        assert!(!svg.contains("class 0") && !svg.contains("class 1") && !svg.contains("− score"), "{show}");
    }
    folder.text("score mail.csv --score p --label class --positive spam --figure a.svg --show roc");
    let svg = folder.read("a.svg");
    assert!(svg.contains("true positive rate (spam)") && svg.contains("false positive rate (ham)"));
}
