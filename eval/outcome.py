"""The scorer `outcome`: credit for final values by relative error, exact values, and right units."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ansatz.agents.answer_form import format_closing_line
from ansatz.eval.bands import BANDS, POINTS, Band, describe_bands, find_band, read_bands
from ansatz.eval.problem import (
    CallableTarget,
    ChoiceTarget,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    Problem,
    SymbolicTarget,
    Target,
)
from ansatz.eval.reading.closing_lines import read_closing_lines
from ansatz.eval.reading.emphasis import find_emphasized
from ansatz.eval.reading.layout import LONGEST, locate_number, select_readable_part
from ansatz.eval.reading.stated_formulas import compare_formula, read_formulas, read_table_rows
from ansatz.eval.reading.stated_numbers import NumberReading, read_numbers
from ansatz.eval.reading.stated_words import is_accepted, read_label, read_option
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext, StatedValue
from ansatz.quantities.chains import find_chains
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.scales import Quantity, compare_quantities, explain_mismatch
from ansatz.quantities.statements import Statement
from ansatz.quantities.tree import Formula

_LONG_ANSWER = 20_000  # characters from which an answer is read in a thread: reading takes over 0.1 s


@dataclass(frozen=True)
class Verdict:
    """What an answer states for one target, and the credit that it earns."""

    credit: float
    """From 0 to 1."""
    unit: bool | None
    """Whether the unit is right; None if the target has no unit."""
    band: str
    """The name of the band; labels and formulas are exact or wrong."""
    evidence: str
    """The reason for the credit, as text."""
    stated: float | str | None = None
    """The stated number, label or formula; None if the answer states none."""
    statement: Statement | None = None
    """The statement of the number, for targets that are numbers."""

    @property
    def exact(self) -> bool:
        """Whether the target earned full credit."""
        return self.credit == 1.0

    @property
    def stated_unit(self) -> str:
        """The unit that the answer gives with the number, or an empty text."""
        return self.statement.unit if self.statement else ""

    def details(self, weight: float) -> dict[str, Any]:
        """Return the verdict as plain JSON. `value` is None if the answer states none."""
        return {
            "value": self.stated,
            "unit": None if self.stated is None else self.stated_unit,
            "band": self.band,
            "unit_ok": self.unit,
            "credit": self.credit,
            "exact": self.exact,
            "weight": weight,
        }


@dataclass(frozen=True)
class Outcome(Scorer):
    """Scores the last value that the answer states for each target. Each mean is weighted over the targets.

    - `exact`, the headline, is the share of targets within the target's `tolerance` (1 % if none is set).
    - `outcome` is the credit for the relative error, by `bands`: 100 within the target's `tolerance` (1 % if
      none is set), 70 below 10 %, 30 below 50 %, otherwise 0. With a tolerance of 5 %, an error of 4 % earns
      100, and one of 6 % earns 70.
    - `units` is the share of numbers with a right unit.

    A number in another unit of the same dimension is converted. A number without a unit, or in an unknown
    unit, is read in the target's unit. A number in a unit of another dimension is wrong, and so is a target
    that the answer does not state.

    Details of `outcome`:

    - `targets`: for each target value, unit, band, unit_ok, credit, exact and weight; `read`, which is "form"
      for a value in the requested form, "text" for one elsewhere, or null; and `at`, the offsets [start, end)
      of the number in the answer, or null if they are not certain.
    - `reading`, if a model reads the answers: its status, and how many of its values the rules confirm.

    Example: `Study("x", models="offline:slide-rule", problems=pumps, scorers=[Outcome()])`.
    """

    bands: Mapping[float, float] = field(default_factory=lambda: dict(POINTS), kw_only=True, hash=False)
    """Points (0-100) by relative error, such as {0.01: 100, 0.1: 70, 0.5: 30}. The first earns 100."""

    def __post_init__(self) -> None:
        self._bands  # noqa: B018 - faults are reported when the scorer is made

    @cached_property
    def _bands(self) -> tuple[Band, ...]:
        return read_bands(self.bands)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The share of exact values, the credit, and the share of right units."""
        tolerance = f"{100 * self._bands[0].below:g} % if none is set"
        return (
            Dimension("exact", f"final values within the target's tolerance ({tolerance})"),
            Dimension("outcome", f"credit for final values: {describe_bands(self._bands)}"),
            Dimension("units", "final values with a right unit", detail=True),
        )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        reasons = "; ".join(filter(None, map(_unscorable_reason, problem.targets)))
        if reasons:
            return tuple(Score(dimension=each.name, value=None, evidence=reasons) for each in self.dimensions)
        is_long = len(transcript.answer) > _LONG_ANSWER
        read_by_rules = asyncio.to_thread(_judge_by_rules, context, self._bands) if is_long else None
        in_form, answer, by_rules = (
            await read_by_rules if read_by_rules else _judge_by_rules(context, self._bands)
        )
        verdicts, read = await _judge_by_model(context, by_rules, self._bands)
        # An offset is valid only if exactly the answer was read, not more and not a part of it.
        is_whole = answer == transcript.answer == select_readable_part(answer)
        targets = {}
        for target, verdict, rule in zip(problem.targets, verdicts, by_rules, strict=True):
            statement = verdict.statement if is_whole and verdict is rule else None
            found = locate_number(answer, statement) if statement else None
            source = "form" if target.name in in_form else "text"
            targets[target.name] = verdict.details(target.weight) | {
                "read": None if verdict.stated is None else source,
                "at": found and [*found],
            }
        evidence = "\n".join(verdict.evidence for verdict in verdicts)
        earned: dict[str, list[float | None]] = {
            "exact": [float(verdict.exact) for verdict in verdicts],
            "outcome": [verdict.credit for verdict in verdicts],
            "units": [None if verdict.unit is None else float(verdict.unit) for verdict in verdicts],
        }
        weights = [target.weight for target in problem.targets]
        means = {name: _weighted_mean(credits, weights) for name, credits in earned.items()}
        return tuple(
            Score(
                dimension=name,
                value=value,
                evidence="no target has a unit" if value is None else evidence,
                details={"targets": targets, **read} if name == "outcome" else {},
            )
            for name, value in means.items()
        )


