"""Measure how well rankers find the equation that a question needs and avoid similar ones.

Questions with known answers are in this folder as JSON Lines; questions.md describes their sources.
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
