//! The first table of `rocproof score`: what it shows, how sure it is, and what it says in words.

use super::score_cli::{Folder, value};
use serde_json::Value;

/// A generator of numbers in (0, 1), the same on every machine.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) as f64) + 0.5) / (1u64 << 31) as f64
    }
}

/// Rows of a good model, one that is nearly as good, one that is mere noise, and a coarse one; the label is spam or ham.
fn mail(rows: usize) -> String {
    let mut uniform = Uniform(7);
    let mut text = String::from("good,near,noise,coarse,label\n");
    for _ in 0..rows {
        let good = uniform.next();
        let label = if uniform.next() < good { "spam" } else { "ham" };
        let near = (good + 0.02 * (uniform.next() - 0.5)).clamp(0.0, 1.0);
        let coarse = (4.0 * good).round() / 4.0;
        text += &format!("{good},{near},{},{coarse},{label}\n", uniform.next());
    }
    text
}

const SPAM: &str = "--positive spam";

fn line<'a>(text: &'a str, label: &str) -> &'a str {
    text.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_else(|| panic!("no {label} in\n{text}"))
}

/// The text with wrapped sentences in one line.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_first_table_is_short_and_answers() {
    let folder = Folder::new("table");
    folder.write("mail.csv", mail(400));
    let text = folder.text(&format!("score mail.csv --score good,near,noise {SPAM} --at c=0.2"));
    let table: Vec<&str> = text.lines().take_while(|line| *line != "`good`").collect();
    assert!(table.len() <= 33, "{} lines in\n{text}", table.len());
    assert!(table.iter().all(|line| line.chars().count() <= 120), "{text}");
    assert!(!text.contains('±') || !table.iter().any(|line| line.contains('±')), "{text}");
    // Each value has an interval, and the best of clearly different models is marked.
    assert_eq!(line(&text, "AUC").matches('[').count(), 3, "{text}");
    assert!(
        ["AUC", "BS", "MCB", "DSC", "UNC", "KS", "L[o]", "L[rd]"].iter().all(|label| line(&text, label).contains('['))
    );
    assert!(text.contains("~ best, but its lead over the next is within chance"), "{text}");
    // The closing sentences.
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    let closing = unwrapped(&text);
    assert!(closing.contains("cannot be told apart on these 400 rows (L[o] differs by"), "{text}");
    assert!(closing.contains("is better than `noise` (L[o] lower by"), "{text}");
    assert!(closing.contains("; a true difference of 0.002432 would show with probability 80 %)"), "{text}");
    let advice = text.lines().find(|line| line.starts_with("at c = 1/5 use `")).unwrap();
    assert!(advice.contains("`spam` where the score is >="), "{text}");
    // The advice stands once, with its reason.
    assert_eq!((text.matches("where the score is >=").count(), text.matches("  why: ").count()), (1, 1), "{text}");
}

/// The lead over noise is beyond chance: the star, and the sentence.
#[test]
fn a_lead_beyond_chance_has_a_star() {
    let folder = Folder::new("star");
    folder.write("mail.csv", mail(400));
    let text = folder.text(&format!("score mail.csv --score good,noise {SPAM}"));
    assert!(line(&text, "AUC").contains("* 0."), "{text}");
    assert!(text.contains("* best, and its lead over the next is beyond chance"), "{text}");
    assert!(unwrapped(&text).contains("`good` is better than `noise` on these 400 rows (L[o] lower by"), "{text}");
    let alone = folder.text(&format!("score mail.csv --score noise {SPAM}"));
    assert!(alone.contains("`noise` cannot be told from chance on these 400 rows (AUC 0."), "{alone}");
    assert!(!alone.contains("* best") && !alone.contains("~ best"), "{alone}");
}

