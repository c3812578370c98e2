"""Language models as judges: criteria in, marks with reasons out, by one model or by a panel."""

from ansatz.eval.judging.judge_models import JudgeModel, UsesJudges
from ansatz.eval.judging.model_graded import ModelGraded
from ansatz.eval.judging.tps import Judge

__all__ = ["Judge", "JudgeModel", "ModelGraded", "UsesJudges"]
