//! Several files as one data set, and the rows of each value of a column.

use rocproof::data::read::{Cause, ColumnRequest, Content, Gathered, ReadError, read_all};
use rocproof::{Cost, Thresholds};
use std::path::Path;

/// Writes files to a new folder.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Reads paths within a folder.
fn gather(folder: &Path, paths: &[&str], request: &ColumnRequest) -> Result<Gathered, ReadError> {
    let paths: Vec<String> = paths.iter().map(|path| folder.join(path).to_string_lossy().into_owned()).collect();
    read_all(&paths, request)
}

fn auc(gathered: &Gathered) -> f64 {
    let evaluation = gathered.data.evaluate_column(0, &[], &Cost::uniform(), &Thresholds::default()).unwrap();
    evaluation.metric("AUC").unwrap().estimate().unwrap().value
}

const A: &str = "score,label,site\n0.1,0,b\n0.4,0,a\n0.35,1,a\n0.8,1,a\n";
const B: &str = "site,label,score\nb,1,0.9\nb,0,0.3\n,1,0.7\n";

#[test]
fn files_patterns_and_directories_are_one_data_set() {
    let folder = folder(&[("a.csv", A), ("b.csv", B), ("_c.csv", "no,data\n"), ("notes.txt", "no data")]);
    let request = ColumnRequest::default();
    for paths in [&["a.csv", "b.csv"][..], &["?.csv"], &["[ab].csv"], &[""]] {
        let gathered = gather(folder.path(), paths, &request).unwrap();
        assert_eq!(gathered.data.scores, [[0.1, 0.4, 0.35, 0.8, 0.9, 0.3, 0.7]]);
        assert_eq!((gathered.data.rows, gathered.files.len()), (7, 2));
        // Of the twelve pairs, only 0.4 and 0.35 are in the wrong order.
        assert!((auc(&gathered) - 11.0 / 12.0).abs() < 1e-14);
    }
    let reversed = gather(folder.path(), &["b.csv", "a.csv"], &request).unwrap();
    assert_eq!((reversed.data.scores[0][0], auc(&reversed)), (0.9, 11.0 / 12.0));
    assert!(reversed.data.file.ends_with("a.csv"), "{}", reversed.data.file);
}

#[test]
fn a_part_may_have_one_class_or_no_rows() {
    let folder =
        folder(&[("0.csv", "score,label\n"), ("1.csv", "score,label\n0.2,0\n"), ("2.csv", "score,label\n0.6,1\n")]);
    let gathered = gather(folder.path(), &["*.csv"], &ColumnRequest::default()).unwrap();
    assert_eq!((gathered.data.rows, auc(&gathered)), (2, 1.0));
    let cause = |paths: &[&str]| gather(folder.path(), paths, &ColumnRequest::default()).unwrap_err().cause;
    assert_eq!(cause(&["1.csv"]), Cause::OneLabel("0".into()));
    assert_eq!(cause(&["0.csv"]), Cause::NoRows);
}

#[test]
fn errors_name_the_file_and_its_row() {
    let counts = "score,n0,n1\n0.1,3,4\n";
    let broken = "label,score\n1,0.5\n0,x\n";
    let folder = folder(&[("a.csv", A), ("broken.csv", broken), ("counts.csv", counts)]);
    let error = |paths: &[&str]| gather(folder.path(), paths, &ColumnRequest::default()).unwrap_err();
    let bad_cell = error(&["a.csv", "broken.csv"]);
    assert!(bad_cell.file.ends_with("broken.csv"));
    assert_eq!((bad_cell.position.row, bad_cell.position.line), (Some(2), Some(3)));
    let other = error(&["a.csv", "counts.csv"]);
    assert!(other.file.ends_with("counts.csv"));
    assert_eq!(
        other.cause.to_string(),
        "its columns are `score`, `n0`, `n1`, and those of the files before it `score`, `label`"
    );
    assert_eq!(error(&["a.csv", "a.csv"]).cause, Cause::FileTwice);
    assert_eq!(error(&["*.parquet"]).cause, Cause::NoMatch);
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    assert_eq!(error(&["empty"]).cause, Cause::EmptyDirectory);
}

#[test]
fn slices_are_the_rows_of_each_value() {
    let folder = folder(&[("a.csv", A), ("b.csv", B)]);
    let request = ColumnRequest { group_by: Some("site".into()), ..ColumnRequest::default() };
    let gathered = gather(folder.path(), &["a.csv", "b.csv"], &request).unwrap();
    let slices = gathered.slices.unwrap();
    assert_eq!(slices.values, [Some("a".to_owned()), Some("b".to_owned()), None]);
    let a = slices.slice(&gathered.data, 0).unwrap();
    assert_eq!((a.rows, &a.scores[0]), (3, &vec![0.4, 0.35, 0.8]));
    // The positive label, 1, is class 0.
    assert_eq!(a.content, Content::Rows { is_class_1: vec![true, false, false], weights: None });
    assert_eq!(slices.slice(&gathered.data, 1).unwrap().scores[0], [0.1, 0.9, 0.3]);
    // One row, of class 1.
    assert_eq!(slices.slice(&gathered.data, 2).unwrap_err(), Cause::NoWeight("0".into()));
    assert_eq!((slices.rows(2), gathered.data.rows), (1, 7));
}
