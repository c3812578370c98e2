"""Signatures: the one a problem asks for, and how to call a function that was written for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Call = Literal["keyword", "position", "mismatch"]

_HEADER = re.compile(
    r"def\s+(?P<name>\w+)\s*\((?P<arguments>.*?)\)\s*(?:->\s*(?P<returns>[^:\n]+))?:", re.DOTALL
)


@dataclass(frozen=True)
class Signature:
    """A function's name and its parameters in order, each with its annotation as text ("" for none)."""

    name: str
    parameters: dict[str, str]


def read_signature(text: str) -> Signature | None:
    """The first function header in a text, whatever stands around it; None where there is none."""
    for header in _HEADER.finditer(text.replace("\\_", "_")):
        try:
            tree = ast.parse(f"def {header['name']}({header['arguments']}): pass")
        except SyntaxError:
            continue
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        annotations = {each.arg: ast.unparse(each.annotation) if each.annotation else "" for each in given}
        return Signature(header["name"], annotations)
    return None


def how_to_call(written: ast.arguments | None, wanted: Sequence[str]) -> Call:
    """By keyword where the names are those asked for; by position where only the names differ.

    A name that stands in another place would be given the wrong value by position: that is a mismatch.
    Parameters of its own that have defaults do not matter. None, a function whose parameters cannot be
    read, is called by keyword.
    """
    if written is None:
        return "keyword"
    by_name = [each.arg for each in (*written.args, *written.kwonlyargs)]
    if all(name in by_name or written.kwarg for name in wanted) and set(_needed(written)) <= set(wanted):
        return "keyword"
    places = [each.arg for each in (*written.posonlyargs, *written.args)]
    needed = len(places) - len(written.defaults)
    needs_keywords = any(default is None for default in written.kw_defaults)
    if needs_keywords or needed > len(wanted) or (len(places) < len(wanted) and not written.vararg):
        return "mismatch"
    moved = any(name in wanted and wanted.index(name) != at for at, name in enumerate(places))
    return "mismatch" if moved else "position"


def _needed(written: ast.arguments) -> list[str]:
    """Parameters without a default."""
    places = [each.arg for each in (*written.posonlyargs, *written.args)]
    keywords = zip(written.kwonlyargs, written.kw_defaults, strict=True)
    return [
        *places[: len(places) - len(written.defaults)],
        *(each.arg for each, default in keywords if default is None),
    ]
