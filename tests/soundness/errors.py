"""The ways in which a quantity can fail to have a value."""


class NoValue(Exception):
    """A quantity has no value on a model."""


class Undefined(NoValue):
    """The quantity is undefined on this model (0/0, c in a gap, ...)."""


class Infinite(NoValue):
    """The quantity is infinite on this model (a/0 with a not 0)."""


class ZeroDivisor(NoValue):
    """A quotient of the statement itself (not inside an integral) divides by 0."""


class Unsupported(Exception):
    """The harness cannot compute this exactly or precisely enough; skip the model."""
