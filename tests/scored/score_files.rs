//! Scored data from files: what is read, how labels compare, which way scores point.

use parquet::basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray};
use parquet::data_type::{FixedLenByteArrayType, FloatType, Int32Type, Int64Type, Int96, Int96Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rocproof::data::read::{
    Cause, ColumnRequest, Content, Dataset, FilePosition, LabelRole, ReadError, Role, read, read_csv,
};
use rocproof::data::{Scored, evaluate_scored};
use rocproof::model::Transform;
use rocproof::{Condition, Cost, Evaluation, Thresholds};
use std::sync::Arc;

fn said(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn csv(text: &str) -> Result<Dataset, ReadError> {
    read_csv("data.csv", text.as_bytes(), &ColumnRequest::default())
}

fn classes(data: &Dataset) -> &[bool] {
    match &data.content {
        Content::Rows { is_class_1, .. } => is_class_1,
        Content::Groups(_) => panic!("rows were expected"),
    }
}

#[test]
fn cells_are_read_as_they_are_written() {
    let text =
        "\u{feff}score, label ,\"a \"\"note\"\"\"\r\n 0.1 ,1.0,\"x, y\nz\"\r\n\r\n\"0.25\", 0 ,\r\n1e-3,+1,#\r\n";
    let data = csv(text).unwrap();
    assert_eq!((data.rows, &data.scores[0]), (3, &vec![0.1, 0.25, 1e-3]));
    // The label 1 is positive, which is class 0, and higher scores mean it.
    assert_eq!(classes(&data), [false, true, false]);
    assert_eq!((&data.classes.names, data.classes.higher_means), (&["1".to_owned(), "0".to_owned()], 0));
    assert_eq!(data.classes.by_default, [true, true]);
    let tabs = ColumnRequest { delimiter: Some(b'\t'), ..ColumnRequest::default() };
    assert_eq!(read_csv("-", &b"label\tscore\nFALSE\t2\nTrue\t3\n"[..], &tabs).unwrap().scores, [[2.0, 3.0]]);
}

#[test]
fn rows_stay_aligned_over_columns() {
    let request = ColumnRequest {
        scores: vec!["b,a".into(), "c,d".into()],
        label: said("y"),
        weight: said("w"),
        positive: said("1"),
        ..ColumnRequest::default()
    };
    let text = "a,b,\"c,d\",y,w\n1,10,100,0,0.5\n2,20,200,1,2\n";
    let data = read_csv("-", text.as_bytes(), &request).unwrap();
    assert_eq!(data.score_columns, ["b", "a", "c,d"]);
    assert_eq!(data.scores, [[10.0, 20.0], [1.0, 2.0], [100.0, 200.0]]);
    assert_eq!(data.totals(), [2.0, 0.5]);
    // The positive class is class 0, and higher scores mean it unless the request says otherwise.
    assert_eq!(
        (classes(&data), data.classes.higher_means, data.classes.by_default),
        (&[true, false][..], 0, [false, true])
    );
}

#[test]
fn places_are_those_of_the_file() {
    let cause = |text: &str| {
        let error = csv(text).unwrap_err();
        (error.position.row, error.position.line, error.position.column, error.cause)
    };
    let score = Some("score".to_owned());
    // Lines end in three ways, and blank ones are lines too.
    assert_eq!(
        cause("score,label\r\n0.1,1\r\n\r\nx,0\r\n"),
        (Some(2), Some(4), score.clone(), Cause::NotANumber(Role::Score, "x".into()))
    );
    assert_eq!(cause("score,label\r0.1,1\r,0\r"), (Some(2), Some(3), score.clone(), Cause::Missing(Role::Score)));
    let note = "score,label,n\n0.1,1,\"a\nb\"\n0.2,0,\ninf,1,";
    assert_eq!(cause(note), (Some(3), Some(5), score, Cause::NotFinite(Role::Score, f64::INFINITY)));
    let ragged = Cause::Ragged { expected: 2, found: 3 };
    assert_eq!(cause("\u{feff}score,label\n\n0.1,1\n0.1,1,2"), (Some(2), Some(4), None, ragged));
    let open = "score,label,n\n0.1,1,a\n0.2,0,\"b\n0.3,1,c\n";
    assert_eq!(cause(open), (Some(2), Some(3), said("n"), Cause::OpenQuote));
    let many = format!("score,label\n{}0.5\n", "0.5,1\n".repeat(100_000));
    assert_eq!(cause(&many), (Some(100_001), Some(100_002), None, Cause::Ragged { expected: 2, found: 1 }));
}

#[test]
fn labels_are_two() {
    let with = |labels: [&str; 2], positive: Option<&str>, higher_means: Option<&str>| {
        let text = format!("score,label\n1,{}\n2,{}\n", labels[0], labels[1]);
        let [positive, higher_means] = [positive, higher_means].map(|label| label.map(str::to_owned));
        let data =
            read_csv("-", text.as_bytes(), &ColumnRequest { positive, higher_means, ..ColumnRequest::default() });
        data.map(|data| (data.classes.names, data.classes.higher_means)).map_err(|error| error.cause)
    };
    let names = |zero: &str, one: &str| [zero.to_owned(), one.to_owned()];
    assert_eq!(with(["1", "0"], None, None), Ok((names("1", "0"), 0)));
    assert_eq!(with(["true", "False"], None, None), Ok((names("true", "false"), 0)));
    assert_eq!(with(["-1", "1"], None, None), Ok((names("1", "-1"), 0)));
    assert_eq!(with(["0", "1"], None, Some("0.0")), Ok((names("1", "0"), 1)));
    assert_eq!(with(["0", "1"], Some("0"), None), Ok((names("0", "1"), 0)));
    assert_eq!(with(["0", "1"], Some("0"), Some("1")), Ok((names("0", "1"), 1)));
    assert_eq!(with(["a", "b"], Some("a"), None), Ok((names("a", "b"), 0)));
    assert_eq!(with(["0", "1"], Some("1"), Some("0")), Ok((names("1", "0"), 1)));
    assert_eq!(with(["a", "b"], Some("b"), Some("b")), Ok((names("b", "a"), 0)));
    assert_eq!(
        with(["9007199254740992", "9007199254740993"], Some("9007199254740993"), Some("9007199254740992")).unwrap().1,
        1
    );
    // Nothing is guessed.
    for (labels, higher_means) in [
        (["a", "b"], None),
        (["a", "b"], Some("a")),
        (["1", "2"], Some("2")),
        (["0", "true"], None),
        (["-1", "0"], None),
    ] {
        let cause = with(labels, None, higher_means).unwrap_err();
        assert!(matches!(&cause, Cause::WhichPositive(known) if *known == names(labels[0], labels[1])), "{cause}");
    }
    assert!(matches!(
        with(["a", "b"], Some("A"), Some("b")),
        Err(Cause::UnknownLabel { role: LabelRole::Positive, .. })
    ));
    assert_eq!(with(["x", "x"], None, None), Err(Cause::OneLabel("x".into())));
    assert_eq!(with(["1", "nan"], None, None), Err(Cause::Missing(Role::Label)));
    let third = csv("score,label\n1,0\n2,1\n3,1.0\n4,2\n").unwrap_err();
    assert_eq!(
        (third.position.row, third.cause.to_string()),
        (Some(4), "`2` is a third label, after `0` and `1`; there must be two".into())
    );
}

#[test]
fn groups_are_recognised() {
    let data = csv("n1,score,n0\n3,0.2,0\n0.5,0.1,2\n").unwrap();
    assert_eq!((&data.content, data.totals()), (&Content::Groups([vec![3.0, 0.5], vec![0.0, 2.0]]), [3.5, 2.0]));
    let text = "score,bad,good\n1,3,0\n2,1,2\n";
    let named = ColumnRequest { counts: said("good,bad"), higher_means: said("good"), ..ColumnRequest::default() };
    let data = read_csv("-", text.as_bytes(), &named).unwrap();
    assert_eq!(
        (data.classes.names.join(" "), data.classes.higher_means, data.totals()),
        ("bad good".into(), 1, [4.0, 2.0])
    );
    let swapped = ColumnRequest { positive: said("good"), ..named };
    assert_eq!(read_csv("-", text.as_bytes(), &swapped).unwrap().totals(), [2.0, 4.0]);
    assert_eq!(csv("score,n0,n1,label\n1,2,3,4\n").unwrap_err().cause, Cause::LabelsAndCounts);
    let labelled = ColumnRequest { label: said("label"), ..ColumnRequest::default() };
    assert_eq!(read_csv("-", &b"score,n0,n1,label\n1,2,3,1\n2,2,3,0\n"[..], &labelled).unwrap().totals(), [1.0, 1.0]);
}

fn evaluated(data: &Dataset, cost: &Cost, thresholds: &Thresholds) -> Evaluation {
    data.evaluate_column(0, &[], cost, thresholds).unwrap()
}

/// All values by name.
fn values(evaluation: &Evaluation) -> Vec<(String, Option<f64>)> {
    let metrics = evaluation.metrics().map(|(m, v)| (evaluation.thresholds.label(m), v));
    let losses =
        evaluation.losses(Condition::Cost).chain(evaluation.losses(Condition::Skew)).map(|(m, v)| (m.name(), v));
    metrics.chain(losses).map(|(name, v)| (name, v.estimate().map(|e| e.value))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// Where `1 - s` is exact, turning data round is the same as writing `1 - s`.
    #[test]
    fn scores_of_class_0_are_turned_round(
        rows in prop::collection::vec((0u8..=16, any::<bool>(), 1u8..4), 2..30),
        threshold in 0u8..=16,
        cost in prop::sample::select(vec!["uniform", "beta(2, 3)", "beta(0.5, 4)"]),
    ) {
        prop_assume!(rows.iter().any(|row| row.1) && rows.iter().any(|row| !row.1));
        let text: String = rows.iter().map(|(s, y, w)| format!("{},{},{w}\n", f64::from(*s) / 16.0, u8::from(*y))).collect();
        let request = ColumnRequest { weight: said("w"), positive: said("1"), ..ColumnRequest::default() };
        let data = read_csv("-", format!("score,label,w\n{text}").as_bytes(), &request).unwrap();
        let threshold = f64::from(threshold) / 16.0;
        let (cost, rate) = (Cost::parse(cost).unwrap(), 0.3);
        let found = values(&evaluated(&data, &cost, &Thresholds::of_floats(threshold, rate)));
        let x: Vec<f64> = rows.iter().map(|row| 1.0 - f64::from(row.0) / 16.0).collect();
        let is_class_1: Vec<bool> = rows.iter().map(|row| !row.1).collect();
        let weights: Vec<f64> = rows.iter().map(|row| f64::from(row.2)).collect();
        let mirrored = Scored::from_rows(&x, &is_class_1, Some(&weights)).unwrap();
        let expected = evaluate_scored(&mirrored, &cost, &Thresholds::of_floats(1.0 - threshold, rate));
        // The prior of H_hmeasure is by the class that higher scores mean, and does not follow the curve.
        let unturned: Vec<f64> = rows.iter().map(|row| f64::from(row.0) / 16.0).collect();
        let label_1: Vec<bool> = rows.iter().map(|row| row.1).collect();
        let unturned = Scored::from_rows(&unturned, &label_1, Some(&weights)).unwrap();
        let unturned = evaluate_scored(&unturned, &cost, &Thresholds::default());
        for ((name, value), (_, expected)) in found.into_iter().zip(values(&expected)) {
            let by_direction = unturned.metric(&name).filter(|_| name == "H_hmeasure");
            let expected = by_direction.map_or(expected, |value| value.estimate().map(|e| e.value));
            let expected = if ["s0", "s1"].contains(&&name[..]) { expected.map(|x| 1.0 - x) } else { expected };
            let apart = value.zip(expected).map_or(0.0, |(a, b)| (a - b).abs());
            prop_assert!(value.is_some() == expected.is_some() && apart < 1e-12, "{name}: {value:?} {expected:?}");
        }
    }
}

/// 1 - 1e-20 and 1 - 2e-20 are the same float; the scores are not.
#[test]
fn turning_round_makes_no_ties() {
    let text = "score,label\n1e-20,0\n2e-20,1\n3e-20,0\n0.5,1\n";
    let request = ColumnRequest { positive: said("1"), ..ColumnRequest::default() };
    let data = read_csv("-", text.as_bytes(), &request).unwrap();
    let evaluation = evaluated(&data, &Cost::uniform(), &Thresholds::of_floats(2e-20, 0.5));
    let value = |name: &str| evaluation.metric(name).unwrap().estimate().unwrap().value;
    // Of four pairs one is in the wrong order; at the threshold 2e-20 three rows are predicted 1, two of them rightly.
    assert_eq!((value("AUC"), value("Acc")), (0.75, 0.75));
    // Rows without weight do not say what scores are.
    let text = "score,label,w\n-7,0,0\n0.25,0,1\n0.5,1,2\n";
    let weighted = ColumnRequest { weight: said("w"), ..request };
    let weighted = read_csv("-", text.as_bytes(), &weighted).unwrap();
    let mean = evaluated(&weighted, &Cost::uniform(), &Thresholds::default());
    assert_eq!(mean.metric("s1").unwrap().estimate().unwrap().value, 0.25);
    assert!(mean.metric("BS").unwrap().estimate().is_some());
    // No tie mixes classes: all of the Brier score is calibration loss.
    assert_eq!((value("RL"), value("CL"), value("BS")), (0.0, 0.3125, 0.3125));
    assert_eq!(value("s0"), 0.25);
}

/// Calibrated scores are probabilities of the class that higher scores mean; means follow the scores of the file otherwise.
#[test]
fn transforms_keep_the_direction() {
    let text = "score,label\n-2,0\n-1,1\n1,0\n3,1\n4,1\n";
    for positive in ["0", "1"] {
        let request = ColumnRequest { positive: said(positive), higher_means: said("1"), ..ColumnRequest::default() };
        let data = read_csv("-", text.as_bytes(), &request).unwrap();
        let mean = |transforms: &[Transform], label: &str| {
            let evaluation = data.evaluate_column(0, transforms, &Cost::uniform(), &Thresholds::default()).unwrap();
            let class = data.classes.names.iter().position(|name| name == label).unwrap();
            evaluation.metric(&format!("s{class}")).unwrap().estimate().unwrap().value
        };
        // Pools: -2 alone, -1 with 1, and 3 with 4; the shares of the label 1 are 0, 1/2 and 1.
        assert!(
            (mean(&[Transform::Cal], "0") - 0.25).abs() < 1e-15
                && (mean(&[Transform::Cal], "1") - 2.5 / 3.0).abs() < 1e-15
        );
        assert!((mean(&[], "0") + 0.5).abs() < 1e-15 && (mean(&[], "1") - 2.0).abs() < 1e-15);
        // Each pool is spread over its scores: -1 and 1 to their middle, 3 and 4 to theirs, whatever the class.
        assert!(
            (mean(&[Transform::Conv], "0") + 1.0).abs() < 1e-15
                && (mean(&[Transform::Conv], "1") - 7.0 / 3.0).abs() < 1e-15
        );
    }
}

/// Very many ties are counted as they are read.
#[test]
fn ties_are_counted() {
    let rows = 2_500_000;
    let row = |k: usize| format!("{},{}\n", k * k % 97, usize::from(k % 7 > k % 3));
    let text: String = std::iter::once("score,label\n".to_owned()).chain((0..rows).map(row)).collect();
    let data = csv(&text).unwrap();
    let Content::Groups(counts) = &data.content else { panic!("rows with ties are groups") };
    assert!(counts[0].len() < 1_100_000 && data.rows == rows);
    let classes: Vec<bool> = (0..rows).map(|k| k % 7 <= k % 3).collect();
    let scores: Vec<f64> = (0..rows).map(|k| (k * k % 97) as f64).collect();
    let plain = Scored::from_rows(&scores, &classes, None).unwrap();
    let grouped: Vec<_> = data.scores[0]
        .iter()
        .enumerate()
        .map(|(k, x)| rocproof::data::Tie { x: *x, mass: [counts[0][k], counts[1][k]] })
        .collect();
    assert!(plain.ties().eq(Scored::from_groups(&grouped).unwrap().ties()));
}

/// A Parquet file in the folder of temporary files, gone with this.
struct Written(std::path::PathBuf);

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

type Group<'a> = SerializedRowGroupWriter<'a, std::fs::File>;

/// Writes two row groups.
fn parquet(name: &str, columns: Vec<Type>, compression: Compression, cells: impl Fn(&mut Group, usize)) -> Written {
    let path = std::env::temp_dir().join(format!("rocproof-{}-{name}.parquet", std::process::id()));
    let schema =
        Type::group_type_builder("schema").with_fields(columns.into_iter().map(Arc::new).collect()).build().unwrap();
    let properties = WriterProperties::builder().set_compression(compression).build();
    let file = std::fs::File::create(&path).unwrap();
    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties)).unwrap();
    for k in 0..2 {
        let mut group = writer.next_row_group().unwrap();
        cells(&mut group, k);
        group.close().unwrap();
    }
    writer.close().unwrap();
    Written(path)
}

fn required(name: &str, physical: Physical) -> Type {
    Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED).build().unwrap()
}

