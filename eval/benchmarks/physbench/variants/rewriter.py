"""Variants written by a model: five candidates a question, all held to the same checks, the best kept."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.agents.failures import ModelError
from ansatz.errors import InfrastructureError
from ansatz.eval.benchmarks.physbench.variants.generator import relabel
from ansatz.eval.benchmarks.physbench.variants.invariance import check
from ansatz.eval.benchmarks.physbench.variants.packs import Pack
from ansatz.eval.benchmarks.physbench.variants.plausibility import stated_of, why_implausible
from ansatz.eval.benchmarks.physbench.variants.replacing import mentions, retell
from ansatz.eval.benchmarks.physbench.variants.second_opinion import NoOpinion, SecondOpinion
from ansatz.eval.judging.reply import arguments
from ansatz.eval.problem import Problem

CANDIDATES = 5
_TOOL = "record_candidates"
_AT_ONCE = 8
_TAIL = re.compile(r"\n\n(?:\([A-F]\) |Report your answer|Answer in a few sentences).*\Z", re.DOTALL)


class _Malformed(ValueError):
    """A reply that is not what was asked for; the message says where."""


class Replacement(BaseModel):
    """What was exchanged: the words of the original and those of the candidate."""

    model_config = ConfigDict(extra="forbid")

    old: str = Field(min_length=1)
    new: str = Field(min_length=1)


class Candidate(BaseModel):
    """One retelling, as a model records it."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, description="the retold statement")
    replaced: list[Replacement] = Field(description="what was exchanged")


class _Candidates(BaseModel):
    candidates: list[Candidate] = Field(min_length=1, max_length=CANDIDATES)


@dataclass(frozen=True)
class Judged:
    """A candidate as a problem, and why it was rejected; no reasons where it is faithful and plausible."""

    problem: Problem
    replaced: Mapping[str, str]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Rewrite:
    """The best candidate, or None with the reason: the original then stays."""

    original: Problem
    problem: Problem | None
    candidates: tuple[Judged, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Rewriter:
    """Asks a model for five retellings in the words of a region, and again whether the best is faithful."""

    client: ModelClient
    pack: Pack

    async def rewrite(self, problem: Problem) -> Rewrite:
        """One question told anew, or the reason why not. Raises ModelError where no request will ever do."""
        try:
            reply = await self.client.reply(_messages(problem, self.pack), [_tool()])
            found = _candidates(reply.message)
        except ModelError:
            raise
        except (InfrastructureError, _Malformed) as failure:
            return Rewrite(problem, None, reason=str(failure))
        judged = [judge(problem, candidate, self.pack) for candidate in found]
        for place in _by_worth(problem, judged):
            judged[place] = await self._reviewed(problem, judged[place])
            if not judged[place].reasons:
                return Rewrite(problem, judged[place].problem, tuple(judged))
        reasons = "; ".join(f"{place}: {each.reasons[0]}" for place, each in enumerate(judged, start=1))
        return Rewrite(problem, None, tuple(judged), f"every candidate was rejected ({reasons})")

    async def _reviewed(self, original: Problem, judged: Judged) -> Judged:
        """With the reasons of the second opinion; one that cannot be had counts as a reason."""
        try:
            changes = await SecondOpinion(self.client).changes(original, judged.problem)
        except ModelError:
            raise
        except (InfrastructureError, NoOpinion) as failure:
            return replace(judged, reasons=(str(failure),))
        return replace(judged, reasons=tuple(map(str, changes)))

    async def rewrite_all(
        self, problems: Sequence[Problem], done: Callable[[int], None] | None = None
    ) -> list[Rewrite]:
        """Each question told anew, a few at a time; `done` is told how many are."""
        gate = asyncio.Semaphore(_AT_ONCE)
        finished = 0

        async def one(problem: Problem) -> Rewrite:
            nonlocal finished
            async with gate:
                rewrite = await self.rewrite(problem)
            finished += 1
            if done:
                done(finished)
            return rewrite

        return list(await asyncio.gather(*map(one, problems)))


def judge(original: Problem, candidate: Candidate, pack: Pack) -> Judged:
    """The candidate as a variant of the problem, with every reason against it."""
    words = {each.old: each.new for each in candidate.replaced if each.old != each.new}
    told = retell(original, words)
    tail = _TAIL.search(told.question)
    question = _TAIL.sub("", candidate.question.strip()) + (tail[0] if tail else "")
    variant = relabel(told.model_copy(update={"question": question, "context": ""}), original, pack.region)
    reasons = [str(change) for change in check(original, variant)]
    reasons += [
        f"replaced: {new!r} is not in the candidate"
        for new in words.values()
        if not mentions(new, candidate.question)
    ]
    reasons += _implausible(original, words, pack)
    if not words:
        reasons.append("nothing was exchanged")
    return Judged(variant, words, tuple(reasons))


def _by_worth(original: Problem, judged: Sequence[Judged]) -> list[int]:
    """Places of those without reasons: what exchanges most first, then what changes the length least."""
    length = len(original.question)
    accepted = [place for place, each in enumerate(judged) if not each.reasons]
    return sorted(
        accepted,
        key=lambda at: (-len(judged[at].replaced), abs(len(judged[at].problem.question) - length)),
    )


def _implausible(original: Problem, words: Mapping[str, str], pack: Pack) -> list[str]:
    """Objects of the candidate that could not do what the story says, or of which nothing is known.

    Of a problem that marks no entities nothing is known: that is left to the second opinion.
    """
    objects = {each.text: each for role, each in original.entities.items() if role.startswith("object")}
    reasons = []
    for old, new in words.items():
        if old not in objects:
            continue
        if new not in pack.objects:
            reasons.append(f"{new}: the pack knows no limits of it")
        elif wrong := why_implausible(pack.objects[new].class_name, stated_of(original, objects[old])):
            reasons.append(f"{new}: {wrong}")
    return reasons


def _tool() -> BaseTool:
    return StructuredTool(
        name=_TOOL,
        description="Record five retellings of the problem.",
        args_schema=_Candidates,
        func=lambda **values: values,
    )


def _messages(problem: Problem, pack: Pack) -> list[SystemMessage | HumanMessage]:
    prompt = files(__package__).joinpath("rewriter.md").read_text(encoding="utf-8")
    statement = _TAIL.sub("", f"{problem.context}\n\n{problem.question}".strip())
    towns = ", ".join(f"{town.town} ({town.country})" for town in pack.places)
    asked = (
        f"Region: {pack.title}\nNames: {', '.join(pack.people())}\nTowns: {towns}\n"
        f"Objects: {', '.join(pack.objects)}\n\n<problem>\n{statement}\n</problem>"
    )
    return [SystemMessage(prompt), HumanMessage(asked)]


def _candidates(message: AIMessage) -> list[Candidate]:
    """The tool call's arguments, or the JSON object of a model that writes it out instead."""
    if is_refusal(message):
        raise _Malformed("the model declined")
    content = next(arguments(message, _TOOL), None)
    if content is None:
        raise _Malformed(f"the reply holds no call of {_TOOL} and no JSON object")
    try:
        return _Candidates.model_validate(content).candidates
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise _Malformed(f"the reply's {where}: {fault['msg']}") from error
