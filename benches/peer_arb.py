#!/usr/bin/env python3
"""The refinement loss of each model of the paper, and of three more, with Arb's rigorous integrator.

    pip install python-flint && python3 benches/peer_arb.py --width 1e-12

prints {"model": {"lo": ..., "hi": ..., "seconds": ...}, ...}: lo <= RL <= hi, hi - lo at most the width, and the
seconds one integral takes: the best of 5 batches of at least 50 ms.  RL is the integral of pq/(p+q), where p = pi0 f0
and q = pi1 f1, over the stretches on which neither density is zero.

Each integral is arranged by hand so that `acb.integral` has as little to do as possible: common factors are cancelled,
constant factors are taken out, affine substitutions and partial fractions save operations, integrands are folded at
the middle where that simplifies them, sines or powers remove the singular ends of beta densities.  Nothing is
integrated by hand.  Each result is compared, to 1e-9, with the integral of pq/(p+q) as the densities give it.

A search before the timing takes the number of equal parts, the limit for the degree of the Gauss rules and the
tolerance of each integral, then the working precision, that reach the width in the least time.  Timed are the calls of
`acb.integral` and the sum of what they return.  They call a Python function at each point, which C would do faster.
"""
import argparse
import json
import time
from functools import partial
from itertools import product
from math import inf, nextafter

from flint import acb, arb, ctx

PARTS = 1, 2, 3, 4, 5, 6, 8, 10
DEGREES = 2, 4, 6, 8, 12, 16, 22, 32
TOLERANCES = 0.5, 0.3, 0.2, 0.1, 0.03, 0.01     # of each call of acb.integral, as parts of the width
PRECISIONS = range(46, 64, 2)


def c(n, d=1):
    return acb(arb(n) / d)


