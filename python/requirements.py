# python/requirements: what pip installs to build the package and to use it, which depends on whether it has oneMKL (see pyproject.toml).
# Keeps: the name of oneMKL's libraries has the number of their interface, so that a package takes the year that it was built with.
import os

MKL = ">=2026,<2027; platform_machine == 'x86_64'"


def _with_mkl(*names):
    return [] if os.environ.get("WEFT_MKL") == "off" else [name + MKL for name in names]


def get_requires_for_dynamic_metadata(settings):
    return _with_mkl("mkl-devel")


def dynamic_metadata(settings, project):
    return {"dependencies": ["numpy>=2.0", *_with_mkl("mkl")]}
