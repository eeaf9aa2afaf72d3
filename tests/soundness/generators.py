"""Random models, biased to corner cases, and pools of models of a class."""

import random

from flint import fmpq, fmpq_poly

from evaluator import Case
from exact import ONE, ZERO
from models import Model, ScoreDistribution, belongs

PRIORS = [fmpq(1, 2), fmpq(1, 2), fmpq(1, 3), fmpq(2, 3), fmpq(1, 5), fmpq(9, 10),
          fmpq(1, 1000), fmpq(999, 1000)]
INNER_MARKS = [fmpq(1, 5), fmpq(1, 4), fmpq(1, 3), fmpq(2, 5), fmpq(1, 2), fmpq(3, 5),
               fmpq(2, 3), fmpq(3, 4), fmpq(4, 5)]
PAIRS = [(0, 0), (1, 0), (0, 1), (1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (3, 2), (1, 9)]
MOVES = [(fmpq(-1), fmpq(3)), (fmpq(0), fmpq(2)), (fmpq(-3), fmpq(2)), (fmpq(5), fmpq(1, 2)),
         (fmpq(1, 2), fmpq(1)), (fmpq(-1, 2), fmpq(1)), (fmpq(-10), fmpq(20))]


def choose_marks(rng, most=5):
    """Sorted scores in [0, 1]; the ends are in or out at random."""
    marks = rng.sample(INNER_MARKS, rng.randint(0, most - 2))
    if rng.random() < 0.6:
        marks.append(ZERO)
    if rng.random() < 0.6:
        marks.append(ONE)
    while len(marks) < 2:
        marks = sorted(set(marks) | {rng.choice(INNER_MARKS + [ZERO, ONE])})
    return sorted(set(marks))


def ramp(rng, start, end, mass):
    """A linear density on an interval with a given mass, rising, falling or level."""
    left, right = rng.choice([(0, 1), (1, 0), (1, 3), (3, 1), (1, 1), (1, 2)])
    if mass == 0:
        return fmpq_poly([])
    scale = fmpq(2 * mass) / ((left + right) * (end - start))
    slope = (right - left) * scale / (end - start)
    return fmpq_poly([left * scale - slope * start, slope])


def level(start, end, mass):
    """A constant density on an interval with a given mass."""
    return fmpq_poly([fmpq(mass) / (end - start)])


def ordinary(rng, pi0, bent=False, ties=True):
    """Any chain of arcs, gaps and ties."""
    while True:
        marks = choose_marks(rng)
        pieces = ([], [])
        tied = ({}, {})
        tie_chance = rng.choice([0, 0.2, 0.5, 1]) if ties else 0
        gap_chance = rng.choice([0, 0, 0.3, 1 if tie_chance == 1 else 0.3])
        for start, end in zip(marks, marks[1:]):
            if rng.random() < gap_chance:
                continue
            pair = rng.choice(PAIRS)
            for k in (0, 1):
                density = (ramp(rng, start, end, pair[k]) if bent and rng.random() < 0.7
                           else level(start, end, pair[k]))
                pieces[k].append((start, end, density))
        for x in marks:
            if rng.random() < tie_chance:
                pair = rng.choice(PAIRS)
                for k in (0, 1):
                    tied[k][x] = fmpq(pair[k])
        classes = [ScoreDistribution(pieces[k], tied[k]) for k in (0, 1)]
        if all(c.pieces or c.ties for c in classes):
            return Model(pi0, classes[0].normalised(), classes[1].normalised(), "ordinary")


def one_point(rng, pi0):
    """All scores the same."""
    x = rng.choice([ZERO, ONE, fmpq(1, 2), 1 - pi0, fmpq(1, 3)])
    tie = ScoreDistribution([], {x: ONE})
    return Model(pi0, tie, tie, "one point")


def identical(rng, pi0, bent=False, ties=True):
    """Both classes have the same scores."""
    one = ordinary(rng, pi0, bent, ties).class0
    return Model(pi0, one, one, "identical")


def disjoint(rng, pi0, ties=True):
    """All of class 0 before all of class 1."""
    while True:
        first, second = ordinary(rng, pi0, False, ties), ordinary(rng, pi0, False, ties)
        cut = rng.choice(INNER_MARKS)
        start = cut if rng.random() < 0.5 else min(ONE, cut + fmpq(1, 10))
        model = Model(pi0, first.class0.moved(ZERO, cut),
                      second.class1.moved(start, 1 - start), "disjoint")
        if belongs(model.curve(), "perfect"):
            return model


def reversed_classes(rng, pi0, ties=True):
    """All of class 1 before all of class 0."""
    model = disjoint(rng, pi0, ties)
    return Model(pi0, model.class1, model.class0, "reversed")


def rising(rng, pi0, ties=True):
    """A convex model of straight pieces: the likelihood ratio never falls."""
    while True:
        marks = choose_marks(rng)
        places = []
        for start, end in zip(marks, marks[1:]):
            if ties and rng.random() < 0.4:
                places.append((start, start))
            if rng.random() < 0.7:
                places.append((start, end))
        if ties and rng.random() < 0.4:
            places.append((marks[-1], marks[-1]))
        pairs = [rng.choice(PAIRS[1:]) for _ in places]
        pairs.sort(key=lambda pair: fmpq(pair[1], pair[0] + pair[1]))
        pieces, tied = ([], []), ({}, {})
        for (start, end), pair in zip(places, pairs):
            for k in (0, 1):
                if start == end:
                    tied[k][start] = fmpq(pair[k])
                else:
                    pieces[k].append((start, end, level(start, end, pair[k])))
        classes = [ScoreDistribution(pieces[k], tied[k]) for k in (0, 1)]
        if all(c.pieces or c.ties for c in classes):
            return Model(pi0, classes[0].normalised(), classes[1].normalised(), "rising")


def bent_rising(rng, pi0, ties=True):
    """A convex model whose posterior rises along its arcs."""
    model = calibrated(rng, None, ties)
    return Model(pi0, model.class0, model.class1, "bent rising")


def _mean(distribution):
    total = sum((x * mass for x, mass in distribution.ties.items()), ZERO)
    for a, b, poly in distribution.pieces:
        total += _mass_of(a, b, poly * fmpq_poly([0, 1]))
    return total


def _mass_of(start, end, poly):
    primitive = poly.integral()
    return primitive(end) - primitive(start)


def _mixed(first, second, weight):
    """(1 - weight) * first + weight * second"""
    pieces = [(a, b, p * (1 - weight)) for a, b, p in first.pieces]
    pieces += [(a, b, p * weight) for a, b, p in second.pieces]
    ties = {x: mass * (1 - weight) for x, mass in first.ties.items()}
    for x, mass in second.ties.items():
        ties[x] = ties.get(x, ZERO) + mass * weight
    marks = sorted({x for a, b, _ in pieces for x in (a, b)})
    joint = ScoreDistribution(pieces)
    pieces = [(a, b, joint.density_between(a, b)) for a, b in zip(marks, marks[1:])]
    return ScoreDistribution(pieces, ties)


def calibrated(rng, pi0, ties=True):
    """Scores that equal the posterior: any distribution of all scores whose mean is pi1."""
    while True:
        overall = ordinary(rng, fmpq(1, 2), False, ties).class0
        mean = _mean(overall)
        if pi0 is not None:
            wanted = 1 - pi0
            if mean != wanted:
                other = _counterweight(rng, mean, wanted, ties)
                other_mean = _mean(other)
                overall = _mixed(overall, other, (wanted - mean) / (other_mean - mean))
            mean = wanted
        if 0 < mean < 1:
            return _calibrated_from(overall, mean)


def _counterweight(rng, mean, wanted, ties):
    """A distribution whose mean lies on the other side of the wanted mean."""
    if ties and rng.random() < 0.8:
        x = (rng.choice([ONE, (1 + wanted) / 2, wanted]) if mean < wanted
             else rng.choice([ZERO, wanted / 2, wanted]))
        return ScoreDistribution([], {x: ONE})
    start, end = (wanted, ONE) if mean < wanted else (ZERO, wanted)
    return ScoreDistribution([(start, end, level(start, end, 1))])


def _calibrated_from(overall, pi1):
    pi0 = 1 - pi1
    x = fmpq_poly([0, 1])
    class1 = ScoreDistribution([(a, b, p * x * (1 / pi1)) for a, b, p in overall.pieces],
                               {s: m * s / pi1 for s, m in overall.ties.items()})
    class0 = ScoreDistribution([(a, b, p * (1 - x) * (1 / pi0)) for a, b, p in overall.pieces],
                               {s: m * (1 - s) / pi0 for s, m in overall.ties.items()})
    return Model(pi0, class0, class1, "calibrated")


def even(rng, pi0, monotone=False):
    """Scores that equal the rate: any posterior on [0, 1] whose mean is pi1."""
    while True:
        marks = sorted(set(rng.sample(INNER_MARKS, rng.randint(0, 3))) | {ZERO, ONE})
        heights = [rng.choice([ZERO, ZERO, ONE, ONE, fmpq(1, 2), fmpq(1, 3), fmpq(1, 5)])
                   for _ in range(2 * (len(marks) - 1))]
        if rng.random() < 0.6:
            heights = [h for h in heights[::2] for _ in (0, 1)]
        if monotone:
            heights.sort()
        posterior = [(a, b, _line(a, b, heights[2 * i], heights[2 * i + 1]))
                     for i, (a, b) in enumerate(zip(marks, marks[1:]))]
        mean = sum((_mass_of(*piece) for piece in posterior), ZERO)
        if not 0 < mean < 1:
            continue
        pi1 = mean if pi0 is None else 1 - pi0
        if mean > pi1:
            posterior = [(a, b, p * (pi1 / mean)) for a, b, p in posterior]
        elif mean < pi1:
            posterior = [(a, b, 1 - (1 - p) * ((1 - pi1) / (1 - mean))) for a, b, p in posterior]
        class1 = ScoreDistribution([(a, b, p * (1 / pi1)) for a, b, p in posterior])
        class0 = ScoreDistribution([(a, b, (1 - p) * (1 / (1 - pi1))) for a, b, p in posterior])
        return Model(1 - pi1, class0, class1, "even")


def _line(a, b, start, end):
    slope = (end - start) / (b - a)
    return fmpq_poly([start - slope * a, slope])


def calibrated_and_even():
    """The only model whose scores are rates and posteriors at once."""
    return _calibrated_from(ScoreDistribution([(ZERO, ONE, fmpq_poly([1]))]), fmpq(1, 2))


def even_disjoint(pi0):
    """The perfect model whose scores are rates."""
    return Model(pi0, ScoreDistribution([(ZERO, pi0, fmpq_poly([1 / pi0]))]),
                 ScoreDistribution([(pi0, ONE, fmpq_poly([1 / (1 - pi0)]))]), "even disjoint")


def uniform(pi0):
    """Both classes uniform."""
    one = ScoreDistribution([(ZERO, ONE, fmpq_poly([1]))])
    return Model(pi0, one, one, "uniform")


def calibrated_point(pi0):
    """All scores at pi1."""
    one = ScoreDistribution([], {1 - pi0: ONE})
    return Model(pi0, one, one, "calibrated point")


def calibrated_disjoint(pi0):
    """Class 0 at score 0 and class 1 at score 1."""
    return Model(pi0, ScoreDistribution([], {ZERO: ONE}), ScoreDistribution([], {ONE: ONE}),
                 "calibrated disjoint")


def candidates(rng, pi0, classes, ties):
    """An endless stream of models that are likely to be in the classes."""
    free = pi0 is None
    while True:
        p = rng.choice(PRIORS) if free else pi0
        if "calibrated" in classes and "even" in classes:
            yield calibrated_and_even()
        if "calibrated" in classes:
            yield calibrated(rng, None if free and rng.random() < 0.5 else p, ties)
            if rng.random() < 0.1 or "random" in classes:
                yield calibrated_point(p)
            if rng.random() < 0.1 or "perfect" in classes:
                yield calibrated_disjoint(p)
        elif "even" in classes:
            yield even(rng, None if free and rng.random() < 0.5 else p, "convex" in classes)
            if rng.random() < 0.1 or "random" in classes:
                yield uniform(p)
            if rng.random() < 0.1 or "perfect" in classes:
                yield even_disjoint(p)
        elif "perfect" in classes:
            yield disjoint(rng, p, ties)
        elif "random" in classes:
            yield identical(rng, p, rng.random() < 0.2, ties)
        elif "convex" in classes:
            yield rng.choice([rising, rising, bent_rising])(rng, p, ties)
        else:
            yield _anything(rng, p, free, ties)


def _anything(rng, pi0, free, ties):
    dice = rng.random()
    if dice < 0.5:
        return ordinary(rng, pi0, False, ties)
    if dice < 0.58:
        return ordinary(rng, pi0, True, ties)
    if dice < 0.66:
        return rising(rng, pi0, ties)
    if dice < 0.70:
        return bent_rising(rng, pi0, ties)
    if dice < 0.74:
        return disjoint(rng, pi0, ties)
    if dice < 0.79:
        return reversed_classes(rng, pi0, ties)
    if dice < 0.84:
        return identical(rng, pi0, False, ties)
    if dice < 0.87:
        return one_point(rng, pi0)
    if dice < 0.92:
        return calibrated(rng, None if free else pi0, ties)
    return even(rng, None if free else pi0, rng.random() < 0.5)


def pool(classes, pi0=None, wide=False, size=150, seed=0):
    """Cases of the classes; some of them with scores outside [0, 1] if `wide`."""
    rng = random.Random("%s %s %s %s" % (sorted(classes), pi0, wide, seed))
    ties = not {"continuous", "even", "piecewise"} & set(classes)
    fixed_scale = {"calibrated", "even", "piecewise"} & set(classes)
    found, seen, tries = [], set(), 0
    for model in candidates(rng, pi0, classes, ties):
        tries += 1
        if len(found) >= size or tries > 6 * size:
            break
        if wide and not fixed_scale and rng.random() < 0.4:
            model = model.moved(*rng.choice(MOVES))
        if pi0 is not None and model.pi0 != pi0:
            continue
        text = model.text()
        if text in seen:
            continue
        curve = model.curve()
        if all(belongs(curve, name) for name in classes):
            seen.add(text)
            found.append(Case(curve, model))
    return found
