"""What the reader of answers and the verifier make of real answers, beside what their publishers made of them.

.venv/bin/python benchmarks/reading.py DATA [--half developed|aside|both] [--rows values,verifier,…] [--quiet]

DATA holds `thermoqa/` (questions, responses with the publisher's values and verdicts) and `real/` (answers to
other problems with keys, verdicts, extracts and first wrong steps). The material is no part of this project;
rows whose files are absent are skipped with a line that says so. Problems are split in halves by a digest of
their ids: one is for development, the other is kept aside.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ansatz.agents import Transcript
from ansatz.eval.item import Item
from ansatz.eval.outcome import Verdict, judge_answer
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.verifier.finding import Mark
from ansatz.eval.verifier.verifier import review
from ansatz.quantities.scales import Quantity, compare, convert

NEAR = 0.01  # relative: two readings of the same stated number, rounded by one of them
RIGHT = 0.05  # relative: a publisher's judge accepts rounded constants
MODELS = ("gpt-5.4", "grok-4")
TIERS = (1, 2, 3)
COMPUTED = ("G2", "G3", "G4", "G5")
SETS = ("yale_physics", "jeebench")


@dataclass
class Row:
    """One measure: how many of how many, and what to look at where it falls short."""

    name: str
    good: int = 0
    of: int = 0
    shown: list[str] = field(default_factory=list)

    def count(self, good: bool, detail: str) -> None:
        self.of += 1
        self.good += good
        if not good:
            self.shown.append(detail)


@dataclass(frozen=True)
class Data:
    """The folder and the half of it that is looked at."""

    folder: Path
    half: str

    def lines(self, name: str) -> list[dict[str, Any]]:
        text = (self.folder / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line.strip()]

    def has(self, problem_id: str) -> bool:
        first = hashlib.sha256(problem_id.encode()).digest()[0] % 2
        return self.half == "both" or (self.half == "aside") == bool(first)

    def problems(self, name: str) -> Mapping[str, Problem]:
        return _problems(self.folder / "real" / f"{name}-problems.jsonl")

    def answers(self, name: str) -> Iterator[tuple[Problem, dict[str, Any]]]:
        for answer in self.lines(f"real/{name}-answers.jsonl"):
            if self.has(answer["problem_id"]):
                yield self.problems(name)[answer["problem_id"]], answer

    def questions(self, tier: int) -> Mapping[str, Problem]:
        return _questions(self.folder / "thermoqa" / f"tier{tier}-questions.jsonl", tier)

    def responses(self, tier: int, model: str) -> Iterator[tuple[Problem, dict[str, Any]]]:
        for response in self.lines(f"thermoqa/tier{tier}-responses-{model}-run1.jsonl"):
            if self.has(response["id"]):
                yield self.questions(tier)[response["id"]], response

    def perfect(self, tier: int) -> Iterator[tuple[Problem, dict[str, Any]]]:
        for model in MODELS:
            for problem, response in self.responses(tier, model):
                if response["question_score"] > 0.999:
                    yield problem, response | {"name": f"{model} {problem.id}"}


@cache
def _problems(file: Path) -> Mapping[str, Problem]:
    lines = file.read_text(encoding="utf-8").splitlines()
    items = (Item.model_validate_json(line) for line in lines if line.strip())  # keys may be missing
    return {item.id: item.problem() for item in items}


@cache
def _questions(file: Path, tier: int) -> Mapping[str, Problem]:
    from ansatz.eval.benchmarks.thermoqa.questions import load as load_questions

    return {each.id: each for each in load_questions(str(file), (tier,))}


def extraction(data: Data) -> Iterator[Row]:
    """ThermoQA's extraction: verdict of each item as published."""
    from ansatz.eval.benchmarks.thermoqa.judgement import judge_answer as judge_items

    for model in MODELS:
        row = Row(f"ThermoQA extraction, {model}: verdict as published")
        for tier in TIERS:
            for problem, response in data.responses(tier, model):
                published = {item["key"]: item for item in response["scores"]}
                for item in judge_items(problem, response["response_text"], response["thinking_text"] or ""):
                    theirs = published[item.key]
                    row.count(
                        (item.published == "pass") == theirs["passed"],
                        f"{problem.id} {item.key}: read {item.value} {item.unit}, publisher {theirs['extracted']}",
                    )
        yield row


