"""Rows grouped and sorted by DuckDB, Polars and Spark, as docs/engines.md says, and evaluated by rocproof.

    python3 -m venv target/engines
    target/engines/bin/pip install -r tests/engines/requirements.txt
    target/engines/bin/python tests/engines/run.py target/release/rocproof

Every metric and loss must be that of the rows, to 1e-12; AUC and Brier score are computed here as well, from ranks and squares.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import polars as pl

AGREED = 1e-12
ROWS, SITES = 60_000, ["north", "south", "west"]


class Engines:
    """Runs rocproof and gathers disagreements."""

    def __init__(self, rocproof, folder):
        self.rocproof, self.folder = str(Path(rocproof).resolve()), Path(folder)
        self.compared, self.failed, self.largest = 0, [], 0.0

    def score(self, *arguments, stdin=None):
        run = subprocess.run(
            [self.rocproof, "score", *map(str, arguments), "--json"], stdin=stdin, capture_output=True, cwd=self.folder
        )
        if run.returncode != 0:
            raise SystemExit(f"{arguments}: {run.stderr.decode()}")
        return json.loads(run.stdout)

    def piped(self, query, *arguments, form="FORMAT csv, HEADER"):
        """DuckDB writes to a pipe that rocproof reads."""
        copy = f"import duckdb; duckdb.execute(\"COPY ({query}) TO '/dev/stdout' ({form})\")"
        engine = subprocess.Popen([sys.executable, "-c", copy], stdout=subprocess.PIPE, cwd=self.folder)
        found = self.score("-", *arguments, stdin=engine.stdout)
        engine.stdout.close()
        if engine.wait() != 0:
            raise SystemExit(f"DuckDB failed: {query}")
        return found

    def agree(self, case, name, found, expected):
        self.compared += 1
        apart = abs(found - expected)
        self.largest = max(self.largest, apart)
        if not apart <= AGREED:
            self.failed.append(f"{case}: {name} is {found!r}, and {expected!r} of the rows")

    def same(self, case, found, expected):
        """All metrics and losses of two evaluations."""
        for name, metric in expected["metrics"].items():
            self.agree(case, name, found["metrics"][name]["value"], metric["value"])
        for condition, losses in expected["loss"].items():
            for name, loss in losses.items():
                self.agree(case, f"{condition} {name}", found["loss"][condition][name]["value"], loss["value"])


def auc(scores, labels):
    """The share of pairs in order, ties half: from midranks."""
    values, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    midranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positives = int(labels.sum())
    return (midranks[labels == 1].sum() - positives * (positives + 1) / 2) / (positives * (len(labels) - positives))


def write_rows(folder):
    """Part files with a score, a label and a site."""
    generator = np.random.default_rng(18)
    scores = np.concatenate([generator.random(ROWS // 2), np.round(generator.random(ROWS // 2), 3)])
    labels = (generator.random(ROWS) < 0.15 + 0.7 * scores).astype(int)
    sites = np.array(SITES)[generator.integers(0, len(SITES), ROWS)]
    frame = pl.DataFrame({"score": scores, "label": labels, "site": sites})
    parts = folder / "predictions"
    parts.mkdir()
    for k, part in enumerate(frame.iter_slices(ROWS // 5 + 1)):
        part.write_parquet(parts / f"part-{k}.parquet")
    return frame, scores, labels, sites


GROUPED = """SELECT score, count(*) FILTER (WHERE label = 0) AS n0, count(*) FILTER (WHERE label = 1) AS n1
FROM 'predictions/*.parquet' GROUP BY score"""
BY_SITE = GROUPED.replace("SELECT score,", "SELECT score, site,") + ", site"


def with_duckdb(engines, expected):
    one_line = " ".join(GROUPED.split())
    engines.same("DuckDB, grouped", engines.piped(one_line), expected)
    rows = "SELECT score, label FROM 'predictions/*.parquet' ORDER BY score"
    engines.same("DuckDB, sorted", engines.piped(rows, "--sorted"), expected)
    engines.same("DuckDB, Parquet from a pipe", engines.piped(one_line, form="FORMAT parquet"), expected)
    engines.same("DuckDB, falling", engines.piped(rows + " DESC", "--sorted"), expected)
    engines.same("DuckDB, sorted groups", engines.piped(one_line + " ORDER BY score", "--sorted"), expected)
    here = BY_SITE.replace("predictions", str(engines.folder / "predictions"))
    duckdb.execute(f"COPY ({here}) TO '{engines.folder}/by_site.parquet'")
    found = engines.score("by_site.parquet", "--group-by", "site")
    engines.same("DuckDB, by site", found, expected)
    return found


def with_polars(engines, expected):
    rows = pl.scan_parquet(engines.folder / "predictions/*.parquet")
    groups = rows.group_by("score").agg(n0=(pl.col("label") == 0).sum(), n1=(pl.col("label") == 1).sum())
    groups.sink_parquet(engines.folder / "groups.parquet")
    engines.same("Polars, grouped", engines.score("groups.parquet"), expected)
    rows.select("score", "label").sort("score").sink_csv(engines.folder / "sorted.csv")
    rows.select("score", "label").sort("score").sink_ipc(engines.folder / "sorted.arrow")
    engines.same("Polars, sorted Arrow file", engines.score("sorted.arrow", "--sorted"), expected)
    engines.same("Polars, sorted", engines.score("sorted.csv", "--sorted"), expected)
    frame = groups.collect()
    frame.write_ipc(engines.folder / "groups.arrow", compression="zstd")
    engines.same("Polars, Arrow file", engines.score("groups.arrow"), expected)
    rows.collect().sort("score", descending=True).write_ipc_stream(engines.folder / "stream.arrows", compression="lz4")
    with (engines.folder / "stream.arrows").open("rb") as stream:
        engines.same("Polars, Arrow stream", engines.score("-", "--sorted", stdin=stream), expected)
    # Categories are stored as numbers with a list of texts; texts as views.
    typed = rows.collect().with_columns(pl.col("site").cast(pl.Categorical), pl.col("score").cast(pl.Float64))
    typed.write_ipc_stream(engines.folder / "typed.arrows")
    found = engines.score("typed.arrows", "--group-by", "site")
    engines.same("Polars, categories", found, expected)
    if [group["group"] for group in found["groups"]] != SITES:
        engines.failed.append(f"the categories are {[group['group'] for group in found['groups']]}")


def with_spark(engines, expected):
    if shutil.which("java") is None:
        print("Spark was not run: there is no Java")
        return
    from pyspark.sql import SparkSession, functions as F

    session = SparkSession.builder.master("local[1]")
    for option, value in [("ui.enabled", "false"), ("ui.showConsoleProgress", "false"), ("sql.shuffle.partitions", "4")]:
        session = session.config(f"spark.{option}", value)
    spark = session.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rows = spark.read.parquet(str(engines.folder / "predictions"))
    groups = rows.groupBy("score").agg(
        F.count_if(F.col("label") == 0).alias("n0"), F.count_if(F.col("label") == 1).alias("n1")
    )
    groups.write.parquet(str(engines.folder / "spark_groups"))
    engines.same("Spark, grouped", engines.score("spark_groups"), expected)
    rows.select("score", "label").orderBy("score").write.parquet(str(engines.folder / "spark_sorted"))
    engines.same("Spark, sorted", engines.score("spark_sorted", "--sorted"), expected)
    spark.stop()


def main():
    with tempfile.TemporaryDirectory() as folder:
        engines = Engines(sys.argv[1], folder)
        _, scores, labels, sites = write_rows(engines.folder)
        expected = engines.score("predictions")
        engines.agree("rows", "AUC", expected["metrics"]["AUC"]["value"], auc(scores, labels))
        engines.agree("rows", "BS", expected["metrics"]["BS"]["value"], float(np.mean((scores - labels) ** 2)))
        by_site = with_duckdb(engines, expected)
        for group in by_site["groups"]:
            of_site = sites == group["group"]
            expected_auc = auc(scores[of_site], labels[of_site])
            engines.agree(f"site {group['group']}", "AUC", group["metrics"]["AUC"]["value"], expected_auc)
        if [group["group"] for group in by_site["groups"]] != SITES:
            engines.failed.append(f"the sites are {[group['group'] for group in by_site['groups']]}")
        with_polars(engines, expected)
        with_spark(engines, expected)
    print(f"{engines.compared} values from DuckDB, Polars and Spark; the largest difference is {engines.largest:.1e}")
    for failure in engines.failed:
        print(failure)
    sys.exit(1 if engines.failed else 0)


if __name__ == "__main__":
    main()
