# demo/error: what went wrong in the demo, and what to try.
# Keeps: every failure that a user can meet ends as one of these, never as a Python traceback.


class DemoError(Exception):
    def __init__(self, what: str, *, doing: str, hint: str):
        super().__init__(what)
        self.what, self.doing, self.hint = what, doing, hint

    def __str__(self) -> str:
        return f"weft demo: {self.what}\n  while: {self.doing}\n  try:   {self.hint}"
