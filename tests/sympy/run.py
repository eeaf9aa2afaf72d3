"""Runs every SymPy script of a directory; fails if one fails, or if there is none.

A script must also notice when what it checks is wrong: each is run once more with one of its potentials or constants changed.

    python run.py DIRECTORY
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def run(source):
    return subprocess.run([sys.executable, "-"], input=source, capture_output=True, text=True)


def spoiled(source):
    """The script with something added to the last number that it compares with, or to the difference of the sides."""
    if "others, constant = " in source:
        return re.sub(r"(?m)^(others, constant = .*)$", r"\1 + Rational(1, 7)", source, count=1)
    if "rest = combination(" in source:
        return re.sub(r"(?m)^(rest = combination\(.*)$", r"\1\nrest.number += Rational(1, 7)", source, count=1)
    return re.sub(r"(?m)^difference = sp.sympify\(left - right\)$", "difference = left - right + Rational(1, 7)", source)


def check(path):
    source = path.read_text()
    good = run(source)
    if good.returncode != 0:
        return f"{path.name}: {(good.stdout + good.stderr).strip().splitlines()[-1]}"
    if run(spoiled(source)).returncode == 0:
        return f"{path.name}: holds although it was spoiled"
    return None


scripts = sorted(Path(sys.argv[1]).glob("*.py"))
if not scripts:
    sys.exit("no scripts")
with ThreadPoolExecutor(2) as pool:
    problems = [problem for problem in pool.map(check, scripts) if problem]
print("\n".join(problems) or f"{len(scripts)} scripts hold, and none once it is spoiled")
sys.exit(bool(problems))
