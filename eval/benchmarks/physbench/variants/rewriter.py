"""Variants by language models: five candidates a question, held to all checks; a second opinion on any."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field

from ansatz.agents.client import ModelClient
from ansatz.agents.failures import ModelError
from ansatz.errors import InfrastructureError
from ansatz.eval.benchmarks.physbench.variants.generator import relabel
from ansatz.eval.benchmarks.physbench.variants.invariance import Change, check
from ansatz.eval.benchmarks.physbench.variants.packs import Pack, stated_of, why_implausible
from ansatz.eval.benchmarks.physbench.variants.replacing import mentions, retell
from ansatz.eval.judging.recording import RecordForm, UnusableReply, record
from ansatz.eval.problem import Problem

CANDIDATES = 5
_TAIL = re.compile(r"\n\n(?:\([A-F]\) |Report your answer|Answer in a few sentences).*\Z", re.DOTALL)


class _Replacement(BaseModel):
    model_config = ConfigDict(extra="forbid")

    old: str = Field(min_length=1)
    new: str = Field(min_length=1)


class _Candidate(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: str = Field(min_length=1, description="the retold statement")
    replaced: list[_Replacement] = Field(description="what was exchanged")


class _Candidates(RecordForm):
    """Record five retellings of the problem."""

    tool = "record_candidates"
    candidates: list[_Candidate] = Field(min_length=1, max_length=CANDIDATES)


class _Changes(RecordForm):
    """Record every change that makes the retelling another problem."""

    tool = "record_changes"
    changes: list[str] = Field(description="what makes it another problem, one line each; empty for none")


@dataclass(frozen=True)
class Retelling:
    """A candidate as a problem, and why it was rejected; no reasons where it is faithful and plausible."""

    problem: Problem
    words: Mapping[str, str]
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Rewrite:
    """The best candidate, or None with the reason: the original then stays."""

    original: Problem
    problem: Problem | None
    candidates: tuple[Retelling, ...] = ()
    reason: str = ""


async def second_opinion(client: ModelClient, original: Problem, variant: Problem) -> tuple[Change, ...]:
    """What a model, which sees both statements and no key, says makes the variant another problem.

    Raises UnusableReply, InfrastructureError.
    """
    one, other = map(_statement, (original, variant))
    asked = f"<original>\n{one}\n</original>\n\n<retelling>\n{other}\n</retelling>"
    found = await record(client, _prompt("second_opinion.md"), asked, _Changes)
    return tuple(Change("opinion", what) for what in found.changes)


async def rewrite(client: ModelClient, pack: Pack, problem: Problem) -> Rewrite:
    """One question told anew, or the reason why not. Raises ModelError where no request will ever do.

    Of the candidates without reasons against them that comes first which exchanges most, then that which
    changes the length least; the first that passes the second opinion is kept.
    """
    towns = ", ".join(f"{town.town} ({town.country})" for town in pack.places)
    asked = (
        f"Region: {pack.title}\nNames: {', '.join(pack.people())}\nTowns: {towns}\n"
        f"Objects: {', '.join(pack.objects)}\n\n<problem>\n{_TAIL.sub('', _statement(problem))}\n</problem>"
    )
    try:
        found = (await record(client, _prompt("rewriter.md"), asked, _Candidates)).candidates
    except ModelError:
        raise
    except (InfrastructureError, UnusableReply) as failure:
        return Rewrite(problem, None, reason=str(failure))
    told = [_retelling(problem, candidate, pack) for candidate in found]

    def worth(at: int) -> tuple[int, int]:
        return -len(told[at].words), abs(len(told[at].problem.question) - len(problem.question))

    for at in sorted((at for at, each in enumerate(told) if not each.reasons), key=worth):
        try:
            reasons = tuple(map(str, await second_opinion(client, problem, told[at].problem)))
        except ModelError:
            raise
        except (InfrastructureError, UnusableReply) as failure:
            reasons = (str(failure),)
        told[at] = replace(told[at], reasons=reasons)
        if not reasons:
            return Rewrite(problem, told[at].problem, tuple(told))
    why = "; ".join(f"{place}: {each.reasons[0]}" for place, each in enumerate(told, start=1))
    return Rewrite(problem, None, tuple(told), f"every candidate was rejected ({why})")


def _prompt(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _statement(problem: Problem) -> str:
    return f"{problem.context}\n\n{problem.question}".strip()


def _retelling(original: Problem, candidate: _Candidate, pack: Pack) -> Retelling:
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
    return Retelling(variant, words, tuple(reasons))


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
