"""Compares the prover's values of single models (`eval --level exact`) with this evaluator.

    python compare.py --rocproof PATH --count 200 --seed 1
"""

import argparse
import json
import random
import subprocess
import sys

from errors import NoValue, Unsupported
from evaluator import Evaluation
from exact import compare
from generators import pool
from language import Parser

COSTS = ["uniform", "beta(2,2)", "beta(1,3)", "beta(3,1)", "beta(2,5)"]
TRANSFORM_OPTIONS = [(), ("conv",), ("cal",), ("even",), ("even", "conv"), ("conv", "cal"),
                     ("even", "cal"), ("cal", "even")]
CLASS_SETS = [[], [], [], ["convex"], ["calibrated"], ["even"], ["random"], ["perfect"]]


def prover_values(path, model, transforms, cost, threshold, rate):
    """{expression: exact text or None} as the prover gives them, or an error text."""
    command = [path, "eval", *model.arguments(), "--level", "exact", "--json", "--cost", cost,
               "--threshold", str(threshold), "--rate", str(rate)]
    for name in transforms:
        command += ["--transform", name]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0:
        return None, run.stderr.strip()
    answer = json.loads(run.stdout)
    values = {}
    for name, entry in answer["metrics"].items():
        name = "%s(%s)" % (name.split("(")[0], threshold) if "(" in name else name
        values[name] = entry.get("exact")
    suffix = "" if cost == "uniform" else "; " + cost
    for letter, group in (("L", "cost"), ("Lz", "skew")):
        for method, entry in answer["loss"][group].items():
            place = {"sf": "(%s)" % threshold, "rf": "(%s)" % rate}.get(method[:2], "")
            values["%s[%s%s%s]" % (letter, method[:2].rstrip("("), place, suffix)] = (
                entry.get("exact"))
    return values, None


def written_value(text):
    """The value of a number that is written with ln and sqrt."""
    return Evaluation({}).value(Parser(text).expression())


def own_value(case, expression, transforms):
    """The value of an expression, or the name of the reason why there is none."""
    inner = "m"
    for name in transforms:
        inner = "%s(%s)" % (name.capitalize(), inner)
    tree = Parser("%s(%s)" % (expression, inner)).expression()
    try:
        return Evaluation({"m": case}).value(tree)
    except (NoValue, Unsupported) as problem:
        return type(problem).__name__


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rocproof", required=True)
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    rng = random.Random(chosen.seed)
    compared = skipped = failed = wrong = 0
    for index in range(chosen.count):
        classes = CLASS_SETS[index % len(CLASS_SETS)]
        case = rng.choice(pool(classes, wide=rng.random() < 0.2, size=60, seed=chosen.seed + index))
        transforms = rng.choice(TRANSFORM_OPTIONS)
        cost = rng.choice(COSTS)
        threshold = rng.choice(["0", "1", "1/2", "1/3", "3/5", "1/4"])
        rate = rng.choice(["0", "1", "1/2", "1/3", "3/5", "1/4"])
        values, error = prover_values(chosen.rocproof, case.source, transforms, cost,
                                      threshold, rate)
        if error:
            failed += 1
            print("refused:", case.source.text(), transforms, error[:300])
            continue
        for expression, theirs in values.items():
            own = own_value(case, expression, transforms)
            if theirs is None or isinstance(own, str):
                skipped += 1
                if theirs is not None and own != "Unsupported":
                    wrong += 1
                    print("only theirs:", expression, transforms, case.source.text(), theirs, own)
                continue
            compared += 1
            if compare(own, written_value(theirs)) != 0:
                wrong += 1
                print("differ: %s after %s on %s: theirs %s, own %s"
                      % (expression, transforms, case.source.text(), theirs, own))
    print("%d values compared, %d differ, %d skipped, %d models refused"
          % (compared, wrong, skipped, failed))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
