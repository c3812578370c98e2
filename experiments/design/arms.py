"""The arms of a study, and designs that combine switches to arms."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

from ansatz.agents import AgentPlan, AnswerForm, Limits
from ansatz.agents.identity import canonical_text, identity
from ansatz.agents.langchain_types import is_runnable
from ansatz.agents.plan import base_plan
from ansatz.errors import AnsatzError, StudyError
from ansatz.experiments.design.study_settings import check_name
from ansatz.interventions import BuildsOnEarlier, Intervention, get_switch_name
from ansatz.interventions.compute_matched import ComputeMatched
from ansatz.interventions.few_shot import FewShot
from ansatz.interventions.stage_hint import StageHint
from ansatz.interventions.with_tools import make_switch
from ansatz.sandbox import RunsCode, Sandbox

T = TypeVar("T")
Switches = Intervention | Sequence[Intervention]
"""Accepted as an arm: a switch, or several."""


@dataclass(frozen=True)
class Arm:
    """A named treatment: a set of switches, and the plan that they make. Build it with `Arm.of`.

    Example: `Arm.of("both", [Calculator(), WithPrompt("Use SI units.")]).summary`.
    """

    name: str
    switches: tuple[Intervention, ...]
    plan: AgentPlan

    @classmethod
    def of(
        cls,
        name: str,
        switches: Intervention | Iterable[Intervention] = (),
        limits: Limits | None = None,
        answer_form: AnswerForm = "block",
    ) -> Arm:
        """Build an arm. Switches apply in a fixed order, whatever their order here. Raises StudyError."""
        given = switches if isinstance(switches, Iterable) else (switches,)
        ordered = tuple(sorted(map(make_switch, given), key=_sort_key))
        plan = base_plan(answer_form).set_limits(limits or Limits())
        for switch in ordered:
            label = get_switch_name(switch)
            try:
                plan = switch.apply(plan)
            except AnsatzError as failure:
                raise StudyError(f"{label}: {failure}", (label,)) from failure
            except Exception as failure:
                raise StudyError(
                    f"{label}: apply failed: {type(failure).__name__}: {failure}", (label,)
                ) from failure
            if not isinstance(plan, AgentPlan):
                wrong = f"{label}: apply must return the changed AgentPlan, not {type(plan).__name__}"
                raise StudyError(wrong, (label,))
        if plan.agent is not None:
            _refuse_lost_switches(ordered, plan)
        try:
            plan.tools  # noqa: B018 - raises PlanError if two tools have one name
        except AnsatzError as failure:
            raise StudyError(str(failure)) from failure
        return cls(name, ordered, plan)

    @property
    def discloses(self) -> frozenset[str]:
        """The fields of a problem, besides its question, that the arm shows to the model."""
        return frozenset[str]().union(*(getattr(each, "discloses", ()) for each in self.switches))

    @cached_property
    def builds_on(self) -> BuildsOnEarlier | None:
        """The switch that shows the arm its earlier answers; None for most arms."""
        return self._find_switch(BuildsOnEarlier)  # type: ignore[type-abstract]

    @cached_property
    def matched(self) -> str | None:
        """The arm whose number of calls it matches; None for most arms."""
        switch = self._find_switch(ComputeMatched)
        return switch.arm if switch else None

    @cached_property
    def stage_hint(self) -> StageHint | None:
        """The switch that gives a hint where another arm failed; None for most arms."""
        return self._find_switch(StageHint)

    @property
    def follows(self) -> str | None:
        """The arm that answers before it, because it needs that answer; None for most arms."""
        return self.stage_hint.after if self.stage_hint else self.matched

    @cached_property
    def few_shot(self) -> FewShot | None:
        """The switch that shows the arm worked examples; None for most arms."""
        return self._find_switch(FewShot)

    def _find_switch(self, kind: type[T]) -> T | None:
        """Return the switch of a kind, if the arm has it. Raises StudyError if it has two."""
        found = [each for each in self.switches if isinstance(each, kind)]
        if len(found) > 1:
            raise StudyError(f"two {get_switch_name(found[0])} in one arm; remove one")
        return found[0] if found else None

    @cached_property
    def treatment(self) -> Any:
        """The identity of the arm: its switches with all their settings, and the plan that they make."""
        return [[identity(each) for each in self.switches], self.plan.describe(), sorted(self.discloses)]

    @property
    def summary(self) -> str:
        """The names of its switches, in one line."""
        return ", ".join(self.labels()) or "the bare agent"

    def labels(self) -> dict[str, Any]:
        """Return the settings of its switches by name; equal names get a number, such as "with_prompt#2"."""
        found: dict[str, Any] = {}
        for switch in self.switches:
            name = get_switch_name(switch)
            settings = {key: value for key, value in identity(switch).items() if key != "class"}
            number = 1 + sum(each.split("#")[0] == name for each in found)
            found[name if number == 1 else f"{name}#{number}"] = settings
        return found


def _sort_key(switch: Intervention) -> tuple[str, str]:
    if inspect.isclass(switch):
        raise StudyError(f"{switch.__name__} is a class, not an intervention; write {switch.__name__}()")
    name = get_switch_name(switch)
    if not hasattr(switch, "apply"):
        raise StudyError(f"{name} is not an intervention: {type(switch).__name__} has no apply", (name,))
    try:
        return name, canonical_text(identity(switch))
    except AnsatzError as failure:
        raise StudyError(str(failure), (name,)) from failure


def _refuse_lost_switches(switches: Iterable[Intervention], plan: AgentPlan) -> None:
    """Refuse switches that have no effect on your own agent, which gets only the question.

    A compiled graph also asks its own model, so changed model settings have no effect on it.
    """
    for switch in switches:
        changed, name = switch.apply(AgentPlan()), get_switch_name(switch)
        changes = [changed.instructions, changed.equipment, changed.before, changed.reviews]
        if any([*changes, is_runnable(plan.agent) and changed.model_settings]):
            raise StudyError(f"{name} has no effect on your own agent; build it into the agent", (name,))


def build_arms(
    given: Mapping[str, Switches], baseline: str, limits: Limits | None, answer_form: AnswerForm
) -> dict[str, Arm]:
    """Return the arms by name, the baseline first. An arm "baseline" is added if there is none.

    So are the control arms of an arm whose only switch has them, unless arms with their names are given.
    """
    if not isinstance(given, Mapping):
        raise StudyError("arms: give a name to each, or use one_at_a_time(...) or full_factorial(...)")
    chosen = {**({"baseline": ()} if baseline == "baseline" else {}), **given}
    arms: dict[str, Arm] = {}
    controls: dict[str, Arm] = {}
    for name in sorted(chosen, key=lambda name: name != baseline):
        check_name("arms", name)
        entry = chosen[name]
        if isinstance(entry, str):
            raise StudyError(
                f"arms.{name}: {entry!r} is a text, not an intervention; write one, such as "
                f"az.Calculator() or az.WithPrompt({entry!r})"
            )
        switches = entry if isinstance(entry, Sequence) else [entry]
        try:
            arms[name] = Arm.of(name, switches, limits, answer_form)
        except AnsatzError as failure:
            within = getattr(failure, "path", ())
            raise StudyError(str(failure), ("arms", name, *within)) from failure
        if name != baseline:
            controls |= {
                f"{name}_{kind}": Arm.of(f"{name}_{kind}", control, limits, answer_form)
                for kind, control in make_controls(arms[name]).items()
            }
    return arms | {name: arm for name, arm in controls.items() if name not in arms}


def make_controls(arm: Arm) -> dict[str, Intervention]:
    """Return the control switches, by name, of an arm whose only switch has `make_controls`."""
    make = getattr(arm.switches[0], "make_controls", None) if len(arm.switches) == 1 else None
    return make() if make else {}


def one_at_a_time(*switches: Intervention, **named: Intervention) -> dict[str, Switches]:
    """Make an arm for each switch, named after the switch or by its keyword.

    Example: `one_at_a_time(Calculator(), EquationRetrieval())` as the `arms` of a study.
    """
    return _make_arms(switches, named, most=1)


def full_factorial(*switches: Intervention, **named: Intervention) -> dict[str, Switches]:
    """Make an arm for every combination of the switches. The baseline is the combination without any.

    Example: `full_factorial(Calculator(), si=WithPrompt("Use SI units."))` as the `arms` of a study.
    """
    return _make_arms(switches, named, most=len(switches) + len(named))


def combine_switches(switches: Mapping[str, T], most: int) -> dict[str, dict[str, T]]:
    """Make an arm for every combination of at most `most` switches, named after them: "a+b"."""
    chosen = (names for size in range(1, most + 1) for names in combinations(switches, size))
    return {"+".join(names): {name: switches[name] for name in names} for names in chosen}


def _make_arms(
    switches: Sequence[Intervention], by_keyword: Mapping[str, Intervention], most: int
) -> dict[str, Switches]:
    named = name_switches(switches, by_keyword)
    return {name: list(chosen.values()) for name, chosen in combine_switches(named, most).items()}


def name_switches(
    switches: Sequence[Intervention], by_keyword: Mapping[str, Intervention]
) -> dict[str, Intervention]:
    """Return switches by name or keyword. Raises StudyError if two have one name."""
    for each in (*switches, *by_keyword.values()):
        if isinstance(each, Mapping | list | tuple):
            raise StudyError(f"pass each switch as an argument, not a {type(each).__name__} of switches")
    named = {get_switch_name(switch): switch for switch in switches} | dict(by_keyword)
    if len(named) < len(switches) + len(by_keyword):
        raise StudyError("two switches have the same name; give names by keyword, such as first=…, second=…")
    return named


def find_sandboxes(parts: Iterable[object]) -> tuple[Sandbox, ...]:
    """Return the sandboxes of switches and scorers that run model-written code."""
    return tuple(each.runner for each in parts if isinstance(each, RunsCode) and each.runner is not None)