/// What it takes to find a difference: the rows are those at which it is `z_level + z_power` standard errors large, `z = 1.96 + 0.8416` by default.
#[test]
fn the_rows_that_show_a_difference() {
    let folder = Folder::new("power");
    folder.write("mail.csv", mail(400));
    let found = folder.json(&format!("score mail.csv --score good,near {SPAM} --detect 0.01"));
    let difference = &found["differences"][0];
    for spread in [
        &difference["bootstrap"]["metrics"]["BS"],
        &difference["bootstrap"]["loss"]["cost"]["o"],
        &difference["delong"],
    ] {
        let [error, detectable, rows] =
            ["standard_error", "detectable", "rows_needed"].map(|key| spread[key].as_f64().unwrap());
        assert!((detectable / error - 2.801_585).abs() < 1e-5, "{spread}");
        assert_eq!(rows, (400.0 * (detectable / 0.01).powi(2)).ceil(), "{spread}");
    }
    assert_eq!(found["uncertainty"]["power"], 0.8);
    let stricter = folder.json(&format!("score mail.csv --score good,near {SPAM} --power 0.9 --confidence 0.99"));
    let spread = &stricter["differences"][0]["delong"];
    let ratio = spread["detectable"].as_f64().unwrap() / spread["standard_error"].as_f64().unwrap();
    assert!((ratio - 3.857_381).abs() < 1e-5, "{spread}");
    assert!(spread.get("rows_needed").is_none(), "{spread}");
    // Shown without --all, and refused if it makes no sense.
    let text = folder.text(&format!("score mail.csv --score good,near {SPAM} --detect 0.01"));
    assert!(text.contains("rows for 0.01: the number of rows"), "{text}");
    for (bad, why) in [
        ("--detect 0", "larger than 0"),
        ("--detect -1", "larger than 0"),
        ("--power 0.4", "at least 0.5"),
        ("--power 1", "less than 1"),
    ] {
        folder.refused(&format!("score mail.csv --score good,near {SPAM} {bad}"), &[why]);
    }
}

/// The JSON has the intervals of the table, and the interval of the AUC is DeLong's on the scale of the logit.
#[test]
fn intervals_are_made_without_a_request() {
    let folder = Folder::new("default");
    folder.write("mail.csv", mail(400));
    let result = folder.json(&format!("score mail.csv --score good {SPAM}"));
    let auc = &result["bootstrap"]["metrics"]["AUC"];
    assert_eq!((&auc["method"], &result["uncertainty"]["replicates"]), (&"DeLong, logit".into(), &200.into()));
    let [delong, logit] = [&result["delong"], &result["delong"]["logit"]];
    assert_eq!((&auc["lo"], &auc["hi"]), (&logit["lo"], &logit["hi"]));
    // The plain interval is that of pROC: the value plus and minus 1.96 standard errors.
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap();
    let half = 1.959_963_984_540_054 * number(delong, "standard_error");
    assert!((number(delong, "hi") - number(delong, "AUC") - half).abs() < 1e-12);
    assert!(result["bootstrap"]["metrics"]["MCB"]["lo"].is_f64());
    let without = folder.json(&format!("score mail.csv --score good {SPAM} --no-intervals"));
    assert!(without.get("bootstrap").is_none() && without.get("delong").is_none());
    assert!(!folder.text(&format!("score mail.csv --score good {SPAM} --no-intervals")).contains("[0."));
    folder
        .refused(&format!("score mail.csv --score good {SPAM} --no-intervals --confidence 0.9"), &["is for intervals"]);
}

/// Beyond 20,000 rows intervals are by formulas, and the output says how to get the others.
#[test]
fn large_data_have_intervals_by_formulas() {
    let folder = Folder::new("large");
    folder.write("mail.csv", mail(10_001));
    let command = format!("score mail.csv --score good,near {SPAM}");
    let text = folder.text(&command);
    assert!(line(&text, "AUC").contains(" [0.") && line(&text, "BS").contains(" [0."), "{text}");
    assert!(!line(&text, "L[o]").contains(" [0"), "{text}");
    assert!(text.contains("intervals of the rest: --bootstrap 200"), "{text}");
    assert!(text.contains("`good` and `near` have the same L[o] to four digits (0."), "{text}");
    let result = folder.json(&command);
    let methods = ["AUC", "BS", "Acc(1/2)"].map(|name| &result["models"][0]["formulas"]["metrics"][name]["method"]);
    assert_eq!(methods, ["DeLong, logit", "Wilson with an effective number of rows, mean of losses by row", "Wilson"]);
    assert!(result["models"][0].get("bootstrap").is_none());
}

