"""G6 and G7: are assumptions stated and justified, and is the result given a meaning?

Both look for sentences about this problem: a sentence counts only when it shares words with what the
reference says of the problem, so that phrases which fit any problem earn nothing.
"""

from __future__ import annotations

import re

from ansatz.eval.extract import spelled
from ansatz.eval.problem import NumberTarget
from ansatz.eval.quantities import convert
from ansatz.eval.rubrics.comparison import quantities
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.prose import is_prose, words
from ansatz.eval.rubrics.working import Working, close

_ROUNDED = 0.05  # relative: a sentence gives a result in round numbers

_TAKES = (
    r"assum\w+|suppos\w+|neglect\w*|negligible|ignor\w+|treat\w*|ideali[sz]\w+"
    r"|(?:approximat\w+|tak(?:e|es|en|ing)|consider\w*|model\w*|regard\w*)\b[^.;]{0,40}\bas"
)
_STRONGLY_ASSUMES = re.compile(rf"\b(?:{_TAKES})\b", re.IGNORECASE)
_ASSUMES = re.compile(
    rf"\b(?:{_TAKES}|regime|appropriate|adequate|appl(?:y|ies|icable)|valid\w*|holds?|justif\w+"
    r"|rule[sd]? out"
    r"|us(?:e|es|ed|ing)\b[^.;]{0,80}\b(?:because|since)"
    r")\b|^\W*(?:because|since|as|for an?)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|as (?:the|no|it|there)|due to|so|therefore|hence|thus|which makes|justif\w+"
    r"|given that|for|below|above)\b|[<>]"
)
_CONCLUDES = re.compile(
    r"\b(?:means?|impl(?:y|ies)|indicates?|suggests?|shows?|tells?|corresponds? to|requires?|needs?"
    r"|demands?|drives?|sets?|governs?|decides?|determines?|makes?|leads?|consequen\w+"
    r"|can(?:not)? (?:withstand|bear|survive)|enough|too (?:high|low|hot|small|large)|dominat\w*)\b"
)
_SAYS_WHAT_FOLLOWS = re.compile(
    r"\b(?:means?|impl(?:y|ies)|indicates?|suggests?|shows?|tells?|requires?|needs?)\b"
)
_CONNECTS = re.compile(r"\b(?:so|therefore|hence|thus|because|must|can(?:not)? be)\b")
_COMPARES = re.compile(
    r"\b(?:compar\w+|than|exceed\w*|below|above|limit\w*|margin|times|fraction of|order of|typical\w*|half)\b"
)
_CHECKS = re.compile(
    r"\b(?:limits?|bounds?|maximum|minimum|ceiling|check\w*|as (?:expected|required)|as it (?:must|should)"
    r"|in the (?:\w+ )?range|within|cannot exceed"
    r"|must (?:be|lie|stay|remain) (?:above|below|less|greater|between|under))\b"
)
_LABELLED_CHECK = re.compile(
    r"^\W*(?:(?:sanity|plausibility|quick|limit) )?(?:check|verification)\b", re.IGNORECASE
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
        if len(shared) < _needed(subject) or not _is_assumption(sentence) or not is_prose(sentence):
            continue
        if _is_justified(sentence, working):
            return Mark(2, sentence[:200])
        best = Mark(1, sentence[:200])
    return best


def check_interpretation(working: Working) -> Mark:
    """2: a sentence on what a result means, tied to this problem's things. 1: to the result only. 0: none.

    A stated assumption is none, and a mere check against a limit neither: that is for G5.
    """
    if not working.targets:
        return Mark(None, "no target is a number")
    setting = _setting_words(working)
    best = Mark(0, "no sentence says what a result means")
    for sentence in working.sentences:
        if not _is_conclusion(sentence) or not is_prose(sentence):
            continue
        target = next((each for each in working.targets if _mentions(sentence, each, working)), None)
        if target is None:
            continue
        tied = words(sentence) & (setting - words(target.description) - _GENERIC)
        says = _SAYS_WHAT_FOLLOWS.search(sentence) or re.search(r"\d", _without_names(sentence))
        if len(tied) >= 2 or (tied and says):
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
    """Whether a sentence says what is taken for granted, and not what a result means."""
    return bool(_STRONGLY_ASSUMES.search(sentence)) or (
        bool(_ASSUMES.search(sentence)) and not re.search(r"\b(?:means?|impl(?:y|ies)|tells?)\b", sentence)
    )


def _is_conclusion(sentence: str) -> bool:
    """Whether a sentence draws a consequence or a comparison, beyond an assumption or a mere check."""
    if _STRONGLY_ASSUMES.search(sentence) or _LABELLED_CHECK.match(sentence):
        return False
    compares = bool(_COMPARES.search(sentence))
    if compares and _CHECKS.search(sentence):
        return bool(_SAYS_WHAT_FOLLOWS.search(sentence))
    return compares or bool(_CONCLUDES.search(sentence) or _CONNECTS.search(sentence))


def _mentions(sentence: str, target: NumberTarget, working: Working) -> bool:
    """Whether a sentence speaks of a target: by symbol, by half its description's words, or by its value."""
    if any(spelled(token) == spelled(target.name) for token in re.findall(r"[A-Za-z]\w*", sentence)):
        return True
    about = words(target.description)
    if about and 2 * len(words(sentence) & about) >= len(about):
        return True
    final = working.finals.get(target.name)
    if final is None or final.unit in ("", "-"):
        return False
    said = (convert(side.value, side.unit, final.unit) for _, side in quantities(sentence) if side.unit)
    return any(value is not None and close(value, final.value, _ROUNDED) for value in said)


def _without_names(sentence: str) -> str:
    return re.sub(r"[A-Za-z]\w*", "", sentence)