def _judge_by_rules(
    context: ScoringContext, bands: tuple[Band, ...]
) -> tuple[dict[str, str], str, list[Verdict]]:
    """Return the lines in the requested form, the text that was read, and a verdict for each target."""
    problem, transcript = context.problem, context.transcript
    in_form = read_closing_lines(transcript, problem.targets)
    answer = transcript.complete_answer
    if transcript.form == "json":  # its values are read as lines after the object
        answer = "\n".join([answer, "", *in_form.values()])
    return in_form, answer, judge_answer(problem, answer, bands)


async def _judge_by_model(
    context: ScoringContext, by_rules: list[Verdict], bands: tuple[Band, ...]
) -> tuple[list[Verdict], dict[str, Any]]:
    """Judge the values that the study's reading model extracts; without one or if it fails, use the rules."""
    problem, answer = context.problem, context.transcript.answer
    if context.read is None or not answer.strip():
        return by_rules, {}
    from ansatz.eval.judging.model_reading import compare_with_rules, readable_targets

    extraction = await context.read(problem, answer)
    ruled = {
        target.name: None if verdict.stated is None else StatedValue(verdict.stated, verdict.stated_unit)
        for target, verdict in zip(problem.targets, by_rules, strict=True)
    }
    details = {"reading": compare_with_rules(problem, extraction, ruled)}
    if extraction.status == "failed":
        return by_rules, details
    copied = {each.name for each in readable_targets(problem)}
    lines = [
        format_closing_line(name, {"value": read.value, "unit": read.unit})
        for name, read in extraction.values.items()
    ]
    by_model = judge_targets(problem.targets, "\n".join(lines), bands=bands)
    pairs = zip(problem.targets, by_rules, by_model, strict=True)
    return [found if target.name in copied else rule for target, rule, found in pairs], details


def judge_answer(problem: Problem, answer: str, bands: tuple[Band, ...] = BANDS) -> list[Verdict]:
    """Judge an answer on each number, label, choice and symbolic target of a problem."""
    return judge_targets(problem.targets, answer, free_form=not problem.has_blanks, bands=bands)


