# tools/docs/reference/python: the reference of the package `weft` for Python, made from its docstrings without importing it.
# Docstrings are written as NumPy's are: sections that are underlined, `name : type` with what it means indented.
import ast
import inspect
import re
import textwrap

from .text import fence, heading


def module(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def assigned(tree, name):
    """The value of a list of constants of a module, as __all__."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return ast.literal_eval(node.value)
    return []


def public_modules(root):
    """The public modules of the package, by name; `weft` is the first. Those of other libraries have pages of their own."""
    folder = root / "python/weft"
    found = {"weft": folder / "__init__.py"}
    for path in sorted([*folder.glob("[a-z]*.py"), *folder.glob("[a-z]*/__init__.py")]):
        name = path.stem if path.stem != "__init__" else path.parent.name
        if name != "compat" and assigned(module(path), "__all__"):
            found[f"weft.{name}"] = path
    return found


def definition(path, name):
    """The file and the node of a class or function, also where it is imported from; (None, None) if it is not of weft."""
    for node in module(path).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
            return path, node
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                if (alias.asname or alias.name) == name and node.module:
                    base = path.parent
                    for _ in range(node.level - 1):
                        base = base.parent
                    file = base.joinpath(*node.module.split("."))
                    file = file.with_suffix(".py") if file.with_suffix(".py").exists() else file / "__init__.py"
                    return definition(file, alias.name)
    return None, None


def inline(text):
    """What reStructuredText marks, as Markdown does."""
    text = re.sub(r"``([^`\n]+)``", r"`\1`", text)
    return re.sub(r":\w+:(`[^`]+`)", r"\1", text)


def paragraphs(lines):
    """Text with programs: what is indented below a `::`, and what begins with >>>."""
    out, code, wanted = [], [], False

    def end():
        while code and not code[-1].strip():
            code.pop()
        if code:
            out.extend(["", fence("pycon" if code[0].startswith(">>>") else "python", inspect.cleandoc("\n".join(code)))])
            code.clear()

    for line in lines:
        if line.startswith(">>>") or (code and code[0].startswith(">>>") and line.strip()):
            code.append(line)
        elif (wanted or (code and not code[0].startswith(">>>"))) and (line.startswith("    ") or not line.strip()):
            code.append(line)
            wanted = wanted and not line.strip()
        else:
            end()
            wanted = line.rstrip().endswith("::")
            out.append(inline(re.sub(r"::$", ":", line.rstrip())))
    end()
    return "\n".join(out).strip("\n")


def listed(lines):
    """`name : type` with what it means, as a list."""
    out, name, text = [], None, []

    def end():
        if name is not None:
            what, _, kind = name.partition(" : ")
            body = paragraphs(inspect.cleandoc("\n".join(text)).split("\n"))
            head = f"- `{what}`" + (f" ({inline(kind)})" if kind else "")
            if "```" in body or "\n\n" in body:
                out.append(head + ":\n\n" + "\n".join("    " + line if line else "" for line in body.split("\n")) + "\n")
            else:
                out.append(head + (f": {' '.join(body.split())}" if body else ""))

    for line in lines:
        if line and not line.startswith(" "):
            end()
            name, text = line, []
        else:
            text.append(line)
    end()
    return "\n".join(out)


def markdown(docstring):
    lines = inspect.cleandoc(docstring or "").split("\n")
    parts, title, body = [], None, []

    def end():
        text = body and (listed(body) if title in ("Parameters", "Returns", "Raises", "Yields", "Attributes", "Other Parameters")
                         else paragraphs(body))
        if title:
            parts.append(f"**{title}**\n")
        if text:
            parts.append(text + "\n")

    number = 0
    while number < len(lines):
        if number + 1 < len(lines) and lines[number] and re.fullmatch(r"-{3,}", lines[number + 1]):
            end()
            title, body, number = lines[number], [], number + 2
        else:
            body.append(lines[number])
            number += 1
    end()
    return "\n".join(parts)


def signature(node, is_method):
    arguments = ast.unparse(node.args)
    if is_method:
        arguments = re.sub(r"^(?:self|cls)(?:, (?:/, )?|$)", "", arguments)
    one = f"{node.name}({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns else "")
    if len(one) <= 96:
        return one
    return "\n    ".join(textwrap.wrap(one, 96, break_long_words=False, break_on_hyphens=False))


def decorated(node):
    return {ast.unparse(each).split("(")[0].split(".")[-1] for each in node.decorator_list}


def members_of(path, node):
    """Public methods and properties of a class and of its classes in weft, each once; a class's own first."""
    found = {}
    for each in node.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and not each.name.startswith("_") and "overload" not in decorated(each):
            found.setdefault(each.name, each)
    for base in node.bases:
        name = ast.unparse(base).split("[")[0]
        where, parent = definition(path, name)
        if isinstance(parent, ast.ClassDef):
            for known, each in members_of(where, parent).items():
                found.setdefault(known, each)
    return found


def class_entry(path, node, name):
    init = next((each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__" and "overload" not in decorated(each)), None)
    call = signature(init, True).replace("__init__", node.name).removesuffix(" -> None") if init else node.name
    out = [heading(3, [name]), fence("python", "class " + call), markdown(ast.get_docstring(node))]
    for each in members_of(path, node).values():
        is_value = bool(decorated(each) & {"property", "cached_property"})
        returns = f": {ast.unparse(each.returns)}" if each.returns else ""
        code = each.name + returns if is_value else ("await " if isinstance(each, ast.AsyncFunctionDef) else "") + signature(each, True)
        out += [heading(4, [f"{name}.{each.name}"]), fence("python", code), markdown(ast.get_docstring(each))]
    return "\n".join(out)


def page(root):
    out = ["# Reference of the package for Python\n\nWhat the package `weft` has, with the words of its docstrings, which `help` shows, too. "
           "[Using weft from Python](../python.md) shows programs.\n"]
    modules = public_modules(root)
    for name, path in modules.items():
        tree = module(path)
        out += [f"## {name}\n", markdown(ast.get_docstring(tree)), ""]
        for public in assigned(tree, "__all__"):
            if f"weft.{public}" in modules:
                continue
            where, node = definition(path, public)
            full = f"{name}.{public}"
            if isinstance(node, ast.ClassDef):
                out.append(class_entry(where, node, full))
            elif node:
                out += [heading(3, [full]), fence("python", signature(node, False)), markdown(ast.get_docstring(node))]
            else:
                out += [heading(3, [full]), "That of NumPy or SciPy.\n"]
    return "\n".join(out)