def table(width):
    """name: (pi0, densities, integrals, rest), all numbers at the working precision.

    densities: (from, to, f0, f1), where neither is zero.  integrals: (integrand, from, to, factor).  RL is the sum of
    factor * integral, and of rest.  Integrands are meromorphic, and need no `analytic`, except where they forward it.
    """
    pi, half, third, zero, one, two, three = arb.pi(), c(1, 2), c(1, 3), c(0), c(1), c(2), c(3)
    constant, none, m = lambda x, _: one, arb(0), {}

    m["diagonal"] = half, [(0, 1, lambda x: one, lambda x: one)], [(constant, zero, one, arb(1) / 4)], none
    m["diagonal2"] = half, [(c(99, 200), c(101, 200), lambda x: c(100), lambda x: c(100))], [
        (constant, c(99, 200), c(101, 200), arb(25))], none
    m["discontinuous"] = half, [(half, c(3, 5), lambda x: c(5, 3), lambda x: two)], [
        (constant, half, c(3, 5), arb(5) / 11)], none

    # pq/(p+q) = 2 x^3 (1 - x^2), 3 x^5 (1 - x^3), x (1 - x)
    m["noncalibrated"] = half, [(0, 1, lambda x: 4*x*(1-x**2), lambda x: 4*x**3)], [
        (lambda x, _: (x - x * (y := x*x)) * y, zero, one, arb(2))], none
    m["noncalibrated2"] = half, [(0, 1, lambda x: 6*x**2*(1-x**3), lambda x: 6*x**5)], [
        (lambda x, _: (y := x*x) * ((z := x*y) - z*z), zero, one, arb(3))], none
    m["perfectlycalibrated"] = half, [(0, 1, lambda x: 2*(1-x), lambda x: 2*x)], [
        (lambda x, _: x - x*x, zero, one, arb(1))], none

    # Where one density is constant and one linear, pq/(p+q) is a multiple of 1 - k/v, v linear in x
    k, n = c(20, 63), c(21, 80)
    m["nonstrictlyconvex"] = half, [
        (0, third, lambda x: c(8, 7), lambda x: c(18, 5) * x), (third, c(3, 4), lambda x: c(8, 7), lambda x: c(6, 5)),
        (c(3, 4), 1, lambda x: c(32, 7) * (1-x), lambda x: c(6, 5))], [
        (constant, third, c(3, 4), arb(12) / 41), (lambda v, _: one - k/v, k, k + third, arb(4) / 7),
        (lambda v, _: one - n/v, n, n + c(1, 4), arb(3) / 5)], none
    m["notcumulative-simple"] = half, [(0, 1, lambda x: one, lambda x: half + x)], [
        (lambda v, _: one - one/v, c(3, 2), c(5, 2), arb(1) / 2)], none
    r0, r1 = c(203, 54), c(4205, 1458)
    m["notcumulative2"] = half, [
        (0, third, lambda x: c(7, 4) - c(9, 4) * x, lambda x: c(3, 4) + c(9, 10) * x),
        (third, c(3, 4), lambda x: one, lambda x: c(21, 20)), (c(3, 4), 1, lambda x: 4*(1-x), lambda x: c(21, 20))], [
        (constant, third, c(3, 4), arb(21) / 82), (lambda v, _: r0 - v - r1/v, c(41, 27), c(50, 27), arb(3) / 4),
        (lambda v, _: one - n/v, n, n + c(1, 4), arb(21) / 40)], none

    # x = (1+t)/2: p+q = (3+t)(1+t^2)/8; partial fractions, and their mean over t and -t, for t > 0
    nine, s0, s1 = c(9), c(48, 5), c(2, 5)
    m["strictlyconvex"] = half, [(0, 1, lambda x: 2*(1-x), lambda x: 4*x**3)], [
        (lambda t, _: one - s0/(nine - (y := t*t)) + s1/(one + y), zero, one, arb(1) / 2)], none

    # x = 1/2 + w/(6 pi): f0 and f1 - 1 are even and odd in w; the mean over w and -w, for w > 0
    w0, w1, w2, w3 = acb(9 * pi**2), acb(15 * pi**2), acb(3 * pi**2 / 2), acb(6 * pi**2)

    def waves(w, _):
        y, s = w * w, w.sin()
        s, g = w2 * s * s, w1 - y
        return (w0 - y) * (g - s) / (g*g - w3*s)
    m["severalconcavities"] = half, [(0, 1, lambda x: 6*x*(1-x), lambda x: 1 + (6*acb(pi)*x).sin() / 2)], [
        (waves, zero, acb(3 * pi), 1 / (6 * pi))], none

    # p, q = (128/5/pi) x^(3/2) (1-x)^(5/2), (128/5/pi) x^(7/2) (1-x)^(1/2); x = sin(t/4)^2, folded twice
    def power(x, a, b):
        return x.pow(a) * (1 - x).pow(b)
    m["beta(2.5,3.5)/beta(4.5,1.5) pi0=0.3"] = c(3, 10), [
        (0, 1, lambda x: power(x, c(3, 2), c(5, 2)) * 256/3/pi, lambda x: power(x, c(7, 2), half) * 256/7/pi)], [
        (lambda t, _: (s := one - (y := t.cos())) * s * s / (three + y), zero, acb(pi), 1 / (10 * pi))], none

    # p, q = a y x^(-1/2), b x^2 y^(-3/10), y = 1-x: pq/(p+q) = b x^2 y / (y^(13/10) + b/a x^(5/2)).
    # Up to the cut x = s^2, beyond it y = r^10
    a, b, cut, exponent = arb(3) / 20, arb(3213) / 2500, arb(19) / 20, c(13, 10)
    ratio = acb(b / a)

    def below(s, analytic):
        z = (x := s * s) * x * s
        return z * (y := one - x) / (y.pow(exponent, analytic=analytic) + ratio*z)

    def above(r, analytic):
        r3 = (r2 := r * r) * r
        y = (r5 := r3 * r2) * r5
        x, r13 = one - y, y * r3
        return (z := x * x)*r13*r3*r3 / (r13 + ratio*z*x.sqrt(analytic=analytic))
    m["beta(0.5,2)/beta(3,0.7) pi0=0.2"] = c(1, 5), [
        (0, 1, lambda x: power(x, -half, one) * c(3, 4), lambda x: power(x, two, c(-3, 10)) * c(3213, 2000))], [
        (below, zero, acb(cut.sqrt()), 2 * b), (above, zero, acb((1 - cut) ** (arb(1) / 10)), 10 * b)], none

    # pq/(p+q) = p/(1 + p/q).  Beyond +-end it lies between 0 and p, whose integral there is 2 * tail
    end, tail = 6.0, arb(1)
    while not 2 * tail < width / 7:
        end += 0.125
        tail = arb(3) / 20 * (arb(end) / arb(2).sqrt()).erfc()
    e0, e1, e2 = -half, c(-3, 8), acb(arb(6) / 7 * (arb(1) / 6).exp())
    m["normal(0,1)/normal(1,2) pi0=0.3"] = c(3, 10), [
        (-9, 9, lambda x: (-x*x/2).exp() / (2*pi).sqrt(), lambda x: (-(x-1)**2/8).exp() / (8*pi).sqrt())], [
        (lambda x, _: (e0*x*x).exp() / (one + e2 * (e1 * (y := x + third) * y).exp()), acb(-end), acb(end),
         arb(3) / 10 / (2*pi).sqrt())], tail + arb(0, tail.upper())
    return m


