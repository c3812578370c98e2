"""The arms of a study: switches by name, and the designs that make arms of them."""

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
from ansatz.experiments.design.study_error import check_name
from ansatz.interventions import BuildsOnEarlier, Intervention, get_switch_name
from ansatz.interventions.compute_matched import ComputeMatched
from ansatz.interventions.few_shot import FewShot
from ansatz.interventions.with_tools import make_switch
from ansatz.sandbox import RunsCode, Sandbox

T = TypeVar("T")
Switches = Intervention | Sequence[Intervention]
"""What may stand for an arm: a switch, or several."""


@dataclass(frozen=True)
class Arm:
    """A named treatment: a set of switches, and the plan they amount to. Make it with `Arm.of`.

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
        """Switches apply in a fixed order, so that an arm is a set. Raises StudyError, naming the switch."""
        given = switches if isinstance(switches, Iterable) else (switches,)
        ordered = tuple(sorted(map(make_switch, given), key=_order))
        plan = base_plan(answer_form).set_limits(limits or Limits())
        for switch in ordered:
            called = get_switch_name(switch)
            try:
                plan = switch.apply(plan)
            except AnsatzError as failure:
                raise StudyError(f"{called}: {failure}", (called,)) from failure
            except Exception as failure:
                raise StudyError(
                    f"{called}: apply failed: {type(failure).__name__}: {failure}", (called,)
                ) from failure
            if not isinstance(plan, AgentPlan):
                wrong = f"{called}: apply must return the changed AgentPlan, not {type(plan).__name__}"
                raise StudyError(wrong, (called,))
        if plan.agent is not None:
            _demand_reach(ordered, plan)
        try:
            plan.tools  # noqa: B018 - two of one name are refused here
        except AnsatzError as failure:
            raise StudyError(str(failure)) from failure
        return cls(name, ordered, plan)

    @property
    def discloses(self) -> frozenset[str]:
        """The fields of a problem that the arm may show to the model."""
        return frozenset[str]().union(*(getattr(each, "discloses", ()) for each in self.switches))

    @cached_property
    def builds_on(self) -> BuildsOnEarlier | None:
        """Which of its own earlier answers it is shown; None for most arms, which see none."""
        return self._sole(BuildsOnEarlier)  # type: ignore[type-abstract]

    @cached_property
    def matched(self) -> str | None:
        """The arm whose calls it repeats without their content; None for most arms."""
        switch = self._sole(ComputeMatched)
        return switch.arm if switch else None

    @cached_property
    def few_shot(self) -> FewShot | None:
        """Which worked examples it is shown; None for most arms."""
        return self._sole(FewShot)

    def _sole(self, kind: type[T]) -> T | None:
        """The switch of a kind of which an arm has room for one. Raises StudyError where there are two."""
        found = [each for each in self.switches if isinstance(each, kind)]
        if len(found) > 1:
            raise StudyError(f"two {get_switch_name(found[0])} in one arm; there is room for one")
        return found[0] if found else None

    @cached_property
    def treatment(self) -> Any:
        """What identifies it: its switches with all their settings, and what they make of the plan."""
        return [[identity(each) for each in self.switches], self.plan.describe(), sorted(self.discloses)]

    @property
    def summary(self) -> str:
        """Its switches in a few words."""
        return ", ".join(self.labels()) or "the bare agent"

    def labels(self) -> dict[str, Any]:
        """Its switches by name, with their settings; equal names are told apart by a number."""
        found: dict[str, Any] = {}
        for switch in self.switches:
            name = get_switch_name(switch)
            settings = {key: value for key, value in identity(switch).items() if key != "class"}
            number = 1 + sum(each.split("#")[0] == name for each in found)
            found[name if number == 1 else f"{name}#{number}"] = settings
        return found


def _order(switch: Intervention) -> tuple[str, str]:
    if inspect.isclass(switch):
        raise StudyError(f"{switch.__name__} is a class and no intervention; write {switch.__name__}()")
    name = get_switch_name(switch)
    if not hasattr(switch, "apply"):
        raise StudyError(f"{name} is no intervention: {type(switch).__name__} has no apply", (name,))
    try:
        return name, canonical_text(identity(switch))
    except AnsatzError as failure:
        raise StudyError(str(failure), (name,)) from failure


def _demand_reach(switches: Iterable[Intervention], plan: AgentPlan) -> None:
    """An agent of one's own is given the question alone: what changes our plan would have no effect on it.

    A finished graph asks a model of its own, too.
    """
    for switch in switches:
        alone, name = switch.apply(AgentPlan()), get_switch_name(switch)
        changes = [alone.instructions, alone.equipment, alone.before, alone.reviews]
        if any([*changes, is_runnable(plan.agent) and alone.model_settings]):
            raise StudyError(f"{name} does not reach an agent of one's own; build it into that", (name,))


def build_arms(
    given: Mapping[str, Switches], baseline: str, limits: Limits | None, answer_form: AnswerForm
) -> dict[str, Arm]:
    """Arms by name, the baseline first. Without an arm of its name, the baseline is the bare plan."""
    if not isinstance(given, Mapping):
        raise StudyError("arms: give a name to each, or use one_at_a_time(...) or full_factorial(...)")
    chosen = {**({"baseline": ()} if baseline == "baseline" else {}), **given}
    made = {}
    for name in sorted(chosen, key=lambda name: name != baseline):
        check_name("arms", name)
        switches = chosen[name]
        several = switches if isinstance(switches, Sequence) else [switches]
        try:
            made[name] = Arm.of(name, several, limits, answer_form)
        except AnsatzError as failure:
            within = getattr(failure, "path", ())
            raise StudyError(str(failure), ("arms", name, *within)) from failure
    return made


def one_at_a_time(*switches: Intervention, **named: Intervention) -> dict[str, Switches]:
    """An arm for each switch alone, named after it or by its keyword.

    Example: `one_at_a_time(Calculator(), EquationRetrieval())` as the `arms` of a study.
    """
    return _designed(switches, named, most=1)


def full_factorial(*switches: Intervention, **named: Intervention) -> dict[str, Switches]:
    """An arm for every combination of the switches, as in `one_at_a_time`; the baseline is the one with none.

    Example: `full_factorial(Calculator(), si=WithPrompt("Use SI units."))` as the `arms` of a study.
    """
    return _designed(switches, named, most=len(switches) + len(named))


def combined(switches: Mapping[str, T], most: int) -> dict[str, dict[str, T]]:
    """An arm for every combination of at most so many switches, named after them."""
    chosen = (names for size in range(1, most + 1) for names in combinations(switches, size))
    return {"+".join(names): {name: switches[name] for name in names} for names in chosen}


def _designed(
    switches: Sequence[Intervention], by_keyword: Mapping[str, Intervention], most: int
) -> dict[str, Switches]:
    for each in (*switches, *by_keyword.values()):
        if isinstance(each, Mapping | list | tuple):
            raise StudyError(f"give the switches one by one, not a {type(each).__name__} of them")
    named = {get_switch_name(switch): switch for switch in switches} | dict(by_keyword)
    if len(named) < len(switches) + len(by_keyword):
        raise StudyError("two switches have the same name; give names by keyword, such as first=…, second=…")
    return {name: list(chosen.values()) for name, chosen in combined(named, most).items()}


def find_sandboxes(parts: Iterable[object]) -> tuple[Sandbox, ...]:
    return tuple(each.runner for each in parts if isinstance(each, RunsCode) and each.runner is not None)
