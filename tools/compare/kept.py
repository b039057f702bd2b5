# compare/kept: the measurements that are kept, in one file for each processor.
# Keeps: a case that is measured again replaces its older result; the others stay as they are.
import json

from .machine import slug

KEY = ("extents", "batch", "kind", "precision", "output", "ranks", "threads", "weft_ranks", "weft_threads")


def key_of(result):
    return tuple(tuple(result[name]) if name == "extents" else result[name] for name in KEY)


def merged(kept, found):
    """The kept results with the new ones, in the order in which the cases first came."""
    results = {key_of(result): result for result in kept}
    results.update((key_of(result), result) for result in found)
    return list(results.values())


def rounded(value):
    """The value with six digits in every number that is not whole; no time is known better."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: rounded(v) for name, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def text_of(results):
    """JSON with a line for each entry of a result, so that differences between two versions can be read."""
    objects = [",\n".join(f'  "{name}": {json.dumps(rounded(value))}' for name, value in result.items()) for result in results]
    return "[\n" + ",\n".join(f" {{\n{entries}\n }}" for entries in objects) + "\n]\n"


def keep(folder, results):
    """Merges results into the files of their processors. A result without a time of weft is not kept. Returns the files."""
    files = {}
    for result in results:
        if "weft" in result["times"]:
            files.setdefault(folder / f"{slug(result['machine'])}.json", []).append(result)
    folder.mkdir(parents=True, exist_ok=True)
    for file, found in files.items():
        kept = json.loads(file.read_text()) if file.exists() else []
        file.write_text(text_of(merged(kept, found)))
    return list(files)
