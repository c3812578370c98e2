"""Stage 4: whether a candidate is a task with one answer, shown by its reference solution or by a model.

A reference solution shows it where its steps use nothing but what is stated and found before, and arrive at
every number of the key; where they do not, a reviewer decides. Without a reference solution a model judges,
where one is asked, and else nobody: the item then says so. No rule here reads prose.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.eval.curation import reference
from ansatz.eval.curation.candidates import Candidate, Note, Rejection
from ansatz.eval.item import Item
from ansatz.eval.judging.reply import arguments

STAGE, CHECK = 4, "solvability"
_TOOL = "record_opinion"
_AT_ONCE = 8


class Opinion(BaseModel):
    """What a model says of a candidate."""

    model_config = ConfigDict(extra="forbid")

    solvable: bool = Field(description="a task with one answer that follows from the question alone")
    reason: str = Field(description="one line: what is missing or wrong, or what makes it solvable")


@dataclass(frozen=True)
class Solvability:
    """Asks a model whether candidates can be solved; it sees question and givens, and no key."""

    client: ModelClient

    async def opinions(self, candidates: Sequence[Candidate]) -> dict[str, Opinion]:
        """By place, for each candidate on which the model gave one. Raises InfrastructureError."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def one(candidate: Candidate) -> Opinion | None:
            async with gate:
                return await self._opinion(candidate)

        found = await asyncio.gather(*map(one, candidates))
        return {
            candidate.place: opinion
            for candidate, opinion in zip(candidates, found, strict=True)
            if opinion is not None
        }

    async def _opinion(self, candidate: Candidate) -> Opinion | None:
        prompt = files(__package__).joinpath("solvability.md").read_text(encoding="utf-8")
        wanted = ", ".join(f"{each.get('name')} [{each.get('unit', '-')}]" for each in candidate.targets)
        asked = f"<question>\n{candidate.text}\n</question>\n\nWanted: {wanted}"
        tool = StructuredTool(
            name=_TOOL,
            description="Record whether the question can be solved.",
            args_schema=Opinion,
            func=lambda **values: values,
        )
        reply = await self.client.reply([SystemMessage(prompt), HumanMessage(asked)], [tool])
        if is_refusal(reply.message):
            return None
        for found in arguments(reply.message, _TOOL):
            try:
                return Opinion.model_validate(found)
            except ValidationError:
                continue
        return None


def judge(candidate: Candidate, item: Item, opinions: Mapping[str, Opinion]) -> Rejection | tuple[Note, ...]:
    """Why a candidate is no task that can be solved, or notes on it; no note where its solution shows it."""
    if missing := reference.missing_names(candidate):
        message = f"the reference solution uses {', '.join(missing)}, which nothing states"
        return Rejection.of(candidate, STAGE, "missing_givens", message)
    if mismatch := reference.level_mismatch(candidate):
        return Rejection.of(candidate, STAGE, "level_mismatch", mismatch)
    notes = tuple(reference.level_notes(candidate))
    if reference.has_solution(item):
        return notes
    opinion = opinions.get(candidate.place)
    if opinion is not None and not opinion.solvable:
        return Rejection.of(candidate, STAGE, "not_solvable", f"by a model: {opinion.reason}")
    if item.reference_solution.steps:
        return (*notes, Note(CHECK, "the reference solution does not arrive at every value"))
    said = f"by a model: {opinion.reason}" if opinion else "not judged: no reference solution, no model"
    return (*notes, Note(CHECK, said, "info"))
