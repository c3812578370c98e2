"""Checks that refuse a study before any request is made."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.agents import takes_tools
from ansatz.agents.identity import canonical_text, identity
from ansatz.errors import SandboxUnavailable, StudyError
from ansatz.eval.follow_up_questions import find_order_fault
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.stage_hints import STAGES
from ansatz.experiments.design.worked_examples import format_worked_examples
from ansatz.quantities import nearest

Fault = tuple[str, tuple[str, ...]]


def check_design(design: Design) -> None:
    """Raise StudyError for the first reason why the study cannot be run."""
    checks = (
        _find_faults_of_screening,
        _find_faults_of_paths,
        _find_faults_of_arms,
        _find_faults_of_scorers,
        _find_faults_of_models,
    )
    for find_faults in checks:
        for fault, path in find_faults(design):
            raise StudyError(fault, path)
    try:
        design.isolation()
    except SandboxUnavailable as failure:
        raise StudyError(str(failure)) from failure
    for fault, path in _find_faults_of_problems(design):
        raise StudyError(fault, path)


def _find_faults_of_screening(design: Design) -> Iterator[Fault]:
    if design.pairs is None:
        return
    if design.settings.stop is not None:
        yield "stop: a screening design has no interim analyses; leave `stop` out", ("stop",)
    for arm in design.arms.values():
        if arm.builds_on or arm.follows:
            needed = "its own earlier answers" if arm.builds_on else f"the answers of {arm.follows!r}"
            yield f"screening: arm {arm.name!r} needs {needed}, which it does not have", ("interventions",)


def _find_faults_of_paths(design: Design) -> Iterator[Fault]:
    if design.paths is None:
        return
    if design.settings.stop is not None:
        yield "stop: a leave-one-out design has no interim analyses; leave `stop` out", ("stop",)
    for arm in design.arms.values():
        if arm.follows:
            fault = f"leave_one_out: arm {arm.name!r} needs the answers of {arm.follows!r}"
            yield f"{fault}, which it does not have", ("interventions",)


def _find_faults_of_arms(design: Design) -> Iterator[Fault]:
    arms, by_treatment = design.arms, dict[str, str]()
    if design.settings.baseline not in arms:
        hint = nearest(design.settings.baseline, list(arms))
        yield f"baseline: there is no arm {design.settings.baseline!r}{hint}", ("baseline",)
    for name, arm in arms.items():
        path = ("arms", name)
        same = by_treatment.setdefault(canonical_text([identity(each) for each in arm.switches]), name)
        if same != name:  # equal switches make equal plans
            yield f"arms {same!r} and {name!r} are the same treatment; remove one", path
        switch = "stage_hint" if arm.stage_hint else "compute_matched"
        if arm.follows is not None and arm.follows not in arms:
            hint = nearest(arm.follows, list(arms))
            yield f"{switch}: there is no arm {arm.follows!r}{hint}", path
        elif arm.follows is not None and arms[arm.follows].follows is not None:
            verb = "gets hints after" if arms[arm.follows].stage_hint else "matches"
            yield f"{switch}: {arm.follows!r} {verb} another arm itself", path


def _find_faults_of_scorers(design: Design) -> Iterator[Fault]:
    names = [dimension.name for scorer in design.scorers for dimension in scorer.dimensions]
    for arm in design.arms.values():
        if arm.builds_on and (wanted := arm.builds_on.judged_by) not in names:
            yield f"arm {arm.name!r}: no scorer reports {wanted!r}{nearest(wanted, names)}", ()
        if arm.stage_hint and not {*names} & STAGES.keys():
            fault = f"arm {arm.name!r}: stage_hint needs the verifier, which finds the failed stage"
            yield fault, ("scorers",)
    for name in names:  # two scorers of one dimension would overwrite each other's scores
        if names.count(name) > 1:
            yield f"two scorers report {name!r}; give one of them another name or prefix", ()
    for name in design.settings.primary:
        if name not in names:
            yield f"primary: there is no dimension {name!r}{nearest(name, names)}", ("primary",)


def _find_faults_of_models(design: Design) -> Iterator[Fault]:
    by_identity: dict[tuple[str, str], str] = {}
    path = ("models",)
    for (model, arm), client in design.clients.items():
        # Labels are not part of an identity: attempts of two models with equal settings would be the same.
        same = by_identity.setdefault((arm, canonical_text(client.identity)), model)
        if same != model:
            yield f"models {same!r} and {model!r} have identical settings in arm {arm!r}; remove one", path
        if design.arms[arm].plan.answer == "tool" and not takes_tools(design.models[model].client):
            yield f"answer_form: {model} cannot call tools; choose block, json or free", ("answer_form",)
    design.consulted_clients  # noqa: B018 - raises StudyError for a model that cannot be used
    if not design.models:
        yield "there is no model to ask", ("models",)


def _find_faults_of_problems(design: Design) -> Iterator[Fault]:
    for few_shot in (arm.few_shot for arm in design.arms.values() if arm.few_shot):
        for problem in design.problems.values():
            format_worked_examples(problem, few_shot)  # raises StudyError if the source has too few examples
    if not design.problems:
        yield "there is no problem to ask", ("problems",)
    if any(arm.builds_on for arm in design.arms.values()) and (fault := find_order_fault(design.problems)):
        yield fault, ("problems",)
