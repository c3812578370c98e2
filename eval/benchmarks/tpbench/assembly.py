"""From the code in an answer to one program that defines the function asked for.

The last block that defines it counts. Definitions that it uses are taken from the other blocks, imports that
it forgot are added, and what stands under `if __name__ == "__main__"` is left out. Nothing is run here.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

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


def assemble(answer: str, name: str, parameters: Sequence[str]) -> Program | NoProgram:
    """The program of an answer that is asked for a function `name` of these parameters."""
    blocks = code_blocks(answer)
    if sum(map(len, blocks)) > _LONGEST:
        return NoProgram("exception", f"more than {_LONGEST} characters of code")
    parsed = [_parse(block) for block in blocks]
    at = _last_with(name, blocks, parsed)
    notes: list[str] = []
    found = name
    if at is None:
        stranger = _of_another_name(parsed, parameters)
        if stranger is None:
            return _nothing(name, blocks, parsed)
        at, found = stranger
        notes.append(f"the function is called {found}")
    tree = parsed[at]
    if isinstance(tree, str):
        return NoProgram("exception", tree)
    call = how_to_call(_arguments(tree, found), parameters)
    if call == "mismatch":
        return NoProgram(
            "signature mismatch", f"{found}({_spelled(tree, found)}) for {', '.join(parameters)}"
        )
    try:
        source = _completed(at, parsed, notes)
    except (RecursionError, ValueError) as failure:
        return NoProgram("exception", f"{type(failure).__name__}: the code cannot be put together")
    if call == "position":
        notes.append("its parameters are passed by position")
        source += f"\n\ndef {_ADAPTER}(**values):\n    return {found}(*values.values())\n"
        found = _ADAPTER
    return Program(source, found, tuple(notes))


def _parse(block: str) -> ast.Module | str:
    """The syntax tree, or the error in one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd escapes in strings are no matter of ours
            return ast.parse(block)
    except SyntaxError as error:
        return f"SyntaxError: {error.msg} (line {error.lineno})"
    except (RecursionError, MemoryError, ValueError) as error:
        return f"SyntaxError: {type(error).__name__} while reading the code"


def _last_with(name: str, blocks: Sequence[str], parsed: Sequence[ast.Module | str]) -> int | None:
    """The last block that defines the function, or that breaks off in trying to."""
    for at in reversed(range(len(parsed))):
        tree = parsed[at]
        if isinstance(tree, str):
            if f"def {name}" in blocks[at]:
                return at
        elif any(name in _bound(each) and not _is_stub(each) for each in tree.body):
            return at
    return None


def _of_another_name(parsed: Sequence[ast.Module | str], parameters: Sequence[str]) -> tuple[int, str] | None:
    """The last function with the very parameters asked for, whatever its name."""
    for at in reversed(range(len(parsed))):
        tree = parsed[at]
        functions = [] if isinstance(tree, str) else [each for each in tree.body if _is_function(each)]
        for each in reversed(functions):
            if {one.arg for one in each.args.args} == set(parameters) and not _is_stub(each):
                return at, each.name
    return None


def _nothing(name: str, blocks: Sequence[str], parsed: Sequence[ast.Module | str]) -> NoProgram:
    broken = [
        tree
        for block, tree in zip(blocks, parsed, strict=True)
        if isinstance(tree, str) and holds_function(block)
    ]
    if broken:
        return NoProgram("exception", broken[-1])
    trees = [tree for tree in parsed if isinstance(tree, ast.Module)]
    names = [each.name for tree in trees for each in tree.body if _is_function(each) and not _is_stub(each)]
    if names:
        return NoProgram("signature mismatch", f"no function {name}; there is {', '.join(names)}")
    return NoProgram("no code", f"no function {name} in {len(blocks)} blocks of code")


def _completed(at: int, parsed: Sequence[ast.Module | str], notes: list[str]) -> str:
    """The block with the definitions and imports that it lacks before it."""
    tree = parsed[at]
    assert isinstance(tree, ast.Module)
    body = [each for each in tree.body if not _is_main_guard(each)]
    others = [parsed[index] for index in (*reversed(range(at)), *range(at + 1, len(parsed)))]
    elsewhere = [each for other in others if isinstance(other, ast.Module) for each in reversed(other.body)]
    taken: list[ast.stmt] = []
    while missing := _missing([*taken, *body]):
        found = next((each for each in elsewhere if each not in taken and _bound(each) & missing), None)
        if found is None:
            break
        taken.insert(0, found)
    if taken:
        notes.append("definitions are taken from other blocks")
    imports = sorted({_IMPORTS[name] for name in missing if name in _IMPORTS})
    if imports:
        notes.append(f"added: {'; '.join(imports)}")
    body = [*taken, *body]
    future = [each for each in body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    added = [statement for line in imports for statement in ast.parse(line).body]
    return ast.unparse(ast.Module([*future, *added, *(each for each in body if each not in future)], []))


def _missing(body: Sequence[ast.stmt]) -> set[str]:
    """Names that are read somewhere and bound nowhere."""
    read: set[str] = set()
    bound: set[str] = set(dir(builtins))
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            else:
                bound |= _bound(node)
    return read - bound


def _bound(node: ast.AST) -> set[str]:
    """The names that one statement defines where it stands."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, ast.Assign):
        return {name for target in node.targets for name in _names(target)}
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        return set(_names(node.target))
    return {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()


def _names(target: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _is_function(statement: ast.stmt) -> TypeGuard[Function]:
    return isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_stub(statement: ast.stmt) -> bool:
    """A signature without a body: docstring, pass or dots."""
    return _is_function(statement) and all(
        isinstance(each, ast.Pass) or (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in statement.body
    )


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test).startswith("__name__ ==")


def _arguments(tree: ast.Module, name: str) -> ast.arguments | None:
    """The parameters of the last definition; None where they cannot be read off, as of a wrapped function."""
    for statement in reversed(tree.body):
        if _is_function(statement) and statement.name == name and not _is_stub(statement):
            return statement.args
        if name in _bound(statement):
            value = getattr(statement, "value", None)
            return value.args if isinstance(value, ast.Lambda) else None
    return None


def _spelled(tree: ast.Module, name: str) -> str:
    arguments = _arguments(tree, name)
    return "" if arguments is None else ast.unparse(arguments)
