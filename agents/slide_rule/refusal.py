"""Explain why a plainly worded question has no answer: what was read, what may fit, a form with blanks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ansatz.agents.slide_rule.asked_quantities import Sought, find_sought
from ansatz.agents.slide_rule.derivation import find_counts
from ansatz.agents.slide_rule.formulas import KnownFormula
from ansatz.agents.slide_rule.plain_answer import build_search, list_targets
from ansatz.agents.slide_rule.plain_question import find_property_symbol, locate_quantities, name_states
from ansatz.agents.slide_rule.property_lookup import find_property
from ansatz.agents.slide_rule.quantity_names import find_fluid, score_overlap
from ansatz.agents.slide_rule.question import KnownQuantity
from ansatz.agents.slide_rule.solution_path import bind_symbols
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import resolve_decimal_commas

_MAX_CANDIDATES = 3
_MAX_FORMULA = 80  # characters


def explain_unanswered(text: str, formulas: Sequence[KnownFormula]) -> Iterator[str]:
    """Yield what was read of a question without blanks, what may answer it, and a form with blanks."""
    body = resolve_decimal_commas(to_plain_text(text))
    sought = find_sought(body)
    givens = [given for given, _ in locate_quantities(body, formulas)]
    asked = " and ".join(f"“{each.name}”" for each in sought)
    yield f"read as asked for: {asked or 'nothing'}"
    if len(sought) > 1:
        yield "only one quantity can be answered at once: ask for each in a question of its own"
    yield f"read as given: {'; '.join(given.describe() for given in givens) or 'nothing'}"
    yield from _explain_doubts(body, sought, givens, formulas)
    properties = [found for each in sought if (found := find_property(each, len(givens)))]
    fluid = find_fluid(body)
    candidates = _rank_candidates(sought, givens, formulas)[:_MAX_CANDIDATES]
    names, targets = [find_property_symbol(given) for given in givens], properties
    if fluid and properties and all(names):
        yield f"exactly two properties determine a state of {fluid}, such as T = 300 K and P = 1 bar"
    elif candidates:
        bound = bind_symbols(candidates[0].inputs, givens)
        names = [next((name for name, each in bound.items() if each is given), "") for given in givens]
        targets = [candidates[0].output]
        for formula in candidates:
            equation = f"{formula.output.name} = {formula.text}"
            yield f"a formula that may fit, {formula.title}: {equation[:_MAX_FORMULA]}"
        unused = [given.text for given, name in zip(givens, names, strict=True) if not name]
        if unused and len(unused) < len(givens):
            yield f"not used by {candidates[0].title}: {'; '.join(unused)}; every given value has to be used"
    stated = [
        f"{name or given.symbol or f'x{place}'} = {given.text}"
        for place, (name, given) in enumerate(zip(names, givens, strict=True), 1)
    ]
    blanks = [f"{target.name} = ___ {target.unit}" for target in targets] or ["x = ___ unit"]
    yield f"write symbols and a blank after the question, such as: {', '.join(stated)}. {' '.join(blanks)}"


def _explain_doubts(
    body: str, sought: Sequence[Sought], givens: Sequence[KnownQuantity], formulas: Sequence[KnownFormula]
) -> Iterator[str]:
    """Yield the meanings of a request for a unit alone, and the values whose names count things."""
    if len(sought) == 1 and not sought[0].name:
        search = build_search(body, sought[0], name_states(body, locate_quantities(body, formulas)), formulas)
        meanings = search.list_meanings(list_targets(sought[0], search.formulas))[:_MAX_CANDIDATES]
        if len(meanings) > 1:
            yield f"“{sought[0].unit}” may ask for several quantities; name one: {'; '.join(meanings)}"
    for given in givens:
        if find_counts(given):
            yield f"{given.text}: “{given.about}” counts things; give the value for all, without a count"


def _rank_candidates(
    sought: Sequence[Sought], givens: Sequence[KnownQuantity], formulas: Sequence[KnownFormula]
) -> list[KnownFormula]:
    """List the formulas that share a word with what the question asks for; the closest ones come first."""

    def score(formula: KnownFormula) -> float:
        overlap = sum(score_overlap(formula.words, each.context) for each in sought)
        return len(named & formula.names) + len(bind_symbols(formula.inputs, givens)) + overlap

    named = frozenset[str]().union(*(each.essential for each in sought))
    return sorted((each for each in formulas if named & each.names), key=score, reverse=True)
