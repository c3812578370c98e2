"""Run the model's code as a console would, and report its value, or its failure in the code's own lines."""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
import types
from collections.abc import Mapping
from typing import Any

_FILE = "<code>"
_LONGEST_ERROR = 2000
_DEEPEST = 1000
_CHAIN = 10


def run(source: str) -> Any:
    """Execute a program. The value of a last bare expression is printed and returned."""
    tree = ast.parse(source, _FILE)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    names = _execute(source, tree)
    if last is None:
        return None
    value = eval(compile(ast.Expression(last.value), _FILE, "eval"), names)  # type: ignore[attr-defined]
    if value is not None:
        print(value)
    return value


def call(source: str, function: str, arguments: Mapping[str, Any]) -> Any:
    """Execute a program and return what its function `function` makes of keyword arguments."""
    names = _execute(source, ast.parse(source, _FILE))
    if not callable(names.get(function)):
        raise NameError(f"the code defines no function {function!r}")
    return names[function](**arguments)


def _execute(source: str, tree: ast.Module) -> dict[str, Any]:
    """Run the statements as the module __main__, whose lines tracebacks can then show."""
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(tree, _FILE, "exec"), module.__dict__)
    return module.__dict__


def describe(failure: BaseException) -> dict[str, str]:
    """The exception's type, its last line, and a traceback of nothing but the code's own lines."""
    told = traceback.TracebackException.from_exception(failure, limit=-_DEEPEST)
    _keep_own_lines(told)
    last = "".join(told.format_exception_only()).strip().rsplit("\n", 1)[-1]
    return {
        "exception": "MemoryError" if isinstance(failure, MemoryError) else type(failure).__name__[:100],
        "error": last[:_LONGEST_ERROR],
        "traceback": "".join(told.format())[-4 * _LONGEST_ERROR :],
    }


def _keep_own_lines(told: traceback.TracebackException | None) -> None:
    seen = 0
    while told is not None and seen < _CHAIN:
        own = [frame for frame in told.stack if frame.filename == _FILE]
        told.stack = traceback.StackSummary.from_list(own)
        told, seen = told.__cause__ or told.__context__, seen + 1