/// A perfect ranking has the interval of its pairs, and says why; four rows are two disjoint pairs.
#[test]
fn a_perfect_ranking_is_said() {
    let folder = Folder::new("perfect");
    folder.write("small.csv", "score,label\n0.1,0\n0.2,0\n0.7,1\n0.8,1\n");
    let text = folder.text("score small.csv");
    assert!(line(&text, "AUC").contains("1 [0.16, 1]"), "{text}");
    assert!(text.contains("every pair is ranked right"), "{text}");
    // Wilson's interval of four rows that are all right starts at 4/(4 + 1.96^2).
    assert!(line(&text, "Acc(1/2)").contains("1 [0.51, 1]"), "{text}");
    folder.write("one.csv", "score,label\n0.5,0\n0.5,1\n");
    let text = folder.text("score one.csv");
    assert!(text.contains("¹ a class has only one row"), "{text}");
    assert!(line(&text, "L[o]").contains("0.2500 [0.250, 0.250]¹"), "{text}");
    let auc = &folder.json("score small.csv")["bootstrap"]["metrics"]["AUC"];
    assert!((auc["lo"].as_f64().unwrap() - 0.025_f64.sqrt()).abs() < 1e-12 && auc["caveat"].is_string(), "{auc}");
}

/// Calibration by ties is shown where many scores are equal: 400 rows of five scores do, 400 different scores do not.
#[test]
fn calibration_by_ties_needs_ties() {
    let folder = Folder::new("ties");
    folder.write("mail.csv", mail(400));
    let text = folder.text(&format!("score mail.csv --score good,noise {SPAM}"));
    assert!(line(&text, "CL, RL").matches("not meaningful").count() == 2, "{text}");
    assert!(text.contains("few scores are equal") && text.contains("see MCB"), "{text}");
    let mixed = folder.text(&format!("score mail.csv --score good,coarse {SPAM}"));
    assert!(line(&mixed, "CL").contains("not meaningful") && line(&mixed, "CL").contains("0.0"), "{mixed}");
    let result = folder.json(&format!("score mail.csv --score good,coarse {SPAM}"));
    let [good, coarse] = [0, 1].map(|k| &result["models"][k]["metrics"]["CL"]);
    assert!(good["note"].as_str().unwrap().contains("few scores are equal") && good["value"].is_f64(), "{good}");
    assert!(coarse.get("note").is_none(), "{coarse}");
    // The parts of the Brier score by isotonic recalibration are there in any case.
    let corp = &result["models"][0]["corp"];
    let sum = value(&corp["MCB"]) - value(&corp["DSC"]) + value(&corp["UNC"]);
    assert!((sum - value(&result["models"][0]["metrics"]["BS"])).abs() < 1e-14);
}

/// Two bins of three rows: mean scores 0.2 and 0.8, shares of positives 1/3 and 2/3. The error is (2/15 + 2/15)/2.
#[test]
fn the_calibration_error_has_stated_bins() {
    let folder = Folder::new("ece");
    folder.write("six.csv", "score,label\n0.1,0\n0.2,1\n0.3,0\n0.7,1\n0.8,0\n0.9,1\n");
    let result = folder.json("score six.csv --ece width:2 --ece edges:0,0.15,1");
    let errors = result["ece"].as_array().unwrap();
    assert!((value(&errors[0]["ECE"]) - 2.0 / 15.0).abs() < 1e-15, "{}", errors[0]);
    assert_eq!((errors[0]["cells"].as_array().unwrap().len(), &errors[0]["partition"]), (2, &"width:2".into()));
    // One row at 0.1 against 0, and five with the mean 0.58 against 0.6.
    assert!((value(&errors[1]["ECE"]) - (0.1 + 5.0 * 0.02) / 6.0).abs() < 1e-15, "{}", errors[1]);
    assert!((value(&errors[1]["MCE"]) - 0.1).abs() < 1e-15, "{}", errors[1]);
    let turned = folder.json("score six.csv --positive 0 --higher-means 1 --ece width:2");
    assert!((value(&turned["ece"][0]["ECE"]) - 2.0 / 15.0).abs() < 1e-15);
    assert!(folder.text("score six.csv --ece width:2").contains("expected calibration error 0.1333"));
    folder.refused("score six.csv --ece ties", &["stated bins", "width:15"]);
    folder.refused("score six.csv --ece width:0", &["--ece width:0"]);
}

