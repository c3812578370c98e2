"""The tool funnel of a run: offered, called, succeeded, used, part of the answer, right; and faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from ansatz.experiments.attribution.answer_path import Final, find_siblings
from ansatz.experiments.attribution.conversation import find_passages, read_conversation
from ansatz.experiments.attribution.mentions import Mention, find_mentions, is_same_number
from ansatz.experiments.attribution.source_use import SourceUse
from ansatz.experiments.attribution.tracing import trace_passages, trace_tools
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.stored_results import StoredAttempt, StoredTexts
from ansatz.experiments.results import Estimate, Floats, Numbers, Results, System

STAGES = ("called", "succeeded", "used", "in answer", "right")
"""Each is a share of the attempts that were offered the source, of which it needs one call."""
FAULTS = ("failed", "recovered", "redundant", "ignored", "copied wrongly", "unknown")
"""Each is a share of the attempts that were offered the source, of which it needs one call."""
RETRIEVED = "retrieved notes"
"""The source of passages that an arm puts before the question."""
_ANY_SETTING = "any setting"  # the arm of a row on all attempts of a screening design
_MOST_ATTEMPTS = 20_000  # with tool calls, for report and page to read their conversations
_RETRIEVES = "retrieve"  # the name of the step that puts passages before the question

Source = tuple[Literal["tool", "equation", "passage"], str]


@dataclass(frozen=True)
class FunnelRow:
    """The funnel of one source in one arm."""

    model: str
    arm: str
    """The arm; in a screening design, the switches that bring the source."""
    kind: str
    source: str
    """The tool, the id of an equation, or `RETRIEVED`."""
    offered: int | None
    """The attempts that could call it; None if that is not recorded, as for tools of your own agent."""
    calls: int
    """All calls."""
    counts: Mapping[str, int]
    """By stage and fault: the attempts with such a call."""
    shares: Mapping[str, Estimate]
    """By stage and fault: the share of the attempts that could call it, with its interval over families."""


@dataclass(frozen=True, eq=False)
class ToolUse:
    """What became of every tool call and retrieved passage of a run."""

    data: Results
    uses: Mapping[int, Sequence[SourceUse]]
    """By row of an attempt: its tool calls, then its passages."""
    offered: Mapping[str, Sequence[Source]]
    """By arm: its tools, and `RETRIEVED`."""
    notes: Sequence[str] = field(default=())
    """What is not recorded."""

    @property
    def sources(self) -> list[tuple[System, Source]]:
        """The tools and retrievers of each system, also those that were never called."""
        return [(system, each) for system in self.data.systems for each in self._list_sources(system)]

    def _list_sources(self, system: System) -> list[Source]:
        called = [
            (each.kind, each.name)
            for row in self.data.rows_by_system[system].tolist()
            for each in self.uses.get(row, ())
            if each.kind == "tool"
        ]
        return list(dict.fromkeys([*self.offered.get(system.arm, ()), *called]))

    def rows(self) -> list[FunnelRow]:
        """Return the funnel of each tool and retriever, by model and arm.

        The settings of a screening design that have a source are one row, because each has few attempts.
        """
        if not self.data.screened:
            return [self._count(system, source, [system]) for system, source in self.sources]
        pooled = defaultdict[tuple[str, Source], list[System]](list)
        for system, source in self.sources:
            pooled[system.model, source].append(system)
        return [
            self._count(System(model, self._name_switches(systems)), source, systems)
            for (model, source), systems in pooled.items()
        ]

    def _name_switches(self, systems: Sequence[System]) -> str:
        """Return the switches of a screening design that are on in these systems only."""
        arms = {system.arm for system in systems}
        return " or ".join(switch for switch, on in self.data.screened.items() if on <= arms) or _ANY_SETTING

    def passages(self) -> list[FunnelRow]:
        """Return the funnel of each retrieved equation and passage, the most retrieved first."""
        found: list[FunnelRow] = []
        groups = {system: [system] for system in self.data.systems}
        if self.data.screened:
            groups = {
                System(model, _ANY_SETTING): [each for each in self.data.systems if each.model == model]
                for model in self.data.models
            }
        for label, systems in groups.items():
            counted = Counter(
                (each.kind, each.name)
                for row in self._list_rows(systems).tolist()
                for each in self.uses.get(row, ())
                if each.kind != "tool"
            )
            found += [self._count(label, source, systems) for source, _ in counted.most_common()]
        return found

    def _list_rows(self, systems: Sequence[System]) -> Numbers:
        return np.concatenate([self.data.rows_by_system[system] for system in systems])

    def _count(self, label: System, source: Source, systems: Sequence[System]) -> FunnelRow:
        """Count a source in the attempts of systems, for the row of this model and arm."""
        data, rows = self.data, self._list_rows(systems)
        finished = rows[~data.attempts.failed[rows]]
        flags = {name: np.full(len(data.attempts), np.nan) for name in (*STAGES, *FAULTS)}
        for values in flags.values():
            values[finished] = 0.0
        calls = 0
        for row in finished.tolist():
            own = [each for each in self.uses.get(row, ()) if _belongs(each, source)]
            calls += len(own)
            for name, values in flags.items() if own else ():
                values[row] = float(any(_HAS[name](each) for each in own))
        is_recorded = source[0] != "tool" or all(
            source in self.offered.get(system.arm, ()) for system in systems
        )
        return FunnelRow(
            *label,
            *source,
            len(finished) if is_recorded else None,
            calls,
            {name: int(np.nansum(values)) for name, values in flags.items()},
            {name: _estimate(data, rows, values) for name, values in flags.items()},
        )


_HAS: Mapping[str, Any] = {
    "called": lambda each: True,
    "succeeded": lambda each: each.use != "failed",
    "used": lambda each: each.use in ("used", "converted"),
    "in answer": lambda each: each.use in ("used", "converted") and bool(each.in_answer),
    "right": lambda each: each.use in ("used", "converted") and bool(each.in_answer) and bool(each.right),
    "failed": lambda each: each.use == "failed",
    "recovered": lambda each: each.recovered is not None,
    "redundant": lambda each: each.redundant,
    "ignored": lambda each: each.use == "ignored",
    "copied wrongly": lambda each: each.use == "copied wrongly",
    "unknown": lambda each: each.use == "unknown" and not each.redundant,
}


def _belongs(use: SourceUse, source: Source) -> bool:
    kind, name = source
    return use.kind != "tool" and use.in_notes if name == RETRIEVED else (use.kind, use.name) == (kind, name)


def _estimate(data: Results, rows: Numbers, values: Floats) -> Estimate:
    return Estimate(None) if np.isnan(values[rows]).all() else data.estimate_mean(values, rows)


def has_few_calls(data: Results) -> bool:
    """Whether reading all conversations with tool calls takes seconds, so that report and page do it."""
    return int(np.count_nonzero(data.values("tool_calls") > 0)) <= _MOST_ATTEMPTS


@lru_cache(maxsize=2)
def read_tool_use(data: Results) -> ToolUse:
    """Trace the tool calls and passages of a run; none if the results are not from a run folder.

    Only conversations of attempts with tool calls or retrieved notes are read.
    """
    texts = data.read_evidence
    if not isinstance(texts, StoredTexts):
        return ToolUse(data, {}, {})
    offered = _read_offered(texts)
    retrieving = [arm for arm, sources in offered.items() if ("passage", RETRIEVED) in sources]
    may_have = (data.values("tool_calls") > 0) | np.isin(
        data.attempts.arm, [data.arms.index(arm) for arm in retrieving if arm in data.arms]
    )
    rows = np.flatnonzero(may_have & ~data.attempts.failed).tolist()
    uses, lost = {}, Counter[str]()
    for attempt in texts.attempts(rows):
        arm = data.arms[data.attempts.arm[attempt.row]]
        uses[attempt.row] = found = trace_attempt(data, attempt, reads_notes=arm in retrieving)
        lost[arm] += sum(each.result is None for each in found)
    return ToolUse(data, uses, offered, tuple(_list_gaps(data, offered, uses, lost)))


def trace_attempt(
    data: Results, attempt: StoredAttempt, *, reads_notes: bool = True
) -> tuple[SourceUse, ...]:
    """Trace the tool calls of one attempt, then its retrieved passages."""
    problem = data.problem_list[data.attempts.problem[attempt.row]]
    transcript = attempt.transcript
    question = f"{problem.context}\n\n{problem.question}".strip()
    conversation = read_conversation(transcript["messages"], transcript["tool_calls"], question)
    final = read_final(transcript["answer"], attempt.details, _is_right(data, attempt.row))
    passages = [each for each in find_passages(conversation) if reads_notes or each.kind == "equation"]
    return (*trace_tools(conversation, final), *trace_passages(conversation, passages, question, final))


def read_final(answer: str, details: Mapping[str, Any], right: bool | None) -> Final:
    """Return the values that scorers read from an answer, at their places in it.

    `details` are those of the scores by dimension; a scorer that reads values has `targets` in them.
    """
    mentions, values, words = find_mentions(answer), [], []
    for each in details.values():
        targets = each.get("targets") if isinstance(each, dict) else None
        for read in targets.values() if isinstance(targets, dict) else ():
            stated = read.get("value") if isinstance(read, dict) else None
            if isinstance(stated, str):
                words.append(stated)
            elif stated is not None:
                values += _locate(stated, read.get("at"), mentions)
    return Final(tuple(dict.fromkeys([*values, *find_siblings(values)])), tuple(words), right)


def _locate(value: float, at: Sequence[int] | None, mentions: Sequence[Mention]) -> list[Mention]:
    """Return the number of an answer that a scorer read: at its stored place, or the last of that value."""
    if at is not None:  # the place has no sign, and may end before a power of ten
        inside = [each for each in mentions if at[0] - 1 <= each.start < at[1]]
        return [each for each in inside if is_same_number(each, value)] or inside[:1]
    return [each for each in mentions if each.value == value][-1:]


def _is_right(data: Results, row: int) -> bool | None:
    """Whether an answer is right: full credit for exact values, or else on the first dimension of quality."""
    names = [each.name for each in data.with_role("quality")]
    name = "exact" if "exact" in names else next(iter(names), "")
    value = float(data.values(name)[row]) if name else np.nan
    return None if np.isnan(value) else value >= 1 - 1e-9


def _read_offered(texts: StoredTexts) -> dict[str, list[Source]]:
    with Ledger.open(texts.folder, write=False) as ledger:
        plans = (ledger.about("manifest") or {}).get("arms") or {}
    found: defaultdict[str, list[Source]] = defaultdict(list)
    for arm, plan in plans.items():
        found[arm] += [("tool", tool.get("function", tool)["name"]) for tool in plan.get("tools", ())]
        if any(step["name"] == _RETRIEVES for step in plan.get("before", ())):
            found[arm].append(("passage", RETRIEVED))
    return found


def _list_gaps(
    data: Results,
    offered: Mapping[str, Sequence[Source]],
    uses: Mapping[int, Sequence[SourceUse]],
    lost: Mapping[str, int],
) -> Iterator[str]:
    """Yield sentences on what is not recorded."""
    foreign = {
        data.arms[data.attempts.arm[row]]
        for row, found in uses.items()
        for each in found
        if each.kind == "tool"
        and ("tool", each.name) not in offered.get(data.arms[data.attempts.arm[row]], ())
    }
    for arm in sorted(foreign):
        yield (
            f"{arm}: which tools were offered is not recorded (your own agent, or an imported conversation), "
            "so calls are counted, and attempts without a call may have had no tool."
        )
    for arm, count in sorted(lost.items()):
        if count:
            yield (
                f"{arm}: {count} calls are not in the stored conversations (drafts that were not chosen, or "
                "an agent that returns only its answer), so their use is unknown."
            )
