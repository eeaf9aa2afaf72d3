import sympy as sp
from sympy import Integer, Rational

# A model is followed along its curve in the coordinates x (score), F0, F1 (distribution functions) and c (posterior).
# With class proportions beta0, beta1 behind R and c, everywhere along it
#     beta0*dF0 = (1 - c)*dR,   beta1*dF1 = c*dR,   R = beta0*F0 + beta1*F1.
# A form is written as what multiplies dx, dR and dc.
x, F0, F1, c, dx, dR, dc = sp.symbols("x F0 F1 c dx dR dc")
pi0, l, h, mean, border = sp.symbols("pi0 l h mean border")
w = sp.Function("w")


def uniform(_):
    return Integer(1)


def beta_weight(a, b):
    return lambda at: at**(a - 1)*(1 - at)**(b - 1)*sp.gamma(a + b)/(sp.gamma(a)*sp.gamma(b))


def any_weight(at):
    return w(sp.cancel(at))


def reading(base, model, pi, score="score", weight=uniform, mean=Rational(1, 2), scale=(0, 1), at=None):
    """What definitions speak of: base is (beta0, beta1), model the class proportions, pi those that a functional takes."""
    f0, f1 = at or (F0, F1)
    d0, d1 = (1 - c)*dR/base[0], c*dR/base[1]

    def posterior(p):
        return p[1]*c/base[1]/(p[0]*(1 - c)/base[0] + p[1]*c/base[1])

    xs, dxs = {
        "score": (x, dx),
        "rate": (model[0]*f0 + model[1]*f1, model[0]*d0 + model[1]*d1),
        "posterior": (posterior(model), sp.diff(posterior(model), c)*dc),
    }[score]
    return dict(
        pi0=pi[0], pi1=pi[1], x=xs, F0=f0, F1=f1, R=pi[0]*f0 + pi[1]*f1, c=posterior(pi),
        dx=dxs, dF0=d0, dF1=d1, dR=pi[0]*d0 + pi[1]*d1, dc=sp.diff(posterior(pi), c)*dc,
        Q=lambda cost: 2*(cost*pi[0]*(1 - f0) + (1 - cost)*pi[1]*f1),
        w=weight, mean=mean, l=scale[0], h=scale[1],
    )


def fail(message):
    raise SystemExit("FAILED: " + message)


def is_zero(expression):
    expression = sp.cancel(sp.together(expression))
    return expression == 0 or sp.simplify(expression) == 0


def form(expression):
    """What multiplies dx, dR and dc; it must be linear in them."""
    expression = sp.cancel(sp.together(expression))
    parts = [sp.diff(expression, d) for d in (dx, dR, dc)]
    if not is_zero(expression - sum(part*d for part, d in zip(parts, (dx, dR, dc)))):
        fail(f"{expression} is not linear in dx, dR, dc")
    return parts


def on(stretch, parts):
    """A form on a stretch: some coordinates are fixed there, and what does not move does not count."""
    return [sp.sympify(part).subs(stretch["fixed"], simultaneous=True) if moves else Integer(0)
            for part, moves in zip(parts, stretch["moves"])]


def differential(G, base):
    """dG, since dF0 = (1 - c)*dR/beta0 and dF1 = c*dR/beta1."""
    return [sp.diff(G, x), (1 - c)/base[0]*sp.diff(G, F0) + c/base[1]*sp.diff(G, F1), sp.diff(G, c)]


def growth(G, stretch):
    """G where the stretch ends minus G where it starts."""
    start, end = [dict(zip((x, F0, F1, c), stretch[side])) for side in ("start", "end")]
    return sp.sympify(G).subs(end, simultaneous=True) - sp.sympify(G).subs(start, simultaneous=True)


class Sum:
    """Integrals along stretches, and a number."""

    def __init__(self, number=0):
        self.forms, self.number = {}, sp.sympify(number)

    def add(self, place, parts, factor=1):
        known = self.forms.get(place, [0, 0, 0])
        self.forms[place] = [a + factor*b for a, b in zip(known, parts)]

    def plus(self, other, factor=1):
        for place, parts in other.forms.items():
            self.add(place, parts, factor)
        self.number += factor*other.number
        return self

    def value(self, potentials, curves, base):
        """The sum, if its forms are the differentials of the potentials on every stretch."""
        total = self.number
        for (track, k), parts in self.forms.items():
            stretch, G = curves[track][k], sp.sympify(potentials.get((track, k), 0))
            dG = on(stretch, differential(G, base))
            if not all(is_zero(a - b) for a, b in zip(parts, dG)):
                fail(f"on the stretch {stretch['name']!r} the form is not d({G})")
            total += growth(G, stretch)
        return total


