"""In which regime a question is: what it states and what follows from that, each fact with its words.

`facts` reads a question, `judge` puts a condition of an entry to it: it holds, is contradicted, or is left
open.
"""

from ansatz.knowledge_base.regime.applicability import applicability, contradictions, used_entries
from ansatz.knowledge_base.regime.derived_axes import DERIVATIONS
from ansatz.knowledge_base.regime.facts import SURE, Facts, Number, Word
from ansatz.knowledge_base.regime.inference import facts
from ansatz.knowledge_base.regime.stated_quantities import Given, givens
from ansatz.knowledge_base.regime.three_valued import Judgement, judge

__all__ = [
    "DERIVATIONS",
    "SURE",
    "Facts",
    "Given",
    "Judgement",
    "Number",
    "Word",
    "applicability",
    "contradictions",
    "facts",
    "givens",
    "judge",
    "used_entries",
]