/// Rounding errors and more digits are there on request.
#[test]
fn digits_and_all_details_on_request() {
    let folder = Folder::new("digits");
    folder.write("mail.csv", mail(60));
    let command = format!("score mail.csv --score good {SPAM}");
    let auc = value(&folder.json(&command)["metrics"]["AUC"]);
    let row = folder.text(&format!("{command} --digits 9"));
    assert!(line(&row, "AUC").contains(&format!("{auc:.9} ± ")), "{row}");
    assert!(row.contains("± bounds the rounding error"), "{row}");
    let all = folder.text(&format!("score mail.csv --score good,near {SPAM} --all"));
    for label in ["Gini", "H_priors", "Lz[o]", "MBS", "the ROC curve of `good` is", "│ `good` - `near`"] {
        line(&all, label);
    }
    assert!(all.contains("difference of"), "{all}");
    let short = folder.text(&command);
    assert!(!short.contains("Gini") && !short.contains("Lz[") && !short.contains("the ROC curve of"), "{short}");
}

/// Many models stand in rows, within 120 columns.
#[test]
fn many_models_are_rows() {
    let folder = Folder::new("many");
    let names: Vec<String> = (0..6).map(|k| format!("model_{k}")).collect();
    let mut uniform = Uniform(3);
    let mut text = names.join(",") + ",label\n";
    for _ in 0..80 {
        let p = uniform.next();
        let label = u8::from(uniform.next() < p);
        let scores: Vec<String> =
            (0..6).map(|k| ((p + f64::from(k) * uniform.next()) / f64::from(k + 1)).to_string()).collect();
        text += &format!("{},{label}\n", scores.join(","));
    }
    folder.write("many.csv", text);
    let text = folder.text(&format!("score many.csv --score {}", names.join(",")));
    let table: Vec<&str> = text.lines().take_while(|line| !line.starts_with("[from, to]")).collect();
    assert!(table.iter().all(|line| line.chars().count() <= 120), "{text}");
    assert!(table.iter().filter(|line| line.trim_start().starts_with("model_3")).count() >= 2, "{text}");
    assert!(table.iter().any(|line| line.contains("AUC") && line.contains("L[o]")), "{text}");
}

/// Data that samples cannot be drawn from are evaluated all the same.
#[test]
fn missing_intervals_are_explained() {
    let folder = Folder::new("half");
    folder.write("half.csv", "score,n0,n1\n0.1,1,2.5\n0.6,1,1\n");
    let text = folder.text("score half.csv");
    assert!(text.contains("no intervals: half.csv: a count is 2.5"), "{text}");
    folder.write("logits.csv", "score,label\n-3,0\n-1,1\n-1,0\n2,1\n2,1\n5,0\n");
    let text = folder.text("score logits.csv");
    assert!(line(&text, "BS").contains('-') && text.contains("outside [0, 1]"), "{text}");
}

/// Forty perfect rows were said to be biased by their fit, since the AUC was 1.0000000000000002; of constant scores the same was said. Classes
/// that do not overlap had "only -0 rows" there.
#[test]
fn rounding_errors_have_no_footnotes() {
    let folder = Folder::new("rounding");
    let rows = |score: fn(usize, usize) -> f64| {
        let rows = (0..80).map(|k| format!("{},{}\n", score(k, k % 2), k % 2));
        ["score,label\n".to_owned()].into_iter().chain(rows).collect::<String>()
    };
    for (name, score) in [
        ("perfect.csv", (|k, label| 0.7 * label as f64 + k as f64 / 300.0) as fn(usize, usize) -> f64),
        ("constant.csv", |_, _| 0.5),
    ] {
        folder.write(name, rows(score));
        let text = folder.text(&format!("score {name}"));
        let biased = text.lines().find(|line| line.contains("the value is biased by its fit"));
        let sign = biased.and_then(|line| line.chars().next());
        assert!(sign.is_none_or(|sign| !line(&text, "AUC").contains(sign)), "{text}");
        assert!(!text.contains("-0 rows"), "{text}");
    }
    let perfect = folder.text("score perfect.csv");
    assert!(line(&perfect, "AUC").contains(" 1 [0.91"), "{perfect}");
    assert!(perfect.contains("no rows lie where the classes overlap"), "{perfect}");
}

