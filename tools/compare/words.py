# compare/words: how numbers of things, times and memory are written.


def several(count, word):
    return f"{count} {word}" + ("" if count == 1 else "s")


def milliseconds(seconds):
    return f"{1e3 * seconds:.4g}"


def memory(size):
    """The bytes in binary units: 1 MiB, 512 KiB."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"
