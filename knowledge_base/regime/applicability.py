"""Find the equations that a text uses by id, and judge whether they apply to a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ansatz.knowledge_base.equation import Equation, library
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.judgement import Judgement, find_contradicted, judge_condition

_AROUND = "()[]{}.,;:*_`'\"“”"


def find_used_entries(text: str) -> tuple[Equation, ...]:
    """Return the entries that a text calculates with, each once, in order.

    An entry counts if its id is the only one in a line and a calculation follows in that line or the next.
    """
    # These imports take a tenth of a second, and a search does not need them.
    from ansatz.quantities.calculation import find_terms
    from ansatz.quantities.chains import find_chains
    from ansatz.quantities.markup import to_plain_text

    lines = [*to_plain_text(text).splitlines(), ""]
    found: dict[str, Equation] = {}
    for line, below in pairwise(lines):
        words = dict.fromkeys(word.strip(_AROUND) for word in line.split())
        ids = [word for word in words if "." in word and word.islower() and word in library()]
        if len(ids) == 1:
            after = line.partition(ids[0])[2]
            if find_terms(find_chains(below if after.strip(" )*_`") == ":" else after)):
                found[ids[0]] = library().get(ids[0])
    return tuple(found.values())


def judge_applicability(equation: Equation, question: str) -> tuple[Judgement, ...]:
    """Judge each required condition of an entry by the facts of a question."""
    known = find_facts(question, library())
    return tuple(judge_condition(needed, known, equation) for needed in equation.regime.require)


def find_contradicted_uses(text: str, question: str) -> Iterator[tuple[str, str]]:
    """Yield id and reason for each used entry with a condition that the question contradicts."""
    for equation in find_used_entries(text):
        for judgement in find_contradicted(equation, find_facts(question, library())):
            yield equation.id, judgement.reason
