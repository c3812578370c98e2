"""The model that rewrites questions for the probe `paraphrased`."""

from __future__ import annotations

from typing import Any

from pydantic import model_validator

from ansatz.eval.judging.judge_models import JudgeModel
from ansatz.settings import settings


@settings()
class Paraphraser(JudgeModel):
    """A model that rewrites questions. Unlike a judge, it can be the offline model.

    Example: `Paraphraser(name="openai:gpt-5-mini", input_price=0.25, output_price=2)`.
    """

    @model_validator(mode="before")
    @classmethod
    def _read_judge(cls, value: Any) -> Any:
        """Accept a judge in place of a mapping."""
        return vars(value) if isinstance(value, JudgeModel) else value

    @classmethod
    def _check_is_language_model(cls, name: str) -> str:
        return name
