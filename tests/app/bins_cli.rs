//! `rocproof score --bins` as a user meets it.

use crate::score_cli::Folder;
use serde_json::{Value, json};

const BINS: &str = "lo,hi,n0,n1\n0,0.5,3,1\n0.5,1,1,3\n";

/// The ends of a range.
fn ends(range: &Value) -> [f64; 2] {
    ["lo", "hi"].map(|end| range[end].as_f64().unwrap_or_else(|| panic!("{range}")))
}

/// Whether a range has these ends.
fn is_near(range: &Value, expected: [f64; 2]) -> bool {
    ends(range).iter().zip(expected).all(|(end, expected)| (end - expected).abs() < 1e-12)
}

#[test]
fn counts_in_bins_give_ranges() {
    let folder = Folder::new("bins");
    folder.write("bins.csv", BINS);
    for (closed, name, expected) in [
        ("", "both", [4.5 / 16.0, 15.5 / 16.0]),
        (":left", "left", [9.0 / 16.0, 15.0 / 16.0]),
        (":right", "right", [9.0 / 16.0, 15.0 / 16.0]),
    ] {
        let found = folder.json(&format!("score bins.csv --bins lo,hi{closed}"));
        let auc = &found["metrics"]["AUC"];
        assert!(is_near(auc, expected) && auc["value"].is_null() && auc["sharp"] == true, "{closed}: {auc}");
        assert_eq!(found["data"]["bins"], json!({"columns": ["lo", "hi"], "closed": name}));
        assert_eq!(found["models"][0]["metrics"], found["metrics"]);
        // At best only the two rows in the wrong bin are wrong, each by 1/2; at worst the others are wrong by 1/2, and these two by 1.
        assert!(is_near(&found["metrics"]["BS"], [0.0625, 0.4375]), "{}", found["metrics"]["BS"]);
        assert_eq!(found["corp"]["MCB"]["sharp"], false);
        assert!(found["corp"]["MCB"]["why"].as_str().unwrap().contains("contains all values"));
    }
    // A positive is predicted at 1/2 and above: the upper bin is right, the lower one is below only if it is open there.
    let left = folder.json("score bins.csv --bins lo,hi:left");
    assert!(is_near(&left["metrics"]["Acc(1/2)"], [0.75, 0.75]), "{}", left["metrics"]["Acc(1/2)"]);
    let right = folder.json("score bins.csv --bins lo,hi:right");
    assert!(is_near(&right["metrics"]["Acc(1/2)"], [0.375, 1.0 - 0.125]), "{}", right["metrics"]["Acc(1/2)"]);
    let text = folder.text("score bins.csv --bins lo,hi:left");
    assert!(text.contains("AUC         [0.5625, 0.9375]") && text.contains("no sampling intervals"), "{text}");
    assert!(!text.contains("Lz["), "{text}");
    let all = folder.text("score bins.csv --bins lo,hi --all");
    assert!(all.contains("Lz[o]") && all.contains("AUCH") && all.contains("`:left` or `:right`"), "{all}");
}

#[test]
fn labelled_rows_have_bins_of_their_own() {
    let folder = Folder::new("bins-rows");
    folder.write("bins.csv", BINS);
    let mut rows = "from,to,y,w\n".to_owned();
    for (bin, counts) in [("0,0.5", [3, 1]), ("0.5,1", [1, 3])] {
        for (label, count) in ["ham", "spam"].iter().zip(counts) {
            rows += &format!("{bin},{label},{count}\n");
        }
    }
    folder.write("rows.csv", rows);
    let counted = folder.json("score bins.csv --bins lo,hi");
    let weighted = folder.json("score rows.csv --bins from,to --label y --weight w --positive spam");
    assert_eq!((&counted["metrics"], &counted["loss"]), (&weighted["metrics"], &weighted["loss"]));
    // Lower scores for spam: classes are exchanged in the order of scores.
    let down = folder.json("score rows.csv --bins from,to --label y --weight w --positive spam --higher-means ham");
    let [lo, hi] = ends(&counted["metrics"]["AUC"]);
    assert!(is_near(&down["metrics"]["AUC"], [1.0 - hi, 1.0 - lo]), "{}", down["metrics"]["AUC"]);
}

#[test]
fn bad_bins_are_refused() {
    let folder = Folder::new("bins-bad");
    folder.write("overlap.csv", "lo,hi,n0,n1\n0,0.5,3,1\n0.4,1,1,3\n");
    folder.refused("score overlap.csv --bins lo,hi", &["overlap.csv: rows 1 and 2", "overlap", "same edges"]);
    folder.write("backward.csv", "lo,hi,n0,n1\n0,0.5,3,1\n1,0.5,1,3\n");
    folder.refused("score backward.csv --bins lo,hi", &["row 2", "from 1 to 0.5"]);
    folder.write("inf.csv", "lo,hi,n0,n1\n0,0.5,3,1\n0.5,inf,1,3\n");
    folder.refused("score inf.csv --bins lo,hi", &["row 2 (line 3), column `hi`", "bin end is inf"]);
    folder.write("bins.csv", BINS);
    folder.refused("score bins.csv --bins lo", &["two columns", "--bins lo,hi"]);
    folder.refused(
        "score bins.csv --bins lo,high",
        &["no bin end column `high`", "the columns are `lo`, `hi`, `n0`, `n1`", "--bins names the one"],
    );
    for option in [
        "--at c=0.2",
        "--known deployment",
        "--train bins.csv",
        "--bootstrap 100",
        "--delong",
        "--confidence 0.9",
        "--decompose hull",
        "--ece width:10",
        "--severity 2",
        "--finite-sample",
        "--transform cal",
        "--sorted",
        "--group-by lo",
        "--level exact",
        "--figure f.svg",
        "--curves c.json",
        "--score lo",
    ] {
        let name = option.split(' ').next().unwrap();
        folder.refused(&format!("score bins.csv --bins lo,hi {option}"), &["--bins does not go with", name, "Help:"]);
    }
}
