"""What crosses to and from the sandbox: bounds, the values that only its encoding has, its one error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

MAXIMUM_BYTES = 1024 * 1024
MAXIMUM_DEPTH = 32
MAXIMUM_PARTS = 100_000
MAXIMUM_BITS = 14_000  # of an integer: Python refuses to print more than 4300 digits
DESCRIPTION_LENGTH = 1000


@dataclass(frozen=True)
class Bounds:
    """What one execution may use. `timeout` is wall-clock seconds, counted from its start."""

    timeout: float = 30.0
    memory_mb: int = 512
    scratch_mb: int = 64


class EncodingError(ValueError):
    """A value is too large, too deep or too strange to be handed over, or what came is not such a value."""


class Symbolic(str):
    """A SymPy expression as its text; `number` is its value where it has one.

    Never sympify it outside the sandbox: that runs it. Given as an input, it becomes an expression inside.
    """

    number: float | complex | None = None


class Opaque(NamedTuple):
    """What is left of a value of another type: the type's name and the beginning of its text."""

    type: str
    text: str


class Magnitude(NamedTuple):
    """A magnitude with the name of its unit, from a pint quantity."""

    magnitude: Any
    units: str


def clean(text: str) -> str:
    """Half surrogates cannot be stored or printed; they become question marks."""
    return text.encode("utf-8", "replace").decode()
