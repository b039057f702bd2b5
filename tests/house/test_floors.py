# tests/house/test_floors: which floor may include which, and which headers and functions only some floors may use.
# The rules are those of docs/architecture.md; `violations` checks them, and is also tried on snippets that break them.
# A header of include/weft is what a user sees of one floor, and says which in its opening comment: `// Floor: grid.` The
# floors above that one may include it, and public headers include nothing else of weft than public headers.
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

FLOOR = {
    "base": 0,
    "grid": 1, "machine": 1,
    "problem": 2, "networks": 2,
    "planning": 3,
    "program": 4,
    "making": 5,
    "proof": 6,
    "replay": 7, "comm": 7, "memory": 7, "fft": 7,
    "device": 8,
    "exchange": 9, "compute": 9,
    "run": 10,
    "choose": 11,
    "plan": 12,
    "predicting": 13, "measuring": 13,
    "faces": 13,
    "files": 14,
    "public": 15, "capi": 15, "cli": 15, "fortran": 15, "python": 15, "compat": 15,
}
# The library weft::machines, of which the library weft knows nothing.
OF_MACHINES = {"networks", "replay", "predicting", "measuring"}

FFT_LIBRARIES = {"FFTW": r"fftw3(-mpi)?\.h", "MKL": r"mkl\w*\.h"}
CUDA = r"(cuda\w*|cufft\w*|nccl|cub|thrust|hip)(\.h|\.cuh|\.hpp|/.*)"
# What compat/ may do, as its files stand for another library: include that library's headers, and end a program as it does.
OF_COMPAT = "compat"
THREADS = r"omp\.h|pthread\.h|thread|mutex|shared_mutex|condition_variable|future"
C_HEADERS = {"stddef.h", "stdint.h"}
ENVIRONMENT = {"WEFT_LOG", "WEFT_WISDOM", "WEFT_NODE_SIZE", "WEFT_DEVICE_MESSAGES"}

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
TAKES_OVER = re.compile(
    r"\b(P?MPI_(?:Init|Init_thread|Finalize|Abort))\s*\(|(?<![\w.>:])((?:std::)?(?:exit|_exit|_Exit|quick_exit|abort))\s*\(")
SAYS_ITS_FLOOR = re.compile(r"^// Floor: (\w+)\.$", re.MULTILINE)
READS_ENVIRONMENT = re.compile(r"\b(?:secure_)?getenv\s*\(\s*([^)]*)\)")


def without_comments(text):
    return TOKEN.sub(lambda m: " " if m[0][:2] in ("//", "/*") else m[0], text)


def without_comments_and_strings(text):
    return TOKEN.sub(" ", text)


def is_public(path):
    return path.startswith("include/weft/")


def floor_of(path, text):
    """The floor's name for a path such as src/weft/grid/box.hpp; what a header of include/weft says; None outside the floors."""
    parts = path.split("/")
    if is_public(path):
        said = SAYS_ITS_FLOOR.search(text.split("#pragma")[0])
        return said[1] if said and said[1] in FLOOR and len(parts) == 3 else None
    if parts[:2] == ["src", "weft"] and len(parts) > 3 and parts[2] in FLOOR:
        return parts[2]
    return None


