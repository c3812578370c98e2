"""Compare the parsed values and the verifier's findings on real answers with those of their publishers.

.venv/bin/python -m benchmarks.reading DATA [--rows values,doubts,…] [--quiet]

DATA holds `thermoqa/` (questions, responses with the publisher's values and verdicts) and `real/` (answers to
other problems with keys, verdicts, extracts and first wrong steps). The material is no part of this project;
rows whose files are absent are skipped with one line. All of it has been looked at, so these are
development figures. Every disagreement is printed; its cause is in `reading_causes.yaml` next to this file:
publisher (an error there), tolerance (which rule for rounding), ambiguous (the text or the question), ansatz.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.agents import Transcript
from ansatz.eval.outcome import Verdict, judge_answer
from ansatz.eval.problem import NumberTarget, Problem, Target
from ansatz.eval.problem_schema import Item
from ansatz.eval.score import StatedValue
from ansatz.eval.verifier.verifier import review
from ansatz.eval.verifier.working import RuleScore, Working
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_unit
from ansatz.quantities.scales import Quantity, compare_quantities, convert_value
from benchmarks.reading_probes import hedged, hostile

NEAR = 0.01  # relative: two readings of the same stated number, rounded by one of them
RIGHT = 0.05  # relative: a publisher's judge accepts rounded constants
MODELS = ("gpt-5.4", "grok-4")
TIERS = (1, 2, 3)
COMPUTED = ("G2", "G3", "G4", "G5")
SETS = {"yale_physics": (NEAR, 0.0), "jeebench": (0.0, 0.01)}
"""The publisher's tolerance of a right answer, relative and absolute."""
CAUSES = Path(__file__).with_name("reading_causes.yaml")


@dataclass
class Row:
    """One measure: a count, its total, and the cases that fall short."""

    name: str
    kind: str
    good: int = 0
    of: int = 0
    shown: list[tuple[str, str]] = field(default_factory=list)

    def count(self, good: bool, answer: str, detail: str) -> None:
        self.of += 1
        self.good += good
        if not good:
            self.shown.append((answer, detail))


@dataclass(frozen=True)
class Data:
    """The folder with the material."""

    folder: Path

    def lines(self, name: str) -> list[dict[str, Any]]:
        text = (self.folder / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line.strip()]

    def problems(self, name: str) -> Mapping[str, Problem]:
        return _problems(self.folder / "real" / f"{name}-problems.jsonl")

    def answers(self, name: str) -> Iterator[tuple[Problem, dict[str, Any]]]:
        for answer in self.lines(f"real/{name}-answers.jsonl"):
            yield self.problems(name)[answer["problem_id"]], answer

    def questions(self, tier: int) -> Mapping[str, Problem]:
        return _questions(self.folder / "thermoqa" / f"tier{tier}-questions.jsonl", tier)

    def responses(self, tier: int, model: str) -> Iterator[tuple[Problem, dict[str, Any]]]:
        for response in self.lines(f"thermoqa/tier{tier}-responses-{model}-run1.jsonl"):
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
    return {item.id: item.to_problem() for item in items}


@cache
def _questions(file: Path, tier: int) -> Mapping[str, Problem]:
    from ansatz.eval.benchmarks.thermoqa.questions import load as load_questions

    return {each.id: each for each in load_questions(str(file), (tier,))}


def extraction(data: Data) -> Iterator[Row]:
    """Compare the published verdict of each ThermoQA item with that of the publisher's expressions."""
    from ansatz.eval.benchmarks.thermoqa.reading import read_by_publisher, read_values
    from ansatz.eval.benchmarks.thermoqa.score import judge_published

    for model in MODELS:
        row = Row(f"ThermoQA extraction, {model}: verdict as published", "reading")
        by_expressions = Row(f"ThermoQA column `published`, {model}: verdict as published", "expressions")
        for tier in TIERS:
            for problem, response in data.responses(tier, model):
                stored = {item["key"]: item for item in response["scores"]}
                thought = read_values(problem, response["thinking_text"] or "")
                read = {**thought, **read_values(problem, response["response_text"])}
                judged = judge_published(problem, in_asked_units(problem, read))
                found = judge_published(problem, read_by_publisher(response["response_text"], problem))
                for target in problem.targets:
                    key = published_key(problem, target)
                    by_expressions.of += 1
                    by_expressions.good += found[target.name].passed == stored[key]["passed"]
                    row.count(
                        judged[target.name].passed == stored[key]["passed"],
                        f"{model} {problem.id} {key}",
                        f"read {read.get(target.name)}, publisher {stored[key]['extracted']}",
                    )
        yield from (row, by_expressions)


