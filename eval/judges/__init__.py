"""Language models as judges: the eight dimensions of the rubric, scored by one model or by a panel."""

from ansatz.eval.judges.judge import Judge
from ansatz.eval.judges.models import AsksModels, JudgeModel
from ansatz.eval.judges.opinion import ERROR_TAGS, Opinion

__all__ = ["ERROR_TAGS", "AsksModels", "Judge", "JudgeModel", "Opinion"]
