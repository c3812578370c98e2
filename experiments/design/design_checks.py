"""What keeps a study from being run, told before anything is paid for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.agents import ModelClient, takes_tools
from ansatz.agents.identity import canonical, identity
from ansatz.eval import Scorer
from ansatz.eval.question_sets import order_fault
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.asked_models import Model
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.study_error import StudyError
from ansatz.experiments.design.worked_examples import worked_examples
from ansatz.quantities import nearest
from ansatz.sandbox import SandboxUnavailable


def check_design(design: Design) -> None:
    """Raises StudyError for whatever cannot be run, before anything is paid for."""
    if design.baseline not in design.arms:
        hint = nearest(design.baseline, list(design.arms))
        raise StudyError(f"baseline: there is no arm {design.baseline!r}{hint}", ("baseline",))
    _refuse_equal_arms(design.arms)
    _check_judged_by(design.arms, design.scorers)
    _refuse_equal_models(design.clients)
    design.consulted  # noqa: B018 - what cannot be asked is refused here
    _check_matched(design.arms)
    for few_shot in (arm.few_shot for arm in design.arms.values() if arm.few_shot):
        for problem in design.problems.values():
            worked_examples(problem, few_shot)
    _check_answer_form(design.arms, design.models)
    _check_dimensions(design.scorers)
    names = [each.name for scorer in design.scorers for each in scorer.dimensions]
    for name in design.primary:
        if name not in names:
            raise StudyError(f"primary: there is no dimension {name!r}{nearest(name, names)}", ("primary",))
    try:
        design.isolation()
    except SandboxUnavailable as failure:
        raise StudyError(str(failure)) from failure
    if not design.models:
        raise StudyError("there is no model to ask", ("models",))
    if not design.problems:
        raise StudyError("there is no problem to ask", ("problems",))
    fault = order_fault(design.problems) if any(arm.builds_on for arm in design.arms.values()) else None
    if fault:
        raise StudyError(fault, ("problems",))


def _check_matched(arms: Mapping[str, Arm]) -> None:
    """An arm can match what another one takes, which is there and matches none itself."""
    for arm in arms.values():
        if arm.matched is None:
            continue
        if arm.matched not in arms:
            hint = nearest(arm.matched, list(arms))
            raise StudyError(f"compute_matched: there is no arm {arm.matched!r}{hint}", ("arms", arm.name))
        if arms[arm.matched].matched is not None:
            raise StudyError(
                f"compute_matched: {arm.matched!r} matches another arm itself", ("arms", arm.name)
            )


def _check_answer_form(arms: Mapping[str, Arm], models: Mapping[str, Model]) -> None:
    """An answer can be handed in by a tool where the model can call one."""
    for arm in arms.values():
        if arm.plan.answer != "tool":
            continue
        for title, model in models.items():
            if not takes_tools(model.client):
                raise StudyError(
                    f"answer: {title} cannot call tools; choose block, json or free", ("answer",)
                )


def _check_judged_by(arms: Mapping[str, Arm], scorers: Sequence[Scorer]) -> None:
    """What an arm is shown is judged by a dimension, which a scorer has to report."""
    known = [dimension.name for scorer in scorers for dimension in scorer.dimensions]
    for arm in arms.values():
        if arm.builds_on and arm.builds_on.judged_by not in known:
            wanted = arm.builds_on.judged_by
            raise StudyError(f"arm {arm.name!r}: no scorer reports {wanted!r}{nearest(wanted, known)}")


def _check_dimensions(scorers: Sequence[Scorer]) -> None:
    """Two scorers of one dimension would overwrite each other's scores."""
    names = [dimension.name for scorer in scorers for dimension in scorer.dimensions]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"two scorers report {name!r}; give one of them another name or prefix")


def _refuse_equal_models(clients: Mapping[tuple[str, str], ModelClient]) -> None:
    """Labels are no part of what is asked: the units of two models that are asked alike would be the same."""
    seen: dict[tuple[str, str], str] = {}
    for (model, arm), client in clients.items():
        same = seen.setdefault((arm, canonical(client.identity)), model)
        if same != model:
            fault = f"models {same!r} and {model!r} are asked the same under {arm!r}; remove one"
            raise StudyError(fault, ("models",))


def _refuse_equal_arms(arms: Mapping[str, Arm]) -> None:
    seen: dict[str, str] = {}
    for arm in arms.values():  # equal switches make equal plans
        same = seen.setdefault(canonical([identity(each) for each in arm.switches]), arm.name)
        if same != arm.name:
            fault = f"arms {same!r} and {arm.name!r} are the same treatment; remove one"
            raise StudyError(fault, ("arms", arm.name))