def floor_of_include(name, files):
    """The floor of what `name` includes: weft/grid/box.hpp is internal, weft/box.hpp public."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 else floor_of(f"include/{name}", files.get(f"include/{name}", ""))


def may_include(floor, other):
    """A floor includes itself and the floors below. Floors on one level do not include each other, except that those of the
    highest level may include all public headers. Only the program and the library of machines itself include that library."""
    if other not in FLOOR or (other in OF_MACHINES and floor not in OF_MACHINES and floor != "cli"):
        return False
    return other == floor or FLOOR[other] < FLOOR[floor] or (FLOOR[floor] == FLOOR["public"] and other == "public")


def violations(files):
    """The violations in `files`, a dict of path (relative to the root, with /) to text: a list of sentences."""
    wrong = []
    holders = {library: [] for library in FFT_LIBRARIES}
    for path, text in sorted(files.items()):
        floor = floor_of(path, text)
        if floor is None:
            wrong.append(f"{path}: stands on no floor")
            continue
        for bracket, name in INCLUDE.findall(without_comments(text)):
            if name.startswith("weft/"):
                other = floor_of_include(name, files)
                if floor == OF_COMPAT:
                    if name.count("/") > 1 and other != OF_COMPAT:
                        wrong.append(f"{path}: {floor} includes weft's public headers only, not {name}")
                elif not may_include(floor, other):
                    wrong.append(f"{path}: {floor} must not include {name}")
                elif is_public(path) and name.count("/") > 1:
                    wrong.append(f"{path}: a public header must not include {name}, which is not installed")
            elif is_public(path) and bracket == '"':
                wrong.append(f"{path}: a public header includes mpi.h, the standard library and include/weft, not {name}")
            elif floor != OF_COMPAT and bracket == '"' and (f"src/weft/{floor}/{name}" in files or name.startswith(".")):
                wrong.append(f"{path}: write #include \"weft/{floor}/{name}\" instead of \"{name}\"")
            if name == "mpi.h" and not (FLOOR[floor] > FLOOR["comm"] if is_public(path) else floor in ("comm", "exchange", OF_COMPAT)):
                wrong.append(f"{path}: mpi.h is for comm/ and exchange/ only, and for public headers above them")
            of_c = path.endswith(".h") and name in C_HEADERS
            if is_public(path) and bracket == "<" and name != "mpi.h" and re.search(r"[./]", name) and not of_c:
                wrong.append(f"{path}: a public header includes mpi.h, the standard library and include/weft, not {name}")
            if re.fullmatch(CUDA, name) and floor != "device":
                wrong.append(f"{path}: {name} is for device/ only")
            if re.fullmatch(THREADS, name) and FLOOR[floor] < FLOOR["program"]:
                wrong.append(f"{path}: {name}: what decides knows no threads")
            for library, header in FFT_LIBRARIES.items() if floor != OF_COMPAT else ():
                if re.fullmatch(header, name.split("/")[-1]):
                    holders[library].append(path)
                    if floor != "fft":
                        wrong.append(f"{path}: {name} is for fft/ only")
        if floor not in ("cli", OF_COMPAT):
            for mpi, process in TAKES_OVER.findall(without_comments_and_strings(text)):
                wrong.append(f"{path}: {mpi or process}: a library is a guest; only cli/ starts or ends anything")
        for argument in READS_ENVIRONMENT.findall(without_comments(text)):
            if argument.strip(' "') not in ENVIRONMENT:
                wrong.append(f"{path}: getenv({argument}): only {', '.join(sorted(ENVIRONMENT))} are read")
    for library, paths in holders.items():
        if len(set(paths)) > 1:
            wrong.append(f"{library}'s header is included in {len(set(paths))} files: {', '.join(sorted(set(paths)))}")
    return wrong


def names_twice(paths):
    """The names that two headers have, which readers and editors would confuse."""
    names = [path.split("/")[-1] for path in paths if path.endswith(".hpp") and "/compat/" not in path]
    return {name for name in names if names.count(name) > 1}


def reached(path, files):
    """The names in the #include lines of a file and of weft's headers that it includes, directly or not."""
    names, looked_at, waiting = set(), set(), [path]
    while waiting:
        file = waiting.pop()
        if file in looked_at or file not in files:
            continue
        looked_at.add(file)
        for _, name in INCLUDE.findall(without_comments(files[file])):
            names.add(name)
            waiting += [f"src/{name}", f"include/{name}"]
    return names


def headers_that_need_mpi(files):
    """Of the headers above exchange/ that users do not see, those with which a file includes mpi.h."""
    above = [path for path, text in files.items()
             if path.endswith(".hpp") and not is_public(path) and floor_of(path, text) != OF_COMPAT and FLOOR.get(floor_of(path, text), 0) > FLOOR["exchange"]]
    return {path for path in above if "mpi.h" in reached(path, files)}


def files_that_miss_mpi(files):
    """Of all files, those that use names of MPI's without including mpi.h, which another file of the floor may do before them."""
    return {path for path, text in files.items()
            if re.search(r"\bMPI_\w", without_comments_and_strings(text)) and "mpi.h" not in reached(path, files)}


def sources():
    found = {}
    for folder in ("src/weft", "include/weft"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".hpp", ".h", ".cpp", ".c", ".cu", ".cuh"):
                found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    return found


def test_weft_keeps_to_its_floors():
    files = sources()
    assert len(files) > 10, "no sources found: has the tree moved?"
    assert violations(files) == []


def test_no_two_headers_have_the_same_name():
    assert names_twice(sources()) == set()


def test_two_headers_of_one_name_are_found():
    assert names_twice(["src/weft/grid/box.hpp", "include/weft/box.hpp", "src/weft/grid/box.cpp", "src/weft/grid/view.hpp"]) == {"box.hpp"}


# What never sees mpi.h is compiled once for all MPIs. Public headers have MPI_Comm in them, and these are about their objects.
def test_headers_above_exchange_do_not_need_mpi():
    known = {"src/weft/faces/elements.hpp"}
    assert {path for path in headers_that_need_mpi(sources()) if not path.startswith("src/weft/capi/")} == known


