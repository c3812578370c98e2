"""How well rankers find the equation that a question needs, and keep its look-alikes away.

Questions with known answers lie beside this file as JSON Lines; questions.md says where they come from.
"""

from ansatz.knowledge_base.search.evaluation.labelled_questions import (
    FILE,
    LabelledQuestion,
    Query,
    read_questions,
)
from ansatz.knowledge_base.search.evaluation.ranker_evaluation import Evaluation, evaluate_rankers

__all__ = [
    "FILE",
    "Evaluation",
    "LabelledQuestion",
    "Query",
    "evaluate_rankers",
    "read_questions",
]
