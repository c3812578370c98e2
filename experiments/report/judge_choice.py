"""How far a judge can be trusted, and a page on which judge to take, by agreement with people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ansatz.eval.calibration import (
    Calibration,
    Candidate,
    Choice,
    CriterionAgreement,
    DimensionCalibration,
)
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics.agreement import Agreement, Coefficient
from ansatz.eval.views import (
    COEFFICIENT,
    COUNT,
    Chapter,
    Column,
    Entry,
    Estimate,
    Figure,
    Panel,
    Section,
    Table,
    estimate,
)

_NOTE = (
    "Full agreement is an equal mark, partial one closer than the ends of the scale, and none the rest; "
    "AC2 has ordinal weights and takes every pair of the judge and a person. Lenient, correct and strict "
    "are shares of answers whose sum of points by the judge is above, near, or below people's mean. The "
    "judge that is correct most often is chosen, among equals the least lenient. Its lead over another is "
    "paired by answer, with an interval over families; where that holds zero, these answers do not tell "
    "the two apart."
)


_MARKS = Scale("marks", 1, 3)
_AGREEMENT = "Agreement with 95 % intervals; people: AC2 among people where several scored."
_BIAS = "Bias: judge − people; a difference between arms below `own error` may be the judge's bias alone."
_SHOWN = 20  # disagreements


def calibration_tables(found: Calibration) -> Iterator[Table]:
    """Agreement and bias by dimension, and the answers where the two are far apart."""
    every = (*found.dimensions, found.overall)
    heads = [Column("weighted κ", COEFFICIENT), Column("AC2", COEFFICIENT), Column("ρ", COEFFICIENT)]
    columns = [
        Column("dimension"),
        Column("n", COUNT),
        *heads,
        Column("exact", PERCENT),
        Column("people", COEFFICIENT),
    ]
    rows: list[list[Entry]] = [
        [
            *(one.dimension, one.answers, _shown(one.kappa), _shown(one.ac), one.rho.value),
            *(one.agreement.full if one.agreement else None, one.people.value),
        ]
        for one in every
    ]
    yield Table("agreement", _AGREEMENT, columns, rows)
    yield bias_table("dimension", every, _BIAS)
    if found.disagreements:
        apart = len({each.answer_id for each in found.disagreements})
        far = f"{len(found.disagreements)} scores of {apart} answers are far from people's; --json has all."
        columns = [*map(Column, ("answer", "dimension", "judge", "people"))]
        yield Table("far", far, columns, [
            [each.answer_id, each.dimension, *(_marks(side) for side in ((each.judge,), each.human))]
            for each in found.disagreements[:_SHOWN]
        ])  # fmt: skip


def _marks(given: Iterable[float | None]) -> str:
    return ", ".join("–" if each is None else f"{each:g}" for each in given)


def bias_table(first: str, compared: Iterable[DimensionCalibration], caption: str) -> Table:
    """A row for each dimension, or for each value of a tag."""
    columns = [
        Column(first),
        Column("bias", _MARKS, change=True),
        Column("n", COUNT),
        Column("own error", _MARKS),
    ]
    columns += [Column(name, PERCENT) for name in ("lenient", "correct", "strict")]
    rows: list[list[Entry]] = []
    for one in compared:
        rates, bias = one.leniency, one.bias
        shares = (rates.lenient, rates.correct, rates.strict) if rates else (None, None, None)
        shown = Estimate(bias.estimate, bias.low, bias.high)
        reach = None if bias.low is None else max(-bias.low, bias.high or 0.0)
        rows.append([one.dimension, shown, one.answers, reach, *shares])
    return Table("bias", caption, columns, rows)


def page(choice: Choice) -> Chapter:
    """What `ansatz judge choose` writes."""
    section = Section(
        title=f"{choice.answers} answers that people marked",
        findings=list(_findings(choice)),
        figures=[_figure(choice)],
        tables=[_judges(choice), *(_criteria(each) for each in choice.ranked), _people(choice)],
        notes=(_NOTE,),
    )
    return Chapter("judges", "The choice of a judge", [section])


def _findings(choice: Choice) -> Iterator[str]:
    best = choice.best
    lean = "lenient" if best.lenient > best.strict else "strict" if best.strict > best.lenient else "neither"
    yield (
        f"**{best.judge}** is correct on {best.correct:.0%} of the answers, lenient on {best.lenient:.0%}, "
        f"strict on {best.strict:.0%}"
        + (f"; where it errs it is more often {lean}" if lean != "neither" else "")
    )
    for name, lead in choice.leads.items():
        shown = estimate(lead, lead.p)
        clear = "" if shown and shown.is_significant else ", which is not clear of luck"
        yield f"it is correct on {PERCENT.show(lead.estimate)} answers in 100 more than {name}{clear}"


def _judges(choice: Choice) -> Table:
    names = ("correct", "lenient", "strict")
    columns = [Column("judge"), *(Column(name, PERCENT) for name in names)]
    columns += [Column("lead of the best", PERCENT, change=True), Column("answers", COUNT)]
    rows: list[list[Entry]] = [
        [
            each.judge,
            *(each.correct, each.lenient, each.strict),
            estimate(choice.leads[each.judge], choice.leads[each.judge].p)
            if each.judge in choice.leads
            else None,
            float(len(each.verdicts)),
        ]
        for each in choice.ranked
    ]
    return Table("judges", "Judges by how often they are right on a whole answer.", columns, rows)


def _criteria(candidate: Candidate) -> Table:
    experts = max(len(each.experts) for each in candidate.criteria)
    columns = [Column("criterion")]
    for number in range(1, experts + 1):
        columns += [Column(f"{kind}, person {number}", PERCENT) for kind in ("full", "partial", "none")]
    columns += [Column("AC2", COEFFICIENT), Column("answers", COUNT)]
    rows: list[list[Entry]] = [_criterion_row(each, experts) for each in candidate.criteria]
    slug = "".join(letter if letter.isalnum() else "_" for letter in candidate.judge)
    return Table(f"criteria_{slug}", f"{candidate.judge}: agreement with people.", columns, rows)


def _criterion_row(each: CriterionAgreement, experts: int) -> list[Entry]:
    shares: list[Entry] = []
    for at in range(experts):
        shares += _shares(each.experts[at] if at < len(each.experts) else None)
    return [each.criterion, *shares, _shown(each.ac), float(each.answers)]


def _shares(agreement: Agreement | None) -> list[Entry]:
    if agreement is None:
        return [None, None, None]
    return [agreement.full, agreement.partial, agreement.none]


def _people(choice: Choice) -> Table:
    columns = [Column("criterion"), Column("exact agreement", PERCENT), Column("AC2", COEFFICIENT)]
    rows: list[list[Entry]] = [
        [each.criterion, each.people.full if each.people else None, _shown(each.people_ac)]
        for each in choice.best.criteria
    ]
    return Table("people", "People among themselves: the most that can be asked of a judge.", columns, rows)


def _shown(found: Coefficient) -> Entry:
    return Estimate(found.value, found.low, found.high) if found.value is not None else None


def _figure(choice: Choice) -> Figure:
    series = {
        "correct": [Estimate(each.correct) for each in choice.ranked],
        "lenient": [Estimate(each.lenient) for each in choice.ranked],
        "strict": [Estimate(each.strict) for each in choice.ranked],
    }
    labels = [each.judge for each in choice.ranked]
    panel = Panel("", labels, series)
    return Figure("stacked", "judges", "Judges against people, by answer", [panel], "% of answers")
