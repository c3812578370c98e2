"""The function that a record asks for, and its test inputs: those it states, or drawn ones."""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ansatz.errors import InvalidData
from ansatz.eval.validation import check_choices
from ansatz.sandbox import EncodingError, encoding

_HEADER = re.compile(
    r"def\s+(?P<name>\w+)\s*\((?P<arguments>.*?)\)\s*(?:->\s*(?P<returns>[^:\n]+))?:", re.DOTALL
)
_DRAWS = 12
_RANGE = (0.3, 3.0)  # of drawn magnitudes: near one, where formulas in natural units have their structure
_LENGTH = 4


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


def stated(signature: Signature, inputs: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Inputs as a record states them, each by name or in the order of the parameters, as tagged JSON.

    Numbers may be text such as "1+2j" or "inf". A list becomes an array where the signature says so. Raises
    InvalidData.
    """
    return tuple(_encoded(signature, _by_name(signature, each)) for each in inputs)


def drawn(signature: Signature, seed: str) -> tuple[dict[str, Any], ...]:
    """Inputs drawn for a record that has none: positive, and of the kind that the annotations say."""
    generator = random.Random(seed)
    count = _DRAWS if signature.parameters else 1
    return tuple(
        _encoded(signature, {name: _draw(generator, kind) for name, kind in signature.parameters.items()})
        for _ in range(count)
    )


def _by_name(signature: Signature, given: Any) -> Mapping[str, Any]:
    names = list(signature.parameters)
    if not isinstance(given, Mapping):
        values = given if isinstance(given, list) else [given]
        if len(values) != len(names):
            raise InvalidData(f"test_inputs: {len(values)} values for the parameters {', '.join(names)}")
        return dict(zip(names, values, strict=True))
    check_choices(f"test_inputs: the parameters of {signature.name}", given, names)
    if missing := [name for name in names if name not in given]:
        raise InvalidData(f"test_inputs: {missing[0]}: is missing")
    return given


def _encoded(signature: Signature, values: Mapping[str, Any]) -> dict[str, Any]:
    read = {name: _read(name, values[name], kind) for name, kind in signature.parameters.items()}
    try:
        document: dict[str, Any] = json.loads(encoding.dumps(read))
    except EncodingError as error:
        raise InvalidData(f"test_inputs: {error}") from error
    return document


def _read(name: str, value: Any, annotation: str) -> Any:
    """A value as the annotation has it: 1 for a float is 1.0, a list for an array is one."""
    if isinstance(value, list):
        parts = [_read(name, each, annotation) for each in value]
        return np.array(parts) if "array" in annotation.lower() else parts
    try:
        number = complex(value)
    except (TypeError, ValueError):
        raise InvalidData(f"test_inputs: {name}: {value!r} is no number") from None
    if number.imag or "complex" in annotation:
        return number
    return int(value) if isinstance(value, int) and "int" in annotation else number.real


def _draw(generator: random.Random, annotation: str) -> Any:
    kind = annotation.lower()
    if any(word in kind for word in ("array", "list", "sequence", "tuple")):
        values = [_draw(generator, "float") for _ in range(_LENGTH)]
        return sorted(values) if "array" in kind else values
    if kind == "int":
        return generator.randint(1, 5)
    low, high = _RANGE
    number = float(f"{low * (high / low) ** generator.random():.4g}")
    return complex(number, round(generator.uniform(0.1, 0.5), 3)) if "complex" in kind else number
