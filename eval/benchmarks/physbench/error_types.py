"""The eight kinds of errors of P-REFS (Scaria et al., appendix G.1), in the order of the rubric."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ErrorType:
    """One kind of error: its code in figures, its name, and what it is."""

    code: str
    name: str
    meaning: str


ERROR_TYPES: tuple[ErrorType, ...] = (
    ErrorType("INT", "interpretation", "a given, a constraint or what is sought is misread or left out"),
    ErrorType("MOD", "modelling", "an approach or an assumption that does not suit the problem"),
    ErrorType("CON", "concept", "a wrong physical principle, or a needed one not seen"),
    ErrorType("APP", "concept application", "the right principle misused or its formula misapplied"),
    ErrorType("CAL", "calculation", "local arithmetic or algebra that does not hold"),
    ErrorType("COR", "correctness", "a wrong value or unit on the way, or one carried forward"),
    ErrorType("COH", "coherence", "steps out of order, missing, circular or contradictory"),
    ErrorType("ANS", "final answer", "a wrong result, a missing or wrong unit, or a wrong option"),
)

CODES: tuple[str, ...] = tuple(each.code for each in ERROR_TYPES)
