"""Public files in the paper's format: their problems, and the errors of faulty files."""

import json

import pytest
import yaml

from ansatz.errors import InvalidData
from ansatz.eval.benchmarks.apbench import load
from ansatz.eval.problem import MessageTarget, NumberTarget

PUBLIC = yaml.safe_load("""
- Content: A probe circles Mars.
  Questions:
  - {Question: "How fast?", Solution: By v = sqrt(mu/r)., Answer: 1.46 km/s, Format: numeric, Source: BK}
  - {Question: "Why?", Solution: [First, then], Answer: It falls., Format: message, Source: BK}
- Content: ""
  Questions: [{Question: "How far?", Answer: 6703, Format: Numeric}]
""")


def loaded(folder, document):
    file = folder / "public.json"
    file.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return load(path=file)


def test_sets_of_the_paper_are_read(tmp_path):
    speed, why, far = loaded(tmp_path, PUBLIC)
    assert (speed.benchmark, speed.family, speed.context) == ("apbench", "set-1", "A probe circles Mars.")
    assert speed.targets == (NumberTarget(name="answer", unit="km/s", weight=1, value=1.46),)
    assert speed.reference.text == "By v = sqrt(mu/r)." and speed.tags["source"] == "BK"
    assert why.targets == (MessageTarget(name="message", weight=1, value="It falls."),)
    assert why.follows == (speed.id,) and why.tags["format"] == "message"
    assert far.family == "set-2" and far.follows == () and far.targets[0].value == 6703
    assert [each.id for each in loaded(tmp_path, {"mars": PUBLIC[0]})] == ["mars-q1", "mars-q2"]


def read(folder, answer, **more):
    """Each value with its unit, or the text, and the kind."""
    (problem,) = loaded(folder, [{"Questions": [{"Question": "?", "Answer": answer, **more}]}])
    found = [(each.value, getattr(each, "unit", "in words")) for each in problem.targets]
    return found, problem.tags["kind"]


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("-29.733 km²/s²", [(-29.733, "km^2/s^2")]),
        ("r1 = 1.016 AU", [(1.016, "au")]),
        ("24,365 km", [(24365, "km")]),
        ("37.02 days.", [(37.02, "days")]),
        ("96.29°", [(96.29, "°")]),
        ("0 (unitless)", [(0, "-")]),
        ("3 x 10^8 m/s", [(3e8, "m/s")]),
        (r"\(9.1 \times 10^{-13}\)", [(9.1e-13, "-")]),
        ("-17.159, + 40.051, - 6.649 m/s", [(-17.159, "m/s"), (40.051, "m/s"), (-6.649, "m/s")]),
        ("2.5 h, 70 km", [(2.5, "h"), (70, "km")]),
        ([1.5, 2], [(1.5, "-"), (2, "-")]),
        (3.5e4, [(35000, "-")]),
    ],
)
def test_numeric_answers_are_read_with_their_units(tmp_path, answer, numbers):
    wanted = [(pytest.approx(value), unit) for value, unit in numbers]
    kind = "list" if len(numbers) > 1 else "number"
    assert read(tmp_path, answer, Format="numeric") == (wanted, kind)


def test_an_answer_without_one_clear_number_is_a_message(tmp_path):
    assert read(tmp_path, "12") == ([(12, "-")], "number")
    assert read(tmp_path, "12 pieces of it") == ([("12 pieces of it", "in words")], "message")
    assert read(tmp_path, "over the pole", Format="numeric") == ([("over the pole", "in words")], "message")


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("{", "public.json:1: not JSON"),
        ("[]", "has no sets of questions"),
        ([3], "set-1: must be an object, not 3"),
        ([{"Content": "x", "Quests": []}], "set-1: questions: is missing"),
        ([{"Questions": [{"Question": "?", "Format": "numeric"}]}], "set-1: questions[0].answer: is missing"),
        ([{"Questions": [{"Question": "?", "Answer": 1, "Format": "numerc"}]}], "did you mean 'numeric'"),
    ],
)
def test_an_error_names_the_file_and_the_place(tmp_path, document, message):
    with pytest.raises(InvalidData, match=r"public\.json") as refused:
        loaded(tmp_path, document)
    assert message in str(refused.value)


def test_a_missing_file_is_told():
    with pytest.raises(InvalidData, match=r"nowhere\.json: cannot be read: No such file"):
        load(path="nowhere.json")
