# tools/docs/examples: the page with the programs of examples/*.cpp, each under its name and what its first lines say.


def shown(name, text):
    lines = text.splitlines()
    comment = []
    while lines and lines[0].startswith("//"):
        comment.append(lines.pop(0).removeprefix("//").strip())
    said = " ".join(comment).removeprefix(f"{name}: ")
    return f"## {name}\n\n{said[:1].upper()}{said[1:]}\n\n```cpp\n" + "\n".join(lines).strip() + "\n```\n"


def page(root):
    files = sorted((root / "examples").glob("*.cpp"))
    opening = ("# All examples in C++\n\nEvery program fits on a screen, shows one idea and checks its own result; the tests run all of them on 1 and "
               "on 4 ranks. They lie in `examples`, those in C in `examples/c`, in Python in `examples/python`, and in Fortran in "
               "`fortran/examples`; the pages on [C](c.md), [Fortran](fortran.md) and [Python](python.md) show these.\n")
    return "\n".join([opening, *(shown(file.stem, file.read_text(encoding="utf-8")) for file in files)])
