"""Labelled answers made from executed reference chains: one clean and two with a planted fault per template."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml

from ansatz.eval.benchmarks.tps.template import Template
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.quantities.scales import scale
from tests.eval.faults.chain import (
    NOTHING,
    Faulty,
    execute,
    givens_of,
    invented_formulas,
    is_direct,
    template_of,
    wrong_formulas,
)
from tests.eval.faults.corpus import CLEAN, FAULTS, Labelled, most_points, problem
from tests.eval.faults.render import STYLES, Solution, number, with_unit

_SEED = 7
_UNITS = ("K", "m/s", "kg/m^3", "Pa", "m", "W/m^2")
_PLANTED_PER_TEMPLATE = 2


def generated(part: str) -> Iterator[Labelled]:
    """The answers of a part, the same on every machine."""
    kinds = list(FAULTS)
    for place, maker in enumerate(makers(part)):
        yield maker.clean()
        made = 0
        for turn in range(len(kinds)):
            labelled = maker.faulty(kinds[(place * _PLANTED_PER_TEMPLATE + turn) % len(kinds)])
            if labelled:
                yield labelled
                made += 1
            if made == _PLANTED_PER_TEMPLATE:
                break


def makers(part: str) -> Iterator[Maker]:
    """One for each template of a part whose chain is still one of direct steps."""
    folder = Path(__file__).parent
    ids = yaml.safe_load((folder / "templates.yaml").read_text(encoding="utf-8"))[part]
    sentences = yaml.safe_load((folder / "sentences.yaml").read_text(encoding="utf-8"))
    for place, id in enumerate(ids):
        if is_direct(template_of(id)):
            yield Maker(id, sentences[id.split(".")[0]], place)


def maker_of(id: str) -> Maker:
    """The maker of any template, in the first style."""
    file = Path(__file__).with_name("sentences.yaml")
    sentences = yaml.safe_load(file.read_text(encoding="utf-8"))
    return Maker(id, sentences[problem(id, _SEED).tags["domain"]], 0)


class Maker:
    """Clean and faulty answers to one problem, in a style that changes from template to template."""

    def __init__(self, id: str, sentences: dict[str, str], place: int) -> None:
        self._id, self._sentences, self._place = id, sentences, place
        self.problem: Problem = problem(id, _SEED)
        self.template: Template = template_of(id)
        self._chance = random.Random(id)
        self._style = list(STYLES)[place % len(STYLES)]

    def clean(self) -> Labelled:
        solution = self.solution(NOTHING, talks=self._place % 3 != 2)
        return self._labelled(self.write(solution), CLEAN, {})

    def faulty(self, fault: str) -> Labelled | None:
        """The answer with that fault; None where this template does not lend itself to it."""
        most = {FAULTS[fault]: most_points(fault)}
        text = getattr(self, f"_{fault}")()
        return self._labelled(text, fault, most) if text else None

    def _labelled(self, text: str, fault: str, most: dict[str, int]) -> Labelled:
        """Nothing is claimed for G6 and G7: the sentences fit the domain, not always the problem."""
        least = {"G1": 2, "G2": 2, "G3": 2, "G4": 2, "G5": 1, "G8": 2}
        return Labelled(self._id, _SEED, text, fault, least, most, self._style, "generated")

    def solution(self, fault: Faulty, talks: bool = True) -> Solution:
        lines = execute(self.problem, self.template, fault)
        values = {line.symbol: line.value[0] for line in lines}
        targets = [each for each in self.problem.targets if isinstance(each, NumberTarget)]
        finals = tuple((each.name, values[each.name], each.unit) for each in targets)
        told = with_unit(number(finals[-1][1], 3), finals[-1][2])
        meaning = self._sentences["interpretation"].format(what=targets[-1].description, value=told)
        return Solution(
            givens_of(self.problem, self.template, fault),
            lines,
            finals,
            self._sentences["assumption"] if talks else "",
            meaning if talks else "",
        )

    def write(self, solution: Solution) -> str:
        return STYLES[self._style](solution)

    def _wrong_formula(self) -> str | None:
        fault = next(wrong_formulas(self.problem, self.template), None)
        return self.write(self.solution(fault)) if fault else None

    def _invented_formula(self) -> str | None:
        faults = list(invented_formulas(self.problem, self.template))
        return self.write(self.solution(self._chance.choice(faults))) if faults else None

    def _dropped_given(self) -> str | None:
        used = {name for line in execute(self.problem, self.template) for name in line.numbers}
        names = [each for each in givens_of(self.problem, self.template) if each.name in used]
        misread = self._chance.choice(names)
        other = float(f"{misread.value * self._chance.choice((0.83, 1.17)):.3g}")
        return self.write(self.solution(replace(NOTHING, misread={misread.name: other})))

    def _arithmetic_slip(self) -> str | None:
        lines = execute(self.problem, self.template)
        symbol = self._chance.choice([line.symbol for line in lines])
        slip = self._chance.choice((0.82, 0.9, 1.12, 1.3))
        return self.write(self.solution(replace(NOTHING, slips={symbol: slip})))

    def _unit_slip(self) -> str | None:
        """A final unit of another dimension."""
        solution = self.solution(NOTHING)
        finals = [final for final in solution.finals if final[2] != "-"]
        if not finals:
            return None
        name, value, unit = self._chance.choice(finals)
        right = scale(unit)
        others = [
            each for each in _UNITS if (other := scale(each)) and right and other.dimension != right.dimension
        ]
        wrong = (name, value, self._chance.choice(others))
        changed = tuple(wrong if final[0] == name else final for final in solution.finals)
        return self.write(replace(solution, finals=changed))

    def _impossible_value(self) -> str | None:
        """A result beyond the problem's own bounds, from the last step that reaches it."""
        values = {line.symbol: line.value[0] for line in execute(self.problem, self.template)}
        for bound in self.problem.reference.bounds:
            value = values.get(bound.target)
            if value and bound.high is not None and bound.high > 0:
                return self.write(
                    self.solution(replace(NOTHING, slips={bound.target: 1.6 * bound.high / value}))
                )
            if value and bound.low:
                return self.write(
                    self.solution(replace(NOTHING, slips={bound.target: 0.6 * bound.low / value}))
                )
        return None

    def _hidden_assumption(self) -> str | None:
        return self.write(replace(self.solution(NOTHING), assumption=""))

    def _no_interpretation(self) -> str | None:
        return self.write(replace(self.solution(NOTHING), interpretation=""))

    def _disorder(self) -> str | None:
        """The blocks in reverse order, or with another value in the final line."""
        solution = self.solution(NOTHING)
        if self._place % 2:
            name, value, unit = solution.finals[-1]
            return self.write(replace(solution, finals=(*solution.finals[:-1], (name, 1.4 * value, unit))))
        blocks = self.write(solution).split("\n\n")
        return "\n\n".join(reversed(blocks)) if len(blocks) > 3 else None
