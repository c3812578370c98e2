"""Questions whose answer is a Python function: the formula that comes to mind, written as code.

Nothing is derived. A formula is taken from the sheet at hand or from memory if its symbols are parameters of
the function that is asked for, and if its name shares words with the question; without one, that is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import NotCalculable, parse
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.formula import Formula
from ansatz.agents.slide_rule.memory import remembered_formulas
from ansatz.agents.slide_rule.words import content_words

_HEADER = re.compile(r"^[ \t]*def (?P<name>\w+)\((?P<parameters>[^()]*)\)[^:\n]*:", re.MULTILINE)
_IMPORTS = "from math import *\n\nln, Abs, Min, Max = log, abs, min, max"


@dataclass(frozen=True)
class Wanted:
    """The function that a question asks for, and the words of the question."""

    name: str
    parameters: tuple[str, ...]
    words: frozenset[str]


def written_function(talk: Conversation) -> str | None:
    """The answer to a question that asks for a function; None for any other question."""
    wanted = _wanted(talk.asked)
    if wanted is None:
        return None
    formula = _recalled(wanted, (*talk.sheet.formulas, *remembered_formulas()))
    if formula is None:
        given = ", ".join(wanted.parameters) or "nothing"
        return f"I know no formula that gives {wanted.name} from {given}, and I cannot derive one."
    expression = formula.expression.replace("^", "**")
    constants = "".join(
        f"    {each.name} = {each.value!r}\n"
        for each in formula.constants
        if each.name not in wanted.parameters
    )
    return (
        f"This looks like the {formula.name}.\n\n"
        f"Final answer: {formula.output.name} = {formula.expression}\n\n"
        f"```python\n{_IMPORTS}\n\n\ndef {wanted.name}({', '.join(wanted.parameters)}):\n"
        f"{constants}    return {expression}\n```"
    )


def _wanted(text: str) -> Wanted | None:
    header = _HEADER.search(text)
    if header is None:
        return None
    names = (part.split(":")[0].split("=")[0].strip() for part in header["parameters"].split(","))
    return Wanted(header["name"], tuple(filter(None, names)), content_words(text[: header.start()]))


def _recalled(wanted: Wanted, formulas: tuple[Formula, ...]) -> Formula | None:
    """The first of the formulas that share the largest part of their words with the question."""
    usable = [each for each in formulas if _is_usable(each, wanted)]
    return max(usable, key=lambda each: _shared(each, wanted), default=None)


def _is_usable(formula: Formula, wanted: Wanted) -> bool:
    symbols = {symbol.name for symbol in formula.inputs}
    try:
        parse(formula.expression)
    except NotCalculable:
        return False
    return bool(symbols) and symbols <= set(wanted.parameters) and _shared(formula, wanted) > 0


def _shared(formula: Formula, wanted: Wanted) -> float:
    return len(formula.words & wanted.words) / max(len(formula.words), 1)
