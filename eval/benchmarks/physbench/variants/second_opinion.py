"""A model's opinion on whether a retelling is the same problem: what numbers and symbols cannot show."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.errors import AnsatzError
from ansatz.eval.benchmarks.physbench.variants.invariance import Change
from ansatz.eval.judging.reply import arguments
from ansatz.eval.problem import Problem

_TOOL = "record_changes"


class NoOpinion(AnsatzError):
    """The model's reply holds no list of changes."""


class _Changes(BaseModel):
    model_config = ConfigDict(extra="forbid")

    changes: list[str] = Field(description="what makes it another problem, one line each; empty for none")


@dataclass(frozen=True)
class SecondOpinion:
    """Asks a model to compare two tellings; it sees both statements and no key."""

    client: ModelClient

    async def changes(self, original: Problem, variant: Problem) -> tuple[Change, ...]:
        """What the model says makes the variant another problem. Raises NoOpinion, InfrastructureError."""
        prompt = files(__package__).joinpath("second_opinion.md").read_text(encoding="utf-8")
        one, other = (f"{each.context}\n\n{each.question}".strip() for each in (original, variant))
        asked = f"<original>\n{one}\n</original>\n\n<retelling>\n{other}\n</retelling>"
        tool = StructuredTool(
            name=_TOOL,
            description="Record every change that makes the retelling another problem.",
            args_schema=_Changes,
            func=lambda **values: values,
        )
        reply = await self.client.reply([SystemMessage(prompt), HumanMessage(asked)], [tool])
        if is_refusal(reply.message):
            raise NoOpinion("the second opinion was declined")
        for found in arguments(reply.message, _TOOL):
            try:
                return tuple(Change("opinion", what) for what in _Changes.model_validate(found).changes)
            except ValidationError:
                continue
        raise NoOpinion(f"the second opinion holds no call of {_TOOL}")
