"""Asks a prover about random statements and attacks what it calls proved with random models.

    python run.py --rocproof PATH --count 5000 --models 100 --seed 1
    python run.py --prover COMMAND --count 5000 --models 100 --seed 1
    python run.py --rocproof PATH --statements FILE

The exit status is 1 if some proved statement is false or undefined on some model.
"""

import argparse
import json
import shlex
import sys
import time
from collections import Counter

import prover
import statements
from checking import DIVISION, FALSE, UNDEFINED, Checker
from language import ParseError, parse_statement

VIOLATIONS = (FALSE, UNDEFINED, DIVISION)


def read_options():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    asked = options.add_mutually_exclusive_group(required=True)
    asked.add_argument("--prover", help="a command that answers statements, one a line, in JSON")
    asked.add_argument("--rocproof", help="a program, called once for every statement")
    asked.add_argument("--answers", help="a file of answers that --save wrote")
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--models", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--statements", help="a file of statements, one a line")
    options.add_argument("--kinds", help="only these kinds of statements, separated by commas")
    options.add_argument("--save", help="write the prover's answers to a file")
    options.add_argument("--notes", type=int, default=5,
                         help="how many remarks on readings and infinite sides to print")
    return options.parse_args()


def gather_statements(chosen):
    """A list of (kind, text)."""
    if not chosen.statements:
        kinds = chosen.kinds.split(",") if chosen.kinds else None
        return statements.generate(chosen.count, chosen.seed, kinds)
    with open(chosen.statements, encoding="utf-8") as lines:
        texts = [line.strip() for line in lines]
    return [("file", text) for text in texts if text and not text.startswith("#")]


def gather_answers(chosen):
    """A list of (kind, text, answer)."""
    if chosen.answers:
        with open(chosen.answers, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    wanted = gather_statements(chosen)
    texts = [text for _, text in wanted]
    if chosen.prover:
        answers = prover.ask_command(chosen.prover, texts)
    else:
        answers = prover.ask_program(chosen.rocproof, texts)
    gathered = [(kind, text, _slim(answer)) for (kind, text), answer in zip(wanted, answers)]
    if chosen.save:
        with open(chosen.save, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in gathered)
    return gathered


def _slim(answer):
    return {key: answer[key] for key in ("statement", "verdict", "hypotheses", "error")
            if key in answer}


def check_all(gathered, checker):
    """(outcomes of the proved statements with their kinds, texts the parser cannot read)."""
    outcomes, unreadable = [], []
    for kind, text, answer in gathered:
        if answer["verdict"] != "proved":
            continue
        try:
            parse_statement(text)
        except ParseError:
            unreadable.append(text)
            continue
        outcomes.append((kind, checker.check(text, answer.get("hypotheses"))))
    return outcomes, unreadable


def print_finding(finding, path=None):
    """Prints a finding; with the program's path also what it says about that one model."""
    print("%s: %s" % (finding.kind.upper(), finding.statement))
    given = "".join(" %s=%s" % pair for pair in finding.parameters.items())
    print("    on %s%s" % (finding.model, given))
    print("    %s" % finding.detail)
    if path and not finding.parameters:
        answer = prover.values_on_model(path, finding.statement, shlex.split(finding.model))
        if answer:
            print("    the program on this model: %s, %s" % (
                answer[0], "; ".join("%s and %s" % pair for pair in answer[1]) or "no values"))


def print_summary(gathered, outcomes, unreadable, seconds):
    verdicts = Counter((kind, answer["verdict"]) for kind, _, answer in gathered)
    print("\nStatements by kind and verdict")
    for (kind, verdict), number in sorted(verdicts.items()):
        print("  %-12s %-12s %6d" % (kind, verdict, number))
    models = sum(outcome.models for _, outcome in outcomes)
    evaluations = sum(outcome.evaluations for _, outcome in outcomes)
    skipped = sum(outcome.skipped for _, outcome in outcomes)
    empty = sum(1 for _, outcome in outcomes if outcome.models == 0)
    print("Proved statements checked: %d, of these without a model that applies: %d"
          % (len(outcomes), empty))
    print("Models: %d, evaluations: %d, skipped as not computable: %d, seconds: %.0f"
          % (models, evaluations, skipped, seconds))
    if unreadable:
        print("Proved statements that could not be read: %d, e.g. %s"
              % (len(unreadable), unreadable[0]))
    unread = Counter(text for _, outcome in outcomes for text in outcome.unread)
    for text, number in unread.most_common(10):
        print("A hypothesis that could not be read (%d times): %s" % (number, text))
    added = Counter(text for _, outcome in outcomes for text in outcome.added)
    for text, number in added.most_common(10):
        print("A hypothesis that the statement does not state (%d times): %s" % (number, text))
    kinds = Counter((finding.kind, kind) for kind, outcome in outcomes
                    for finding in outcome.findings)
    print("Findings by kind of finding and of statement")
    for (found, kind), number in sorted(kinds.items()):
        print("  %-12s %-12s %6d" % (found, kind, number))


def main():
    chosen = read_options()
    gathered = gather_answers(chosen)
    started = time.process_time()
    outcomes, unreadable = check_all(gathered, Checker(chosen.models, chosen.seed))
    seconds = time.process_time() - started
    printed = Counter()
    failed = False
    for _, outcome in outcomes:
        for finding in outcome.findings:
            if finding.kind in VIOLATIONS:
                failed = True
                print_finding(finding, chosen.rocproof)
            elif printed[finding.kind] < chosen.notes:
                printed[finding.kind] += 1
                print_finding(finding)
    print_summary(gathered, outcomes, unreadable, seconds)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
