"""G6 and G7: are assumptions stated and justified, and is the result given a meaning?

Both look for sentences about this problem: a sentence counts only when it shares words with what the
reference says of the problem, so that phrases which fit any problem earn nothing.
"""

from __future__ import annotations

import re

from ansatz.eval.extract import spelled
from ansatz.eval.problem import NumberTarget
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.working import Working, is_prose, words

_ASSUMES = re.compile(
    r"\b(?:assum\w+|suppos\w+|neglect\w*|negligible|ignor\w+|treat\w*|ideali[sz]\w+|approximat\w+ as|taken as"
    r"|regime|appli\w+|valid\w*|holds?|justif\w+|continuum|because|since)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|as the|due to|so that|so the|which makes|justif\w+|given that|for)\b|[<>]"
)
_MEANS = re.compile(
    r"\b(?:means?|impl(?:y|ies)|indicates?|suggests?|shows? that|corresponds?|requires?|must|demands?|drives?"
    r"|sets?|can(?:not)? (?:withstand|be|bear|survive)|compar\w+|than|exceed\w*|below|above|limit\w*|margin"
    r"|times|fraction of|order of|consequen\w+|therefore the|so the|enough|too (?:high|low|hot|small|large)"
    r"|typical\w*|because|dominat\w*)\b"
)
_GENERIC = words(
    "physically meaningful consistent engineering design significant significance reasonable plausible"
    " expected analysis calculation solution context practical important final quantity values results"
    " conditions problem question number"
)


def check_assumptions(working: Working) -> Mark:
    """2: an assumption about this problem with its reason or number. 1: without one. 0: none."""
    subject = _assumption_words(working)
    if not subject:
        return Mark(None, "the problem has no reference assumptions")
    best = Mark(0, "no assumption about this problem is stated")
    for sentence in working.sentences:
        shared = words(sentence) & subject
        if len(shared) < _needed(subject) or not _ASSUMES.search(sentence) or not is_prose(sentence):
            continue
        if _is_justified(sentence, working):
            return Mark(2, sentence[:200])
        best = Mark(1, sentence[:200])
    return best


def check_interpretation(working: Working) -> Mark:
    """2: a sentence on what a result means, tied to this problem's things. 1: to the result only. 0: none."""
    if not working.targets:
        return Mark(None, "no target is a number")
    setting = _setting_words(working)
    best = Mark(0, "no sentence says what a result means")
    for sentence in working.sentences:
        if not _MEANS.search(sentence) or not is_prose(sentence) or _is_assumption(sentence):
            continue
        target = next((each for each in working.targets if _mentions(sentence, each)), None)
        if target is None:
            continue
        tied = words(sentence) & (setting - words(target.description) - _GENERIC)
        if len(tied) >= 2 or (tied and re.search(r"\d", _without_names(sentence))):
            return Mark(2, sentence[:200])
        best = Mark(1, sentence[:200])
    return best


def _assumption_words(working: Working) -> set[str]:
    formulation = working.problem.reference.formulation
    said = f"{formulation.assumptions} {formulation.approach}" if formulation else ""
    for equation in working.gold:
        said += " " + " ".join(equation.assumptions)
        said += " " + " ".join(
            f"{each.var} {each.words()}" for each in equation.regime.require + equation.regime.prefer
        )
    return words(said.replace("_", " ")) - _GENERIC


def _setting_words(working: Working) -> set[str]:
    """What the problem is about, in its own words and the reference's."""
    reference = working.problem.reference
    said = (
        f"{working.problem.question} {reference.trap} {' '.join(bound.reason for bound in reference.bounds)}"
    )
    if reference.formulation:
        said += f" {reference.formulation.approach} {reference.formulation.assumptions}"
    return words(said) | words("margin material limit peak shield insulation cooling ablator boiling sonic")


def _needed(subject: set[str]) -> int:
    return min(2, len(subject))


def _is_justified(sentence: str, working: Working) -> bool:
    """A reason, and something of the problem that carries it: a given, a number, or a regime variable."""
    names = {spelled(given.name) for given in working.problem.givens}
    tokens = {spelled(token) for token in re.findall(r"[A-Za-z]\w*", sentence)}
    concrete = bool(re.search(r"\d", _without_names(sentence))) or bool(tokens & names)
    stated = words(sentence) & words(working.problem.question)
    return bool(_REASON.search(sentence)) and (concrete or len(stated) >= 2)


def _is_assumption(sentence: str) -> bool:
    return bool(re.match(r"(?:we )?(?:assum|suppos|neglect|treat)", sentence.strip(), re.IGNORECASE))


def _mentions(sentence: str, target: NumberTarget) -> bool:
    """Whether a sentence speaks of a target, by symbol or by half the words that describe it."""
    if any(spelled(token) == spelled(target.name) for token in re.findall(r"[A-Za-z]\w*", sentence)):
        return True
    about = words(target.description)
    return bool(about) and 2 * len(words(sentence) & about) >= len(about)


def _without_names(sentence: str) -> str:
    return re.sub(r"[A-Za-z]\w*", "", sentence)
