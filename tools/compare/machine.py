# compare/machine: on what a comparison was measured: the processor, the compiler, MPI and the state of weft.
# Keeps: a processor has one name in all comparisons, by which they are kept.
import os
import platform
import re
import subprocess
from pathlib import Path

from . import ROOT

UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "": 1}


def processor(cpuinfo, machine):
    """What /proc/cpuinfo says about the first processor. Virtual machines may say no more than "AMD EPYC" as its model, so
    the numbers of family and model are a part of it. For arm64 these are the implementer and the part."""
    said = {}
    for line in cpuinfo.split("\n\n")[0].splitlines():
        name, _, value = line.partition(":")
        said[name.strip()] = value.strip()
    if "CPU part" in said:
        return {"model": said.get("model name", machine), "family": said.get("CPU implementer"), "number": said["CPU part"]}
    return {"model": said.get("model name", machine), "family": said.get("cpu family"), "number": said.get("model")}


def name_of(machine):
    """A processor in words: AMD EPYC (family 25, model 17)."""
    model = re.sub(r"\((?:R|TM|tm)\)|\bCPU\b|\bProcessor\b|\d+-Core|@.*", "", machine["model"])
    numbers = [f"{word} {machine[key]}" for word, key in (("family", "family"), ("model", "number")) if machine.get(key)]
    return " ".join(model.split()) + (f" ({', '.join(numbers)})" if numbers else "")


def slug(machine):
    """The name of the file with the measurements of a processor: amd-epyc-family-25-model-17."""
    return re.sub(r"[^a-z0-9]+", "-", name_of(machine).lower()).strip("-")


def cache_bytes(level, folder=Path("/sys/devices/system/cpu/cpu0/cache")):
    """The size of the first core's data cache of this level, or None if the system does not say."""
    for cache in sorted(folder.glob("index*")):
        try:
            said = {name: (cache / name).read_text().strip() for name in ("level", "type", "size")}
        except OSError:
            continue
        size = re.fullmatch(r"(\d+)([KMG]?)", said["size"])
        if said["level"] == str(level) and said["type"] != "Instruction" and size:
            return int(size[1]) * UNITS[size[2]]
    return None


def first_line(command):
    """The first line that a command prints, or None if it does not start or fails."""
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = (said.stdout or said.stderr).strip().splitlines()
    return lines[0].strip() if said.returncode == 0 and lines else None


def cached_variable(programs, name):
    """A variable of the CMake build that the programs are from, or None."""
    for folder in (programs.resolve(), programs.resolve().parent):
        cache = folder / "CMakeCache.txt"
        if cache.exists():
            for line in cache.read_text().splitlines():
                if line.startswith(name + ":") and not line.endswith("NOTFOUND"):
                    return line.split("=", 1)[1]
    return None


def compiler(programs):
    """The compiler of the programs as CMake knows it, "GNU 12.2.0", or None."""
    for file in sorted(programs.resolve().parent.glob("CMakeFiles/*/CMakeCXXCompiler.cmake")):
        said = dict(re.findall(r'^set\(CMAKE_CXX_COMPILER_(ID|VERSION) "([^"]+)"\)', file.read_text(), re.MULTILINE))
        if len(said) == 2:
            return f"{said['ID']} {said['VERSION']}"
    return None


def describe(programs, launcher):
    """What a result says about where it is from."""
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text()
    except OSError:
        cpuinfo = ""
    return {
        "machine": {**processor(cpuinfo, platform.machine()), "cores": len(os.sched_getaffinity(0)),
                    "level_2_bytes": cache_bytes(2), "level_3_bytes": cache_bytes(3)},
        "weft": first_line(["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}", "describe", "--always", "--dirty"]),
        "compiler": compiler(programs),
        "mpi": launcher.version,
    }