def along(track, parts, curves, stretch=None):
    """The integral of a form along a curve, or along one stretch of it."""
    found = Sum()
    for k, piece in enumerate(curves[track]):
        if stretch in (None, k):
            found.add((track, k), on(piece, parts))
    return found


def combination(expression, V, integrals, curves):
    """An expression as a sum of forms; products of integrals stay numbers."""
    if not integrals:
        return Sum(expression)
    found = Sum()
    for powers, coefficient in sp.Poly(sp.expand(expression), *[V[name] for name in integrals]).terms():
        met = [name for name, power in zip(integrals, powers) if power > 0]
        if sum(powers) == 1:
            track, parts = integrals[met[0]]
            found.plus(along(track, parts, curves), coefficient)
        else:
            found.number += coefficient*sp.prod(V[name]**power for name, power in zip(integrals, powers))
    return found


def never_negative(p):
    """Whether a polynomial in pi0 is not negative for 0 < pi0 < 1."""
    p = sp.Poly(p, pi0)
    inside = sorted({r for r in sp.real_roots(p) if 0 < r < 1}) if p.degree() > 0 else []
    ends = [Integer(0), *inside, Integer(1)]
    return all(p.eval((a + b)/2) >= 0 for a, b in zip(ends, ends[1:]))


def is_positive(value):
    """Whether a number is positive for 0 < pi0 < 1 and l < h."""
    above, below = sp.fraction(sp.cancel(sp.sympify(value).subs({l: 0, h: 1})))
    p = sp.Poly(above*below, pi0)
    return never_negative(p.as_expr()) and all(not 0 < r < 1 for r in (sp.real_roots(p) if p.degree() > 0 else [])) and p != 0


taken = set()


def granted(what, anchor):
    """Says what the script does not check: it is proved on paper, in docs/foundations.md."""
    if (what, anchor) not in taken:
        taken.add((what, anchor))
        print(f"   taken from the foundations: {what} (#{anchor})")


def on_box(value, scale):
    """Whether an expression is not negative for 0 <= F0, F1, c, mean <= 1, l <= x <= h and 0 < pi0 < 1, by the corners of that box."""
    value = sp.cancel(sp.together(sp.sympify(value)))
    above, below = sp.fraction(value)
    known = (x, F0, F1, c, mean)
    if not value.free_symbols <= {*known, pi0, l, h} or not below.free_symbols <= {pi0} or not is_positive(below):
        return False
    if any(sp.degree(above, symbol) > 1 for symbol in known):
        return False
    corners = [above]
    for symbol in known:
        ends = scale if symbol == x else (0, 1)
        corners = [corner.subs(symbol, end) for corner in corners for end in ends]
    length = sp.Symbol("length", positive=True)
    for corner in corners:
        corner = sp.factor(corner.subs(h, l + length))
        corner = sp.cancel(corner/length) if corner.has(length) else corner
        if not sp.sympify(corner).free_symbols <= {pi0} or not never_negative(corner):
            return False
    return True


def factor(name, value, anchor, base, scale):
    """Checks that a factor is not negative: by the corners of the box that the coordinates lie in, or by a lemma about just this one."""
    if on_box(value, scale):
        return
    R = base[0]*F0 + base[1]*F1
    lemmas = {
        "F0 - F1": F0 - F1, "c*R - beta1*F1": c*R - base[1]*F1, "beta1*(1 - F1) - c*(1 - R)": base[1]*(1 - F1) - c*(1 - R),
        "x* - x": border - x, "x - x*": x - border, "x* - l": border - scale[0], "h - x*": scale[1] - border,
    }
    if name in lemmas and not is_zero(value - lemmas[name]):
        fail(f"{value} is not the factor {name}")
    if name not in lemmas and not sp.sympify(value).free_symbols - {x, F0, F1, c, pi0, l, h, mean} and not sp.sympify(value).has(w):
        fail(f"nothing shows that {name} is not negative")
    granted(f"{name} is not negative", anchor)
