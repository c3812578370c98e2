"""Tables on judges: agreement with annotators, bias, and a comparison of several judges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ansatz.eval.calibration import Calibration, DimensionCalibration, JudgeComparison
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import adjust_familywise
from ansatz.experiments.report.tables import COEFFICIENT, COUNT, Column, Entry, Table
from ansatz.experiments.results import Estimate

_MARKS = Scale("marks", 1, 3)
_AGREEMENT = "Agreement with 95 % intervals; annotators: AC2 between annotators, if several scored."
_BIAS = "Bias: judge − annotators; a difference between arms below `own error` may be the judge's bias alone."
_LEADS = "The judge that agrees with the annotators most often, against each other judge; * is significant."
_SHOWN = 20  # disagreements


def calibration_tables(found: Calibration) -> Iterator[Table]:
    """Yield agreement and bias by dimension, and the answers with the largest disagreement."""
    every = (*found.dimensions, found.overall)
    yield _agreement_table("dimension", every)
    yield bias_table("dimension", every, _BIAS)
    if found.disagreements:
        answers = len({each.answer_id for each in found.disagreements})
        count = f"{len(found.disagreements)} scores of {answers} answers"
        caption = f"{count} differ much from the annotators' scores; --json has all."
        columns = [*map(Column, ("answer", "dimension", "judge", "annotators"))]
        rows = [
            [each.answer_id, each.dimension, _format_scores(each.judge), _format_scores(*each.human)]
            for each in found.disagreements[:_SHOWN]
        ]
        yield Table("far", caption, columns, rows)


def judge_tables(found: JudgeComparison) -> Iterator[Table]:
    """Yield agreement and bias by judge, and the lead of the first judge over each other."""
    yield _agreement_table("judge", found.judges)
    yield bias_table("judge", found.judges, _BIAS)
    # p and intervals hold for all leads together.
    verdicts = adjust_familywise(found.leads, seed=0).verdicts
    rows: list[list[Entry]] = []
    for name, lead in found.leads.items():
        if verdict := verdicts.get(name):
            judged = replace(lead, low=verdict.low, high=verdict.high)
            rows.append([name, Estimate.from_delta(judged, verdict.p_adjusted)])
        else:
            rows.append([name, Estimate.from_delta(lead)])
    if rows:
        first = Column(f"{found.judges[0].dimension} against")
        yield Table("leads", _LEADS, [first, Column("more often correct", PERCENT, change=True)], rows)


def _agreement_table(first: str, compared: Iterable[DimensionCalibration]) -> Table:
    columns = [Column(first), Column("n", COUNT)]
    columns += [Column(name, COEFFICIENT) for name in ("weighted κ", "AC2", "ρ")]
    columns += [Column("exact", PERCENT), Column("annotators", COEFFICIENT)]
    rows: list[list[Entry]] = []
    for one in compared:
        kappa, ac = (
            Estimate(each.value, each.low, each.high) if each.value is not None else None
            for each in (one.kappa, one.ac)
        )
        exact = one.agreement.full if one.agreement else None
        rows.append([one.dimension, one.answers, kappa, ac, one.rho.value, exact, one.annotators.value])
    return Table("agreement", _AGREEMENT, columns, rows)


def bias_table(first: str, compared: Iterable[DimensionCalibration], caption: str) -> Table:
    """Make a table of bias, with a row for each dimension, judge or value of a tag."""
    columns = [Column(first), Column("bias", _MARKS, change=True), Column("n", COUNT)]
    columns += [Column("own error", _MARKS)]
    columns += [Column(name, PERCENT) for name in ("lenient", "correct", "strict")]
    rows: list[list[Entry]] = []
    for one in compared:
        bias, shares = one.bias, one.leniency
        reach = None if bias.low is None else max(-bias.low, bias.high or 0.0)
        judged = (shares.lenient, shares.correct, shares.strict) if shares else (None, None, None)
        estimate = Estimate(bias.estimate, bias.low, bias.high)
        rows.append([one.dimension, estimate, one.answers, reach, *judged])
    return Table("bias", caption, columns, rows)


def _format_scores(*given: float | None) -> str:
    return ", ".join("–" if each is None else f"{each:g}" for each in given)
