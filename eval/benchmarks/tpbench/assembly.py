"""Assemble the code in an answer to one program that defines the requested function. No code is run here.

The last block that defines the function counts. Definitions that it uses come from the other blocks, missing
imports are added, and code under `if __name__ == "__main__"` is left out.
"""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from symtable import SymbolTable, symtable
from typing import Literal, NamedTuple

_PYTHON = ("", "python", "py", "python3", "ipython", "ipython3")
_LISTING = re.compile(
    r"\\begin\{(lstlisting|verbatim|minted|python)\}(?:\[[^\]\n]*\])?(?:\{\w+\})?(.*?)(?:\\end\{\1\}|\Z)",
    re.DOTALL,
)
_FENCED = (
    re.compile(  # possessive, and only at the start of a run of marks, so that the time is linear in the text
        r"^(?:(?P<quote>[ >]*+)|[^\n]*?(?<![`~])(?=(?:`{3,}+|~{3,}+)\w))"  # after words only with a language
        r"(?P<mark>`{3,}+|~{3,}+)[ ]*+\{?\.?(?P<language>[\w+-]*+)\}?[ ]*+\n"
        r"(?P<code>.*?)(?:(?<![`~])(?P=mark)[`~]*+[ ]*+$|\Z)",  # closed at the end of a line, or never
        re.DOTALL | re.MULTILINE,
    )
)
_QUOTED = re.compile(r"^[ ]{0,3}> ?", re.MULTILINE)
_FUNCTION = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+\w+[ \t]*\(", re.MULTILINE)
_CODE_LINE = re.compile(
    r"\s|$|[)\]}#]|import |from \w[\w.]* import |(?:async )?def |class |@\w|if __name__"
    r"|\w++ *+= *+[\deE.+*/() -]++$"  # only of numbers: other assignments can be formulas of the text
)
_TYPING = ("Any", "Callable", "Dict", "Iterable", "List", "Optional", "Sequence", "Tuple", "Union")
_IMPORTS = {
    **{name: f"import {name}" for name in ("cmath", "math", "numpy", "scipy", "sympy")},
    **{"np": "import numpy as np", "sp": "import sympy as sp"},
    **{name: f"from typing import {name}" for name in _TYPING},
}
Function = ast.FunctionDef | ast.AsyncFunctionDef

_MAX_CHARACTERS = 100_000
_ADAPTER = "_called_by_position"


@dataclass(frozen=True)
class Program:
    """A program to run."""

    source: str
    function: str
    """The name of the function to call with keyword arguments."""
    notes: tuple[str, ...] = ()
    """The corrections that were made to the code."""


@dataclass(frozen=True)
class NoProgram:
    """The reason why an answer has no such function."""

    outcome: Literal["no code", "signature mismatch", "exception"]
    reason: str


class Block(NamedTuple):
    """A block of code."""

    source: str
    body: Sequence[ast.stmt] = ()
    """The statements, without stubs and main guards."""
    error: str = ""
    """The fault of code that cannot be parsed."""

    @property
    def functions(self) -> list[Function]:
        return [each for each in self.body if isinstance(each, Function)]

    def defines(self, name: str) -> bool:
        """Whether the block defines a name; a block that cannot be parsed does if it has its `def`."""
        return f"def {name}" in self.source if self.error else any(name in _bound(each) for each in self.body)


def assemble(answer: str, name: str, parameters: Sequence[str]) -> Program | NoProgram:
    """Return the program of an answer to a request for a function `name` with these parameters.

    If nothing has that name, the last function with exactly these parameters counts.
    """
    sources = _code_blocks(answer)
    if sum(map(len, sources)) > _MAX_CHARACTERS:
        return NoProgram("exception", f"more than {_MAX_CHARACTERS} characters of code")
    blocks = list(map(_parse, sources))
    named = [(block, name) for block in blocks if block.defines(name)] or [
        (block, each.name)
        for block in blocks
        for each in block.functions
        if {one.arg for one in each.args.args} == set(parameters)
    ]
    if not named:
        return _explain_missing(name, blocks)
    block, found = named[-1]
    if block.error:
        return NoProgram("exception", block.error)
    notes = [] if found == name else [f"the function is called {found}"]
    arguments = _find_arguments(block.body, found)
    call = _choose_call(arguments, parameters)
    if call == "mismatch" and arguments:
        return NoProgram(
            "signature mismatch", f"{found}({ast.unparse(arguments)}) for {', '.join(parameters)}"
        )
    source = _complete(block, blocks, notes)
    if call == "position":
        notes.append("its parameters are passed by position")
        source += f"\n\ndef {_ADAPTER}(**values):\n    return {found}(*values.values())\n"
        found = _ADAPTER
    return Program(source, found, tuple(notes))


def _code_blocks(answer: str) -> list[str]:
    """Return all Python code of an answer, in order, without its common indentation.

    Blocks in another language are left out. Code without a fence counts only if no block has a function.
    """
    text = _LISTING.sub(r"\n```python\n\2\n```\n", answer).replace("\t", "    ")
    blocks = [
        _QUOTED.sub("", found["code"]) if ">" in (found["quote"] or "") else found["code"]
        for found in _FENCED.finditer(text)
        if found["language"].lower() in _PYTHON
    ]
    if not any(map(_FUNCTION.search, blocks)):  # runs of lines that look like code, if they have a function
        lines = _FENCED.sub("\n", text).splitlines()
        runs = [
            "\n".join(run)
            for is_code, run in groupby(lines, lambda line: bool(_CODE_LINE.match(line)))
            if is_code
        ]
        blocks += filter(_FUNCTION.search, runs)
    return [textwrap.dedent(block).strip("\n") for block in blocks if block.strip()]


def _parse(source: str) -> Block:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as invalid escapes in strings
            body = ast.parse(source).body
            _table(body)
    except SyntaxError as error:
        return Block(source, error=f"SyntaxError: {error.msg} (line {error.lineno})")
    except (RecursionError, MemoryError, ValueError) as error:
        return Block(source, error=f"{type(error).__name__} while reading the code")
    return Block(source, [each for each in body if not _is_left_out(each)])


def _explain_missing(name: str, blocks: Sequence[Block]) -> NoProgram:
    broken = [block.error for block in blocks if block.error and _FUNCTION.search(block.source)]
    if broken:
        return NoProgram("exception", broken[-1])
    if names := [each.name for block in blocks for each in block.functions]:
        return NoProgram("signature mismatch", f"no function {name}; there is {', '.join(names)}")
    return NoProgram("no code", f"no function {name} in {len(blocks)} blocks of code")


def _complete(block: Block, blocks: Sequence[Block], notes: list[str]) -> str:
    """Return the block, preceded by the definitions and imports that it lacks."""
    at = blocks.index(block)
    others = [*reversed(blocks[:at]), *blocks[at + 1 :]]
    elsewhere = [each for other in others for each in reversed(other.body)]
    body = list(block.body)
    while missing := _missing(body):
        found = next((each for each in elsewhere if each not in body and _bound(each) & missing), None)
        if found is None:
            break
        body.insert(0, found)
    if len(body) > len(block.body):
        notes.append("definitions are taken from other blocks")
    imports = sorted({_IMPORTS[name] for name in missing if name in _IMPORTS})
    if imports:
        notes.append(f"added: {'; '.join(imports)}")
    future = [each for each in body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    added = [statement for line in imports for statement in ast.parse(line).body]
    return ast.unparse(ast.Module([*future, *added, *(each for each in body if each not in future)], []))


def _missing(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that are read but not bound."""
    missing, tables = set(), [_table(body)]
    for table in tables:
        tables += table.get_children()
        missing |= {
            each.get_name() for each in table.get_symbols() if each.is_referenced() and each.is_global()
        }
    return missing - {*dir(builtins), *_bound(*body)}


def _bound(*body: ast.stmt) -> set[str]:
    """Return the names that statements define in their own scope."""
    symbols = _table(body).get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _table(body: Iterable[ast.stmt]) -> SymbolTable:
    return symtable(ast.unparse(ast.Module(list(body), [])), "<answer>", "exec")


def _is_left_out(statement: ast.stmt) -> bool:
    """Whether a statement is a signature without a body (docstring, pass or dots), or a main guard."""
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test).startswith("__name__ ==")
    return isinstance(statement, Function) and all(
        isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in statement.body
    )


def _find_arguments(body: Sequence[ast.stmt], name: str) -> ast.arguments | None:
    """Return the parameters of the last definition; None if unknown, as for a wrapped function."""
    defining = [each for each in body if name in _bound(each)][-1]
    if isinstance(defining, Function):
        return defining.args
    value = getattr(defining, "value", None)
    return value.args if isinstance(value, ast.Lambda) else None


def _choose_call(
    written: ast.arguments | None, wanted: Sequence[str]
) -> Literal["keyword", "position", "mismatch"]:
    """Return "keyword" if parameters have the requested names, "position" if only the names differ.

    A requested name in another position is a mismatch, because a call by position gives it a wrong value.
    Additional parameters with defaults are allowed. A function with unknown parameters (None) is called by
    keyword.
    """
    if written is None:
        return "keyword"
    places = [each.arg for each in (*written.posonlyargs, *written.args)]
    keywords = [each.arg for each in written.kwonlyargs]
    needed = places[: len(places) - len(written.defaults)]
    needed_keywords = [
        name for name, default in zip(keywords, written.kw_defaults, strict=True) if not default
    ]
    by_name = {*places[len(written.posonlyargs) :], *keywords}
    if all(name in by_name or written.kwarg for name in wanted) and {*needed, *needed_keywords} <= set(
        wanted
    ):
        return "keyword"
    if needed_keywords or len(needed) > len(wanted) or (len(places) < len(wanted) and not written.vararg):
        return "mismatch"
    moved = any(name in wanted and wanted.index(name) != at for at, name in enumerate(places))
    return "mismatch" if moved else "position"
