# tests/plots/reading: finds what pages show.
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "input", "br"}


class Nested(HTMLParser):
    """Checks that elements are nested, and gathers the cells of tables and identifiers."""

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.ids = [], [], []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.open, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def nested(html):
    """A page whose elements are nested, and which loads nothing."""
    assert not re.search(r'(src|href)=(?!"#|"data:image/png;base64,)|<link|@import|url\(', html.split("<body>")[1])
    read = Nested()
    read.feed(html)
    read.close()
    assert read.open == [] and len(set(read.ids)) == len(read.ids)
    return read


def pictures(html, width="wide"):
    """The pictures for wide (or narrow) windows, as XML."""
    found = [ElementTree.fromstring(text) for text in re.findall(rf'<div class="{width}">(<svg.*?</svg>)</div>', html, re.DOTALL)]
    assert found and all(each.get("role") == "img" and each.get("aria-label") for each in found)
    return found


def tag(element):
    return element.tag.removeprefix("{http://www.w3.org/2000/svg}")


def all_of(picture, name, **attributes):
    return [each for each in picture.iter() if tag(each) == name and all(each.get(key.rstrip("_")) == value for key, value in attributes.items())]


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def words(picture):
    return [each.text for each in all_of(picture, "text")]
