# compare/errors: why a program takes no part, and why there is no comparison.


class LeftOut(Exception):
    """The reason why a program cannot take part."""


class BadUsage(Exception):
    """The reason why the requested comparison is impossible, and what to request instead."""
