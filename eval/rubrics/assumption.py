"""G6: are assumptions about this problem stated, and with their reasons?

A sentence counts only when it shares words with what the question and the reference say of the problem, so
that phrases which fit any problem earn nothing.
"""

from __future__ import annotations

import re

from ansatz.eval.extract import spelled
from ansatz.eval.rubrics import assumption_cues, result_cues
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import is_prose, is_worked, words
from ansatz.eval.rubrics.subject import Subject, has_number, reference_assumptions
from ansatz.eval.rubrics.working import Working

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
    r"|within|speaks? of|deals? with|faces?)"
    rf"[: ]+(?:[\w-]+ ){{0,4}}?(?:{assumption_cues.REGIME.pattern})",
    re.IGNORECASE,
)
_BECAUSE = re.compile(r"\b(?:because|since|as (?:the|it|no|there)|given (?:the|that))\b", re.IGNORECASE)
_GIVES_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|as (?:the|it|no|there))(?: [\w.,-]+){4}", re.IGNORECASE
)
_EXPLAINS = re.compile(
    r"\b(?:because|since|so|hence|therefore|thus|due to|owing to|given (?:the|that|this|these|such|how|its)"
    r"|seeing that|in view of|thanks to|(?:that|this|which)(?:'s| is) why)\b|因为|由于|因此",
    re.IGNORECASE,
)
_DECLARES = re.compile(
    r"\b(?:we|i) (?:have )?(?:also )?(?:assumed?|neglect(?:ed)?|treat(?:ed)?|took|take|ignored?|left out"
    r"|leave out)\b"
    r"|\b(?:we|i)(?:'re|'m| are| am) (?:assum|neglect|treat|tak|ignor|lean|rely|consider)\w*"
    r"|\b(?:is|are|was|were|been) (?:assumed|neglected|ignored|treated|taken|left out)\b|假设|假定|忽略",
    re.IGNORECASE,
)
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
_EXPRESSION = re.compile(r"= *[A-Za-z(]|\d *= |[*^]|(?<=\w)/")
_HELD = re.compile(
    r"\b(?:with|at|for|and|using|assuming) (?:an? |the )?(?:[\w_]+ ){0,2}?(?:being |held |kept |taken |as )?"
    r"(?:constant|uniform|frozen|adiabatic|isothermal|inviscid|steady|perfect[- ]gas)\b",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\(([^()]{8,})\)")
_FITS = re.compile(
    rf"{assumption_cues.VALIDITY.pattern}|{assumption_cues.CAUSAL.pattern}"
    r"|\b(?:inside|below|above|beyond|under|over|than)\b[^;]{0,20}\d",
    re.IGNORECASE,
)
_OUTWEIGHS = re.compile(
    r"\b(?:much|far|vastly) (?:\w+er|more|less)\b|\boutweigh|\bdwarf|\bovershadow|<<|>>"
    r"|\b(?:small|large|tiny|little) (?:against|beside|compared|next to)\b",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:never|nothing|neither|hardly|scarcely|rarely|barely|no time|no longer)\b", re.IGNORECASE
)
_LEAVES_OUT = re.compile(r"\b(?:no|without|zero|free of|nor) [a-z]", re.IGNORECASE)
_HOLDS = re.compile(
    r"\b(?:valid\w*|holds?|appl(?:y|ies|icable)|applicability|justif\w+|legitimate"
    r"|(?<!this )regime)\b|适用|成立|有效",
    re.IGNORECASE,
)


def check(working: Working) -> Mark:
    """2: an assumption about this problem with its reason or number. 1: without one. 0: none."""
    if not reference_assumptions(working):
        return Mark(None, "the problem has no reference assumptions")
    best = Mark(0, "no assumption about this problem is stated")
    subject = Subject.of(working)
    for place, passage in enumerate(working.passages):
        aside = _aside(passage, subject)
        if aside and _is_justified(aside, subject):
            return Mark(2, aside[:200])
        if aside and best.points == 0:
            best = Mark(1, aside[:200])
        if not (is_assumption(passage, subject) or _defends_method(passage, subject)):
            continue
        if _is_justified(passage.text, subject) or _is_justified_beside(place, subject):
            return Mark(2, passage.text[:200])
        best = Mark(1, passage.text[:200]) if best.points == 0 else best
    return best


