"""Asks a prover for its verdicts on statements."""

import json
import shlex
import subprocess
from multiprocessing.pool import ThreadPool


def ask_command(command, texts):
    """One run of a command that reads statements, one a line, and writes a JSON line for each."""
    run = subprocess.run(shlex.split(command), input="".join(text + "\n" for text in texts),
                         capture_output=True, text=True, check=False)
    answers = [json.loads(line) for line in run.stdout.splitlines() if line.strip()]
    if len(answers) != len(texts):
        raise SystemExit("the prover gave %d answers to %d statements: %s"
                         % (len(answers), len(texts), run.stderr[-500:]))
    return answers


def ask_once(path, text, seconds=0.5):
    """One run of the program for one statement."""
    command = [path, "check", text, "--json", "--time", str(seconds)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return {"statement": text, "verdict": "timeout"}
    if run.returncode == 2:
        return {"statement": text, "verdict": "input-error", "error": run.stderr[:400]}
    try:
        return json.loads(run.stdout)
    except ValueError:
        return {"statement": text, "verdict": "crash", "error": run.stderr[:400]}


def ask_program(path, texts, workers=2):
    """One run of the program for every statement, a few at a time."""
    with ThreadPool(workers) as pool:
        return pool.map(lambda text: ask_once(path, text), texts, chunksize=8)


def values_on_model(path, text, model_arguments):
    """What the program itself says about a statement on one model: (verdict, [(left, right)])."""
    command = [path, "check", text, "--json", *model_arguments]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        answer = json.loads(run.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return None
    sides = [(claim["lhs"].get("exact") or claim["lhs"].get("value"),
              claim["rhs"].get("exact") or claim["rhs"].get("value"))
             for claim in answer.get("claims", [])]
    return answer.get("verdict"), sides
