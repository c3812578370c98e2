"""What a second route finds for a conceptual question."""

from typing import Any, NamedTuple


class Concept(NamedTuple):
    """The answer found, and the numbers that the texts about it may hold beside the givens.

    `answer` is a number, or words that were chosen by a computation. The numbers are those of the right
    answer, of its explanation, and of the options that follow from a misconception.
    """

    answer: float | str
    numbers: tuple[float, ...] = ()


def concepts(topic: str, module: dict[str, Any]) -> dict[str, Any]:
    """The public functions that a module defines, by the family of questions that each is about."""
    return {
        f"{topic}.{name}": route
        for name, route in module.items()
        if getattr(route, "__module__", "") == module["__name__"] and not name.startswith("_")
    }
