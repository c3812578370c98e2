"""Stage 4: check that an item is a task with one answer, by its reference solution or by a model.

A reference solution proves it if its steps use only stated and computed quantities and produce every number
of the key. Otherwise a reviewer decides. Without a reference solution, a model judges the item if one is
given; if not, the item gets a note. No rule of this stage reads prose.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files

from pydantic import Field

from ansatz.agents.client import ModelClient
from ansatz.errors import ExpressionError, UnusableReply
from ansatz.eval.concurrency import map_concurrently
from ansatz.eval.curation.candidate import Candidate, Note, Rejection
from ansatz.eval.judging.structured_reply import RecordForm, request_form
from ansatz.eval.problem import NumberTarget, SolutionStep
from ansatz.eval.problem_schema import Item
from ansatz.knowledge_base.equation import Expression

STAGE, CHECK = 4, "solvability"
# The fewest and the most steps of a level, then the wider range within which a reviewer decides.
# TPS-CalcBench, table 4: one step; two to four; results of several domains; iterative or coupled.
# The two to four intermediate results of L2 are up to five steps.
STEPS = {"L1": (1, 1, 1, 2), "L2": (2, 5, 1, 7), "L3": (2, 12, 1, 20), "L4": (3, 30, 2, 60)}
_SAME = 1e-6  # relative difference below which two values are equal
_CONSTANTS = re.compile(
    r"(?:sigma(?:_SB)?|k_?B|N_?A|R_?u|R_?univ|g_?0|h_?P|h_?bar|c_?0|pi|e|eps_?0|mu_?0|q_?e|m_?e)"
)


class SolvabilityOpinion(RecordForm):
    """Record whether the question can be solved."""

    tool = "record_opinion"
    solvable: bool = Field(description="a task with one answer that follows from the question alone")
    reason: str = Field(description="one line: what is missing or wrong, or what makes it solvable")


async def request_opinions(
    client: ModelClient, candidates: Sequence[Candidate]
) -> dict[str, SolvabilityOpinion]:
    """Request a model's opinions on candidates; returns those that it gave, by place.

    The model sees the question and the wanted quantities, but no key. Raises InfrastructureError if it cannot
    be reached.
    """
    prompt = files(__package__).joinpath("solvability.md").read_text(encoding="utf-8")

    async def ask(candidate: Candidate) -> SolvabilityOpinion | None:
        wanted = ", ".join(f"{each.name} [{getattr(each, 'unit', '-')}]" for each in candidate.item.targets)
        question = f"<question>\n{candidate.text}\n</question>\n\nWanted: {wanted}"
        try:
            return await request_form(client, prompt, question, SolvabilityOpinion)
        except UnusableReply:
            return None

    opinions = await map_concurrently(candidates, ask)
    pairs = zip(candidates, opinions, strict=True)
    return {candidate.place: opinion for candidate, opinion in pairs if opinion is not None}


def check_solvability(
    candidate: Candidate, opinions: Mapping[str, SolvabilityOpinion]
) -> Rejection | tuple[Note, ...]:
    """Reject a candidate that cannot be solved, or return notes; no note if its solution proves it."""
    if missing := find_missing_symbols(candidate):
        message = f"the reference solution uses {', '.join(missing)}, without a stated value"
        return candidate.reject(STAGE, "missing_givens", message)
    notes = _check_level(candidate)
    if isinstance(notes, Rejection) or has_solution(candidate.item):
        return notes
    opinion = opinions.get(candidate.place)
    if opinion is not None and not opinion.solvable:
        return candidate.reject(STAGE, "not_solvable", f"by a model: {opinion.reason}")
    if candidate.item.reference_solution.steps:
        return (*notes, Note(CHECK, "the reference solution does not produce every value"))
    message = f"by a model: {opinion.reason}" if opinion else "not judged: no reference solution, no model"
    return (*notes, Note(CHECK, message, "info"))


def has_solution(item: Item) -> bool:
    """Whether the reference solution has steps that produce each number of the key in its unit."""
    results = {step.symbol: (step.value, step.unit) for step in item.reference_solution.steps}
    numbers = [target for target in item.targets if isinstance(target, NumberTarget)]
    return bool(results or not numbers) and all(
        target.value is not None
        and target.name in results
        and results[target.name][1] == target.unit
        and abs(results[target.name][0] - target.value) <= _SAME * abs(target.value)
        for target in numbers
    )


def find_missing_symbols(candidate: Candidate) -> tuple[str, ...]:
    """Find the symbols that the reference steps use although no text, given or step defines them."""
    steps = candidate.item.reference_solution.steps
    known = {given.name for given in candidate.item.given} | {step.symbol for step in steps}
    used = dict.fromkeys(name for step in steps for name in _find_symbols(step))

    def is_stated(name: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(name)}\s*=\s*[-+−]?[\d.]", candidate.text) is not None

    return tuple(
        name for name in used if name not in known and not _CONSTANTS.fullmatch(name) and not is_stated(name)
    )


def _check_level(candidate: Candidate) -> Rejection | tuple[Note, ...]:
    """Compare the level with the number of steps of the reference solution.

    The number of steps is a range. Its lower end is the number of equations in the longest chain, because
    results may be independent; its upper end is the number of all steps. An item of L1 has one equation,
    unless it is a comparison. Without steps, the equations that the item names are counted.
    """
    item, steps = candidate.item, candidate.item.reference_solution.steps
    if item.level is None:
        return (Note("level", "there is no level"),)
    # The lines of a derivation are algebra, not calculation steps.
    if item.task_type == "derivation" or not (steps or item.gold_equations):
        return ()
    fewest = most = len(steps) or len(item.gold_equations)
    if steps:
        single = item.level == "L1" and item.task_type != "comparison"
        equations = sum(bool(step.equation) for step in steps)
        fewest = equations if single and equations else _count_longest_chain(steps)
    counted = f"{item.level} with {_format_range(fewest, most)} steps, not "
    low, high, lowest, highest = STEPS[item.level]
    if fewest > highest or most < lowest:
        return candidate.reject(STAGE, "level_mismatch", counted + _format_range(lowest, highest))
    if fewest > high or most < low:
        return (Note("level", counted + _format_range(low, high)),)
    return ()


def _count_longest_chain(steps: Sequence[SolutionStep]) -> int:
    """Count the equations in the longest chain; plain arithmetic between them does not count."""
    depth: dict[str, int] = {}
    for step in steps:
        below = max((depth.get(name, 0) for name in _find_symbols(step)), default=0)
        depth[step.symbol] = below + bool(step.equation)
    return max(depth.values()) or len(steps)


def _format_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _find_symbols(step: SolutionStep) -> frozenset[str]:
    """Find the symbols that a step uses; none if its expression is prose."""
    left, _, right = step.expression.split(", solved for")[0].partition("=")
    # An equation solved for a symbol on its right side has a known quantity on the left.
    known = {left.strip()} - {step.symbol} if left.strip().isidentifier() else set()
    try:
        return Expression.parse(right.strip()).names | known
    except ExpressionError:
        return frozenset()
