"""Evaluation: problems with answer keys, scorers, and statistics."""

from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext

__all__ = ["Dimension", "Problem", "Score", "Scorer", "ScoringContext"]
