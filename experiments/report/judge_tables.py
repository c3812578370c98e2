"""How far a judge can be trusted, as tables: agreement with people, bias, and several judges side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ansatz.eval.calibration import Calibration, DimensionCalibration, JudgesCompared
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta, judge_together
from ansatz.eval.statistics.agreement import Coefficient
from ansatz.eval.views import COEFFICIENT, COUNT, Column, Entry, Estimate, Fields, Table, estimate

_MARKS = Scale("marks", 1, 3)
_AGREEMENT = "Agreement with 95 % intervals; people: AC2 among people where several scored."
_BIAS = "Bias: judge − people; a difference between arms below `own error` may be the judge's bias alone."
_LEADS = "The judge that is level with people most often, against each other; * is clear of luck."
_SHOWN = 20  # disagreements


def calibration_tables(found: Calibration) -> Iterator[Table]:
    """Agreement and bias by dimension, and the answers where the two are far apart."""
    every = (*found.dimensions, found.overall)
    yield _agreement_table("dimension", every)
    yield bias_table("dimension", every, _BIAS)
    if found.disagreements:
        apart = len({each.answer_id for each in found.disagreements})
        far = f"{len(found.disagreements)} scores of {apart} answers are far from people's; --json has all."
        shown = found.disagreements[:_SHOWN]
        yield Table.of("far", far, shown, {
            "answer": lambda each: each.answer_id,
            "dimension": lambda each: each.dimension,
            "judge": lambda each: _marks((each.judge,)),
            "people": lambda each: _marks(each.human),
        })  # fmt: skip


def judge_tables(found: JudgesCompared) -> Iterator[Table]:
    """Agreement and bias by judge, and by how much the first is ahead of each other."""
    yield _agreement_table("judge", found.judges)
    yield bias_table("judge", found.judges, _BIAS)
    first = found.judges[0].dimension
    if found.leads:
        yield Table.of("leads", _LEADS, _leads(found.leads), {
            f"{first} against": lambda each: each[0],
            Column("more often correct", PERCENT, change=True): lambda each: each[1],
        })  # fmt: skip


def _leads(leads: Mapping[str, PairedDelta]) -> Iterator[tuple[str, Estimate | None]]:
    """With p and intervals that hold for all leads at once."""
    verdicts = judge_together(leads, seed=0).verdicts
    for name, lead in leads.items():
        if (verdict := verdicts.get(name)) is None:
            yield name, estimate(lead)
        else:
            yield name, estimate(replace(lead, low=verdict.low, high=verdict.high), verdict.p_adjusted)


def _agreement_table(first: str, compared: Iterable[DimensionCalibration]) -> Table:
    fields: Fields[DimensionCalibration] = {
        first: lambda one: one.dimension,
        Column("n", COUNT): lambda one: one.answers,
        Column("weighted κ", COEFFICIENT): lambda one: _shown(one.kappa),
        Column("AC2", COEFFICIENT): lambda one: _shown(one.ac),
        Column("ρ", COEFFICIENT): lambda one: one.rho.value,
        Column("exact", PERCENT): lambda one: one.agreement.full if one.agreement else None,
        Column("people", COEFFICIENT): lambda one: one.people.value,
    }
    return Table.of("agreement", _AGREEMENT, compared, fields)


def bias_table(first: str, compared: Iterable[DimensionCalibration], caption: str) -> Table:
    """A row for each dimension, for each judge, or for each value of a tag."""
    fields: Fields[DimensionCalibration] = {
        first: lambda one: one.dimension,
        Column("bias", _MARKS, change=True): lambda one: Estimate(
            one.bias.estimate, one.bias.low, one.bias.high
        ),
        Column("n", COUNT): lambda one: one.answers,
        Column("own error", _MARKS): lambda one: (
            None if one.bias.low is None else max(-one.bias.low, one.bias.high or 0.0)
        ),
        Column("lenient", PERCENT): lambda one: one.leniency.lenient if one.leniency else None,
        Column("correct", PERCENT): lambda one: one.leniency.correct if one.leniency else None,
        Column("strict", PERCENT): lambda one: one.leniency.strict if one.leniency else None,
    }
    return Table.of("bias", caption, compared, fields)


def _shown(found: Coefficient) -> Entry:
    return Estimate(found.value, found.low, found.high) if found.value is not None else None


def _marks(given: Iterable[float | None]) -> str:
    return ", ".join("–" if each is None else f"{each:g}" for each in given)
