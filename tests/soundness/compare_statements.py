"""Compares both sides of random statements on single models with the prover's own values.

    python compare_statements.py --rocproof PATH --count 300 --seed 1
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter

import statements
from checking import needs_probabilities
from compare import written_value
from errors import NoValue, Unsupported
from evaluator import Evaluation
from exact import compare
from generators import pool
from language import parameters, parse_statement


def prover_sides(path, text, model):
    """The pairs of sides of the claims that the prover gives exactly, or None."""
    run = subprocess.run([path, "check", text, "--json", *model.arguments()],
                         capture_output=True, text=True, timeout=120, check=False)
    try:
        answer = json.loads(run.stdout)
    except ValueError:
        return None
    return [(claim["lhs"].get("exact"), claim["rhs"].get("exact"))
            for claim in answer.get("claims", [])]


def own_side(evaluation, tree):
    """The value of a side, or the name of the reason why there is none."""
    evaluation.notes = set()
    try:
        return evaluation.value(tree)
    except (NoValue, Unsupported) as problem:
        return type(problem).__name__


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rocproof", required=True)
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    rng = random.Random(chosen.seed)
    counts = Counter()
    for _, text in statements.generate(chosen.count, chosen.seed):
        statement = parse_statement(text)
        if parameters(statement) or len(statement.models) > 1:
            continue
        wide = not needs_probabilities(statement) and rng.random() < 0.3
        cases = pool(statement.classes, wide=wide, size=40)
        if not cases:
            continue
        case = rng.choice(cases)
        sides = prover_sides(chosen.rocproof, text, case.source)
        if not sides:
            counts["no values"] += 1
            continue
        evaluation = Evaluation({"m": case})
        for (left, _, right), texts in zip(statement.claim, sides):
            for tree, theirs in zip((left, right), texts):
                own = own_side(evaluation, tree)
                if theirs is None or isinstance(own, str):
                    counts["theirs none" if theirs is None else "own " + own] += 1
                elif compare(own, written_value(theirs)) == 0:
                    counts["equal"] += 1
                else:
                    counts["differ"] += 1
                    print("differ: %s on %s: theirs %s, own %s (%s)" % (
                        text, case.source.text(), theirs, own, ", ".join(evaluation.notes)))
    print(", ".join("%s: %d" % pair for pair in sorted(counts.items())))
    return 1 if counts["differ"] else 0


if __name__ == "__main__":
    sys.exit(main())
