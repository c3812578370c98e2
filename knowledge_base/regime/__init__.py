"""Infer the regime of a question from what it states; each fact has its source in the text.

`find_facts` reads a question. `judge_condition` compares an entry's condition with the facts: it holds, is
contradicted, or is open.
"""

from ansatz.knowledge_base.regime.applicability import (
    find_contradicted_uses,
    find_used_entries,
    judge_applicability,
)
from ansatz.knowledge_base.regime.facts import SURE, Fact, Facts
from ansatz.knowledge_base.regime.inference import find_facts
from ansatz.knowledge_base.regime.judgement import Judgement, find_contradicted, judge_condition
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, find_givens

__all__ = [
    "SURE",
    "Fact",
    "Facts",
    "Judgement",
    "WrittenQuantity",
    "find_contradicted",
    "find_contradicted_uses",
    "find_facts",
    "find_givens",
    "find_used_entries",
    "judge_applicability",
    "judge_condition",
]
