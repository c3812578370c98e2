"""Language models as judges: score answers on the criteria of a rubric, with one model or a panel."""

from ansatz.eval.judging.judge import Judge
from ansatz.eval.judging.judge_models import JudgeModel, UsesJudges
from ansatz.eval.judging.model_graded import ModelGraded

__all__ = ["Judge", "JudgeModel", "ModelGraded", "UsesJudges"]