fn optional(name: &str, physical: Physical) -> Type {
    Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL).build().unwrap()
}

fn write<T: DataType>(group: &mut Group, values: &[T::T], levels: Option<&[i16]>) {
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(values, levels, None).unwrap();
    column.close().unwrap();
}

impl Written {
    fn read(&self, request: &ColumnRequest) -> Result<Dataset, ReadError> {
        read(self.0.to_str().unwrap(), request)
    }
}

#[test]
fn parquet_is_read_however_it_is_packed() {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for (k, compression) in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        zstd,
        Compression::GZIP(Default::default()),
        Compression::LZ4_RAW,
    ]
    .into_iter()
    .enumerate()
    {
        let columns = vec![
            required("label", Physical::INT64),
            optional("score", Physical::DOUBLE),
            required("f", Physical::FLOAT),
        ];
        let file = parquet(&format!("packed{k}"), columns, compression, |group, _| {
            write::<Int64Type>(group, &[1, 0, 1], None);
            write::<DoubleType>(group, &[0.5, 0.25, 0.125], Some(&[1, 1, 1]));
            write::<FloatType>(group, &[0.1, 2.0, 3.0], None);
        });
        let data = file.read(&ColumnRequest { scores: vec!["score,f".into()], ..ColumnRequest::default() }).unwrap();
        assert_eq!(data.scores, [[0.5, 0.25, 0.125].repeat(2), [f64::from(0.1f32), 2.0, 3.0].repeat(2)]);
        assert_eq!((classes(&data), data.rows), (&[false, true, false].repeat(2)[..], 6));
    }
}

