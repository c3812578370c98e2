"""Evaluation: problems with answer keys, scorers, and statistics."""

from ansatz.eval.problem import Problem
from ansatz.eval.score import Score, Scorer

__all__ = ["Problem", "Score", "Scorer"]
