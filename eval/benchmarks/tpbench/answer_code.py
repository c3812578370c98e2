"""The Python in an answer: fenced blocks, LaTeX listings, and code that stands in the text as it is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

from markdown_it import MarkdownIt

_PYTHON = ("", "python", "py", "python3", "ipython", "ipython3")
_LANGUAGE = re.compile(r"\{?\.?([\w+-]*)")
_LISTING = re.compile(
    r"\\begin\{(lstlisting|verbatim|minted|python)\}(?:\[[^\]\n]*\])?(?:\{\w+\})?(.*?)(?:\\end\{\1\}|\Z)",
    re.DOTALL,
)
_FENCE_AFTER_WORDS = re.compile(r"(?<=[^\s>`~])[ \t]*(?=(?:`{3,}|~{3,})\w+[ \t]*$)", re.MULTILINE)
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(", re.MULTILINE)
_CODE_LINE = re.compile(
    r"\s|$|[)\]}#]|import |from \w[\w.]* import |(?:async )?def |class |@\w|if __name__"
    r"|\w+ *= *[\deE.+*/() -]+$"  # of numbers alone: other assignments may be formulas of the text
)


def code_blocks(answer: str) -> list[str]:
    """Every piece of Python in an answer, in its order, with its common indentation removed.

    Blocks that name another language are left out. Code without a fence counts only where no block holds a
    function.
    """
    text = _FENCE_AFTER_WORDS.sub("\n", _LISTING.sub(r"\n```python\n\2\n```\n", answer))
    blocks = [
        token.content.partition(token.markup)[0]  # a fence may close at the end of a line of code
        for token in MarkdownIt("commonmark").parse(text)
        if token.type == "fence" and _language(token.info) in _PYTHON
    ]
    if not any(map(holds_function, blocks)):
        blocks += _unfenced(text)
    return [textwrap.dedent(block).strip("\n") for block in blocks if block.strip()]


def holds_function(code: str) -> bool:
    """Whether some line begins to define a function, whatever else is wrong with the code."""
    return _FUNCTION.search(code) is not None


def _language(info: str) -> str:
    found = _LANGUAGE.match(info.strip())
    return found[1].lower() if found else ""


def _unfenced(text: str) -> Iterator[str]:
    """Each run of lines that look like code, if it holds a function."""
    lines = text.replace("\t", "    ").splitlines()
    for is_code, run in groupby(lines, key=lambda line: _CODE_LINE.match(line) is not None):
        block = "\n".join(run)
        if is_code and holds_function(block):
            yield block
