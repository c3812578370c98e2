"""From the code in an answer to one program that defines the function asked for.

The last block that defines it counts. Definitions that it uses are taken from the other blocks, imports that
it forgot are added, and what stands under `if __name__ == "__main__"` is left out. Nothing is run here.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from symtable import SymbolTable, symtable
from typing import Literal, NamedTuple

from ansatz.eval.benchmarks.tpbench.answer_code import code_blocks, holds_function
from ansatz.eval.benchmarks.tpbench.signature import how_to_call

_TYPING = ("Any", "Callable", "Dict", "Iterable", "List", "Optional", "Sequence", "Tuple", "Union")
_IMPORTS = {
    **{name: f"import {name}" for name in ("cmath", "math", "numpy", "scipy", "sympy")},
    **{"np": "import numpy as np", "sp": "import sympy as sp"},
    **{name: f"from typing import {name}" for name in _TYPING},
}
Function = ast.FunctionDef | ast.AsyncFunctionDef

_LONGEST = 100_000
_ADAPTER = "_called_by_position"


@dataclass(frozen=True)
class Program:
    """A source and the function in it to call with keyword arguments; `notes` say what was mended."""

    source: str
    function: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoProgram:
    """Why an answer has no such function."""

    outcome: Literal["no code", "signature mismatch", "exception"]
    reason: str


class Block(NamedTuple):
    """A piece of code with its statements but stubs and main guards; or with what is wrong with it."""

    source: str
    body: Sequence[ast.stmt] = ()
    error: str = ""

    @property
    def functions(self) -> list[Function]:
        return [each for each in self.body if isinstance(each, Function)]

    def defines(self, name: str) -> bool:
        """Whether it does so, or breaks off in trying to."""
        return f"def {name}" in self.source if self.error else any(name in _bound(each) for each in self.body)


def assemble(answer: str, name: str, parameters: Sequence[str]) -> Program | NoProgram:
    """The program of an answer that is asked for a function `name` of these parameters.

    Where nothing has that name, the last function with the very parameters is meant.
    """
    sources = code_blocks(answer)
    if sum(map(len, sources)) > _LONGEST:
        return NoProgram("exception", f"more than {_LONGEST} characters of code")
    blocks = list(map(_parsed, sources))
    named = [(block, name) for block in blocks if block.defines(name)] or [
        (block, each.name)
        for block in blocks
        for each in block.functions
        if {one.arg for one in each.args.args} == set(parameters)
    ]
    if not named:
        return _nothing(name, blocks)
    block, found = named[-1]
    if block.error:
        return NoProgram("exception", block.error)
    notes = [] if found == name else [f"the function is called {found}"]
    arguments = _arguments(block.body, found)
    call = how_to_call(arguments, parameters)
    if call == "mismatch" and arguments:
        return NoProgram(
            "signature mismatch", f"{found}({ast.unparse(arguments)}) for {', '.join(parameters)}"
        )
    source = _completed(block, blocks, notes)
    if call == "position":
        notes.append("its parameters are passed by position")
        source += f"\n\ndef {_ADAPTER}(**values):\n    return {found}(*values.values())\n"
        found = _ADAPTER
    return Program(source, found, tuple(notes))


def _parsed(source: str) -> Block:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in strings are no matter of ours
            body = ast.parse(source).body
            _table(body)
    except SyntaxError as error:
        return Block(source, error=f"SyntaxError: {error.msg} (line {error.lineno})")
    except (RecursionError, MemoryError, ValueError) as error:
        return Block(source, error=f"{type(error).__name__} while reading the code")
    return Block(source, [each for each in body if not _is_stub(each) and not _is_main_guard(each)])


def _nothing(name: str, blocks: Sequence[Block]) -> NoProgram:
    broken = [block.error for block in blocks if block.error and holds_function(block.source)]
    if broken:
        return NoProgram("exception", broken[-1])
    if names := [each.name for block in blocks for each in block.functions]:
        return NoProgram("signature mismatch", f"no function {name}; there is {', '.join(names)}")
    return NoProgram("no code", f"no function {name} in {len(blocks)} blocks of code")


def _completed(block: Block, blocks: Sequence[Block], notes: list[str]) -> str:
    """The block with the definitions and imports that it lacks before it."""
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
    """Names that are read somewhere and bound nowhere."""
    return {
        symbol.get_name()
        for table in _tables(_table(body))
        for symbol in table.get_symbols()
        if symbol.is_referenced() and symbol.is_global()
    } - {*dir(builtins), *_bound(*body)}


def _bound(*body: ast.stmt) -> set[str]:
    """The names that statements define where they stand."""
    symbols = _table(body).get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}


def _table(body: Iterable[ast.stmt]) -> SymbolTable:
    return symtable(ast.unparse(ast.Module(list(body), [])), "<answer>", "exec")


def _tables(table: SymbolTable) -> Iterator[SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _is_stub(statement: ast.stmt) -> bool:
    """A signature without a body: docstring, pass or dots."""
    return isinstance(statement, Function) and all(
        isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in statement.body
    )


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test).startswith("__name__ ==")


def _arguments(body: Sequence[ast.stmt], name: str) -> ast.arguments | None:
    """The parameters of the last definition; None where they cannot be read off, as of a wrapped function."""
    defining = [each for each in body if name in _bound(each)][-1]
    if isinstance(defining, Function):
        return defining.args
    value = getattr(defining, "value", None)
    return value.args if isinstance(value, ast.Lambda) else None
