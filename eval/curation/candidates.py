"""Candidates on their way through the gate, what was found in them, and those that left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal


@dataclass(frozen=True)
class Repair:
    """One change to a text: by which rule, in which field, what stood there and what stands there now."""

    rule: str
    field: str
    before: str
    after: str


@dataclass(frozen=True)
class Note:
    """What a check found; a `warn` sends the candidate to the reviewers, an `info` does not."""

    check: str
    message: str
    severity: Literal["info", "warn"] = "warn"


@dataclass(frozen=True)
class Candidate:
    """A record in the fields of the item schema, none of them sure to be there or valid.

    `place` is `file:line`; `merged` are the places of the near-duplicates it stands for.
    """

    place: str
    fields: Mapping[str, Any]
    merged: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def id(self) -> str:
        return str(self.fields.get("id") or self.place)

    @property
    def question(self) -> str:
        return str(self.fields["question"])

    @property
    def text(self) -> str:
        """What a solver reads: context and question."""
        context = self.fields.get("context")
        return f"{context}\n\n{self.question}" if isinstance(context, str) and context else self.question

    @property
    def given(self) -> list[dict[str, Any]]:
        return self.listed("given")

    @property
    def targets(self) -> list[dict[str, Any]]:
        return self.listed("targets")

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The steps of the reference solution that name a result; none where it is missing or prose."""
        solution = self.fields.get("reference_solution")
        steps = solution.get("steps") if isinstance(solution, Mapping) else None
        listed = steps if isinstance(steps, list) else []
        return [dict(step) for step in listed if isinstance(step, Mapping) and step.get("symbol")]

    def listed(self, name: str) -> list[Any]:
        """A field that should be a list; empty where it is none."""
        value = self.fields.get(name)
        return value if isinstance(value, list) else []

    def noted(self, *notes: Note) -> Candidate:
        return replace(self, notes=(*self.notes, *notes))


@dataclass(frozen=True)
class Rejection:
    """A candidate that left the pipeline: at which stage, for which reason, and the record as it was."""

    place: str
    id: str
    stage: int
    reason: str
    message: str
    record: Any = field(default=None, repr=False)

    @classmethod
    def of(cls, candidate: Candidate, stage: int, reason: str, message: str) -> Rejection:
        return cls(candidate.place, candidate.id, stage, reason, message, dict(candidate.fields))
