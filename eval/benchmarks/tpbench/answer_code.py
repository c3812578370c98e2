"""The Python in an answer: fenced blocks, LaTeX listings, and code that stands in the text as it is."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Sequence

_PYTHON = ("", "python", "py", "python3", "ipython", "ipython3")
_OPENING = re.compile(r"^(?P<before>.*?)(?P<mark>`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[\w+-]*)\}?[ \t]*$")
_LISTING = re.compile(
    r"\\begin\{(?P<name>lstlisting|verbatim|minted|python)\}(?:\[[^\]\n]*\])?(?:\{\w+\})?"
    r"(?P<code>.*?)(?:\\end\{(?P=name)\}|\Z)",
    re.DOTALL,
)
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(", re.MULTILINE)
_CODE_LINE = re.compile(r"import |from \w[\w.]* import |(?:async )?def |class |@\w|#|if __name__")
_CLOSERS = (")", "]", "}")
_LONGEST_CONSTANT = 200
_MODULES = ("cmath", "math", "np", "numpy")


def code_blocks(answer: str) -> list[str]:
    """Every piece of Python in an answer, in its order, with its common indentation removed.

    Blocks that name another language are left out. Code without a fence counts only where no block holds a
    function.
    """
    text = _LISTING.sub(lambda found: f"\n```python\n{found['code']}\n```\n", answer)
    blocks, outside = _fenced(text.replace("\t", "    ").splitlines())
    if not any(map(holds_function, blocks)):
        blocks += _unfenced(outside)
    return [block for block in map(_dedented, blocks) if block.strip()]


def holds_function(code: str) -> bool:
    """Whether some line begins to define a function, whatever else is wrong with the code."""
    return _FUNCTION.search(code) is not None


def _fenced(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The blocks between fences, the last perhaps not closed, and the lines outside of any."""
    blocks: list[str] = []
    outside: list[str] = []
    rest = iter(lines)
    for line in rest:
        opening = _OPENING.match(line)
        if opening is None or (opening["before"].strip(" >") and not opening["language"]):
            outside.append(line)
            continue
        inside = list(_until_closed(rest, opening["mark"]))
        if ">" in opening["before"]:  # a quoted block
            inside = [re.sub(r"^[ ]{0,3}> ?", "", each) for each in inside]
        if opening["language"].lower() in _PYTHON:
            blocks.append("\n".join(inside))
    return blocks, outside


def _until_closed(lines: Iterator[str], mark: str) -> Iterator[str]:
    for line in lines:
        if line.strip(" >") and not line.strip(" >").strip(mark[0]):
            return
        if line.rstrip().endswith(mark):  # a fence closed at the end of its last line
            yield line.rstrip()[: -len(mark)]
            return
        yield line


def _unfenced(lines: Sequence[str]) -> Iterator[str]:
    """Each run of lines around a function: as far up and down as lines look like code."""
    at = 0
    while at < len(lines):
        if not _FUNCTION.match(lines[at]):
            at += 1
            continue
        indent = len(lines[at]) - len(lines[at].lstrip())
        first, last = at, at + 1
        while first > 0 and _is_code(lines[first - 1], indent):
            first -= 1
        while last < len(lines) and _is_code(lines[last], indent):
            last += 1
        yield "\n".join(lines[first:last])
        at = last


def _is_code(line: str, indent: int) -> bool:
    """Blank, indented below the function's own level, or a statement at it."""
    depth = len(line) - len(line.lstrip())
    if not line.strip() or depth > indent:
        return True
    statement = line.strip()
    return depth == indent and (
        _CODE_LINE.match(statement) is not None
        or statement.startswith(_CLOSERS)
        or _defines_constant(statement)
    )


def _defines_constant(line: str) -> bool:
    """An assignment of numbers alone: others may be formulas of the text."""
    if "=" not in line or len(line) > _LONGEST_CONSTANT or "\\" in line:
        return False
    try:
        [statement] = ast.parse(line).body
    except (SyntaxError, ValueError):
        return False
    if not isinstance(statement, ast.Assign):
        return False
    return all(node.id in _MODULES for node in ast.walk(statement.value) if isinstance(node, ast.Name))


def _dedented(code: str) -> str:
    return textwrap.dedent(code).strip("\n")
