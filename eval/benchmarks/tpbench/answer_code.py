"""The Python in an answer: fenced blocks, LaTeX listings, and code that stands in the text as it is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

_PYTHON = ("", "python", "py", "python3", "ipython", "ipython3")
_LISTING = re.compile(
    r"\\begin\{(lstlisting|verbatim|minted|python)\}(?:\[[^\]\n]*\])?(?:\{\w+\})?(.*?)(?:\\end\{\1\}|\Z)",
    re.DOTALL,
)
_FENCED = re.compile(  # possessive, and at the start of a run of marks alone: linear in any text
    r"^(?:(?P<quote>[ >]*+)|[^\n]*?(?<![`~])(?=(?:`{3,}+|~{3,}+)\w))"  # behind words only with a language
    r"(?P<mark>`{3,}+|~{3,}+)[ ]*+\{?\.?(?P<language>[\w+-]*+)\}?[ ]*+\n"
    r"(?P<code>.*?)(?:(?<![`~])(?P=mark)[`~]*+[ ]*+$|\Z)",  # closed at the end of any line, or never
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(r"^[ ]{0,3}> ?", re.MULTILINE)
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(", re.MULTILINE)
_CODE_LINE = re.compile(
    r"\s|$|[)\]}#]|import |from \w[\w.]* import |(?:async )?def |class |@\w|if __name__"
    r"|\w++ *+= *+[\deE.+*/() -]++$"  # of numbers alone: other assignments may be formulas of the text
)


def code_blocks(answer: str) -> list[str]:
    """Every piece of Python in an answer, in its order, with its common indentation removed.

    Blocks that name another language are left out. Code without a fence counts only where no block holds a
    function.
    """
    text = _LISTING.sub(r"\n```python\n\2\n```\n", answer).replace("\t", "    ")
    blocks = [
        _QUOTED.sub("", found["code"]) if ">" in (found["quote"] or "") else found["code"]
        for found in _FENCED.finditer(text)
        if found["language"].lower() in _PYTHON
    ]
    if not any(map(holds_function, blocks)):
        blocks += _unfenced(_FENCED.sub("\n", text))
    return [textwrap.dedent(block).strip("\n") for block in blocks if block.strip()]


def holds_function(code: str) -> bool:
    """Whether some line begins to define a function, whatever else is wrong with the code."""
    return _FUNCTION.search(code) is not None


def _unfenced(text: str) -> Iterator[str]:
    """Each run of lines that look like code, if it holds a function."""
    for is_code, run in groupby(text.splitlines(), key=lambda line: _CODE_LINE.match(line) is not None):
        block = "\n".join(run)
        if is_code and holds_function(block):
            yield block
