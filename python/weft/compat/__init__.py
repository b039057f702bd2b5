# weft.compat: the interfaces of other libraries, for programs that were written for these.
"""Interfaces of other libraries, computed by weft."""
