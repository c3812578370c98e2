"""Infer the regime of a question; each fact has its source in the text.

`find_facts` reads a question. `judge_condition` compares a condition of an entry with the facts. The result
is fulfilled, contradicted or open.
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