def judge_targets(
    targets: Sequence[Target], answer: str, *, free_form: bool = False, bands: tuple[Band, ...] = BANDS
) -> list[Verdict]:
    """Judge an answer on each number, label, choice and symbolic target.

    Parameters
    ----------
    free_form
        Whether the question leaves the form of the answer open. If so, a conclusion in other symbols than
        the targets' counts too.
    """
    text = to_plain_text(answer[-LONGEST:])
    numbers = read_numbers(answer, targets, free_form=free_form)
    symbolic = sum(isinstance(target, SymbolicTarget) for target in targets)
    formulas = (*read_table_rows(text), *find_chains(text)) if symbolic else ()
    verdicts = []
    for target in targets:
        if isinstance(target, NumberTarget):
            verdicts.append(_judge_number(target, numbers[target.name], bands))
        elif isinstance(target, LabelTarget | ChoiceTarget):
            verdicts.append(_judge_words(target, text, find_emphasized(answer)))
        elif isinstance(target, SymbolicTarget):
            verdicts.append(_judge_form(target, read_formulas(target, formulas, symbolic == 1)))
    return verdicts


def is_answer_right(problem: Problem, answer: str) -> bool | None:
    """Whether the answer is right for every target with a right value; None if no target has one.

    A number is right within its target's tolerance, or below 10 % if the target has none.
    """
    read = [each for each in problem.targets if not isinstance(each, MessageTarget | CallableTarget)]
    found = zip(read, judge_answer(problem, answer), strict=True)
    right = [
        verdict.exact or (verdict.band == "acceptable" and getattr(target, "tolerance", None) is None)
        for target, verdict in found
        if _unscorable_reason(target) is None
    ]
    return all(right) if right else None


def _judge_number(target: NumberTarget, found: NumberReading, bands: tuple[Band, ...]) -> Verdict:
    expected = Quantity(target.value or 0.0, target.unit)
    wanted = f"expected {expected.value:.6g} {expected.unit}"
    stated = found.statement
    if stated is None:
        among = ", ".join(f"{each.value:.6g} {each.unit}".strip() for each in found.candidates)
        why = f"in doubt between {among}" if among else "not stated"
        why = f"in doubt ({found.doubt}): {among}" if found.doubt else why
        return Verdict(0.0, False, "wrong", f"{target.name}: {why}; {wanted}")
    error, unit_ok = compare_quantities(Quantity(stated.value, stated.unit), expected, target.difference)
    credit, band = find_band(error, target, bands)
    name = band
    if target.tolerance is not None:
        name += f" (tolerance {target.tolerance.text(target.unit)})"
    unit = "unit right" if unit_ok else "unit missing" if not stated.unit else "unit wrong"
    if stated.unit and (reason := explain_mismatch(stated.unit, expected.unit)):
        unit += f": {reason}"
    evidence = (
        f"{target.name}: stated {stated.value:.6g} {stated.unit}; {wanted}; error {error:.2%}, {name}; {unit}"
    )
    return Verdict(credit, unit_ok, band, evidence, stated.value, stated)


def _judge_form(target: SymbolicTarget, stated: tuple[Formula, ...] | str) -> Verdict:
    if isinstance(stated, str):
        why = f" ({stated})" if stated else ""
        return Verdict(
            0.0, None, "wrong", f"{target.name}: no closed form stated{why}; expected {target.value}"
        )
    found, text = [compare_formula(each, target) for each in stated], stated[0].text
    right, how = next((each for each in found if each[0]), found[0])
    result = f"expected {target.value}; {'right' if right else 'wrong'}: {how}"
    return Verdict(float(right), None, _band_of(right), f"{target.name}: {text!r} {result}", text)


def _judge_words(target: LabelTarget | ChoiceTarget, text: str, emphasized: str | None) -> Verdict:
    if isinstance(target, ChoiceTarget):
        stated = read_option(target, text)
        right = stated == target.value
    else:
        stated = read_label(target, text, emphasized)
        right = stated is not None and is_accepted(stated, target)
    reading = "not stated" if stated is None else f"stated {stated!r}"
    evidence = f"{target.name}: {reading}; expected {target.value!r}; {'right' if right else 'wrong'}"
    return Verdict(float(right), None, _band_of(right), evidence, stated)


def _band_of(right: bool) -> str:
    return BANDS[0].name if right else "wrong"


def _unscorable_reason(target: Target) -> str | None:
    """Return why this scorer cannot score a target; None if it can."""
    if isinstance(target, MessageTarget | CallableTarget):
        return f"{target.name}: a {target.kind} target needs another scorer"
    return f"{target.name}: no key" if isinstance(target, NumberTarget) and target.value is None else None


def _weighted_mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """Compute the weighted mean of the values that are not None; None if there are none."""
    pairs = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    total = sum(weight for _, weight in pairs)
    return min(1.0, sum(value * weight for value, weight in pairs) / total) if pairs else None