def perfect_values(data: Data) -> Iterator[Row]:
    """The general reader on answers that are right throughout: the value the publisher extracted."""
    from ansatz.eval.benchmarks.thermoqa.questions import published_key

    for tier in TIERS:
        row = Row(f"perfect answers, tier {tier}: value read as published")
        for problem, response in data.perfect(tier):
            for target, verdict in zip(
                problem.targets, judge_answer(problem, response["response_text"]), strict=True
            ):
                if isinstance(target, NumberTarget):
                    theirs = response["extracted"].get(published_key(problem, target))
                    row.count(
                        _agrees(verdict, target, theirs),
                        f"{response['name']} {target.name}: read {verdict.stated} {verdict.stated_unit}, publisher {theirs} {target.unit}",
                    )
        yield row


def _agrees(verdict: Verdict, target: NumberTarget, theirs: float | None) -> bool:
    """Whether a value read passes as the publisher's does, in the target's unit: within its 2 % or 0.5."""
    if theirs is None or target.value is None:
        return True
    if not isinstance(verdict.stated, float):
        return False
    value = verdict.stated
    if verdict.stated_unit:
        converted = convert(verdict.stated, verdict.stated_unit, target.unit)
        value = value if converted is None else converted
    return abs(value - theirs) <= NEAR * abs(theirs)


def values(data: Data) -> Iterator[Row]:
    """Answers with verdicts: values read right where judged right, and right where judged wrong."""
    for name in SETS:
        right = Row(f"{name}, judged right: value read right")
        wrong = Row(f"{name}, judged wrong: not read as right")
        agreed = Row(f"{name}: reads what the publisher extracted")
        units = Row(f"{name}: unit read where the publisher has one")
        extracts = {each["answer_id"]: each["extract"] for each in data.lines(f"real/{name}-extracts.jsonl")}
        for problem, answer in data.answers(name):
            target = problem.targets[0]
            if not isinstance(target, NumberTarget) or target.value is None:
                continue
            (verdict,) = judge_answer(problem, answer["text"])
            ours = f"{answer['answer_id']}: read {verdict.stated} {verdict.stated_unit!r}; key {target.value} {target.unit}; theirs {extracts.get(answer['answer_id'])}"
            near = _near_key(verdict, target)
            if answer["verdict"]:
                right.count(near, ours)
            else:
                wrong.count(not near, ours)
            theirs = extracts.get(answer["answer_id"])
            if theirs and theirs[0] is not None:
                same = isinstance(verdict.stated, float) and _same_number(verdict, theirs)
                agreed.count(same, ours)
                if same and theirs[1] not in ("", "-"):
                    units.count(bool(verdict.stated_unit), ours)
        yield from (right, wrong, agreed, units)


def _near_key(verdict: Verdict, target: NumberTarget) -> bool:
    """Whether the value read is the key but for rounding, in its unit; another dimension is not."""
    if not isinstance(verdict.stated, float) or target.value is None:
        return False
    found = compare(Quantity(verdict.stated, verdict.stated_unit), Quantity(target.value, target.unit))
    return found.relative_error <= RIGHT and (found.unit_ok or not verdict.stated_unit or target.unit == "-")


def _same_number(verdict: Verdict, theirs: list[Any]) -> bool:
    assert isinstance(verdict.stated, float)
    value, unit = theirs
    plain = abs(verdict.stated - value) <= NEAR * abs(value)
    converted = compare(Quantity(verdict.stated, verdict.stated_unit), Quantity(value, unit or "-"))
    return plain or (converted.unit_ok and converted.relative_error <= NEAR)


def doubts(data: Data) -> Iterator[Row]:
    """The verifier on answers that are right throughout: how many it doubts, on each dimension."""
    for tier in TIERS:
        rows = {name: Row(f"perfect answers, tier {tier}: {name} not doubted") for name in COMPUTED}
        for problem, response in data.perfect(tier):
            marks = _marks(problem, response["response_text"])
            for name, row in rows.items():
                row.count(marks[name].points in (2, None), f"{response['name']}: {marks[name].evidence}")
        yield from rows.values()


def solutions(data: Data) -> Iterator[Row]:
    """Worked solutions whose first wrong step a person marked: what G4 doubts and finds."""
    steps = {each["answer_id"]: each for each in data.lines("real/mrben-steps.jsonl")}
    right = Row("mrben, right solutions: G4 not doubted")
    wrong = Row("mrben, first error is arithmetic: found by G4")
    for problem, answer in data.answers("mrben"):
        step = steps[answer["answer_id"]]
        mark = _marks(problem, answer["text"])["G4"]
        told = f"{answer['answer_id']}: {mark.evidence}"
        if step["first_error_step"] is None and answer["verdict"]:
            right.count(mark.points in (2, None), told)
        elif step["arithmetic"]:
            wrong.count(bool(mark.error), f"{told}; step {step['first_error_step']}: {step['reasons']}")
    yield from (right, wrong)


