"""The replays of a run as a design: which stored conversations are continued, how, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage, convert_to_messages

from ansatz.agents import ModelClient, Prefix, is_simulated
from ansatz.agents.answer_form import submission_tool
from ansatz.agents.client import describe_tool
from ansatz.agents.transcript import Transcript, list_tool_calls
from ansatz.errors import BadInput
from ansatz.eval import Problem
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.ledger import Ledger, PlannedAttempt
from ansatz.experiments.ledger.record import canonical_hash
from ansatz.experiments.ledger.recording_client import identify_request
from ansatz.experiments.replay.change import Message, ReplayChange
from ansatz.interventions import BuildsOnEarlier
from ansatz.interventions.compute_matched import ComputeMatched
from ansatz.interventions.few_shot import FewShot
from ansatz.interventions.stage_hint import StageHint
from ansatz.quantities import nearest

FEWEST_DRAWS = 3
"""Replays of each attempt that a model with a temperature above 0 needs: one varies too much."""
MOST_REPEATS = 10_000
"""More than a study can have, so that a draw has numbers of its own."""


@dataclass(frozen=True)
class Replay:
    """One replay of one attempt."""

    attempt: PlannedAttempt
    """Its `arm` names the arm and the change; its `repeat` is unique over repeats and draws."""
    original: PlannedAttempt
    change: ReplayChange
    tool: str
    """The tool whose call is changed."""
    draw: int
    prefix: Prefix
    calls_after: int
    """Replies of the model that the original has after the cut."""


@dataclass(frozen=True, kw_only=True)
class ReplayDesign(Design):
    """A study whose attempts continue stored conversations."""

    replays: Mapping[str, Replay] = field(default_factory=dict)
    """By key of the attempt."""
    skipped: int = 0
    """Attempts of the chosen arms that have no call to change."""

    @cached_property
    def attempts(self) -> tuple[PlannedAttempt, ...]:
        return tuple(each.attempt for each in self.replays.values())

    @property
    def most_requests(self) -> int:
        """The requests of all replays if each makes as many as its original after the cut."""
        return sum(each.calls_after for each in self.replays.values())


def name_arm(arm: str, change: ReplayChange) -> str:
    """Name the arm of a replay by the original arm and the change."""
    return f"{arm}: {change.label}"


def check_draws(design: Design, draws: int | None) -> int:
    """Return the number of draws: by default the fewest that are enough. Raises BadInput for too few."""
    sampling = [title for title, model in design.models.items() if not _is_deterministic(model.client)]
    fewest = FEWEST_DRAWS if sampling else 1
    if draws is not None and draws < fewest:
        raise BadInput(
            f"--draws {draws}: {sampling[0]} samples its answers (its temperature is not 0), so one replay "
            f"differs from the next; ask for at least {FEWEST_DRAWS}"
        )
    return draws or fewest


def _is_deterministic(client: ModelClient) -> bool:
    return is_simulated(client) or client.identity.get("temperature") == 0


def plan_replays(
    design: Design,
    run: Path,
    changes: Sequence[ReplayChange],
    draws: int,
    *,
    arms: Iterable[str] = (),
    earlier: StoredReplays | None = None,
) -> ReplayDesign:
    """Plan replays of every finished attempt of a run that has a call to change.

    Parameters
    ----------
    design
        The study of the run.
    arms
        Only these arms; by default all that have tools.
    earlier
        Replays that were planned before and stay in the plan.

    Raises
    ------
    BadInput
        An arm or tool is unknown, or no attempt has such a call.
    """
    chosen = _choose_arms(design, arms, changes)
    with Ledger.open(run, write=False) as ledger:
        attempts = _read_attempts(design, ledger, chosen)
        found = [each for restored in attempts for each in _list_replays(restored, changes, draws)]
        if not found:
            raise BadInput(_explain_missing(run, changes[0], [each.stored for each in attempts]))
        skipped = len(attempts) - len({each.original.key for each in found})
        if earlier is not None:
            before = _read_attempts(design, ledger, _choose_arms(design, (), earlier.changes))
            older = [each for one in before for each in _list_replays(one, earlier.changes, earlier.draws)]
            found += [each for each in older if each.attempt.key in earlier.keys]
    return _make_design(design, {each.attempt.key: each for each in found}, skipped)


def _explain_missing(run: Path, change: ReplayChange, conversations: Sequence[Sequence[Message]]) -> str:
    """Return the error for a call that no attempt has, with the calls that there are."""
    called = f"called {change.tool}" if change.tool else "called a tool"
    if not (most := max(map(change.count_calls, conversations), default=0)):
        return f"{run}: no finished attempt {called}"
    if change.call > most:
        return f"{run}: no finished attempt {called} {change.call} times (valid: 1 to {most})"
    return f"{run}: no finished attempt {called} with a number in the result that could be changed"


@dataclass(frozen=True)
class StoredReplays:
    """The replays that a folder has."""

    changes: tuple[ReplayChange, ...]
    draws: int
    """The most draws of any change."""
    keys: frozenset[str]
    """The keys of their attempts."""


def _make_design(design: Design, replays: Mapping[str, Replay], skipped: int) -> ReplayDesign:
    originals = {(each.original.arm, each.change) for each in replays.values()}
    made = [
        _make_arm(arm, change)
        for name, arm in design.arms.items()
        for change in dict.fromkeys(each.change for each in replays.values())
        if (name, change) in originals
    ]
    problems = {each.original.problem for each in replays.values()}
    settings = design.settings.model_copy(
        update={
            "name": f"{design.settings.name} replayed",
            "baseline": made[0].name,
            "stop": None,
            "primary": (),
        }
    )
    return ReplayDesign(
        settings=settings,
        models=design.models,
        arms={arm.name: arm for arm in made},
        problems={id: problem for id, problem in design.problems.items() if id in problems},
        scorers=design.scorers,
        judges=design.judges,
        batched_judges=design.batched_judges,
        replays=replays,
        skipped=skipped,
    )


def _read_attempts(design: Design, ledger: Ledger, arms: Sequence[str]) -> list[_Restored]:
    """Return the finished attempts of some arms that are in the study."""
    finished, found = ledger.finished_keys(), []
    for attempt in ledger.planned_attempts(answered=True):
        is_known = attempt.model in design.models and attempt.problem in design.problems
        if attempt.arm in arms and attempt.key in finished and is_known:
            transcript = ledger.transcript(attempt.key)
            assert transcript is not None
            found.append(_Restored(design, ledger, attempt, transcript))
    return found


def _choose_arms(design: Design, wanted: Iterable[str], changes: Sequence[ReplayChange]) -> list[str]:
    """Return the wanted arms, by default all, that have a tool to change. Raises BadInput."""
    tools = {
        name: [tool.name for tool in arm.plan.tools] if arm.plan.agent is None else []
        for name, arm in design.arms.items()
    }
    for name in (wanted := tuple(wanted)):
        if name not in tools:
            raise BadInput(f"--arm {name}: the run has no such arm{nearest(name, list(tools))}")
        if design.arms[name].plan.agent is not None:
            raise BadInput(
                f"--arm {name}: it is your own agent, whose conversation cannot be continued from the middle"
            )
    chosen = [name for name in tools if tools[name] and (not wanted or name in wanted)]
    known = list(dict.fromkeys(tool for name in chosen for tool in tools[name]))
    if not known:
        if not wanted:
            raise BadInput("no arm of the run has tools that a replay could change")
        others = [name for name in tools if tools[name]]
        raise BadInput(f"--arm {wanted[0]}: it has no tools to change{nearest(wanted[0], others)}")
    named = {change.tool for change in changes if change.tool is not None}
    for tool in sorted(named - {*known}):
        raise BadInput(f"tool {tool}: no arm has it{nearest(tool, known)}")
    return [name for name in chosen if not named or named & {*tools[name]}]


def _make_arm(arm: Arm, change: ReplayChange) -> Arm:
    """Return the arm that continues a conversation: without steps before it, and without a dropped tool."""
    tools = tuple(tool for tool in arm.plan.tools if change.kind != "drop" or tool.name != change.tool)
    ordering = (BuildsOnEarlier, ComputeMatched, FewShot, StageHint)
    switches = tuple(switch for switch in arm.switches if not isinstance(switch, ordering))
    plan = replace(arm.plan, equipment=tools, before=())
    return Arm(name_arm(arm.name, change), switches, plan)


def _list_replays(restored: _Restored, changes: Iterable[ReplayChange], draws: int) -> Iterator[Replay]:
    """Yield the replays of one attempt; none if it has no call to change."""
    original = restored.attempt
    for change in changes:
        found = change.find(restored.stored)
        for draw in range(draws) if found else ():
            cut = change.cut(restored.stored, f"{original.key}/{draw}")
            if cut is None or found is None:
                break
            key = canonical_hash([original.key, change.to_json(), draw])
            repeat = MOST_REPEATS * (draw + 1) + original.repeat
            name = name_arm(original.arm, change)
            attempt = PlannedAttempt(key, original.model, name, original.problem, repeat)
            prefix = restored.prefix(cut.messages)
            yield Replay(attempt, original, change, found[1], draw, prefix, cut.calls_after)


@dataclass(frozen=True)
class _Restored:
    """A stored conversation with the model's messages as they came.

    A transcript has messages in OpenAI's form, which lacks what some providers need to continue, such as
    signed reasoning. The ledger has the replies themselves, under the hash of their request.
    """

    design: Design
    ledger: Ledger
    attempt: PlannedAttempt
    transcript: Transcript

    @property
    def stored(self) -> Sequence[Message]:
        return self.transcript.messages

    @cached_property
    def _head(self) -> int:
        """The number of messages before the conversation: instructions and question."""
        return 1 + next(at for at, message in enumerate(self.stored) if message["role"] == "user")

    @property
    def problem(self) -> Problem:
        return self.design.problems[self.attempt.problem]

    def prefix(self, messages: Sequence[Message]) -> Prefix:
        """Return the conversation so far, with what the arm had put before the question."""
        given = str(messages[self._head - 1]["content"])
        question = self.problem.ask(self.design.arms[self.attempt.arm].discloses).text
        notes = given[: -len(question)].strip() if given.endswith(question) else given
        restored = [self._restore(at, messages[at]) for at in range(self._head, len(messages))]
        return Prefix((notes,) if notes else (), tuple(restored), list_tool_calls(messages, self._has_failed))

    def _restore(self, at: int, message: Message) -> AnyMessage:
        if message["role"] == "assistant" and (known := self._replies.get(at)) is not None:
            return known
        [restored] = convert_to_messages([dict(message)])
        if isinstance(restored, ToolMessage) and self._has_failed(message):
            restored.status = "error"
        return restored  # type: ignore[return-value]

    def _has_failed(self, message: Message) -> bool:
        name, content = message.get("name"), message.get("content")
        return any(
            not call.ok for call in self.transcript.tool_calls if (call.name, call.result) == (name, content)
        )

    @cached_property
    def _replies(self) -> Mapping[int, AIMessage]:
        """The replies of the ledger by their place in the conversation, as far as they are found."""
        plan = self.design.arms[self.attempt.arm].plan
        fields = self.problem.ask(frozenset()).answer_fields
        tools = [*plan.tools, *([submission_tool(fields)] if plan.answer == "tool" else [])]
        described: list[dict[str, Any]] = [describe_tool(tool) for tool in tools]
        identity = self.design.clients[self.attempt.model, self.attempt.arm].identity
        found = {}
        for at, message in enumerate(self.stored):
            if message["role"] == "assistant":
                digest, _ = identify_request(identity, self.stored[:at], described, self.attempt.repeat)
                reply = self.ledger.find_reply(canonical_hash([digest, 1]))
                if reply is not None:
                    found[at] = reply.message
        return found
