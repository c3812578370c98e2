"""Read HTML and Markdown: headings, paragraphs, rows of tables and formulas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from ansatz.knowledge_base.handbook.document import TextBlock

_HIDDEN = {
    "script", "style", "nav", "template", "svg", "noscript", "title", "footer", "button", "select", "dialog",
}  # fmt: skip
_HIDDEN_ROLES = {"navigation", "search", "banner", "contentinfo"}
_HIDDEN_CLASSES = (
    {"linenos"},
    {"contents", "topic"},
)  # numbers of lines, and a table of contents of docutils
_UNCLOSED = {
    "p",
    "li",
    "dt",
    "dd",
    "td",
    "th",
    "tr",
    "img",
    "br",
    "hr",
    "input",
    "link",
    "meta",
    "wbr",
    "col",
}
_BLOCKS = {
    "p", "li", "dt", "dd", "div", "section", "article", "blockquote", "figcaption", "caption", "table",
    "ul", "ol", "dl", "body", "main", "header", "footer", "aside", "br", "hr", "details", "summary",
}  # fmt: skip
_HEADING = re.compile(r"h([1-6])$")
_WORD = re.compile(r"\w")
_FRONT = re.compile(r"\A(---|\+\+\+)\n(.*?)\n\1\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title\s*[:=]\s*(?P<quote>[\"']?)(.+?)(?P=quote)\s*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}$")  # after a heading of Markdown
_MAIN, _ARTICLE = 1, 2  # regions of a page
_LEAST_SHARE = 0.5  # of the words of the main content, from which an article is all of it
Attributes = list[tuple[str, str | None]]


def read_html(text: str) -> list[TextBlock]:
    """Return the blocks of an HTML page. A row of a table is one block, and so is preformatted text.

    Menus, footers and what else is outside the main content are left out. If a page has no heading of level
    1, its title is one.
    """
    reader = _HtmlReader()
    reader.feed(text)
    reader.close()
    reader.end_block()
    blocks = _choose_content(reader.blocks)
    return _add_title(blocks, " ".join("".join(reader.title).split()))


def read_markdown(text: str) -> list[TextBlock]:
    """Return the blocks of a Markdown file, with tables as in GitHub and LaTeX formulas in dollars."""
    from markdown_it import MarkdownIt

    front = _FRONT.match(text)
    named = _FRONT_TITLE.search(front[2]) if front else None
    formulas: list[str] = []

    def store(found: re.Match[str]) -> str:  # Markdown would read _ and * in a formula as emphasis
        formulas.append(found[0])
        return f"\ue000{len(formulas) - 1}\ue001"

    protected = re.sub(
        r"\$\$.+?\$\$|(?<![\\$])\$(?!\s)[^$\n]+?(?<!\s)\$",
        store,
        text[front.end() :] if front else text,
        flags=re.DOTALL,
    )
    blocks = []
    for block in read_html(MarkdownIt("commonmark").enable("table").render(protected)):
        restored = re.sub("\ue000(\\d+)\ue001", lambda found: formulas[int(found[1])], block.text)
        blocks.append(replace(block, text=_ATTRIBUTES.sub("", restored) if block.level else restored))
    return _add_title(blocks, named[2] if named else "")


def _add_title(blocks: Sequence[TextBlock], title: str) -> list[TextBlock]:
    """Return blocks below the title of their page, unless they have a heading of level 1 themselves."""
    if not _WORD.search(title) or any(block.level == 1 for block in blocks):
        return list(blocks)
    return [TextBlock(title, None, 1), *blocks]


def _choose_content(blocks: Sequence[tuple[int, TextBlock]]) -> list[TextBlock]:
    """Return the blocks of the main content, given each with its region, 0 outside of both.

    An article is all of the content if it has most of its words; a page may also have several small ones.
    """

    def count(least: int) -> int:
        return sum(len(block.text.split()) for region, block in blocks if region >= least)

    least = _MAIN if count(_MAIN) else 0
    if count(_ARTICLE) >= _LEAST_SHARE * count(least):
        least = _ARTICLE
    return [block for region, block in blocks if region >= least]


@dataclass
class _Region:
    """An element that is open, found by counting the tags of its name."""

    tag: str = ""
    depth: int = 0

    def open(self, tag: str) -> None:
        self.tag, self.depth = tag, 1

    def count(self, tag: str, change: int) -> None:
        if tag == self.tag:
            self.depth = max(0, self.depth + change)
            self.tag = self.tag if self.depth else ""


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[tuple[int, TextBlock]] = []
        self.title: list[str] = []
        self._text: list[str] = []
        self._cells: list[str] | None = None  # of the open row of a table
        self._hidden, self._main, self._article = _Region(), _Region(), _Region()
        self._preformatted = 0
        self._is_in_cell = False
        self._link = self._formula = -1  # where the open link or formula begins in the text

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        if self._hidden.depth:
            self._hidden.count(tag, 1)
            return
        values = {name: value or "" for name, value in attrs}
        if tag == "script" and values.get("type", "").startswith("math/tex"):
            self._formula = len(self._text)
        elif _is_hidden(tag, values):
            self._hidden.open(tag)
        elif tag == "tr":
            self._end_row()
            self._cells = []
        elif tag in ("td", "th"):
            self._end_cell()
            self._is_in_cell = self._cells is not None
        elif tag in ("pre", "table") or _HEADING.match(tag):
            self._end_row()  # a table with such a cell is for the layout
            self._preformatted += tag == "pre"
        elif tag == "img":
            self._text.append(f" {values.get('alt', '')} ")
        elif tag == "a" and values.get("href", "").startswith("#"):
            self._link = len(self._text)
        elif tag == "math":
            self._formula = len(self._text)
        elif tag == "annotation":
            self._start_annotation(values)
        elif tag in _BLOCKS:
            self._separate()
        self._open_region(tag, values)

    def handle_endtag(self, tag: str) -> None:
        if self._hidden.depth:
            self._hidden.count(tag, -1)
            return
        if tag in ("td", "th"):
            self._end_cell()
        elif tag in ("tr", "table"):
            self._end_row()
        elif heading := _HEADING.match(tag):
            self.end_block(int(heading[1]))
        elif tag == "pre":
            self.end_block()
            self._preformatted = max(0, self._preformatted - 1)
        elif tag == "a" and self._link >= 0:
            if not _WORD.search("".join(self._text[self._link :])):
                del self._text[self._link :]  # a sign after a heading that links to the heading itself
            self._link = -1
        elif tag in ("math", "script", "annotation"):
            self._end_formula(tag)
        elif tag in _BLOCKS:
            self._separate()
        for region in (self._main, self._article):
            region.count(tag, -1)

    def handle_data(self, data: str) -> None:
        if not self._hidden.depth:
            self._text.append(data)
        elif self._hidden.tag == "title" and not self.blocks:
            self.title.append(data)

    def end_block(self, level: int = 0) -> None:
        """Close the present block."""
        if _WORD.search(text := self._take_text()):
            region = _ARTICLE if self._article.depth else _MAIN if self._main.depth else 0
            self.blocks.append((region, TextBlock(text, None, level)))

    def _open_region(self, tag: str, values: dict[str, str]) -> None:
        for region in (self._main, self._article):
            region.count(tag, 1)
        is_main = tag == "main" or values.get("role") == "main"
        if (is_main or (tag == "div" and values.get("class") == "contents")) and not self._main.depth:
            self._main.open(tag)  # the class is that of Doxygen
        if tag == "article" and not self._article.depth:
            self._article.open(tag)

    def _separate(self) -> None:
        """End the present block; in a row of a table, only separate the words."""
        if self._cells is None:
            self.end_block()
        else:
            self._text.append(" ")

    def _end_cell(self) -> None:
        """Close the open cell; HTML may omit its end. Outside a row of data, close the present block."""
        if self._is_in_cell and self._cells is not None:
            self._cells.append(self._take_text())
        elif self._cells is None:
            self.end_block()
        self._is_in_cell = False

    def _end_row(self) -> None:
        """Close the open row of a table, if there is one, and the present block."""
        if self._cells is not None:
            rest = self._take_text()
            row, self._cells = " | ".join([*self._cells, *([rest] if rest else [])]), None
            self._text = [row if row.strip(" |") else ""]
        self._is_in_cell = False
        self.end_block()

    def _start_annotation(self, values: dict[str, str]) -> None:
        if self._formula >= 0 and "tex" in values.get("encoding", ""):
            del self._text[self._formula :]  # the same formula as MathML
        else:
            self._hidden.open("annotation")

    def _end_formula(self, tag: str) -> None:
        """Write a formula in TeX in dollars, and MathML as it is."""
        if self._formula >= 0 and tag != "math":
            self._text[self._formula :] = [f"${''.join(self._text[self._formula :]).strip()}$"]
        if tag != "annotation":
            self._formula = -1

    def _take_text(self) -> str:
        text, self._text, self._link, self._formula = "".join(self._text), [], -1, -1
        return text.strip("\n") if self._preformatted else " ".join(text.split())


def _is_hidden(tag: str, values: dict[str, str]) -> bool:
    """Whether an element has no content: a menu, a button, decoration."""
    if tag in _HIDDEN:
        return True
    classes = set(values.get("class", "").split())
    return tag not in _UNCLOSED and (
        values.get("role") in _HIDDEN_ROLES
        or values.get("aria-hidden") == "true"
        or any(each <= classes for each in _HIDDEN_CLASSES)
    )
