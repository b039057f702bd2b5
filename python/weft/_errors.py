# weft._errors: the one exception that weft raises.
"""The exception of weft."""

from __future__ import annotations


class Error(ValueError):
    """What weft raises for wrong input, and for failures of the system under it.

    Calls in which several ranks take part raise the same error on every rank.

    Attributes
    ----------
    message : str
        What happened, with the numbers.
    hint : str
        What to do about it; may be empty.
    context : str
        What weft was doing; may be empty.
    code : str
        ``"invalid"`` (the input is wrong), ``"mismatch"`` (ranks disagree), ``"unsupported"``
        (right, but this build or machine cannot do it), ``"io"``, ``"system"`` (MPI, memory or an
        FFT library failed) or ``"bug"`` (weft itself is wrong).
    """

    def __init__(self, message: str, hint: str = "", context: str = "", code: str = "invalid") -> None:
        super().__init__(message, hint, context, code)
        self.message = message
        self.hint = hint
        self.context = context
        self.code = code

    def __str__(self) -> str:
        text = self.message
        if self.context:
            text += f"\n  while: {self.context}"
        if self.hint:
            text += f"\n  try:   {self.hint}"
        return text
