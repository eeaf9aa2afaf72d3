"""Writes elementary.tsv: exp, log, sin, cos and sqrt of doubles, with 40 digits.

    python elementary.py

Columns: function, argument (C99 hex float, exact), true value. Corners and random arguments of every
magnitude. A value above the largest double or below the smallest is written out all the same. Each
value is computed with mpmath (1600 bits) and with python-flint (balls of 2000 bits); both must agree in
all 40 digits printed.
"""
import math
import pathlib
import random
import struct

import mpmath as mp
from flint import arb, ctx

mp.mp.prec = 1600
ctx.prec = 2000
TINY, SMALL, BIG = math.ulp(0.0), 2.0 ** -1022, math.nextafter(math.inf, 0)
RANDOM = 60


def around(x, n=3):
    """x and its n neighbours on either side"""
    out = [x]
    lo = hi = x
    for _ in range(n):
        lo, hi = math.nextafter(lo, -math.inf), math.nextafter(hi, math.inf)
        out += [lo, hi]
    return out


def common():
    """positive corners that every function takes"""
    out = [TINY, 3 * TINY, SMALL / 2, SMALL - TINY, SMALL, SMALL + TINY, 2.0 ** -1000, 1e-300, 1e-100, 2.0 ** -70]
    out += [2.0 ** -k for k in (60, 54, 53, 52, 30, 29, 28, 27, 26, 25, 10, 4, 3, 2)]
    out += [1e-20, 1e-10, 1e-5, 0.001, 0.1, 0.3, 1 / 3, 0.7, 0.9, 1.5, 3.0, 5.0, 7.0, 10.0]
    return out + around(0.5, 1) + around(1.0, 4) + around(2.0, 1)


def any_double(r):
    """a positive finite double with random exponent and mantissa"""
    return struct.unpack("<d", struct.pack("<Q", r.randrange(1, 0x7FF << 52)))[0]


def exp_args(r):
    out = [s * x for x in common() for s in (1, -1)] + [0.0]
    for x in (math.log(2), 1.5 * math.log(2), 40 * math.log(2), -700.0, 700.0):
        out += around(x, 1)
    # overflow; the smallest normal; the smallest subnormal and half of it
    out += around(1024 * math.log(2), 2) + around(709.78271289338397, 2) + around(-708.39641853226408, 2)
    out += around(-744.44007192138122, 2) + around(-745.13321910194122, 2) + [-745.0, 745.0, -746.0, 710.0, 709.0, -709.0, -708.0]
    out += [r.uniform(-745, 709) for _ in range(RANDOM // 2)]
    return out + [r.choice((1, -1)) * 2.0 ** r.uniform(-60, 9) for _ in range(RANDOM - RANDOM // 2)]


def log_args(r):
    out = common() + [1 + s * 2.0 ** -k for k in (5, 8, 13, 21, 34, 40, 50) for s in (1, -1)]
    out += around(math.e, 2) + around(math.sqrt(2), 1) + around(math.sqrt(0.5), 1) + around(1 / math.e, 1)
    out += [2.0 ** k for k in (2, 10, 53, 100, 1000, 1023)] + [1e22, 1e100, 1e300, BIG, math.nextafter(BIG, 0)]
    out += [1 + r.choice((1, -1)) * 2.0 ** r.uniform(-50, -2) for _ in range(20)]
    return out + [any_double(r) for _ in range(RANDOM)]


def trig_args(r):
    out = common() + [0.0, BIG, math.nextafter(BIG, 0)]
    for k in (1, 2, 3, 4, 5, 6, 7, 8, 11, 22, 44, 51, 100, 355, 710, 1000, 22000, 1000003, 2 ** 31, 10 ** 10, 10 ** 15):
        out += around(float(mp.pi * k / 2), 1)
    out += [float(mp.pi * k / d) for k, d in ((1, 3), (1, 4), (1, 6), (3, 4), (5, 6), (7, 4), (25, 6))]
    out += [3.14, 3.1415926, 22 / 7, 355 / 113, 11.0, 22.0, 44.0, 355.0, 710.0, 1e5, 1e7, 1e15, 1e16, 1e22, 1e23, 1e100, 1e300, 1e308]
    out += [2.0 ** k for k in (20, 31, 53, 54, 64, 100, 500, 1000, 1022, 1023)]
    # of all doubles one of the nearest to a multiple of pi/2
    out += around(math.ldexp(6381956970095103.0, 797), 1)
    out += [-1.0, -math.pi, -math.pi / 2, -1e22, -TINY, -BIG]
    out += [r.choice((1, -1)) * any_double(r) for _ in range(RANDOM // 2)]
    return out + [r.choice((1, -1)) * 10 ** r.uniform(-8, 8) for _ in range(RANDOM - RANDOM // 2)]


def sqrt_args(r):
    out = common() + around(BIG, 0) + [math.nextafter(BIG, 0), 0.0, 4.0, 9.0, 49.0, 1e22, 1e300]
    out += [2.0 ** k for k in (-1074, -1073, -1021, -1001, -101, 1, 2, 3, 52, 53, 101, 1000, 1022, 1023)]
    for n in (3, 10 ** 4 + 1, 94906265, 2 ** 26 - 1, 2 ** 26 + 1):
        out += around(float(n) ** 2, 1)         # neighbours of perfect squares
    return out + [any_double(r) for _ in range(RANDOM)] + [TINY * r.randrange(1, 2 ** 52) for _ in range(8)]


def digits(name, x):
    """40 digits; the digits of mpmath must lie within the last place of the ball of flint"""
    v = getattr(mp, name)(mp.mpf(x))
    if v == 0:
        assert (name, x) in (("sin", 0.0), ("sqrt", 0.0), ("log", 1.0))
        return "0"
    text = mp.nstr(v, 40, strip_zeros=False, min_fixed=1, max_fixed=0)
    ball = getattr(arb(x), name)()
    assert ball.rel_accuracy_bits() > 300 or ball.is_exact(), (name, x)
    off = abs(arb(text) - ball) / abs(ball)
    assert off < arb("6e-40"), (name, x, off)
    return text


def main():
    r = random.Random(301)
    lines = []
    for name, args in (("exp", exp_args), ("log", log_args), ("sin", trig_args), ("cos", trig_args), ("sqrt", sqrt_args)):
        seen = sorted(set(args(r)))
        lines += ["%s\t%s\t%s\n" % (name, x.hex(), digits(name, x)) for x in seen]
        print(name, len(seen))
    pathlib.Path(__file__).with_suffix(".tsv").write_text("".join(lines))


if __name__ == "__main__":
    main()