#[test]
fn parquet_types_mean_what_they_say() {
    let decimal = |name: &str, physical: Physical| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED);
        let column = column.with_converted_type(ConvertedType::DECIMAL).with_precision(9).with_scale(2);
        if physical == Physical::FIXED_LEN_BYTE_ARRAY { column.with_length(4) } else { column }.build().unwrap()
    };
    let logical = |name: &str, physical: Physical, logical: LogicalType, length: i32| {
        let column =
            Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED).with_length(length);
        column.with_logical_type(Some(logical)).build().unwrap()
    };
    let columns = vec![
        required("truth", Physical::BOOLEAN),
        logical("text", Physical::BYTE_ARRAY, LogicalType::String, -1),
        decimal("d32", Physical::INT32),
        decimal("d64", Physical::INT64),
        decimal("bytes", Physical::FIXED_LEN_BYTE_ARRAY),
        logical("u32", Physical::INT32, LogicalType::integer(32, false), -1),
        logical("half", Physical::FIXED_LEN_BYTE_ARRAY, LogicalType::Float16, 2),
        logical("date", Physical::INT32, LogicalType::Date, -1),
        required("old", Physical::INT96),
    ];
    let file = parquet("types", columns, Compression::SNAPPY, |group, _| {
        write::<BoolType>(group, &[true, false], None);
        write::<ByteArrayType>(group, &["spam", "ham"].map(ByteArray::from), None);
        write::<Int32Type>(group, &[-125, 10], None);
        write::<Int64Type>(group, &[-125, 10], None);
        let fixed = |bytes: &[u8]| FixedLenByteArray::from(bytes.to_vec());
        write::<FixedLenByteArrayType>(group, &[fixed(&(-125i32).to_be_bytes()), fixed(&10i32.to_be_bytes())], None);
        write::<Int32Type>(group, &[-1, 7], None);
        write::<FixedLenByteArrayType>(group, &[fixed(&[0x00, 0x3c]), fixed(&[0x00, 0xb8])], None);
        write::<Int32Type>(group, &[1, 2], None);
        write::<Int96Type>(group, &[Int96::new(), Int96::new()], None);
    });
    let scores = ["d32", "d64", "bytes", "u32", "half"].map(str::to_owned).to_vec();
    let data = file.read(&ColumnRequest { scores, label: said("truth"), ..ColumnRequest::default() }).unwrap();
    let expected = [[-1.25, 0.1], [-1.25, 0.1], [-1.25, 0.1], [4294967295.0, 7.0], [1.0, -0.5]];
    assert_eq!(data.scores, expected.map(|cells| cells.repeat(2)));
    assert_eq!(classes(&data), [false, true].repeat(2));
    let words = ColumnRequest {
        scores: vec!["half".into()],
        label: said("text"),
        positive: said("ham"),
        higher_means: said("spam"),
        ..ColumnRequest::default()
    };
    assert_eq!(classes(&file.read(&words).unwrap()), [true, false].repeat(2));
    let request = |column: &str, label: &str| ColumnRequest {
        scores: vec![column.into()],
        label: said(label),
        ..ColumnRequest::default()
    };
    let date = file.read(&request("half", "date")).unwrap_err();
    assert_eq!((date.position.column, date.cause), (said("date"), Cause::Type(Role::Label, "date".into())));
    for (column, found) in [("text", "text"), ("truth", "BOOLEAN"), ("old", "INT96")] {
        let error = file.read(&request(column, "d32")).unwrap_err();
        assert_eq!((error.position.column, error.cause), (said(column), Cause::Type(Role::Score, found.into())));
    }
}