def is_assumption(passage: Passage, subject: Subject) -> bool:
    """Whether a passage says what is taken for granted, not what a result means or how it was checked."""
    text = passage.text
    regimes = {found[0].lower() for found in assumption_cues.REGIME.finditer(text)}
    shared = len(words(text) & subject.assumed)
    idealised = {found[0].lower() for found in assumption_cues.IDEALISED.finditer(text)}
    supposes = bool(assumption_cues.SUPPOSES.search(assumption_cues.OPERATES.sub(" ", text)))
    entry = len(text.split()) <= _LONGEST_ENTRY
    several = passage.topic == "assumptions" and len(idealised) >= 2
    short = entry and (regimes or supposes or several)
    if passage.topic in ("check", "meaning") or not (is_prose(text) or short):
        return False
    if passage.topic == "assumptions":
        return bool(regimes or several or (supposes and shared))
    late = passage.position > subject.reached
    if supposes and not (late and _draws_on(text) and not _DECLARES.search(text)):
        return bool(regimes or idealised) or shared >= 2
    if late:
        return bool(_HOLDS.search(text) and idealised) and shared >= 2
    return _declares_a_regime(text, subject)


def _aside(passage: Passage, subject: Subject) -> str:
    """What a step of the working takes for granted beside its equation: in brackets, or after "with"."""
    text = passage.text
    if passage.topic in ("check", "meaning") or passage.position > subject.reached:
        return ""
    if is_prose(text) and not is_worked(text):
        return ""
    held = _HELD.search(text)
    if held:
        return text[held.start() :]
    for found in _BRACKETED.finditer(text):
        regimes = {each[0].lower() for each in assumption_cues.REGIME.finditer(found[1])}
        supposes = assumption_cues.SUPPOSES.search(found[1]) or _FITS.search(found[1])
        if len(found[1].split()) >= 3 and (len(regimes) >= 2 or (regimes and supposes)):
            return found[1]
    return ""


def _declares_a_regime(text: str, subject: Subject) -> bool:
    """Whether a sentence before the results states a regime, its cause, or what a relation is good for."""
    if is_worked(text) and not assumption_cues.VALIDITY.search(text):
        return False
    regimes = {found[0].lower() for found in assumption_cues.REGIME.finditer(text)}
    idealised = {found[0].lower() for found in assumption_cues.IDEALISED.finditer(text)}
    named = any(words(regime) & subject.assumed for regime in regimes)
    if named and (_STATED.search(text) or _ATTRIBUTE.search(text)):
        return True
    causal = bool(assumption_cues.CAUSAL.search(text))
    if not is_prose(text):
        if named and causal and "," in text and not _EXPRESSION.search(text):
            return True
        return len(regimes) + bool(_LEAVES_OUT.search(text)) >= 2 and "," in text
    left_out = bool(_LEAVES_OUT.search(text) and idealised)
    if len(regimes) >= 2 or (left_out and ("," in text or causal)):
        return True
    shared = len(words(text) & subject.assumed)
    about = shared + bool(_EXPLAINS.search(text) or has_number(text)) >= 2
    fits = assumption_cues.VALIDITY.search(text) or _NEVER.search(text)
    if (
        shared >= 2
        and assumption_cues.USES.search(text)
        and _BECAUSE.search(text)
        and assumption_cues.METHOD.search(text)
    ):
        return True
    if fits and about and (idealised or assumption_cues.METHOD.search(text)):
        return True
    explains = _EXPLAINS.search(text) or (len(idealised) >= 2 and not result_cues.WORKS_OUT.search(text))
    if idealised and shared >= 2 and explains:
        return True
    if shared >= 3 and _OUTWEIGHS.search(text) and causal:
        return True
    compared = has_number(text) and bool(assumption_cues.COMPARED.search(text))
    return named and (compared or causal or bool(_IS_REGIME.search(text)))


def _draws_on(text: str) -> bool:
    """Whether a sentence concludes or advises."""
    cue = (result_cues.ADVISES, result_cues.STATES_MEANING, result_cues.CONNECTS)
    return any(each.search(text) for each in cue)


def _defends_method(passage: Passage, subject: Subject) -> bool:
    """Whether a passage, wherever it stands, says why a formula fits this problem, or what was left out."""
    text = passage.text
    if passage.topic == "check" or not is_prose(text) or is_worked(text):
        return False
    about = len(words(text) & subject.assumed) >= 2
    if about and _DECLARES.search(assumption_cues.OPERATES.sub(" ", text)):
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
