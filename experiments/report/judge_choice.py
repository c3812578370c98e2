"""How far a judge can be trusted, and a page on which judge to take, by agreement with people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ansatz.eval.calibration import Calibration, Choice, DimensionCalibration, JudgeCandidate
from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics.agreement import Coefficient
from ansatz.eval.views import (
    COEFFICIENT,
    COUNT,
    Chapter,
    Column,
    Entry,
    Estimate,
    Fields,
    Figure,
    Panel,
    Section,
    Table,
    estimate,
)

_NOTE = (
    "Full agreement is an equal mark, partial one closer than the ends of the scale, and none the rest; "
    "AC2 has ordinal weights; both take every pair of the judge and a person. Lenient, correct and strict "
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
    fields: Fields[DimensionCalibration] = {
        "dimension": lambda one: one.dimension,
        Column("n", COUNT): lambda one: one.answers,
        Column("weighted κ", COEFFICIENT): lambda one: _shown(one.kappa),
        Column("AC2", COEFFICIENT): lambda one: _shown(one.ac),
        Column("ρ", COEFFICIENT): lambda one: one.rho.value,
        Column("exact", PERCENT): lambda one: one.agreement.full if one.agreement else None,
        Column("people", COEFFICIENT): lambda one: one.people.value,
    }
    yield Table.of("agreement", _AGREEMENT, every, fields)
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


def _marks(given: Iterable[float | None]) -> str:
    return ", ".join("–" if each is None else f"{each:g}" for each in given)


def bias_table(first: str, compared: Iterable[DimensionCalibration], caption: str) -> Table:
    """A row for each dimension, or for each value of a tag."""
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


def page(choice: Choice) -> Chapter:
    """What `ansatz judge choose` writes."""
    section = Section(
        title=f"{choice.answers} answers that people marked",
        findings=list(_findings(choice)),
        figures=[_figure(choice)],
        tables=[_judges(choice), *map(_criteria, choice.ranked)],
        notes=(_NOTE,),
    )
    return Chapter("judges", "The choice of a judge", [section])


def _findings(choice: Choice) -> Iterator[str]:
    best = choice.best
    rates = best.rates
    sides = {"lenient": rates.lenient, "strict": rates.strict}
    lean = "neither" if rates.lenient == rates.strict else max(sides, key=lambda side: sides[side])
    yield (
        f"**{best.judge}** is correct on {rates.correct:.0%} of the answers, lenient on {rates.lenient:.0%}, "
        f"strict on {rates.strict:.0%}"
        + (f"; where it errs it is more often {lean}" if lean != "neither" else "")
    )
    for name, lead in choice.leads.items():
        shown = estimate(lead, lead.p)
        clear = "" if shown and shown.is_significant else ", which is not clear of luck"
        yield f"it is correct on {PERCENT.show(lead.estimate)} answers in 100 more than {name}{clear}"


def _judges(choice: Choice) -> Table:
    leads = {name: estimate(lead, lead.p) for name, lead in choice.leads.items()}
    fields: Fields[JudgeCandidate] = {
        "judge": lambda each: each.judge,
        Column("correct", PERCENT): lambda each: each.rates.correct,
        Column("lenient", PERCENT): lambda each: each.rates.lenient,
        Column("strict", PERCENT): lambda each: each.rates.strict,
        Column("lead of the best", PERCENT, change=True): lambda each: leads.get(each.judge),
        Column("answers", COUNT): lambda each: len(each.gaps),
    }
    return Table.of("judges", "Judges by how often they are right on a whole answer.", choice.ranked, fields)


def _criteria(candidate: JudgeCandidate) -> Table:
    fields: Fields[DimensionCalibration] = {
        "criterion": lambda each: each.dimension,
        Column("full", PERCENT): lambda each: each.agreement.full if each.agreement else None,
        Column("partial", PERCENT): lambda each: each.agreement.partial if each.agreement else None,
        Column("none", PERCENT): lambda each: each.agreement.none if each.agreement else None,
        Column("AC2", COEFFICIENT): lambda each: _shown(each.ac),
        Column("AC2 of people", COEFFICIENT): lambda each: each.people.value,
        Column("answers", COUNT): lambda each: each.answers,
    }
    slug = "".join(letter if letter.isalnum() else "_" for letter in candidate.judge)
    caption = f"{candidate.judge}: agreement with people, and of people among themselves."
    return Table.of(f"criteria_{slug}", caption, candidate.criteria, fields)


def _shown(found: Coefficient) -> Entry:
    return Estimate(found.value, found.low, found.high) if found.value is not None else None


def _figure(choice: Choice) -> Figure:
    panel = Panel.of_columns(_judges(choice), ("correct", "lenient", "strict"))
    return Figure("stacked", "judges", "Judges against people, by answer", [panel], "% of answers")