#[test]
fn nulls_are_missing() {
    let columns = vec![optional("score", Physical::DOUBLE), optional("label", Physical::INT32)];
    let file = parquet("nulls", columns, Compression::SNAPPY, |group, k| match k {
        0 => {
            write::<DoubleType>(group, &[0.5, 0.25, 0.125], Some(&[1, 1, 1]));
            write::<Int32Type>(group, &[1, 0, 0], Some(&[1, 1, 1]));
        }
        _ => {
            write::<DoubleType>(group, &[0.5, 0.25], Some(&[1, 1, 0]));
            write::<Int32Type>(group, &[1, 0, 0], Some(&[1, 1, 1]));
        }
    });
    let error = file.read(&ColumnRequest::default()).unwrap_err();
    assert_eq!(
        (error.position, error.cause),
        (FilePosition { row: Some(6), line: None, column: said("score") }, Cause::Missing(Role::Score))
    );
}

/// A broken Parquet file is an error or other data, never a crash.
#[test]
fn broken_parquet_is_refused() {
    let columns = vec![required("score", Physical::DOUBLE), optional("label", Physical::BYTE_ARRAY)];
    let file = parquet("broken", columns, Compression::SNAPPY, |group, _| {
        write::<DoubleType>(group, &[0.5, 0.25, 0.5, 0.125], None);
        write::<ByteArrayType>(group, &["1", "0", "0", "1"].map(ByteArray::from), Some(&[1, 1, 1, 1]));
    });
    let whole = std::fs::read(&file.0).unwrap();
    assert!(file.read(&ColumnRequest::default()).is_ok());
    for length in (0..whole.len()).step_by(7) {
        std::fs::write(&file.0, &whole[..length]).unwrap();
        assert!(file.read(&ColumnRequest::default()).is_err(), "{length} bytes of {}", whole.len());
    }
    let mut refused = 0;
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x80;
        std::fs::write(&file.0, &bytes).unwrap();
        refused += usize::from(file.read(&ColumnRequest::default()).is_err());
    }
    assert!(refused > whole.len() / 2);
}
