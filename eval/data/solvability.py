"""Stage 4: whether an item is a task with one answer, shown by its reference solution or by a model.

A reference solution shows it where its steps use nothing but what is stated and found before, and arrive at
every number of the key; where they do not, a reviewer decides. Without a reference solution a model judges,
where one is asked, and else nobody: the item then says so. No rule here reads prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from pydantic import Field

from ansatz.agents.client import ModelClient
from ansatz.errors import ExpressionError, UnusableReply
from ansatz.eval.concurrency import each_of
from ansatz.eval.data.candidate import Candidate, Note, Rejection
from ansatz.eval.item import Item
from ansatz.eval.judging.recording import RecordForm, request_form
from ansatz.eval.problem import NumberTarget, SolutionStep
from ansatz.knowledge_base.equation import Expression

STAGE, CHECK = 4, "solvability"
# Fewest and most steps that a level may have, then the wider range that a reviewer is asked about.
# TPS-CalcBench, table 4: one step; two to four; results of several domains; iterative or coupled.
# Two to four intermediate results of L2 are up to five steps.
STEPS = {"L1": (1, 1, 1, 2), "L2": (2, 5, 1, 7), "L3": (2, 12, 1, 20), "L4": (3, 30, 2, 60)}
_SAME = 1e-6  # relative difference below which two values are one
_CONSTANTS = re.compile(
    r"(?:sigma(?:_SB)?|k_?B|N_?A|R_?u|R_?univ|g_?0|h_?P|h_?bar|c_?0|pi|e|eps_?0|mu_?0|q_?e|m_?e)"
)


class SolvabilityOpinion(RecordForm):
    """Record whether the question can be solved."""

    tool = "record_opinion"
    solvable: bool = Field(description="a task with one answer that follows from the question alone")
    reason: str = Field(description="one line: what is missing or wrong, or what makes it solvable")


async def ask_about(client: ModelClient, candidates: Sequence[Candidate]) -> dict[str, SolvabilityOpinion]:
    """A model's opinions by place, where it gave one; it sees question and wanted quantities, and no key.

    Raises InfrastructureError.
    """
    prompt = files(__package__).joinpath("solvability.md").read_text(encoding="utf-8")

    async def ask(candidate: Candidate) -> SolvabilityOpinion | None:
        wanted = ", ".join(f"{each.name} [{getattr(each, 'unit', '-')}]" for each in candidate.item.targets)
        asked = f"<question>\n{candidate.text}\n</question>\n\nWanted: {wanted}"
        try:
            return await request_form(client, prompt, asked, SolvabilityOpinion)
        except UnusableReply:
            return None

    found = await each_of(candidates, ask)
    pairs = zip(candidates, found, strict=True)
    return {candidate.place: opinion for candidate, opinion in pairs if opinion is not None}


def judge(candidate: Candidate, opinions: Mapping[str, SolvabilityOpinion]) -> Rejection | tuple[Note, ...]:
    """Why a candidate is no task that can be solved, or notes on it; no note where its solution shows it."""
    if missing := missing_names(candidate):
        message = f"the reference solution uses {', '.join(missing)}, which nothing states"
        return candidate.rejected(STAGE, "missing_givens", message)
    notes = _level(candidate)
    if isinstance(notes, Rejection) or has_solution(candidate.item):
        return notes
    opinion = opinions.get(candidate.place)
    if opinion is not None and not opinion.solvable:
        return candidate.rejected(STAGE, "not_solvable", f"by a model: {opinion.reason}")
    if candidate.item.reference_solution.steps:
        return (*notes, Note(CHECK, "the reference solution does not arrive at every value"))
    said = f"by a model: {opinion.reason}" if opinion else "not judged: no reference solution, no model"
    return (*notes, Note(CHECK, said, "info"))


def has_solution(item: Item) -> bool:
    """Whether the reference solution has steps, and they give each number of the key in its unit."""
    found = {step.symbol: (step.value, step.unit) for step in item.reference_solution.steps}
    numbers = [target for target in item.targets if isinstance(target, NumberTarget)]
    return bool(found or not numbers) and all(
        target.value is not None
        and target.name in found
        and found[target.name][1] == target.unit
        and abs(found[target.name][0] - target.value) <= _SAME * abs(target.value)
        for target in numbers
    )


def missing_names(candidate: Candidate) -> tuple[str, ...]:
    """The symbols that the reference steps use though nothing states or finds them."""
    steps = candidate.item.reference_solution.steps
    known = {given.name for given in candidate.item.given} | {step.symbol for step in steps}
    used = dict.fromkeys(name for step in steps for name in _names(step))

    def is_stated(name: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(name)}\s*=\s*[-+−]?[\d.]", candidate.text) is not None

    return tuple(
        name for name in used if name not in known and not _CONSTANTS.fullmatch(name) and not is_stated(name)
    )


def _level(candidate: Candidate) -> Rejection | tuple[Note, ...]:
    """Why a level cannot be that of its reference solution, or what a reviewer should know of it.

    The fewest steps it may be counted as are the equations of its longest chain, as results may stand side by
    side; the most are all. What is called a single step has one equation, unless it compares two. Without
    steps the equations that the item names are counted.
    """
    item, steps = candidate.item, candidate.item.reference_solution.steps
    if item.level is None:
        return (Note("level", "there is no level"),)
    # The lines of a derivation are algebra, not steps of a calculation.
    if item.task_type == "derivation" or not (steps or item.gold_equations):
        return ()
    fewest = most = len(steps) or len(item.gold_equations)
    if steps:
        single = item.level == "L1" and item.task_type != "comparison"
        equations = sum(bool(step.equation) for step in steps)
        fewest = equations if single and equations else _longest_chain(steps)
    said = f"{item.level} with {_range(fewest, most)} steps, not "
    low, high, lowest, highest = STEPS[item.level]
    if fewest > highest or most < lowest:
        return candidate.rejected(STAGE, "level_mismatch", said + _range(lowest, highest))
    if fewest > high or most < low:
        return (Note("level", said + _range(low, high)),)
    return ()


def _longest_chain(steps: Sequence[SolutionStep]) -> int:
    """The most equations that build on each other; plain arithmetic between them is none."""
    depth: dict[str, int] = {}
    for step in steps:
        below = max((depth.get(name, 0) for name in _names(step)), default=0)
        depth[step.symbol] = below + bool(step.equation)
    return max(depth.values()) or len(steps)


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _names(step: SolutionStep) -> frozenset[str]:
    """The symbols that a step uses; none where its expression is prose."""
    left, _, right = step.expression.split(", solved for")[0].partition("=")
    # An equation solved for another symbol than its own has a known quantity on the left.
    known = {left.strip()} - {step.symbol} if left.strip().isidentifier() else set()
    try:
        return Expression.parse(right.strip()).names | known
    except ExpressionError:
        return frozenset()
