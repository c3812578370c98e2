"""Questions whose answer is a Python function: the formula that comes to mind, written as code.

Nothing is derived. A formula is taken from the sheet at hand or from memory if its symbols are parameters of
the function that is asked for, and if its name shares words with the question; without one, that is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.naming import content_words

_HEADER = re.compile(r"^[ \t]*def (?P<name>\w+)\((?P<parameters>[^()]*)\)[^:\n]*:", re.MULTILINE)


def written_function(text: str, formulas: Sequence[KnownFormula]) -> str | None:
    """The answer to a question that asks for a function; None for any other question."""
    header = _HEADER.search(text)
    if header is None:
        return None
    parameters = [re.split("[:=]", part)[0].strip() for part in header["parameters"].split(",")]
    formula = _recalled(set(parameters), content_words(text[: header.start()]), formulas)
    if formula is None or formula.tree is None:
        given = ", ".join(parameters)
        return f"I know no formula that gives {header['name']} from {given}, and I cannot derive one."
    constants = "".join(
        f"    {name} = {each.value!r}\n" for name, each in formula.constants.items() if name not in parameters
    )
    return (
        f"This looks like the {formula.title}.\n\nFinal answer: {formula.output.name} = {formula.text}\n\n"
        f"```python\nfrom math import *\n\n\ndef {header['name']}({', '.join(parameters)}):\n"
        f"{constants}    return {formula.text}\n```"
    )


def _recalled(
    parameters: set[str], words: frozenset[str], formulas: Sequence[KnownFormula]
) -> KnownFormula | None:
    """The first of the formulas that share the largest part of their words with the question."""
    usable = [
        each
        for each in formulas
        if each.tree is not None and each.inputs and {symbol.name for symbol in each.inputs} <= parameters
    ]
    best = max(usable, key=lambda each: len(each.words & words) / len(each.words), default=None)
    return best if best is not None and best.words & words else None