def direct(pi0, densities):
    """RL as the densities give it, by the double exponential rule (not rigorous): for the comparison."""
    total, step = arb(0), arb(1) / 32
    for lo, hi, f0, f1 in densities:
        for t in (k * step for k in range(-112, 113)):
            e = (-arb.pi() * t.sinh()).exp()
            x = lo + (hi - lo) / acb(1 + e)
            p, q = pi0 * f0(x), (1 - pi0) * f1(x)
            total += (p * q / (p + q) * (hi - lo)).real * arb.pi() * t.cosh() * e / (1 + e)**2 * step
    return total


def plan(integrals, ways, width):
    """What `run` takes, for (parts, degree, tolerance) of each integral: factors and calls of acb.integral."""
    steps = []
    for (integrand, lo, hi, factor), (parts, degree, tolerance) in zip(integrals, ways):
        nodes = [lo + (hi - lo) * i / parts for i in range(parts)] + [hi]
        options = {"abs_tol": tolerance * arb(width) / factor, "deg_limit": degree}
        steps += [(factor, partial(acb.integral, integrand, *ab, **options)) for ab in zip(nodes, nodes[1:])]
    return steps


def run(steps, total):
    for factor, call in steps:
        total += factor * call().real
    return total


def ends(ball):
    return nextafter(float(ball.lower()), -inf), nextafter(float(ball.upper()), inf)


def quickest(call, batches, seconds):
    """Least seconds per call, over batches of at least so many seconds."""
    count, times = 1, []
    while len(times) < batches:
        start = time.perf_counter()
        for _ in range(count):
            call()
        spent = time.perf_counter() - start
        if spent >= seconds:
            times.append(spent / count)
        else:
            count *= 2
    return min(times)


def tuned(name, width):
    """(precision, steps, rest) of the quickest way found."""
    ctx.prec = 56
    _, _, integrals, rest = table(width)[name]
    left, ways = 0.99 * width - 2 * float(rest.rad()), []
    for i, integral in enumerate(integrals):        # each may use an equal share of what is left of the width
        best = inf, 0, ()
        for way in product(PARTS, DEGREES, TOLERANCES):
            steps, start = plan([integral], [way], width), time.perf_counter()
            wide = 2 * float(sum(f * call(eval_limit=1000).real for f, call in steps).rad())
            if wide <= left / (len(integrals) - i) and time.perf_counter() - start < 1.5 * best[0]:
                best = min(best, (quickest(lambda: run(steps, arb(0)), 5, 5e-4), wide, way))
        ways, left = ways + [best[2]], left - best[1]
    found = []
    for ctx.prec in PRECISIONS:
        _, _, integrals, rest = table(width)[name]
        steps = plan(integrals, ways, width)
        lo, hi = ends(run(steps, rest))
        if hi - lo <= width:
            found.append((quickest(lambda: run(steps, rest), 5, 0.005), ctx.prec, steps, rest))
    return min(found, key=lambda x: x[0])[1:]


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--width", type=float, default=1e-12, help="largest hi - lo")
    width, out = ap.parse_args().width, {}
    for name in table(width):
        ctx.prec, steps, rest = tuned(name, width)
        value, seconds = run(steps, rest), quickest(lambda: run(steps, rest), 5, 0.05)
        lo, hi = ends(value)
        out[name] = {"lo": lo, "hi": hi, "seconds": seconds}
        ctx.prec = 128
        assert abs(direct(*table(width)[name][:2]) - value) < 1e-9, name
    print(json.dumps(out, indent=1))


if __name__ == "__main__":
    main()
