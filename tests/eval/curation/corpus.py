"""A labelled corpus for the gate: bad candidates of every pattern, planted among sound items.

Each pattern lists the reasons of rejections and the checks of notes that count as detection. Records are as
extracted from textbooks: incomplete, without equation ids.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from typing import Any

from ansatz.eval.benchmarks.templates.story import format_number
from ansatz.eval.benchmarks.tps import load
from ansatz.eval.curation.candidate import Candidate, Rejection, parse_candidate
from ansatz.eval.problem import Problem
from ansatz.eval.problem_schema import Item
from ansatz.quantities.units import has_same_dimension

Record = dict[str, Any]


@cache
def sound_problems() -> tuple[Problem, ...]:
    """The sound items: two of every template."""
    return load(instances=2, seed=0)


def sound() -> list[Record]:
    """The sound items as lines of a file, to be changed freely."""
    return [record(problem) for problem in sound_problems()]


def record(problem: Problem) -> Record:
    """A problem as a line of a file."""
    return Item.from_problem(problem).to_fields()


def read(records: list[Record]) -> list[Candidate | Rejection]:
    """Records as the gate reads them, a line each."""
    return [parse_candidate(each, f"file.jsonl:{number}") for number, each in enumerate(records, start=1)]


def candidates(records: list[Record]) -> list[Candidate]:
    """Sound records as the gate reads them."""
    found = read(records)
    assert not [each for each in found if isinstance(each, Rejection)]
    return found


def bare(problem: Problem) -> Record:
    """A sound record as extracted from a book: no family, equations, bounds, steps or answer form."""
    full = record(problem)
    fields = ("id", "level", "task_type", "domains", "question", "given", "targets")
    kept = {name: full[name] for name in fields}
    kept["question"] = kept["question"].split("\n\nReport your answers")[0]
    return kept


def planted(name: str, count: int = 60) -> list[Record]:
    """`count` records of a pattern, which the gate may reject for one of the reasons in `PATTERNS[name]`."""
    make, _ = PATTERNS[name]
    rng = random.Random(name)
    numeric = [problem for problem in sound_problems() if problem.tags["task_type"] == "numerical_calc"]
    rng.shuffle(numeric)
    fitting = filter(_has_dimensions, numeric) if make in (_without_givens, _unspanned) else numeric
    return [make(problem, rng) for problem in islice(fitting, count)]


def _other_result(problem: Problem, _: random.Random) -> Record:
    """A right value that differs from that of the reference steps."""
    made = record(problem)
    made["targets"][0]["value"] *= 1.01
    return made


def _bad_unit(problem: Problem, rng: random.Random) -> Record:
    made = bare(problem)
    unit = rng.choice(["various", "see text", "units", "W/cmm2", "??", "blah"])
    made["targets"] = [{"name": made["targets"][0]["name"], "unit": unit, "value": 1.0}]
    return made


def _without_givens(problem: Problem, rng: random.Random) -> Record:
    """Half of the numeric givens are lost from the question and the list, but the reference steps remain."""
    made = record(problem)
    numeric = [given for given in made["given"] if not isinstance(given["value"], str)]
    return _losing(made, rng.sample(numeric, (len(numeric) + 1) // 2))


def _unspanned(problem: Problem, _: random.Random) -> Record:
    """All dimensional givens are lost, and nothing refers to an equation."""
    made = bare(problem)
    return _losing(made, [given for given in made["given"] if given["unit"] != "-"])


def _losing(made: Record, givens: list[Record]) -> Record:
    for given in givens:
        made["given"].remove(given)
        stated = f"{given['name']} = {format_number(given['value'])}"
        for text in (f"{stated} {given['unit']}", stated):
            made["question"] = made["question"].replace(text, given["name"])
    return made


def _other_level(problem: Problem, _: random.Random) -> Record:
    """One step with an advanced level, or many steps with the lowest level."""
    made = record(problem)
    made["level"] = "L4" if len(made["reference_solution"]["steps"]) <= 2 else "L1"
    return made


def _garbage(problem: Problem, rng: random.Random) -> Record:
    made = bare(problem)
    signs = [rng.choice("\ufffd\ue012\uf0b7") if rng.random() < 0.08 else sign for sign in made["question"]]
    made["question"] = "".join(signs)
    return made


def _has_dimensions(problem: Problem) -> bool:
    """Whether every target has dimensions, and some givens do."""
    targets = [has_same_dimension(target.unit, "-") for target in problem.targets]
    return not any(targets) and any(given.unit != "-" for given in problem.givens)


PATTERNS = {
    "solvability": (_other_result, {"solvability"}),
    "unit": (_bad_unit, {"schema"}),
    "missing_givens": (_without_givens, {"missing_givens", "dimensions", "self_contained"}),
    "unspanned": (_unspanned, {"missing_givens", "dimensions"}),
    "level": (_other_level, {"level_mismatch", "level"}),
    "garbage": (_garbage, {"unreadable"}),
}


def duplicates(count: int = 60, seed: int = 0) -> list[Record]:
    """Copies of sound items, in which a word or two were changed, under other ids."""
    rng = random.Random(seed)
    made = []
    for index, problem in enumerate(rng.sample(list(sound_problems()), count)):
        each = bare(problem)
        words = each["question"].split()
        words[rng.randrange(len(words) // 2)] = "the"
        made.append({**each, "id": f"copy{index}", "question": " ".join(words)})
    return made


def pump(number: int, **changes: Any) -> Record:
    """A pump that lifts water, without a reference solution; `changes` are of its target, the shaft power."""
    head = 5 + number
    power = 998 * 9.81 * 0.012 * head / 0.7
    target = {"name": "P", "unit": "W", "value": round(power, 1), "description": "shaft power"}
    return {
        "id": f"pump.{number}",
        "question": (
            f"A pump lifts Q = 0.012 m^3/s of water of density rho = 998 kg/m^3 by H = {head} m. "
            "Gravity is g = 9.81 m/s^2 and the efficiency eta = 0.7. Find the shaft power P."
        ),
        "given": [
            {"name": "Q", "value": 0.012, "unit": "m^3/s"},
            {"name": "rho", "value": 998, "unit": "kg/m^3"},
            {"name": "H", "value": head, "unit": "m"},
            {"name": "g", "value": 9.81, "unit": "m/s^2"},
            {"name": "eta", "value": 0.7, "unit": "-"},
        ],
        "targets": [{**target, **changes}],
        "level": "L1",
    }
