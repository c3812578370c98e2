"""Read HTML and Markdown: headings, paragraphs, rows of tables and formulas."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from ansatz.knowledge_base.handbook.document import TextBlock

_HIDDEN = {"script", "style", "nav", "template", "svg", "noscript", "annotation", "title"}
_BLOCKS = {
    "p", "li", "dt", "dd", "div", "section", "article", "blockquote", "figcaption", "caption", "table",
    "ul", "ol", "dl", "body", "main", "header", "footer", "aside", "br", "hr", "details", "summary",
}  # fmt: skip
_HEADING = re.compile(r"h([1-6])$")


def read_html(text: str) -> list[TextBlock]:
    """Return the blocks of an HTML page. A row of a table is one block, and so is preformatted text."""
    reader = _HtmlReader()
    reader.feed(text)
    reader.close()
    reader.end_block()
    return reader.blocks


def read_markdown(text: str) -> list[TextBlock]:
    """Return the blocks of a Markdown file, with tables as in GitHub and LaTeX formulas in dollars."""
    from markdown_it import MarkdownIt

    without_header = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    formulas: list[str] = []

    def store(found: re.Match[str]) -> str:  # Markdown would read _ and * in a formula as emphasis
        formulas.append(found[0])
        return f"\ue000{len(formulas) - 1}\ue001"

    protected = re.sub(
        r"\$\$.+?\$\$|(?<![\\$])\$(?!\s)[^$\n]+?(?<!\s)\$", store, without_header, flags=re.DOTALL
    )
    html = MarkdownIt("commonmark").enable("table").render(protected)
    return [
        TextBlock(
            re.sub("\ue000(\\d+)\ue001", lambda found: formulas[int(found[1])], block.text), None, block.level
        )
        for block in read_html(html)
    ]


class _HtmlReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[TextBlock] = []
        self._text: list[str] = []
        self._cells: list[str] | None = None  # of the open row of a table
        self._hidden = self._preformatted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "tr":
            self.end_block()
            self._cells = []
        elif tag == "pre":
            self.end_block()
            self._preformatted += 1
        elif tag == "img":
            self._text.append(f" {dict(attrs).get('alt') or ''} ")
        elif (tag in _BLOCKS or _HEADING.match(tag)) and self._cells is None:
            self.end_block()

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in ("td", "th") and self._cells is not None:
            self._cells.append(self._take_text())
        elif tag == "tr" and self._cells is not None:
            row, self._cells = " | ".join(self._cells), None
            if row.strip(" |"):
                self.blocks.append(TextBlock(row))
        elif heading := _HEADING.match(tag):
            self.end_block(int(heading[1]))
        elif tag == "pre":
            self.end_block()
            self._preformatted = max(0, self._preformatted - 1)
        elif tag in _BLOCKS and self._cells is None:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._text.append(data)

    def end_block(self, level: int = 0) -> None:
        """Close the present block."""
        if text := self._take_text().rstrip("¶ "):
            self.blocks.append(TextBlock(text, None, level))

    def _take_text(self) -> str:
        text, self._text = "".join(self._text), []
        return text.strip("\n") if self._preformatted else " ".join(text.split())
