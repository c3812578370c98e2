"""In which regime a question is: what it states and what follows from that, each fact with its words.

`facts` reads a question, `judge` puts a condition of an entry to it: it holds, is contradicted, or is left
open.
"""

from ansatz.knowledge_base.regime.applicability import applicability, contradictions, used_entries
from ansatz.knowledge_base.regime.facts import SURE, Fact, Facts
from ansatz.knowledge_base.regime.inference import facts
from ansatz.knowledge_base.regime.judgement import Judgement, contradicted, judge
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, givens

__all__ = [
    "SURE",
    "Fact",
    "Facts",
    "Judgement",
    "WrittenQuantity",
    "applicability",
    "contradicted",
    "contradictions",
    "facts",
    "givens",
    "judge",
    "used_entries",
]