/// Thresholds above every score were `inf [inf, inf]`, and rules said "at least inf".
#[test]
fn infinite_thresholds_are_in_words() {
    let folder = Folder::new("infinite");
    let rows = (0..60).map(|k| format!("0.{},{}\n", 10 + (k * 7) % 60, u8::from(k % 5 == 0)));
    folder.write("rare.csv", ["score,label\n".to_owned()].into_iter().chain(rows).collect::<String>());
    let text = folder.text("score rare.csv --at c=0.05 --known deployment");
    assert!(text.contains("above every score"), "{text}");
    assert!(!text.contains("inf,") && !text.contains("inf]") && !text.contains("least inf"), "{text}");
    let found = folder.json("score rare.csv --at c=0.05 --known deployment");
    for advice in found["deploy"].as_array().unwrap() {
        let rule = advice["rule"].as_str().unwrap();
        assert!(!rule.contains("inf"), "{rule}");
        assert!(unwrapped(&text).contains(rule), "{rule} in\n{text}");
    }
}

/// `BS` and `MAE` are those of probabilities: losses of other scores are not named after them.
#[test]
fn losses_of_other_scores_are_not_metrics() {
    let folder = Folder::new("margins");
    let mut uniform = Uniform(3);
    let rows = (0..50).map(|k| format!("{},{}\n", 4.0 * uniform.next() - 2.0, k % 2)).collect::<String>();
    folder.write("margins.csv", format!("score,label\n{rows}"));
    let text = folder.text("score margins.csv --no-intervals");
    assert!(!text.contains("(= MAE)") && !text.contains("(= BS)"), "{text}");
    assert!(text.contains("score-fixed (= 1-Acc)"), "{text}");
}

/// Tables of extras had 13 digits and rounding errors without `--digits`.
#[test]
fn extras_have_four_digits_by_default() {
    let folder = Folder::new("fourdigits");
    folder.write("mail.csv", mail(200));
    let asked = format!("score mail.csv --score good,noise {SPAM} --severity 2 --decompose hull --finite-sample");
    let text = folder.text(&asked);
    let is_long = |word: &&str| {
        let digits = word.trim_matches(|c: char| !c.is_ascii_digit()).split_once('.');
        digits.is_some_and(|(_, after)| after.len() > 10 && after.bytes().all(|c| c.is_ascii_digit()))
    };
    let numbers = text.lines().filter(|line| !line.contains('=') && !line.contains(" to "));
    let long: Vec<&str> = numbers.flat_map(str::split_whitespace).filter(is_long).collect();
    assert!(long.is_empty() && !text.contains('±'), "{long:?} in\n{text}");
    // One table for all models; with digits, the rounding error beside each.
    assert_eq!(text.matches("Hand's H by severity").count(), 1, "{text}");
    let full = folder.text(&format!("{asked} --digits 12"));
    assert!(line(&full, "│ 2").matches('±').count() == 2, "{full}");
    assert!(full.lines().any(|line| line.contains("MCB") && line.contains("± ")), "{full}");
}

/// What bounds nothing is no verdict: a single row of a class, weighted rows, constant scores. Two rows had "AUC 1 [1, 1]" and "ranks better
/// than chance".
#[test]
fn few_rows_are_not_better_than_chance() {
    let folder = Folder::new("chance");
    folder.write("pair.csv", "score,label\n0.3,0\n0.6,1\n");
    let text = folder.text("score pair.csv");
    assert!(line(&text, "AUC").contains("1 [0.03, 1]"), "{text}");
    assert!(
        text.contains("`score` cannot be told from chance on these 2 rows (AUC 1, interval 0.03 to 1; every pair is"),
        "{text}"
    );
    folder.write("weighted.csv", "score,label,w\n0.1,0,2\n0.2,0,1\n0.3,0,3\n0.6,1,1\n0.7,1,2\n0.8,1,0.5\n");
    let text = folder.text("score weighted.csv --weight w");
    assert!(line(&text, "AUC").contains("1 [0.29, 1]") && text.contains("cannot be told from chance"), "{text}");
    folder.write("constant.csv", "score,label\n0.5,0\n0.5,1\n0.5,1\n0.5,0\n");
    let text = folder.text("score constant.csv");
    assert!(
        unwrapped(&text)
            .contains("whether `score` ranks better than chance cannot be told from these 4 rows (AUC 0.5000"),
        "{text}"
    );
}