def published_key(problem: Problem, target: Target) -> str:
    """Return the name of a target in the published files; tier 1 appends the unit, as in h_f_kJ_kg."""
    from ansatz.eval.benchmarks.thermoqa.published_names import key_of

    if problem.tags.get("tier") != "1":
        return target.name
    return key_of(target.name, target.unit) if isinstance(target, NumberTarget) else "phase_name"


def in_asked_units(problem: Problem, readings: Mapping[str, StatedValue]) -> dict[str, float | str]:
    """Return values in the requested units; a missing or wrong unit is guessed as the publisher does."""
    from ansatz.eval.benchmarks.thermoqa.reading import convert_to_unit, guess_scale

    units = " ".join(reading.unit for reading in readings.values())
    values: dict[str, float | str] = {}
    for target in problem.targets:
        reading = readings.get(target.name)
        if reading is None or not isinstance(target, NumberTarget):
            values |= {target.name: reading.value} if reading else {}
            continue
        converted = convert_to_unit(reading, target) if reading.unit else None
        tier = str(problem.tags["tier"])
        guess = guess_scale(float(reading.value), target.name, tier, units)
        values[target.name] = guess if converted is None else converted
    return values


def perfect_values(data: Data) -> Iterator[Row]:
    """Measure the general reader on answers that are right throughout, against the publisher's values."""
    for tier in TIERS:
        row = Row(f"perfect answers, tier {tier}: value read as published", "reading")
        for problem, response in data.perfect(tier):
            for target, verdict in zip(
                problem.targets, judge_answer(problem, response["response_text"]), strict=True
            ):
                if isinstance(target, NumberTarget):
                    theirs = response["extracted"].get(published_key(problem, target))
                    row.count(
                        _agrees(verdict, target, theirs),
                        f"{response['name']} {target.name}",
                        f"read {verdict.stated} {verdict.stated_unit}, publisher {theirs} {target.unit}",
                    )
        yield row


def _agrees(verdict: Verdict, target: NumberTarget, theirs: float | None) -> bool:
    """Whether a value passes the publisher's rule in the target's unit: within 2 % or 0.5."""
    if theirs is None or target.value is None:
        return True
    if not isinstance(verdict.stated, float):
        return False
    value = verdict.stated
    if verdict.stated_unit:
        converted = convert_value(verdict.stated, verdict.stated_unit, target.unit)
        value = value if converted is None else converted
    return abs(value - theirs) <= NEAR * abs(theirs)


def values(data: Data) -> Iterator[Row]:
    """Measure agreement with published verdicts: right values in right answers, and no false right ones."""
    for name, (relative, absolute) in SETS.items():
        right = Row(f"{name}, judged right: value read right", "reading")
        wrong = Row(f"{name}, judged wrong: not read as right", "read as right")
        agreed = Row(f"{name}: reads what the publisher extracted", "reading")
        units = Row(f"{name}: unit read where the publisher has one", "unit")
        boxed = Row(f"{name}: unit read where it stands behind the box", "unit")
        extracts = {each["answer_id"]: each["extract"] for each in data.lines(f"real/{name}-extracts.jsonl")}
        for problem, answer in data.answers(name):
            target, answer_id = problem.targets[0], answer["answer_id"]
            if not isinstance(target, NumberTarget) or target.value is None:
                continue
            (verdict,) = judge_answer(problem, answer["text"])
            theirs, read = extracts.get(answer_id), (verdict.stated, verdict.stated_unit)
            note = f"read {verdict.stated} {verdict.stated_unit!r}; key {target.value} {target.unit}; theirs {theirs}"
            if answer["verdict"]:
                right.count(_meets(*read, target, RIGHT, absolute), answer_id, note)
            else:  # really wrong is what the publisher read and what misses the key
                missed = not theirs or not _meets(*theirs, target, relative, absolute)
                wrong.count(not (missed and _meets(*read, target, relative, absolute)), answer_id, note)
            if theirs and theirs[0] is not None:
                same = isinstance(verdict.stated, float) and _same_number(verdict, theirs)
                agreed.count(same, answer_id, note)
                if same and theirs[1] not in ("", "-"):
                    units.count(bool(verdict.stated_unit), answer_id, note)
            if _has_unit_behind(answer["text"]):
                boxed.count(bool(verdict.stated_unit), answer_id, note)
        yield from (row for row in (right, wrong, agreed, units, boxed) if row.of)


