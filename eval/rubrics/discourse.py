"""G6 and G7: are assumptions stated and justified, and is the result given a meaning?

Both look for sentences about this problem: a sentence counts only when it shares words with what the
question and the reference say of the problem, so that phrases which fit any problem earn nothing.
"""

from __future__ import annotations

import re

from ansatz.eval.extract import spelled
from ansatz.eval.rubrics import assumption_cues, result_cues
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import is_prose, words
from ansatz.eval.rubrics.subject import Subject, has_number, reference_assumptions
from ansatz.eval.rubrics.working import Working

_LONG = 15  # words from which a sentence on the result alone says more than that it is high or low
_LONGEST_ENTRY = 40  # words of a list entry
_GIVES_REASON_NEXT = re.compile(
    r"^\W*(?:because|since|this|that|these|both|it|the (?:reason|justification)|reason|justif\w+|indeed"
    r"|after all)\b",
    re.IGNORECASE,
)
_IS_MET = re.compile(
    r"\b(?:enough|for (?:that|this|it)|holds?|met|satisfied|valid|appl(?:y|ies)|fine)\b", re.IGNORECASE
)
_FOLLOWS = re.compile(r"^\W*(?:so|hence|thus|therefore|that is why|which)\b|^[^:]{0,12};", re.IGNORECASE)
_IS_REGIME = re.compile(
    r"\b(?:is|are|stays?|remains?|be|was|were|hence|so|therefore|thus|as|means|puts?|places?|makes?|in"
    r"|within)"
    rf"[: ]+(?:[\w-]+ ){{0,4}}?(?:{assumption_cues.REGIME.pattern})",
    re.IGNORECASE,
)
_GIVES_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|as (?:the|it|no|there))(?: [\w.,-]+){4}", re.IGNORECASE
)
_EXPLAINS = re.compile(
    r"\b(?:because|since|so|hence|therefore|thus|due to|owing to)\b|因为|由于|因此", re.IGNORECASE
)
_DECLARES = re.compile(
    r"\b(?:we|i) (?:have )?(?:also )?(?:assumed?|neglect(?:ed)?|treat(?:ed)?|took|take|ignored?|left out"
    r"|leave out)\b"
    r"|\b(?:we|i)(?:'re|'m| are| am) (?:assum|neglect|treat|tak|ignor|lean|rely|consider)\w*"
    r"|\b(?:is|are|was|were|been) (?:assumed|neglected|ignored|treated|taken|left out)\b|假设|假定|忽略",
    re.IGNORECASE,
)
_WORKED = re.compile(r"=[^=,;]*[\w)] ?[*/^(] ?[\w(]")  # an equation with an expression in it
_STATED = re.compile(
    rf"(?:{assumption_cues.REGIME.pattern})[^=]{{0,60}}[(, ](?:as )?(?:given|stated|specified|told"
    rf"|prescribed"
    rf"|the statement)\b",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rf"^\W*[A-Za-z][A-Za-z ]{{2,25}}: ?(?:[\w-]+ ){{0,2}}(?:{assumption_cues.REGIME.pattern})", re.IGNORECASE
)
_HAN_REGIME = re.compile(
    "层流|湍流|冷壁|稳态|绝热|连续|灰体|黑体|漫射|真空|均匀|冻结|平衡|理想气体|忽略|远小于|远大于|很窄|很小"
)
_NEVER = re.compile(
    r"\b(?:never|nothing|neither|hardly|scarcely|rarely|barely|no time|no longer)\b", re.IGNORECASE
)
_LEAVES_OUT = re.compile(r"\b(?:no|without|zero|free of|nor) [a-z]", re.IGNORECASE)
_HOLDS = re.compile(
    r"\b(?:valid\w*|holds?|appl(?:y|ies|icable)|applicability|justif\w+|legitimate|regime)\b|适用|成立|有效",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:,(]|(?=\b(?:so|thus|hence|therefore|which|and|but|while|whereas)\b)| - ")
_CONNECTS = re.compile(r"\b(?:so|thus|hence|therefore|consequently|accordingly)\b|因此|所以", re.IGNORECASE)
_BEGINS_WORKING = re.compile(
    r"^\W*(?:substitut|insert|plug|evaluat|comput|calculat|rearrang|solv|convert|using|final answer"
    r"|step \d|with [\w ]+ =)"
    r"|\bwe (?:get|obtain|find)\b",
    re.IGNORECASE,
)


def check_assumptions(working: Working) -> Mark:
    """2: an assumption about this problem with its reason or number. 1: without one. 0: none."""
    if not reference_assumptions(working):
        return Mark(None, "the problem has no reference assumptions")
    best = Mark(0, "no assumption about this problem is stated")
    subject = Subject.of(working)
    for place, passage in enumerate(working.passages):
        if not (is_assumption(passage, subject) or _defends_method(passage, subject)):
            continue
        if _is_justified(passage.text, subject) or _is_justified_beside(place, subject):
            return Mark(2, passage.text[:200])
        best = Mark(1, passage.text[:200]) if best.points == 0 else best
    return best


def check_interpretation(working: Working) -> Mark:
    """2: a sentence on what a result means, tied to this problem's things. 1: to the result only. 0: none.

    A stated assumption is none, and a mere check against a limit neither: that is for G5.
    """
    if not working.targets:
        return Mark(None, "no target is a number")
    subject = Subject.of(working)
    best = Mark(0, "no sentence says what a result means")
    for passage in working.passages:
        target = subject.mentioned(passage)
        late = passage.topic == "meaning" or passage.end > subject.reached
        if not (target or late) or not _is_conclusion(passage, subject):
            continue
        about = words(target.description) if target else set()
        things = words(passage.text) & subject.setting
        tied = things - about
        cue = (result_cues.STATES_MEANING, result_cues.ADVISES, result_cues.CONCLUDES)
        says = has_number(passage.text) or any(each.search(passage.text) for each in cue)
        long = len(passage.text.split()) >= _LONG and len(things) >= 3
        if len(tied) >= 2 or long or (tied and says):
            return Mark(2, passage.text[:200])
        if target or tied:
            best = Mark(1, passage.text[:200])
    return best


def is_assumption(passage: Passage, subject: Subject) -> bool:
    """Whether a passage says what is taken for granted, not what a result means or how it was checked."""
    text = passage.text
    regimes = {found[0].lower() for found in assumption_cues.REGIME.finditer(text)}
    shared = len(words(text) & subject.assumed)
    idealised = {found[0].lower() for found in assumption_cues.IDEALISED.finditer(text)}
    supposes = bool(assumption_cues.SUPPOSES.search(text))
    entry = len(text.split()) <= _LONGEST_ENTRY
    if passage.topic in ("check", "meaning") or not (is_prose(text) or (entry and (regimes or supposes))):
        return False
    if passage.topic == "assumptions":
        return bool(regimes or (supposes and shared))
    late = passage.position > subject.reached
    if supposes and not (late and _draws_on(text) and not _DECLARES.search(text)):
        return bool(regimes or idealised) or shared >= 2
    if late:
        return bool(_HOLDS.search(text) and idealised) and shared >= 2
    return _declares_a_regime(text, subject)


def _declares_a_regime(text: str, subject: Subject) -> bool:
    """Whether a sentence before the results states a regime, its cause, or what a relation is good for."""
    if _WORKED.search(text) and not assumption_cues.VALIDITY.search(text):
        return False
    regimes = {found[0].lower() for found in assumption_cues.REGIME.finditer(text)}
    idealised = {found[0].lower() for found in assumption_cues.IDEALISED.finditer(text)}
    named = any(words(regime) & subject.assumed for regime in regimes)
    if named and (_STATED.search(text) or _ATTRIBUTE.search(text)):
        return True
    if not is_prose(text):
        return len(regimes) + bool(_LEAVES_OUT.search(text)) >= 2 and "," in text
    causal = bool(assumption_cues.CAUSAL.search(text))
    left_out = bool(_LEAVES_OUT.search(text) and idealised)
    if len(regimes) >= 2 or (left_out and ("," in text or causal)):
        return True
    shared = len(words(text) & subject.assumed)
    about = shared + bool(_EXPLAINS.search(text) or has_number(text)) >= 2
    fits = assumption_cues.VALIDITY.search(text) or _NEVER.search(text)
    if fits and about and (idealised or assumption_cues.METHOD.search(text)):
        return True
    explains = _EXPLAINS.search(text) or (len(idealised) >= 2 and not result_cues.WORKS_OUT.search(text))
    if idealised and shared >= 2 and explains:
        return True
    compared = has_number(text) and bool(assumption_cues.COMPARED.search(text))
    return named and (compared or causal or bool(_IS_REGIME.search(text)))


def _draws_on(text: str) -> bool:
    """Whether a sentence concludes or advises."""
    cue = (result_cues.ADVISES, result_cues.STATES_MEANING, _CONNECTS)
    return any(each.search(text) for each in cue)


def _defends_method(passage: Passage, subject: Subject) -> bool:
    """Whether a passage, wherever it stands, says why a formula fits this problem, or what was left out."""
    text = passage.text
    if passage.topic == "check" or not is_prose(text) or _WORKED.search(text):
        return False
    about = len(words(text) & subject.assumed) >= 2
    if about and _DECLARES.search(text):
        return True
    concludes = (
        result_cues.ADVISES.search(text)
        or result_cues.STATES_MEANING.search(text)
        or result_cues.HEDGED.search(text)
    )
    if passage.topic == "meaning" or concludes or subject.mentioned(passage):
        return False
    late = passage.position > subject.reached
    fits = assumption_cues.VALIDITY.search(text) or (_GIVES_CAUSE if late else _EXPLAINS).search(text)
    defends = assumption_cues.METHOD.search(text) and assumption_cues.IDEALISED.search(text) and fits
    return bool(about and defends)


def _is_justified(text: str, subject: Subject) -> bool:
    """A reason, and something of the problem that carries it: a given, a number, or its words."""
    names = {spelled(given.name) for given in subject.working.problem.givens}
    tokens = {spelled(token) for token in re.findall(r"[A-Za-z]\w*", text)}
    concrete = has_number(text) or bool(tokens & names) or len(_HAN_REGIME.findall(text)) >= 2
    if _GIVES_CAUSE.search(text) and assumption_cues.IDEALISED.search(text):
        return True
    reason = assumption_cues.BECAUSE.search(text) or assumption_cues.CAUSAL.search(text)
    return bool(reason) and (concrete or len(words(text) & subject.assumed) >= 2)


def _is_justified_beside(place: int, subject: Subject) -> bool:
    """Whether the sentence before or after, in the same paragraph, gives the reason."""
    passages = subject.working.passages
    here = passages[place]
    before = passages[place - 1] if place else None
    after = passages[place + 1] if place + 1 < len(passages) else None
    if before and before.paragraph == here.paragraph and _FOLLOWS.match(here.text):
        return has_number(before.text) or _is_justified(before.text, subject)
    if after and after.paragraph == here.paragraph:
        caused = _GIVES_REASON_NEXT.match(after.text) and assumption_cues.CAUSAL.search(after.text)
        met = has_number(after.text) and _IS_MET.search(after.text)
        return bool(caused or met) and _is_justified(after.text, subject)
    return False


def _is_conclusion(passage: Passage, subject: Subject) -> bool:
    """Whether a passage draws a consequence or a comparison, beyond assumption, check and working."""
    text = passage.text
    states = bool(result_cues.STATES_MEANING.search(text))
    if not is_prose(text) or passage.topic == "assumptions" or (text.count("=") > 1 and not states):
        return False
    if passage.topic == "meaning":
        return True
    if passage.end <= subject.reached:
        return states and not result_cues.WORKS_OUT.search(text) and not is_assumption(passage, subject)
    advises = bool(result_cues.ADVISES.search(text))
    if is_assumption(passage, subject) and not (states or _CONNECTS.search(text)):
        return False
    if passage.topic == "check":
        return states and advises
    if result_cues.STRICT_CHECKS.search(text) or result_cues.VERDICTS.search(text):
        beside = result_cues.VERDICTS.sub(" ", result_cues.STRICT_CHECKS.sub(" ", text))
        draws = result_cues.STATES_MEANING.search(beside) or result_cues.ADVISES.search(beside)
        return bool(draws) or any(map(_is_free_of_checks, _CLAUSE.split(text)))
    if _BEGINS_WORKING.search(text) and not (states or advises):
        return False
    concludes = result_cues.COMPARES.search(text) or result_cues.CONCLUDES.search(text)
    return states or advises or bool(concludes) or not result_cues.WORKS_OUT.search(text)


def _is_free_of_checks(clause: str) -> bool:
    """Whether a clause draws a conclusion without checking anything."""
    if (
        result_cues.STRICT_CHECKS.search(clause)
        or result_cues.VERDICTS.search(clause)
        or len(clause.split()) < 5
    ):
        return False
    return bool(result_cues.ADVISES.search(clause) or _CONNECTS.search(clause))