/// Rows that all lose alike bound the loss of new rows, and the sentences and the grid say so. Forty such rows lost "0 [0, 0]".
#[test]
fn losses_out_of_sample_have_their_caveats() {
    let folder = Folder::new("alike");
    let rows: String = (0..40).map(|row| format!("0.{}{},{}\n", row / 20 * 8 + 1, row % 20 / 2, row / 20)).collect();
    folder.write("rows.csv", format!("score,label\n{rows}"));
    let text = folder.text("score rows.csv --at c=0.2");
    let caveat = "all rows have the same loss: they do not show how much that of new rows varies";
    assert!(unwrapped(&text).contains(&format!("but {caveat}")) && text.contains(&format!("¹ {caveat}")), "{text}");
    assert!(text.contains("0 [0, 0.140]¹"), "{text}");
}

/// Columns that rank alike have a difference without a p-value, and the reason.
#[test]
fn equal_rankings_have_no_p_value() {
    let folder = Folder::new("equal");
    let row = |row: usize| format!("0.{row:02},3.{row:02},{}\n", u8::from(row * 7 % 60 < row));
    folder.write("same.csv", format!("a,b,label\n{}", (0..60).map(row).collect::<String>()));
    let found = folder.json("score same.csv --score a,b --delong");
    let delong = &found["differences"][0]["delong"];
    assert!(delong["p"].is_null() && delong["why_no_p"].is_string() && delong["caveat"].is_string(), "{delong}");
    let text = folder.text("score same.csv --score a,b --delong");
    assert!(text.contains("the difference does not vary over these rows"), "{text}");
}

/// A lead whose interval cannot be relied on has no star.
#[test]
fn a_lead_with_a_caveat_has_no_star() {
    let folder = Folder::new("star");
    // Ten rows of each class: one column ranks all but one pair of neighbours, the other ranks by chance.
    let rows: String = (0..20)
        .map(|row| {
            let place = if row == 9 {
                10
            } else if row == 10 {
                9
            } else {
                row
            };
            format!("0.{place:02},0.{:02},{}\n", row * 7 % 20, row / 10)
        })
        .collect();
    folder.write("few.csv", format!("good,noise,label\n{rows}"));
    let text = folder.text("score few.csv --score good,noise");
    let row = line(&text, "AUC");
    assert!(row.contains('^') && !row.contains('*'), "{text}");
    assert!(text.contains("these rows cannot tell"), "{text}");
}

/// Stratified samples say so, in JSON and below the table; class proportions do not vary.
#[test]
fn samples_are_stratified_on_request() {
    let folder = Folder::new("stratified");
    folder.write("mail.csv", mail(200));
    let plain = folder.json(&format!("score mail.csv --score good {SPAM}"));
    let found = folder.json(&format!("score mail.csv --score good {SPAM} --stratified"));
    let is_stratified = [&plain, &found].map(|json| json["uncertainty"]["stratified"].as_bool());
    assert_eq!(is_stratified, [Some(false), Some(true)]);
    let error = |json: &serde_json::Value, name: &str| {
        json["models"][0]["bootstrap"]["metrics"][name]["standard_error"].as_f64().unwrap()
    };
    assert!(error(&found, "UNC") < 1e-12 && error(&plain, "UNC") > 1e-4);
    assert_eq!(error(&found, "AUC"), error(&plain, "AUC"));
    let text = folder.text(&format!("score mail.csv --score good {SPAM} --stratified"));
    assert!(text.contains("200 bootstrap samples (seed 1, stratified by class)"), "{text}");
}
