# demo/error: the error of a demo that fails, with what to try.
# Keeps: every failure that a user can cause is one of these errors, not a Python traceback.


class DemoError(Exception):
    def __init__(self, what: str, *, doing: str, hint: str):
        super().__init__(what)
        self.what, self.doing, self.hint = what, doing, hint

    def __str__(self) -> str:
        return f"weft demo: {self.what}\n  while: {self.doing}\n  try:   {self.hint}"
