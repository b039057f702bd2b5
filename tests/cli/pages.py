# tests/cli/pages: reads the pages that weft writes.
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "input", "br"}


class Outline(HTMLParser):
    """Checks that elements are nested, and gathers what they have."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.tables, self.ids = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.open, self.getpos())

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.tables[-1][-1][-1] += data
        elif "style" not in self.open and "svg" not in self.open:
            self.texts.append(data)


def outline(page):
    """The elements of a page, which must be nested, and which names nothing outside it."""
    assert not re.search(r"https?://|<script|<link|<img|@import|url\(", page)
    read = Outline()
    read.feed(page)
    read.close()
    assert read.open == []
    assert len(set(read.ids)) == len(read.ids)
    return read


def pictures(page):
    """The pictures of a page, as XML."""
    return [ElementTree.fromstring(text) for text in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


def by_class(picture, name):
    return [each for each in picture.iter() if name in each.get("class", "").split()]


def title(element):
    return element.findtext("title")
