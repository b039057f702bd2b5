# tests/compare/test_kept: how a processor is named, and how its measurements are merged.
import json

import pytest
from compare import machine
from compare.kept import keep, key_of, merged, text_of

# The first lines of /proc/cpuinfo, as some machines have them.
VIRTUAL = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 17\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel\t\t: 18\n"
XEON = "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz\n"
ARM64 = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n"


@pytest.mark.parametrize("cpuinfo, name, slug", [
    (VIRTUAL, "AMD EPYC (family 25, model 17)", "amd-epyc-family-25-model-17"),
    (XEON, "Intel Xeon Platinum 8481C (family 6, model 143)", "intel-xeon-platinum-8481c-family-6-model-143"),
    (ARM64, "aarch64 (family 0x41, model 0xd0c)", "aarch64-family-0x41-model-0xd0c"),
    ("", "aarch64", "aarch64"),
])
def test_a_processor_has_a_name_and_a_file(cpuinfo, name, slug):
    processor = machine.processor(cpuinfo, "aarch64")
    assert (machine.name_of(processor), machine.slug(processor)) == (name, slug)


def test_the_size_of_a_cache_is_that_of_its_level(tmp_path):
    for number, (level, kind, size) in enumerate([(1, "Data", "48K"), (2, "Instruction", "64K"), (2, "Unified", "2048K"),
                                                  (3, "Unified", "32M")]):
        cache = tmp_path / f"index{number}"
        cache.mkdir()
        for name, value in (("level", level), ("type", kind), ("size", size)):
            (cache / name).write_text(f"{value}\n")
    assert [machine.cache_bytes(level, tmp_path) for level in (1, 2, 3, 4)] == [49152, 2 * 2**20, 32 * 2**20, None]


def test_the_compiler_is_that_of_the_build(tmp_path):
    (tmp_path / "bin").mkdir()
    assert machine.compiler(tmp_path / "bin") is None
    (tmp_path / "CMakeFiles" / "3.25.1").mkdir(parents=True)
    (tmp_path / "CMakeFiles" / "3.25.1" / "CMakeCXXCompiler.cmake").write_text(
        'set(CMAKE_CXX_COMPILER_ID "GNU")\nset(CMAKE_CXX_COMPILER_VERSION "12.2.0")\n')
    assert machine.compiler(tmp_path / "bin") == "GNU 12.2.0"


def result(median=1.0, **changes):
    """A result with nothing but its key, its machine and one time."""
    return {"extents": [8, 8], "batch": 1, "kind": "c2c", "precision": "double", "output": "same", "ranks": 2, "threads": 1,
            "weft_ranks": 2, "weft_threads": 1, "machine": {"model": "AMD EPYC", "family": "25", "number": "17"},
            "times": {"weft": {"median": median}}, **changes}


@pytest.mark.parametrize("changes", [{"extents": [8, 4]}, {"extents": [64]}, {"batch": 2}, {"kind": "r2c"},
                                     {"precision": "single"}, {"output": "free"}, {"ranks": 4}, {"threads": 2}, {"weft_ranks": 1}, {"weft_threads": 2}])
def test_another_case_is_added(changes):
    assert key_of(result(**changes)) != key_of(result())
    assert merged([result()], [result(**changes)]) == [result(), result(**changes)]


def test_the_same_case_is_replaced_in_its_place():
    kept = [result(), result(batch=2), result(batch=3)]
    assert merged(kept, [result(0.5, batch=2, date="later")]) == [
        result(), result(0.5, batch=2, date="later"), result(batch=3)]


def test_each_processor_has_its_file(tmp_path):
    other = result(machine={"model": "AMD EPYC", "family": "26", "number": "2"})
    keep(tmp_path, [result(), other])
    keep(tmp_path, [result(0.5)])
    kept = {file.name: json.loads(file.read_text()) for file in tmp_path.iterdir()}
    assert kept == {"amd-epyc-family-25-model-17.json": [result(0.5)], "amd-epyc-family-26-model-2.json": [other]}


def test_what_is_kept_has_a_line_for_each_entry_and_six_digits():
    text = text_of([{"extents": [8, 8], "rounds": {"weft": [1 / 3, 2]}, "copy_seconds": None}])
    assert text == """\
[
 {
  "extents": [8, 8],
  "rounds": {"weft": [0.333333, 2]},
  "copy_seconds": null
 }
]
"""