_BOX = re.compile(r"\\boxed\{[-\d., ]+\}(.{0,60})")


def _has_unit_behind(text: str) -> bool:
    """Whether the last box contains only a number, and a unit follows it."""
    behind = _BOX.findall(text)
    return bool(behind and read_unit(to_plain_text(behind[-1].strip(" $\\()[]")).strip())[0].strip("-"))


def _meets(value: object, unit: str, target: NumberTarget, relative: float, absolute: float) -> bool:
    """Whether a number with its unit equals the key within rounding; a pure number may be in %."""
    if not isinstance(value, float) or target.value is None:
        return False
    bare = unit in ("", "-")
    numbers = [] if bare else [convert_value(value, unit, target.unit)]
    numbers += [value] if bare or target.unit == "-" else []
    band = max(relative * abs(target.value), absolute)
    return any(each is not None and abs(each - target.value) <= band for each in numbers)


def _same_number(verdict: Verdict, theirs: list[Any]) -> bool:
    assert isinstance(verdict.stated, float)
    value, unit = theirs
    plain = abs(verdict.stated - value) <= NEAR * abs(value)
    error, unit_ok = compare_quantities(
        Quantity(verdict.stated, verdict.stated_unit), Quantity(value, unit or "-")
    )
    return plain or (unit_ok and error <= NEAR)


def hedges(data: Data) -> Iterator[Row]:
    """Measure how many right answers, rewritten into hedges, are not read as right."""
    row = Row("right answers rewritten into hedges: not read as right", "hedge")
    for name in SETS:
        for problem, answer in data.answers(name):
            target = problem.targets[0]
            (verdict,) = judge_answer(problem, answer["text"])
            statement = verdict.statement
            if not (isinstance(target, NumberTarget) and answer["verdict"] and verdict.exact and statement):
                continue
            for kind, text in hedged(answer["text"], statement):
                (again,) = judge_answer(problem, text)
                row.count(not again.exact, answer["answer_id"], f"{kind}: {again.stated} {again.stated_unit}")
    yield row


def doubts(data: Data) -> Iterator[Row]:
    """Measure how many answers that are right throughout the verifier doubts, by dimension."""
    for tier in TIERS:
        rows = {name: Row(f"perfect answers, tier {tier}: {name} not doubted", "doubt") for name in COMPUTED}
        for problem, response in data.perfect(tier):
            marks = _marks(problem, response["response_text"])
            for name, row in rows.items():
                row.count(marks[name].points in (2, None), response["name"], marks[name].evidence)
        yield from rows.values()


def solutions(data: Data) -> Iterator[Row]:
    """Measure how G4 finds the first wrong step of worked solutions that humans marked."""
    steps = {each["answer_id"]: each for each in data.lines("real/mrben-steps.jsonl")}
    right = Row("mrben, right solutions: G4 not doubted", "doubt")
    wrong = Row("mrben, first error is arithmetic: found by G4", "missed")
    for problem, answer in data.answers("mrben"):
        step = steps[answer["answer_id"]]
        mark = _marks(problem, answer["text"])["G4"]
        if step["first_error_step"] is None and answer["verdict"]:
            right.count(mark.points in (2, None), answer["answer_id"], mark.evidence)
        elif step["arithmetic"]:
            note = f"{mark.evidence}; step {step['first_error_step']}: {' '.join(step['reasons'][0].split())}"
            wrong.count(bool(mark.error), answer["answer_id"], note)
    yield from (right, wrong)


