"""Relations that a question states itself: "the ratio r_n = n_e/n_c", "give n_e/n_c as r_n"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.expression import Expression, ExpressionError

_RELATION = re.compile(r"\b([A-Za-z]\w*) = (?=([A-Za-z0-9(][\w*/+^(). -]*))")
_CALLED = re.compile(r"(?<![\w/*^])([A-Za-z]\w*/[A-Za-z]\w*) as (?:the \w+ )?([A-Za-z]\w*)")
_WIDEST = 1e30


def stated(question: str, units: Mapping[str, str]) -> Iterator[Equation]:
    """The relations of a text between the quantities named in `units`, as equations that can be evaluated.

    A relation whose units do not balance is left out: it is read wrongly, or hides a conversion.
    """
    called = [(output, text) for text, output in _CALLED.findall(question)]
    for number, (output, text) in enumerate(_RELATION.findall(question) + called):
        expression = _longest(text.replace("^", "**"), units)
        if expression is None or output not in units or output in expression.names:
            continue
        used = [output, *sorted(expression.names)]
        fields = {
            "id": f"question.relation_{number}",
            "name": "Relation stated by the question",
            "kind": "definition",
            "domain": "question",
            "topic": "relation",
            "latex": f"{output} = {expression.text}",
            "output": output,
            "symbols": {
                name: {"unit": units[name], "desc": name, "domain": [-_WIDEST, _WIDEST]} for name in used
            },
            "expr": expression.text,
            "tests": [{"in": dict.fromkeys(used[1:], 1.0), "out": 1.0, "source": "question"}],
            "references": ["the question"],
        }
        try:
            equation = Equation.model_validate(fields)
        except ValidationError:
            continue
        if equation.dimension_check() is None:
            yield equation


def _longest(text: str, names: Mapping[str, str]) -> Expression | None:
    """The longest beginning of a text that is a formula in the given names."""
    ends = [found.end() for found in re.finditer(r"[\w)]+", text)]
    for end in reversed(ends):
        try:
            found = Expression.parse(text[:end])
        except ExpressionError:
            continue
        if found.names and found.names <= names.keys():
            return found
    return None