_PART = r"(?:[\d.,() +*/×·^{}−-]|\\times|\\cdot|\\frac|\\left|\\right|\\,)"
_EQUALITY = re.compile(  # a substitution with its result, as a line of real text has it
    rf"(?<=[=≈] )(?P<left>{_PART}{{5,90}}?)(?P<sign>=|≈|\\approx)"
    r"(?P<space>[ ~\\,]{0,4})(?P<value>-?\d[\d,]*\.?\d*)(?![\d.,^]|\s*(?:×|\\times|\*|·|\\cdot|[-+/(]))"
    r"(?P<unit>(?:\s|\\[,;]|~){0,3}(?:\\(?:text|mathrm)\{[ ~]*)?[kM]?(?:J/kg|W|Pa|m/s|J|N)\b)?"
)
_OPERATES = re.compile(r"\d *\)? *(?:[-+*/×·−]|\\times|\\cdot) *\(? *\d|\)\(|\\frac")


def planted(data: Data) -> Iterator[Row]:
    """Faults put into right answers that show working: what is found, and whether its place is quoted."""
    kinds = ("digit", "exponent", "factor", "unit")
    rows = {kind: Row(f"planted {kind}: found with its place") for kind in kinds}
    texts = [
        (problem, each["response_text"], each["name"]) for t in TIERS for problem, each in data.perfect(t)
    ]
    for problem, text, name in texts:
        places = [
            each for each in _EQUALITY.finditer(text) if "times" not in text[each.end() : each.end() + 9]
        ]
        if not places:
            continue
        drawn = random.Random(name)
        for kind, row in rows.items():
            chosen = [each for each in places if kind != "unit" or each["unit"]]
            if not chosen:
                continue
            place = drawn.choice(chosen)
            spoiled, words = _spoiled(place, kind, drawn)
            marks = _marks(problem, text[: place.start()] + spoiled + text[place.end() :])
            quotes = [finding.quote for mark in marks.values() for finding in mark.findings]
            row.count(any(words in quote.replace(",", "") for quote in quotes), f"{name}: {spoiled} {quotes}")
    yield from rows.values()


def _spoiled(place: re.Match[str], kind: str, drawn: random.Random) -> tuple[str, str]:
    """The words of a place with a fault in it, and what a finding must quote."""
    left, value, unit = place["left"], place["value"], place["unit"] or ""
    if kind == "digit":
        digits = [i for i, each in enumerate(value) if each.isdigit()][:3]
        at = drawn.choice(digits)
        value = value[:at] + str((int(value[at]) + drawn.choice((2, 3, 4, 5))) % 10 or 7) + value[at + 1 :]
    elif kind == "exponent":
        value = f"{float(value.replace(',', '')) * drawn.choice((0.1, 10.0, 100.0)):.6g}"
    elif kind == "factor":
        left = f"{drawn.choice(('2', '0.5', '1.3'))}*({left.strip()})"
    else:
        unit = " kg" if "kg" not in unit else " kPa"
    words = value.replace(",", "")
    return f"{left}{place['sign']}{place['space']}{value}{unit}", words


def _marks(problem: Problem, text: str) -> Mapping[str, Mark]:
    nothing = {"messages": (), "model_calls": (), "tool_calls": (), "seconds": 0.0}
    return review(problem, Transcript.model_validate({"answer": text, "stop": "answered", **nothing}))


ROWS: Mapping[str, tuple[str, Callable[[Data], Iterator[Row]]]] = {
    "extraction": ("thermoqa", extraction),
    "perfect": ("thermoqa", perfect_values),
    "values": ("real", values),
    "doubts": ("thermoqa", doubts),
    "solutions": ("real", solutions),
    "planted": ("thermoqa", planted),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder that holds thermoqa/ and real/")
    parser.add_argument("--half", choices=("developed", "aside", "both"), default="developed")
    parser.add_argument("--rows", default=",".join(ROWS), help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--quiet", action="store_true", help="the table alone, without disagreements")
    chosen = parser.parse_args()
    data = Data(chosen.data, chosen.half)
    for name in chosen.rows.split(","):
        folder, measure = ROWS[name]
        if not (chosen.data / folder).is_dir():
            print(f"{name}: skipped, there is no {chosen.data / folder}")
            continue
        for row in measure(data):
            print(f"{row.name:62} {row.good:5} of {row.of:5}  {row.good / (row.of or 1):7.2%}")
            for line in [] if chosen.quiet else row.shown:
                print(f"    {line}")


if __name__ == "__main__":
    main()
