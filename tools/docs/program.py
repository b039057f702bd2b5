# tools/docs/program: the page with what the program `weft` says of itself, where it has been built.
import os
import re
import subprocess


def said(program, *words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def page(root):
    program = os.environ.get("WEFT_BIN", root / "build/release/bin/weft")
    out = ["# The program `weft`\n\nWhat `weft --help` and the `--help` of each command say."]
    if not os.path.exists(program):
        return out[0] + " This site was built before the program: after `./dev build`, `./dev docs` has it all here.\n"
    whole = said(program)
    out.append(f"```\n{whole}\n```\n")
    for command in re.findall(r"^  (\w+) {2,}\S", whole.partition("Subcommands:")[2].partition("Examples:")[0], re.MULTILINE):
        out.append(f"## weft {command}\n\n```\n{said(program, command)}\n```\n")
    return "\n\n".join(out)
