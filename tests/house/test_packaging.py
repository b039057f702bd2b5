# tests/house/test_packaging: the recipes in packaging/ and CITATION.cff have the version that CMake has, and name what is there.
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def versions():
    """The version that each file tells, by the name of the file."""
    return {
        "CMakeLists.txt": re.search(r"project\(weft VERSION (\S+)", read("CMakeLists.txt"))[1],
        "pyproject.toml": re.search(r'^version = "(.+)"', read("pyproject.toml"), re.MULTILINE)[1],
        "CITATION.cff": re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1],
        "packaging/debian/changelog": re.match(r"weft \(([^-]+)-", read("packaging/debian/changelog"))[1],
        **{f"packaging/easybuild/{path.name}": re.search(r"^version = '(.+)'", path.read_text(), re.MULTILINE)[1]
           for path in (ROOT / "packaging/easybuild").glob("*.eb")},
    }


def test_all_files_tell_one_version():
    assert len(versions()) == 5
    assert len(set(versions().values())) == 1, versions()


def test_debian_names_the_library_after_the_minor_version_until_the_first_major_one():
    major, minor, _ = versions()["CMakeLists.txt"].split(".")
    assert f"Package: libweft{major}.{minor}\n" in read("packaging/debian/control")


def test_recipes_give_options_that_weft_has():
    has = set(re.findall(r"^(?:option|set)\((WEFT_\w+)", read("CMakeLists.txt"), re.MULTILINE))
    for path in (ROOT / "packaging").rglob("*"):
        if path.is_file():
            given = set(re.findall(r"(?:-D|define\(\")(WEFT_\w+)", path.read_text(encoding="utf-8")))
            assert given <= has, path


def test_a_part_of_debian_names_packages_that_dev_installs_too():
    known = set(re.search(r"^readonly packages=\((.*?)\)", read("dev"), re.MULTILINE | re.DOTALL)[1].split())
    named = set(re.findall(r"\b(lib[\w.+-]+-dev|ninja-build|openmpi-bin)\b", read("packaging/docker/Dockerfile") + read("packaging/debian/control")))
    assert named - {"libweft-dev"} <= known
