"""Runs every SymPy script of a directory; fails if one fails, or if there is none.

A script must also notice when what it checks is wrong: each is run once more with one of its potentials or constants changed.

    python run.py DIRECTORY
"""
import contextlib
import io
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path


def run(source):
    """What is wrong when the script runs, in names of its own; None if nothing is. SymPy is loaded once for all scripts."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            exec(compile(source, "script", "exec"), {"__name__": "__main__"})
    except SystemExit as end:
        if end.code not in (None, 0):
            return str(end.code) if isinstance(end.code, str) else (out.getvalue().strip().splitlines() or ["?"])[-1]
    except Exception as error:
        return repr(error)
    return None


def spoiled(source):
    """The script with something added to the last number that it compares with, or to the difference of the sides."""
    if "others, constant = " in source:
        return re.sub(r"(?m)^(others, constant = .*)$", r"\1 + Rational(1, 7)", source, count=1)
    if "rest = combination(" in source:
        return re.sub(r"(?m)^(rest = combination\(.*)$", r"\1\nrest.number += Rational(1, 7)", source, count=1)
    return re.sub(r"(?m)^difference = sp.sympify\(left - right\)$", "difference = left - right + Rational(1, 7)", source)


def check(path):
    source = path.read_text()
    wrong = run(source)
    if wrong is not None:
        return f"{path.name}: {wrong}"
    if run(spoiled(source)) is None:
        return f"{path.name}: holds although it was spoiled"
    return None


def main():
    scripts = sorted(Path(sys.argv[1]).glob("*.py"))
    if not scripts:
        sys.exit("no scripts")
    with ProcessPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(check, scripts, chunksize=4) if problem]
    print("\n".join(problems) or f"{len(scripts)} scripts hold, and none once it is spoiled")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
