"""Form never makes up for substance: no well-dressed wrong answer has the KPI of a terse right one, nor more."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.problem import LabelTarget, SymbolicTarget
from ansatz.eval.rubrics.verifier import Verifier
from ansatz.eval.score import ScoringContext
from ansatz.knowledge_base.equation import EvaluationError
from ansatz.knowledge_base.expression import ExpressionError
from ansatz.quantities.scales import scale
from tests.eval.faults.chain import NOTHING, Faulty, invented_formulas, wrong_formulas
from tests.eval.faults.generated import Maker, maker_of
from tests.eval.faults.render import Solution, as_markdown, as_terse, number, with_unit
from tests.fakes.transcripts import attempt
from tests.test_cli import ansatz

IDS = sorted(f"{file.parent.name}.{file.stem}" for file in FOLDER.glob("*/*.yaml"))
SAMPLE = IDS[::26]
_OTHER_UNITS = ("K", "m/s", "kg/m^3", "Pa", "m", "W/m^2")


def scores(problem, text):
    return {
        each.dimension: each for each in asyncio.run(Verifier().score(ScoringContext(problem, attempt(text))))
    }


def terse(maker: Maker) -> str:
    """The right answer: formula, numbers and result of every step, and the words and forms asked for."""
    words = [f"{name} = {value}" for name, value in asked_words(maker).items()]
    return "\n".join([as_terse(maker.solution(NOTHING)), *words])


def bare(maker: Maker) -> str:
    """The right answer without any working."""
    values = [
        with_unit(f"{name} = {number(value)}", unit) for name, value, unit in maker.solution(NOTHING).finals
    ]
    return "\n".join([*values, *(f"{name} = {value}" for name, value in asked_words(maker).items())])


def dressed(solution: Solution, words: dict[str, str]) -> str:
    """All that a reader could ask for: headings, givens, assumption, a check that holds, meaning, and a summary."""
    name, value, unit = solution.finals[-1]
    stated = with_unit(f"{name} = {number(value)}", unit)
    limit = with_unit(number(3 * abs(value) or 1), unit)
    check = f"## Check\n\n{stated} is below the upper limit of {limit}.\n\n## Final answer"
    summary = [f"**{name} = {value}**" for name, value in words.items()]
    return "\n".join([as_markdown(solution).replace("## Final answer", check), *summary])


def asked_words(maker: Maker) -> dict[str, str]:
    """The words and closed forms that are asked for, with the right ones."""
    targets = maker.problem.targets
    return {each.name: each.value for each in targets if isinstance(each, LabelTarget | SymbolicTarget)}


def faults(maker: Maker) -> Iterator[tuple[str, Faulty]]:
    """Wrong formulas, an invented one, misread givens, slips small and large, and values beyond their bounds."""
    yield from (("wrong formula", each) for each in wrong_formulas(maker.problem, maker.template))
    solution = maker.solution(NOTHING)
    yield from (
        ("invented", each)
        for each in list(invented_formulas(maker.problem, maker.template))[:2]
        if matters(maker, each)
    )
    given = {each.name: each.value for each in solution.givens}
    for line in solution.lines:
        for name in [each for each in line.numbers if each in given][:2]:
            yield "misread", replace(NOTHING, misread={name: float(f"{1.3 * given[name]:.3g}")})
        yield from (("slip", replace(NOTHING, slips={line.symbol: slip})) for slip in (0.8, 1.15, 30.0))
    values = {line.symbol: line.value[0] for line in solution.lines}
    for bound in maker.problem.reference.bounds:
        if bound.high and values.get(bound.target):
            slip = 1.6 * bound.high / values[bound.target]
            yield "impossible", replace(NOTHING, slips={bound.target: slip})


def matters(maker: Maker, fault: Faulty) -> bool:
    """Whether a changed formula is off by more than the rounding of a published constant may be."""
    right = {line.symbol: line.value[0] for line in maker.solution(NOTHING).lines}
    found = {line.symbol: line.value[0] for line in maker.solution(fault).lines}
    return all(abs(found[name] / right[name] - 1) > 0.02 for name in fault.forms)


def wrong_answers(maker: Maker) -> Iterator[tuple[str, str]]:
    """Dressed answers with each kind of fault that leaves the chain computable, and what kind that is."""
    words = asked_words(maker)
    for kind, fault in faults(maker):
        with contextlib.suppress(EvaluationError, ExpressionError):
            yield kind, dressed(maker.solution(fault), words)
    right = maker.solution(NOTHING)
    for kind, finals in wrong_finals(right):
        yield kind, dressed(replace(right, finals=finals), words)
    first = right.finals[:-1]
    if len(right.lines) > 1 and first:
        cut = next(place for place, line in enumerate(right.lines) if line.symbol == right.finals[-1][0])
        yield "unfinished", dressed(replace(right, lines=right.lines[:cut], finals=first), words)
    for target in maker.problem.targets:
        if isinstance(target, LabelTarget):
            yield "wrong word", dressed(right, {**words, target.name: f"un{target.value}"})
        elif isinstance(target, SymbolicTarget):
            yield "wrong form", dressed(right, {**words, target.name: f"2*({target.value})"})


def wrong_finals(right: Solution) -> Iterator[tuple[str, tuple[tuple[str, float, str], ...]]]:
    """Other final values after a right chain: all of them, the last one by a power of ten, in another unit."""
    for factor in (0.6, 1.5, 2.0):
        yield "other finals", tuple((name, factor * value, unit) for name, value, unit in right.finals)
    *first, (name, value, unit) = right.finals
    yield "power of ten", (*first, (name, 1000 * value, unit))
    known = scale(unit)
    others = [each for each in _OTHER_UNITS if known and scale(each).dimension != known.dimension]
    if unit != "-" and others:
        yield "wrong unit", (*first, (name, value, others[0]))


def breaches(maker: Maker) -> list[tuple[str, str, float | None, str]]:
    """Every dressed wrong answer that reaches the KPI of the right one, terse or without any working."""
    right = scores(maker.problem, terse(maker))["kpi"]
    assert right.value is not None and right.evidence.startswith("sound"), right.evidence
    least = min(right.value, scores(maker.problem, bare(maker))["kpi"].value)
    found = []
    for kind, text in wrong_answers(maker):
        wrong = scores(maker.problem, text)["kpi"]
        if wrong.value is not None and wrong.value >= least:
            found.append((maker.problem.id, kind, wrong.value, text))
    return found


@pytest.mark.parametrize("id", SAMPLE)
def test_no_dressed_wrong_answer_reaches_a_terse_right_one(id):
    assert breaches(maker_of(id)) == []


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(set(IDS) - set(SAMPLE)))
def test_nor_on_any_other_template(id):
    assert breaches(maker_of(id)) == []


def scored_by_command(folder, makers):
    """What `ansatz score --json` gives two terse right answers and ten longer wrong ones to each problem."""
    problem_files.dump([maker.problem for maker in makers], str(folder / "items.jsonl"))
    lines = []
    for maker in makers:
        right = terse(maker)
        wrong = [text for _, text in wrong_answers(maker) if len(text) > len(right)]
        ten = wrong[:: max(1, len(wrong) // 10)][:10]
        texts = {"right": right, "bare": bare(maker)} | {
            f"wrong {number}": text for number, text in enumerate(ten)
        }
        lines += [
            json.dumps(
                {"answer_id": f"{maker.problem.id} {name}", "problem_id": maker.problem.id, "text": text}
            )
            for name, text in texts.items()
        ]
    (folder / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    done = ansatz(
        "score", "--problems", folder / "items.jsonl", "--answers", folder / "answers.jsonl", "--json"
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = {maker.problem.id: {} for maker in makers}
    for each in json.loads(done.stdout)["answers"]:
        found[each["problem_id"]][each["answer_id"].removeprefix(each["problem_id"]).strip()] = each["kpi"]
    return found


@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(SAMPLE[::2], id="sample"),
        *(pytest.param(IDS[part::10], marks=pytest.mark.slow, id=f"part {part}") for part in range(10)),
    ],
)
def test_so_it_is_for_who_scores_answers_from_files(tmp_path, ids):
    for id, marks in scored_by_command(tmp_path, [maker_of(id) for id in ids]).items():
        wrong = [value for name, value in marks.items() if name.startswith("wrong")]
        assert len(wrong) == 10 and max(wrong) < min(marks["right"], marks["bare"]), (id, marks)