def test_a_header_that_needs_mpi_is_found():
    assert headers_that_need_mpi({
        "src/weft/run/a.hpp": '#include "weft/exchange/wire.hpp"',
        "src/weft/run/b.hpp": "// #include <mpi.h>",
        "src/weft/run/c.cpp": '#include "weft/exchange/wire.hpp"',
        "src/weft/plan/d.hpp": '#include "weft/plan.hpp"',
        "src/weft/exchange/wire.hpp": "#include <mpi.h>",
        "include/weft/plan.hpp": "// Floor: plan.\n#include <mpi.h>",
    }) == {"src/weft/run/a.hpp", "src/weft/plan/d.hpp"}


def test_files_that_use_mpi_include_it():
    assert files_that_miss_mpi(sources()) == set()


def test_a_file_that_misses_mpi_is_found():
    assert files_that_miss_mpi({
        "src/weft/comm/a.hpp": "std::vector<MPI_Request> requests;",
        "src/weft/comm/b.hpp": '#include "weft/comm/c.hpp"\nMPI_Request request;',
        "src/weft/comm/c.hpp": "#include <mpi.h>",
        "src/weft/comm/d.hpp": '// MPI_Request\nauto text = "MPI_Request";',
    }) == {"src/weft/comm/a.hpp"}


def test_a_well_behaved_tree_passes():
    assert violations({
        "src/weft/base/error.hpp": "#include <string>\n",
        "src/weft/grid/box.hpp": '#include "weft/base/error.hpp"\n',
        "src/weft/comm/comm.hpp": '#include <mpi.h>\n#include "weft/planning/machine.hpp"\n// never calls MPI_Init(0, 0)\n',
        "src/weft/comm/comm.cpp": 'auto text = "call MPI_Init() first"; MPI_Initialized(&on); MPI_Finalized(&off);',
        "src/weft/fft/fftw.cpp": "#include <fftw3.h>\n",
        "src/weft/fft/mkl.cpp": "#include <mkl_dfti.h>\n#include <mkl_service.h>\n",
        "src/weft/exchange/p2p.cpp": '#include <mpi.h>\n#include "weft/memory/buffer.hpp"\n',
        "src/weft/plan/plan.cpp": '#include "weft/fft/engine.hpp"\nauto v = std::getenv("WEFT_LOG"); on_exit(v); plan.exit();',
        "src/weft/cli/main.cpp": '#include "weft/weft.hpp"\nint main() { MPI_Init(0, 0); std::exit(2); }',
        "src/weft/grid/view.hpp": '#include "weft/box.hpp"\n',
        "src/weft/compat/fftw-mpi/plan.cpp": '#include <mpi.h>\n#include <fftw3.h>\n#include "weft/plan.hpp"\n',
        "include/weft/box.hpp": "// Boxes.\n// Floor: grid.\n#pragma once\n#include <string>\n",
        "include/weft/plan.hpp": '// Plans.\n// Floor: plan.\n#include <mpi.h>\n#include "weft/box.hpp"\n',
        "include/weft/weft.hpp": '// Floor: public.\n#include "weft/plan.hpp"\n',
    }) == []


