"""Test inputs of a function: those that a record states, or drawn ones where it states none."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.tpbench.signature import Signature
from ansatz.quantities.did_you_mean import nearest
from ansatz.sandbox import EncodingError, encoding

_DRAWS = 12
_RANGE = (0.3, 3.0)  # of drawn magnitudes: near one, where formulas in natural units have their structure
_LENGTH = 4


class BadInput(AnsatzError, ValueError):
    """A stated input does not fit the signature; the message begins with the parameter."""


def stated(signature: Signature, inputs: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Inputs as a record states them, each by name or in the order of the parameters, as tagged JSON.

    Numbers may be text such as "1+2j" or "inf". A list becomes an array where the signature says so. Raises
    BadInput.
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


def _by_name(signature: Signature, given: Any) -> dict[str, Any]:
    names = list(signature.parameters)
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise BadInput(f"{name}: is no parameter of {signature.name}{nearest(str(name), names)}")
        missing = [name for name in names if name not in given]
        if missing:
            raise BadInput(f"{missing[0]}: is missing")
        return {name: given[name] for name in names}
    values = list(given) if isinstance(given, list | tuple) else [given]
    if len(values) != len(names):
        raise BadInput(f"{len(values)} values for the {len(names)} parameters {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def _encoded(signature: Signature, values: Mapping[str, Any]) -> dict[str, Any]:
    read = {name: _read(name, value, signature.parameters[name]) for name, value in values.items()}
    try:
        document: dict[str, Any] = json.loads(encoding.dumps(read))
    except EncodingError as error:
        raise BadInput(str(error)) from error
    return document


def _read(name: str, value: Any, annotation: str) -> Any:
    """A value as the annotation has it: 1 for a float is 1.0, a list for an array is one."""
    if isinstance(value, list | tuple):
        parts = [_read(name, each, annotation) for each in value]
        if "array" not in annotation.lower():
            return parts
        import numpy

        return numpy.array(parts)
    if isinstance(value, str):
        try:
            number = complex(value.replace(" ", "").replace("i", "j") if "inf" not in value else value)
        except ValueError:
            raise BadInput(f"{name}: {value!r} is no number") from None
        value = number if number.imag or "complex" in annotation else number.real
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        raise BadInput(f"{name}: must be a number or a list of numbers, not {value!r}")
    if "complex" in annotation:
        return complex(value)
    return value if "int" in annotation or isinstance(value, complex) else float(value)


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
