"""Writing an answer down: briefly, or as an engineering calculation protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import written
from ansatz.agents.slide_rule.chain import UNDETERMINED, Found, Plan, Step
from ansatz.agents.slide_rule.execution import Worked, shown_substitution
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.memory import assumed_of_air
from ansatz.agents.slide_rule.reading import Reading

_MOST_REJECTIONS = 3


@dataclass(frozen=True)
class Solution:
    """All there is to say: what was read, planned and worked out."""

    reading: Reading
    plan: Plan
    worked: Worked

    def value(self, found: Found) -> float:
        """A target's value in SI."""
        if found.step is None:
            return found.value
        return self.plan.steps[found.step].formula.result_in_si(self.worked.values[found.step])

    def digits(self, found: Found) -> int:
        return found.digits if found.step is None else self.worked.digits[found.step]

    def final_lines(self) -> list[str]:
        """`symbol = value unit` for each target, in the unit asked for, and the letter of an option."""
        options = self.reading.options.options
        labels = self.plan.labels or ((("answer", UNDETERMINED),) if options else ())
        choice = self._choice()
        lines = [
            f"{symbol}: {choice if choice and word == UNDETERMINED else word}" for symbol, word in labels
        ]
        finals = [self.final(found) for found in self.plan.found]
        return finals + lines if options else lines + finals

    def _choice(self) -> str | None:
        """The option nearest to the value found last, if one was worked out."""
        found = next((each for each in reversed(self.plan.found) if not each.guessed), None)
        return self.reading.options.nearest(self.value(found)) if found else None

    def final(self, found: Found) -> str:
        target, value = found.target, self.value(found)
        unit = "" if target.unit_text in ("-", "1", "(-)") else target.unit_text
        if target.unit is not None:
            value = target.unit.from_si(value)
        elif found.step is not None:
            unit = self.plan.steps[found.step].formula.result_text
        name = target.title or target.symbol
        return f"{name} = {written(value, self.digits(found))} {unit}".strip()

    def calculation(self, number: int) -> str:
        """A step's formula, its substitution and its result in one line."""
        step, digits = self.plan.steps[number], self.worked.digits[number]
        substitution = shown_substitution(step, self.worked.values, digits)
        result = f"{written(self.worked.values[number], digits)} {step.formula.result_text}".removesuffix(
            " -"
        ).strip()
        return f"{step.symbol} = {step.formula.expression} = {substitution} = {result}"


def terse(solution: Solution) -> str:
    """Formulas with substitution, what had to be said about them, and the final lines."""
    lines = list(solution.plan.remarks)
    if solution.reading.formulated:
        lines.append(f"Given as formulated: {', '.join(map(listed, solution.reading.givens))}.")
    for number, step in enumerate(solution.plan.steps):
        lines += [f"{source(step)}:", solution.calculation(number)]
    lines += rejections(solution.plan)
    lines += assumed_values(solution.plan.steps)
    lines += guesses(solution.plan)
    lines += solution.worked.warnings
    return "\n".join([*lines, "", *solution.final_lines()]).strip()


def source(step: Step) -> str:
    """Where a formula comes from and, if it has conditions, why it applies."""
    if not step.formula.from_sheet:
        return step.formula.name[:1].upper() + step.formula.name[1:]
    name = f"{step.formula.name} ({step.formula.id})" if step.formula.id else step.formula.name
    return f"{name}{justification(step)}"


def justification(step: Step) -> str:
    met = [f"{verdict.because} ({verdict.condition})" for verdict in step.verdicts if verdict.holds]
    unsure = [verdict.condition for verdict in step.verdicts if verdict.holds is None]
    parts = [f"applies: {'; '.join(met)}"] if met else []
    parts += [f"not contradicted: {', '.join(unsure)}"] if unsure else []
    return f" [{'; '.join(parts)}]" if parts else ""


def rejections(plan: Plan) -> list[str]:
    return [f"Rejected {name}: {reason}." for name, reason in plan.rejected[:_MOST_REJECTIONS]]


def assumed_values(steps: Sequence[Step]) -> list[str]:
    assumed = {given.symbol: given for step in steps for given in step.bound.values() if given.assumed}
    of_air = {each.symbol for each in assumed_of_air() if each in assumed.values()} - {"g"}
    other = [f"{symbol} = {given.text}" for symbol, given in assumed.items() if symbol not in of_air]
    stated = [f"{symbol} = {given.text}" for symbol, given in assumed.items() if symbol in of_air]
    lines = [f"Assumed because the gas is air: {', '.join(stated)}."] if stated else []
    return lines + ([f"Taken as known: {', '.join(other)}."] if other else [])


def guesses(plan: Plan) -> list[str]:
    unknown = ", ".join(found.target.symbol for found in plan.found if found.guessed)
    line = f"I do not recall the formula for {unknown}; what follows is an order-of-magnitude guess."
    return [line] if unknown else []


def formulation(reading: Reading, plan: Plan) -> str:
    """The problem set up but not solved, from this reader's own reading."""
    given = "; ".join(listed(given) for given in reading.givens) or "nothing numerical"
    find = (
        "; ".join(f"{t.symbol} [{t.unit_text or '-'}]" for t in reading.targets) or "the quantity asked for"
    )
    names = list(dict.fromkeys(step.formula.name for step in plan.steps))
    assumptions = ", ".join(names and ["steady conditions"]) or "none beyond the statement"
    approach = (
        f"apply {', then '.join(names)}" if names else "no formula recalled; estimate the order of magnitude"
    )
    return f"Given: {given}\nFind: {find}\nApproach: {approach}\nAssumptions: {assumptions}"


def listed(given: Given) -> str:
    return f"{given.symbol or 'value'} = {given.text}" + (f" ({given.about})" if given.about else "")