@pytest.mark.parametrize("path, text, complaint", [
    ("src/weft/grid/box.hpp", '#include "weft/planning/problem.hpp"', "grid must not include weft/planning/problem.hpp"),
    ("src/weft/comm/a.hpp", '#include "weft/memory/buffer.hpp"', "comm must not include weft/memory/buffer.hpp"),
    ("src/weft/memory/a.hpp", "#  include <weft/fft/engine.hpp>", "memory must not include weft/fft/engine.hpp"),
    ("src/weft/fft/a.hpp", '#include "weft/comm/comm.hpp"', "fft must not include weft/comm/comm.hpp"),
    ("src/weft/exchange/a.cpp", '#include "weft/plan/plan.hpp"', "exchange must not include weft/plan/plan.hpp"),
    ("include/weft/weft.hpp", '// Floor: public.\n#include "weft/cli/table.hpp"', "public must not include weft/cli/table.hpp"),
    ("include/weft/box.hpp", '// Floor: grid.\n#include "weft/base/error.hpp"', "must not include weft/base/error.hpp, which is not"),
    ("include/weft/box.hpp", '// Floor: grid.\n#include "box.hpp"', "includes mpi.h, the standard library and include/weft, not box.hpp"),
    ("include/weft/box.hpp", "// Floor: grid.\n#include <fmt/format.h>", "the standard library and include/weft, not fmt/format.h"),
    ("include/weft/box.hpp", "// Floor: grid.\n#include <mpi.h>", "mpi.h is for comm/ and exchange/ only"),
    ("include/weft/box.hpp", "// Boxes.\n#pragma once", "stands on no floor"),
    ("include/weft/box.hpp", "// Boxes.\n#pragma once\n// Floor: grid.", "stands on no floor"),
    ("include/weft/box.hpp", "// Floor: gird.", "stands on no floor"),
    ("include/weft/grid/box.hpp", "// Floor: grid.", "stands on no floor"),
    ("src/weft/grid/a.cpp", '#include "weft/nowhere.hpp"', "grid must not include weft/nowhere.hpp"),
    ("src/weft/grid/a.cpp", '#include "weft/gird/box.hpp"', "grid must not include weft/gird/box.hpp"),
    ("src/weft/plan/a.cpp", '#include "weft/networks/network_of.hpp"', "plan must not include weft/networks/network_of.hpp"),
    ("src/weft/compat/heffte/a.cpp", '#include "weft/plan/plan_body.hpp"', "compat includes weft's public headers only, not weft/plan/plan_body.hpp"),
    ("src/weft/plan/a.cpp", "#include <mpi.h>", "mpi.h is for comm/ and exchange/ only"),
    ("src/weft/planning/a.cpp", "#include <thread>", "what decides knows no threads"),
    ("src/weft/plan/a.cpp", "#include <fftw3.h>", "fftw3.h is for fft/ only"),
    ("src/weft/plan/a.cpp", "#include <mkl_dfti.h>", "mkl_dfti.h is for fft/ only"),
    ("src/weft/fft/a.cpp", "#include <cufft.h>", "cufft.h is for device/ only"),
    ("src/weft/memory/a.cpp", "#include <cuda_runtime.h>", "cuda_runtime.h is for device/ only"),
    ("src/weft/memory/a.cpp", "#include <hip/hip_runtime.h>", "hip/hip_runtime.h is for device/ only"),
    ("src/weft/comm/a.cpp", "void f() { MPI_Init(0, 0); }", "MPI_Init: a library is a guest"),
    ("src/weft/comm/a.cpp", "void f() { MPI_Init_thread (0, 0, 0, 0); }", "MPI_Init_thread: a library is a guest"),
    ("src/weft/comm/a.cpp", "/* a */ MPI_Finalize();", "MPI_Finalize: a library is a guest"),
    ("src/weft/exchange/a.cpp", "if (bad) MPI_Abort(comm, 1);", "MPI_Abort: a library is a guest"),
    ("src/weft/base/a.cpp", "std::exit(1);", "std::exit: a library is a guest"),
    ("src/weft/base/a.cpp", "exit(1);", "exit: a library is a guest"),
    ("src/weft/base/a.cpp", "abort();", "abort: a library is a guest"),
    ("src/weft/plan/a.cpp", 'std::getenv("OMP_NUM_THREADS")', "only WEFT_DEVICE_MESSAGES, WEFT_LOG, WEFT_NODE_SIZE, WEFT_WISDOM are read"),
    ("src/weft/util/a.cpp", "", "stands on no floor"),
    ("src/weft/a.cpp", "", "stands on no floor"),
])
def test_a_broken_rule_is_reported(path, text, complaint):
    reported = violations({path: text})
    assert len(reported) == 1 and reported[0].startswith(path + ": ") and complaint in reported[0]


@pytest.mark.parametrize("path, header, floor", [
    ("src/weft/plan/a.cpp", "weft.hpp", "public"),
    ("src/weft/grid/a.cpp", "problem.hpp", "problem"),
    ("include/weft/a.hpp", "plan.hpp", "plan"),
])
def test_a_public_header_of_a_floor_above_is_reported(path, header, floor):
    text = f'// Floor: grid.\n#include "weft/{header}"'
    reported = violations({path: text, f"include/weft/{header}": f"// Floor: {floor}."})
    assert len(reported) == 1 and f"must not include weft/{header}" in reported[0]


def test_an_include_by_the_bare_name_is_reported():
    reported = violations({"src/weft/grid/a.cpp": '#include "box.hpp"', "src/weft/grid/box.hpp": ""})
    assert reported == ['src/weft/grid/a.cpp: write #include "weft/grid/box.hpp" instead of "box.hpp"']


def test_a_second_file_with_an_fft_header_is_reported():
    reported = violations({"src/weft/fft/a.cpp": "#include <fftw3.h>", "src/weft/fft/b.cpp": "#include <fftw3.h>"})
    assert reported == ["FFTW's header is included in 2 files: src/weft/fft/a.cpp, src/weft/fft/b.cpp"]
