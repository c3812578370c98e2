"""The answer to one question, with its equations, their conditions, checks and open points."""

from __future__ import annotations

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ansatz.agents import Transcript
from ansatz.agents.slide_rule.formulas import KnownFormula, load_remembered, parse_sheets
from ansatz.agents.slide_rule.refusal import explain_unanswered
from ansatz.interventions.checked import find_errors
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_used_entries, judge_applicability
from ansatz.quantities.calculation import Calculation
from ansatz.quantities.findings import Finding, check_equalities, find_vanished_results
from ansatz.quantities.statements import Statement, find_blank_symbols, find_statement

_STATES = {True: "met", False: "NOT met", None: "open"}
MEMORY = "memory"
"""The id of a formula that the offline model recalled and that no entry of the equation base matches."""
_FROM_MEMORY: dict[str, Any] = {"sources": ["memory"], "conditions": []}
_EVALUATE, _CHECKED = "evaluate_equation", "checked"


@dataclass(frozen=True)
class Solved:
    """One answered question. Printed or shown in a notebook, it lists equations, checks and open points.

    Example: `solve("Speed of sound in air at T = 300 K?  a = ___ m/s").is_complete`.
    """

    question: str
    transcript: Transcript
    simulated: bool = False

    @property
    def answer(self) -> str:
        return self.transcript.answer

    @cached_property
    def quantities(self) -> Mapping[str, Statement | None]:
        """The value that the answer states for each blank of the question; None if it states none."""
        return {symbol: find_statement(self.answer, symbol) for symbol in find_blank_symbols(self.question)}

    @cached_property
    def equations(self) -> tuple[dict[str, Any], ...]:
        """Entries of the equation base: those that a tool evaluated, then those that the answer applies.

        Each has its id, name and sources, and its conditions: whether the question meets each, and why.
        """
        calls = (each for each in self.transcript.tool_calls if each.ok and each.name == _EVALUATE)
        evaluated = [str(each.arguments.get("id", "")) for each in calls]
        used = [library().get(id) for id in dict.fromkeys(evaluated) if id in library()]
        used += [each for each in find_used_entries(self.answer) if each.id not in evaluated]
        found = [
            {
                "id": each.id,
                "name": each.name,
                "sources": list(each.references),
                "conditions": [
                    {"state": _STATES[found.holds], "why": found.reason}
                    for found in judge_applicability(each, self.question)
                ],
            }
            for each in used
        ]
        recalled = (
            {"id": MEMORY, "name": f"{each.citation}: {each.output.name} = {each.text}", **_FROM_MEMORY}
            for each in self._recalled
        )
        return (*found, *recalled)

    @cached_property
    def _recalled(self) -> list[KnownFormula]:
        """The formulas that the offline model recalled."""
        known = load_remembered() if self.simulated else ()
        return [each for each in known if each.citation in self.answer and f"= {each.text}" in self.answer]

    @cached_property
    def faults(self) -> tuple[Finding, ...]:
        """Faults that the checks find in the answer, and results that are 0 by mistake."""
        return (
            *find_errors(self.answer, self.question),
            *find_vanished_results(Calculation(self.answer), self.quantities),
        )

    @property
    def is_complete(self) -> bool:
        """Whether every quantity asked for as `symbol = ___ unit` is stated and no check finds a fault.

        For a question without such blanks, whether there is an answer.
        """
        stated = all(each is not None for each in self.quantities.values())
        return bool(self.answer.strip()) and stated and not self.faults

    @property
    def checks(self) -> tuple[str, ...]:
        """The computed checks and their results."""
        done = check_equalities(Calculation(self.answer, self.question))
        confirmed = sum(each is True for each in done)
        rounds = [each for each in self.transcript.reviews if each.step == _CHECKED and each.sent_back]
        corrected = [one["quote"] for each in rounds for one in each.details["findings"]]
        return (
            f"{confirmed} of {len(done)} stated equalities hold when computed again"
            if done
            else "no arithmetic is stated that could be computed again",
            "units, dimensions and physical bounds: "
            + (f"faults left: {len(self.faults)}" if self.faults else "no fault"),
            *(f"sent back and answered again: “{quote}”" for quote in dict.fromkeys(corrected)),
        )

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Open conditions, quantities that are not stated, and remaining faults."""
        found = [f"{symbol} is not stated" for symbol, each in self.quantities.items() if each is None]
        if not self.answer.strip():
            found = [*self._explain_no_answer(), *found]
        elif not self.quantities:
            found = [
                "the question has no blank `symbol = ___ unit`: check that the answer is for what you asked"
            ]
        found += [f"“{each.quote}”: {each.message}" for each in self.faults]
        for used in self.equations:
            found += [f"{used['id']}: {each['why']}" for each in used["conditions"] if each["state"] != "met"]
        found += [
            f"{each.citation} is from memory: its conditions were not checked" for each in self._recalled
        ]
        if self.answer.strip() and not self.equations:
            found.append(
                "the answer names no equation of the base: conditions of its formulas were not checked"
            )
        failed = (each for each in self.transcript.tool_calls if not each.ok and each.result)
        return (*found, *(f"{each.name} failed: {each.result.splitlines()[0]}" for each in failed))

    def _explain_no_answer(self) -> Iterator[str]:
        yield f"no answer was given ({self.transcript.stop})"
        if self.simulated and not self.quantities:
            sheet = parse_sheets("\n\n".join(each.result for each in self.transcript.tool_calls if each.ok))
            yield from explain_unanswered(self.question, (*sheet, *load_remembered()))

    def to_json(self) -> dict[str, Any]:
        quantities = {
            symbol: {"value": each.value, "unit": each.unit} if each else None
            for symbol, each in self.quantities.items()
        }
        return {
            **self.transcript.model_dump(mode="json"),
            "complete": self.is_complete,
            "quantities": quantities,
            "equations": list(self.equations),
            "checks": list(self.checks),
            "uncertain": list(self.uncertain),
        }

    def __str__(self) -> str:
        """The answer, then each chapter under its heading."""
        chapters = ("\n  ".join([f"{title}:", *lines]) for title, lines in self._chapters())
        return "\n\n".join([self.answer.strip() or "No answer was given.", *chapters])

    def _repr_html_(self) -> str:
        parts = [f"<pre>{html.escape(self.answer.strip())}</pre>"]
        for title, lines in self._chapters():
            items = "".join(f"<li>{html.escape(line.strip())}</li>" for line in lines)
            parts.append(f"<p><b>{title}</b></p><ul>{items}</ul>")
        return "".join(parts)

    def _chapters(self) -> Iterator[tuple[str, Sequence[str]]]:
        used = []
        for each in self.equations:
            sources = f" [{'; '.join(each['sources'])}]" if each["sources"] else ""
            used.append(f"{each['id']}: {each['name']}{sources}")
            used += [f"  {found['state']}: {found['why']}" for found in each["conditions"]]
        uncertain = list(dict.fromkeys(self.uncertain))
        for title, lines in (("Equations", used), ("Checks", self.checks), ("Uncertain", uncertain)):
            if lines:
                yield title, lines