_PART = r"(?:[\d.,() +*/×·^{}−-]|\\times|\\cdot|\\frac|\\left|\\right|\\,)"
_EQUALITY = re.compile(  # a substitution with its result, as a line of real text has it
    rf"(?<=[=≈] )(?P<left>{_PART}{{5,90}}?)(?P<sign>=|≈|\\approx)"
    r"(?P<space>[ ~\\,]{0,4})(?P<value>-?\d[\d,]*\.?\d*)(?![\d.,^]|\s*(?:×|\\times|\*|·|\\cdot|[-+/(]))"
    r"(?P<unit>(?:\s|\\[,;]|~){0,3}(?:\\(?:text|mathrm)\{[ ~]*)?[kM]?(?:J/kg|W|Pa|m/s|J|N)\b)?"
)
_OPERATES = re.compile(r"\d *\)? *(?:[-+*/×·−]|\\times|\\cdot) *\(? *\d|\)\(|\\frac")


def planted(data: Data) -> Iterator[Row]:
    """Measure how many errors inserted into right answers are found, with a quote of their place."""
    kinds = ("digit", "exponent", "factor", "unit")
    rows = {kind: Row(f"planted {kind}: found with its place", f"planted {kind}") for kind in kinds}
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
            row.count(any(words in quote.replace(",", "") for quote in quotes), name, f"{spoiled} {quotes}")
    yield from rows.values()


def _spoiled(place: re.Match[str], kind: str, drawn: random.Random) -> tuple[str, str]:
    """Return a passage with an inserted error, and the text that a finding must quote."""
    left, value, unit = place["left"], place["value"], place["unit"] or ""
    if kind == "digit":
        digits = [i for i, each in enumerate(value) if each.isdigit()][:3]
        at = drawn.choice(digits)
        value = value[:at] + str((int(value[at]) + drawn.choice((2, 3, 4, 5))) % 9 + 1) + value[at + 1 :]
    elif kind == "exponent":
        value = f"{float(value.replace(',', '')) * drawn.choice((0.1, 10.0, 100.0)):.6g}"
    elif kind == "factor":
        left = f"{drawn.choice(('2', '0.5', '1.3'))}*({left.strip()})"
    else:
        unit = " kg" if "kg" not in unit else " kPa"
    words = value.replace(",", "")
    return f"{left}{place['sign']}{place['space']}{value}{unit}", words


def _marks(problem: Problem, text: str) -> Mapping[str, RuleScore]:
    nothing = {"messages": (), "model_calls": (), "tool_calls": (), "seconds": 0.0}
    transcript = Transcript.model_validate({"answer": text, "stop": "answered", **nothing})
    return review(Working.read(problem, transcript))


ROWS: Mapping[str, tuple[str, Callable[[Data], Iterator[Row]]]] = {
    "extraction": ("thermoqa", extraction),
    "perfect": ("thermoqa", perfect_values),
    "values": ("real", values),
    "hedges": ("real", hedges),
    "doubts": ("thermoqa", doubts),
    "solutions": ("real", solutions),
    "planted": ("thermoqa", planted),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, help="folder that holds thermoqa/ and real/")
    parser.add_argument("--hostile", action="store_true", help="only the time to read hostile texts")
    parser.add_argument("--rows", default=",".join(ROWS), help=f"some of {', '.join(ROWS)}")
    parser.add_argument("--quiet", action="store_true", help="the table alone, without disagreements")
    chosen = parser.parse_args()
    if chosen.hostile:
        print(*hostile(), sep="\n")
        return
    data = Data(chosen.data)
    causes = yaml.safe_load(CAUSES.read_text(encoding="utf-8"))
    print("development figures: all of these answers have been looked at")
    for name in chosen.rows.split(","):
        folder, measure = ROWS[name]
        if not (chosen.data / folder).is_dir():
            print(f"{name}: skipped, there is no {chosen.data / folder}")
            continue
        for row in measure(data):
            print(f"{row.name:62} {row.good:5} of {row.of:5}  {row.good / (row.of or 1):7.2%}")
            for name_of_answer, line in [] if chosen.quiet else row.shown:
                cause = causes.get(row.kind, {}).get(name_of_answer, "no cause is noted")
                print(f"    {name_of_answer}: {line}  [{cause}]")


if __name__ == "__main__":
    main()
