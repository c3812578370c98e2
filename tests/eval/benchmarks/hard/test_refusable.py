"""Problems that must be refused: pairs, faults, and answerers that always or never refuse."""

from collections import Counter
from functools import cache
from statistics import mean

import pytest

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.hard import refusable
from ansatz.eval.outcome import judge_answer
from ansatz.eval.problem import NumberTarget
from tests.eval.benchmarks.hard.second_methods import recompute

pytestmark = pytest.mark.xdist_group("hard")


@cache
def problems(pairs=60):
    return refusable.load(pairs=pairs)


def score(problem, answer):
    weights = [target.weight for target in problem.targets]
    credits = [verdict.credit for verdict in judge_answer(problem, answer)]
    return sum(w * c for w, c in zip(weights, credits, strict=True)) / sum(weights)


def numbers(problem):
    return [
        f"{each.name} = {each.value} {each.unit}"
        for each in problem.targets
        if isinstance(each, NumberTarget)
    ]


def right_answer(problem):
    labels = [f"{each.name} = {each.value}" for each in problem.targets if not isinstance(each, NumberTarget)]
    return "\n".join([*labels, *numbers(problem)])


def test_each_fault_is_followed_by_its_sound_twin():
    found = problems()
    counts = Counter(problem.tags["fault"] for problem in found)
    assert counts == {"missing": 20, "contradictory": 20, "impossible": 20, "none": 60}
    assert len({problem.id for problem in found}) == 120
    for faulty, sound in zip(found[::2], found[1::2], strict=True):
        assert faulty.tags["twin_id"] == sound.id and sound.tags["twin_id"] == faulty.id
        assert faulty.question != sound.question and faulty.family == sound.family


def test_right_answers_score_everything():
    assert all(score(problem, right_answer(problem)) == pytest.approx(1) for problem in problems())


@pytest.mark.parametrize("fault", refusable.FAULTS)
def test_refusing_everything_earns_at_most_half(fault):
    assert mean(score(each, f"fault = {fault}\nquantity = D") for each in problems()) <= 0.5


def test_never_refusing_earns_at_most_half():
    twins = {problem.id: problem for problem in problems()}
    sound = [twins[each.tags["twin_id"]] if each.tags["fault"] != "none" else each for each in problems()]
    answers = ["\n".join(["fault = none", "quantity = none", *numbers(each)]) for each in sound]
    assert mean(map(score, problems(), answers)) <= 0.5


def test_missing_givens_decide_the_answer():
    for faulty, sound in zip(problems()[::2], problems()[1::2], strict=True):
        if faulty.tags["fault"] == "missing":
            symbol = faulty.targets[1].value
            givens, units = ({g.name: getattr(g, key) for g in sound.givens} for key in ("value", "unit"))
            changes = []
            for factor in (1.03, 0.97):
                other = recompute(sound.family, givens | {symbol: givens[symbol] * factor}, units)
                right = recompute(sound.family, givens, units)
                changes.append(max(abs(other[name] / right[name] - 1) for name in right))
            assert max(changes) > 0.003, (sound.id, symbol)


def test_too_many_pairs_are_refused():
    with pytest.raises(InvalidData, match="pairs"):
        refusable.load(pairs=2000)
