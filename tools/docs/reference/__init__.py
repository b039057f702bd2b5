# tools/docs/reference: the pages of all public names of weft in each language, made from the comments and docstrings in the sources.
# Keeps: a name of an interface is an anchor of its page, which tests/house/test_site.py compares with the sources by other means.
from . import c, cpp, fortran, python

LANGUAGES = {"cpp": cpp, "c": c, "fortran": fortran, "python": python}


def pages(root):
    """(language, page in Markdown) of all languages."""
    return [(name, language.page(root)) for name, language in LANGUAGES.items()]
