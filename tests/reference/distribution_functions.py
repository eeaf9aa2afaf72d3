"""Writes distribution_functions.in: distribution functions with 40 digits, printed with 20.

Remake it when a family is added:  python3 tests/reference/distribution_functions.py
It needs mpmath.
"""
import pathlib

from mpmath import betainc, cos, erfc, exp, log, mp, mpf, nstr, pi, quad, sqrt

mp.dps = 40


def beta(a, b):
    return lambda x: betainc(mpf(a), mpf(b), 0, mpf(x), regularized=True)


def normal(m, s):
    return lambda x: erfc((mpf(m) - mpf(x)) / (mpf(s) * sqrt(2))) / 2


def truncated(cdf, lo, hi):
    return lambda x: (cdf(x) - cdf(lo)) / (cdf(hi) - cdf(lo))


CASES = [
    ("beta(2, 5)", beta("2", "5"), ["0.1", "0.5", "0.9"]),
    ("beta(0.3, 0.3)", beta("0.3", "0.3"), ["1e-9", "0.3", "0.999"]),
    ("beta(0.3, 200)", beta("0.3", "200"), ["1e-7", "0.001", "0.02"]),
    ("beta(200, 200)", beta("200", "200"), ["0.4", "0.5", "0.55"]),
    ("beta(0.05, 3)", beta("0.05", "3"), ["1e-30", "1e-5", "0.5"]),
    ("beta(177.25, 0.75)", beta("177.25", "0.75"), ["0.97", "0.999"]),
    ("normal(0, 1.5)", normal("0", "1.5"), ["-4", "0.3", "5"]),
    ("logistic(0, 1)", lambda x: 1 / (1 + exp(-mpf(x))), ["-20", "0.3", "7"]),
    ("truncate(normal(0.3, 0.2), 0, 1)", truncated(normal("0.3", "0.2"), "0", "1"), ["0.1", "0.5", "0.95"]),
    ("truncate(normal(0, 1), 6, 9)", truncated(normal("0", "1"), "6", "9"), ["6.1", "6.5"]),
    ("normalize(1 + sin(6*pi*x)/2)", lambda x: mpf(x) + (1 - cos(6 * pi * mpf(x))) / (12 * pi), ["0.1", "0.7"]),
    ("x^(-1/2)/2", lambda x: sqrt(mpf(x)), ["1e-12", "0.3"]),
    ("(1-x)^(-1/2)/2", lambda x: 1 - sqrt(1 - mpf(x)), ["1e-6", "0.9"]),
    ("-log(x)", lambda x: mpf(x) * (1 - log(mpf(x))), ["1e-6", "0.5"]),
    ("exp(-x) on [0, inf]", lambda x: 1 - exp(-mpf(x)), ["1e-6", "3", "30"]),
]

lines = ["["]
for text, cdf, places in CASES:
    for place in places:
        lines.append(f'    ("{text}", {float(place)!r}, {nstr(cdf(place), 20)}),')
lines.append("]\n")
pathlib.Path(__file__).with_suffix(".in").write_text("\n".join(lines))
