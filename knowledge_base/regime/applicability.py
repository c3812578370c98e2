"""Which equations a text calculates with by their ids, and whether they apply to a question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ansatz.knowledge_base.equation import Equation, library
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.judgement import Judgement, find_contradicted, judge_condition

_AROUND = "()[]{}.,;:*_`'\"“”"


def find_used_entries(text: str) -> tuple[Equation, ...]:
    """The entries of the base that a text calculates with, each once, in order.

    Sure are those whose id stands alone in its line, with a calculation behind it or in the line below.
    """
    # What reads calculations takes a tenth of a second to import, which a search need not spend.
    from ansatz.quantities.calculation import find_terms
    from ansatz.quantities.chains import find_chains
    from ansatz.quantities.markup import to_plain_text

    lines = [*to_plain_text(text).splitlines(), ""]
    found: dict[str, Equation] = {}
    for line, below in pairwise(lines):
        named = dict.fromkeys(word.strip(_AROUND) for word in line.split() if "." in word.strip(_AROUND))
        ids = [word for word in named if word.islower() and word in library()]
        if len(ids) == 1:
            after = line.partition(ids[0])[2]
            if find_terms(find_chains(below if after.strip(" )*_`") == ":" else after)):
                found[ids[0]] = library().get(ids[0])
    return tuple(found.values())


def judge_applicability(equation: Equation, question: str) -> tuple[Judgement, ...]:
    """For each condition that an entry requires: whether the question meets it, and why."""
    known = find_facts(question, library())
    return tuple(judge_condition(needed, known, equation) for needed in equation.regime.require)


def find_contradicted_uses(text: str, question: str) -> Iterator[tuple[str, str]]:
    """Ids that a text calculates with, with what their entries need and the question surely contradicts."""
    for equation in find_used_entries(text):
        for found in find_contradicted(equation, find_facts(question, library())):
            yield equation.id, found.reason
