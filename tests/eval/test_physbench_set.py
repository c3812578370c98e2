"""The physics set: its shares, its worked solutions, and what it says of faulty files."""

import json
import re
from collections import Counter

import pytest

from ansatz.eval import problem_files
from ansatz.eval.benchmarks.physbench import load
from ansatz.eval.benchmarks.physbench.__main__ import COMMANDS
from ansatz.eval.benchmarks.physbench.allocation import COGNITIVE_COUNTS, KIND_COUNTS, TOPIC_COUNTS, apportion
from ansatz.eval.benchmarks.physbench.physbench_template import COGNITIVE, KNOWLEDGE
from ansatz.eval.benchmarks.templates.worked import solution_text
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.outcome import judge
from ansatz.eval.problem import MessageTarget, NumberTarget


@pytest.fixture(scope="module")
def problems():
    return load(instances=2, seed=7)


@pytest.fixture(scope="module")
def core():
    return load()


def test_the_set_has_the_shares_of_the_paper(core):
    assert len(core) >= 300
    assert len({problem.family for problem in core}) >= 100
    assert len({problem.question for problem in core}) == len(core)
    topics = Counter(problem.tags["topic"] for problem in core)
    assert topics == apportion(TOPIC_COUNTS, len(core))
    conceptual = sum(problem.tags["kind"] == "conceptual" for problem in core) / len(core)
    assert conceptual == pytest.approx(KIND_COUNTS["conceptual"] / sum(KIND_COUNTS.values()), abs=0.02)
    levels = Counter(problem.tags["cognitive"] for problem in core)
    for level in COGNITIVE:
        share = COGNITIVE_COUNTS[level] / sum(COGNITIVE_COUNTS.values())
        assert levels[level] / len(core) == pytest.approx(share, abs=0.03), level
    types = Counter(problem.tags["knowledge"] for problem in core)
    for knowledge, share in zip(KNOWLEDGE, (0.070, 0.236, 0.694), strict=True):  # table 3 of the paper
        assert types[knowledge] / len(core) == pytest.approx(share, abs=0.05), knowledge
    assert sum(problem.tags["format"] == "multiple_choice" for problem in core) >= 30


@pytest.mark.parametrize("count", [7, 50, 316, 1000])
def test_apportioned_counts_add_up_and_stay_near_their_shares(count):
    found = apportion(TOPIC_COUNTS, count)
    whole = sum(TOPIC_COUNTS.values())
    assert sum(found.values()) == count
    assert all(abs(found[topic] - count * share / whole) < 1 for topic, share in TOPIC_COUNTS.items())


def test_every_problem_has_a_worked_solution(problems):
    for problem in problems:
        reference = problem.reference
        assert all(reference.formulation.model_dump().values()), problem.id
        assert reference.final_answer, problem.id
        if problem.tags["kind"] == "conceptual":
            assert reference.text and len(reference.key_points) >= 2, problem.id
        else:
            assert reference.steps, problem.id
        for step in reference.steps:
            assert step.title and step.reasoning and step.general_formula, problem.id
            assert re.search(r"\d", step.substitution), problem.id
        assert "{" not in problem.question + solution_text(problem), problem.id


def test_the_reference_answer_is_scored_as_right(problems):
    wrong = []
    for problem in problems:
        if isinstance(problem.targets[0], MessageTarget):
            continue
        answer = "\n".join(
            f"{target.name} = {target.value}"
            + (f" {target.unit}" if isinstance(target, NumberTarget) else "")
            for target in problem.targets
        )
        for text in (answer, f"Final Answer: {problem.reference.final_answer}"):
            verdicts = judge(problem.targets, text)
            if not all(verdict.exact for verdict in verdicts):
                wrong += [f"{problem.id}: {text!r}: {verdict.evidence}" for verdict in verdicts]
    assert not wrong, "\n".join(wrong)


def test_problems_depend_on_seed_and_index_alone(problems):
    again = load(instances=1, seed=7)
    assert {one.id: one for one in again}.items() <= {one.id: one for one in problems}.items()
    other = {problem.id: problem for problem in load(instances=1, seed=8)}
    numeric = [
        problem for problem in problems if problem.id in other and problem.tags["kind"] != "conceptual"
    ]
    assert sum(other[problem.id].givens != problem.givens for problem in numeric) > 0.9 * len(numeric)


def test_topics_and_kinds_choose_within_the_set(core):
    chosen = load(topics=["mechanics"], kinds=["conceptual"])
    assert chosen == tuple(
        one for one in core if (one.tags["topic"], one.tags["kind"]) == ("mechanics", "conceptual")
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"topics": ["mechanic"]}, "topics: 'mechanic' is not valid.*mechanics"),
        ({"kinds": ["concept"]}, "kinds: 'concept' is not valid.*conceptual"),
        ({"count": 3}, "count: must be 7 or more"),
        ({"instances": 0}, "instances: must be 1 or more, not 0"),
        ({"path": "no/such.jsonl"}, "no/such.jsonl: No such file"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(InvalidData, match=message):
        load(**settings)


def test_a_file_of_questions_loads_back(core, tmp_path):
    file = tmp_path / "questions.jsonl"
    problem_files.dump(core, str(file))
    assert load(path=str(file)) == core
    lines = file.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[0])
    fields["reference_solution"]["steps"] = [{"equation": "physics.dynamics.newton_secnd"}]
    file.write_text("\n".join([json.dumps(fields), *lines[1:3]]), encoding="utf-8")
    with pytest.raises(
        InvalidData, match=r"questions.jsonl:1: reference_solution.steps\[0\].symbol: is missing"
    ):
        load(path=str(file))


def test_the_command_checks_counts_and_exports(tmp_path, capsys):
    assert COMMANDS.main(["check", "introduction", "--instances", "1", "--solutions"]) == 0
    shown = capsys.readouterr().out
    assert "Substitution: " in shown and " templates, 0 failures" in shown
    assert COMMANDS.main(["count", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] >= 300
    assert COMMANDS.main(["export", str(tmp_path / "set.jsonl"), "--count", "20"]) == 0
    assert len(load(path=str(tmp_path / "set.jsonl"))) == 20
    assert COMMANDS.main(["count", "--count", "2"]) == 1
    assert "count: must be 7 or more" in capsys.readouterr().err
