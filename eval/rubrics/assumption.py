"""G6: are assumptions about this problem stated, and with their reasons?

A sentence counts only when it shares words with what the question and the reference say of the problem, so
that phrases which fit any problem earn nothing.
"""

from __future__ import annotations

import re

from ansatz.eval.rubrics import assumption_cues as cues
from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import is_prose, is_worked, words
from ansatz.eval.rubrics.subject import Subject, has_number, reference_assumptions
from ansatz.eval.rubrics.working import Working
from ansatz.quantities.terms import spelled

_REASONED = 0.7  # probability of a reasoned assumption
_SURE = 0.9
_DENIED = 0.8
_LONGEST_ENTRY = 40  # words of a list entry


def check(working: Working) -> Mark:
    """2: an assumption about this problem with its reason or number. 1: without one. 0: none."""
    if not reference_assumptions(working):
        return Mark(None, "the problem has no reference assumptions")
    subject = Subject.of(working)
    best = _by_rules(working, subject)
    return best if best.points == 2 else _by_reader(best, working, subject)


def _by_rules(working: Working, subject: Subject) -> Mark:
    best = Mark(0, "no assumption about this problem is stated")
    for place, passage in enumerate(working.passages):
        aside = _aside(passage, subject)
        if aside and _is_justified(aside, subject):
            return Mark(2, aside[:200])
        if aside and best.points == 0:
            best = Mark(1, aside[:200])
        if not (is_assumption(passage, subject) or _defends_method(passage, subject)):
            continue
        if passage.topic == "" and _is_denied(place, working):
            continue
        if _is_justified(passage.text, subject) or _is_justified_beside(place, subject):
            return Mark(2, passage.text[:200])
        best = Mark(1, passage.text[:200]) if best.points == 0 else best
    return best


def _is_denied(place: int, working: Working) -> bool:
    """Whether the reader takes a sentence for something else."""
    reading = working.readings[place]
    return reading["check"] + reading["meaning"] + reading["working"] > _DENIED


def _by_reader(best: Mark, working: Working, subject: Subject) -> Mark:
    """The mark where the words do not tell: by what the trained reader makes of the sentences."""

    def counts(passage: Passage) -> bool:
        about = words(passage.text) & (subject.assumed | subject.setting)
        listed = len(passage.text.split()) > _LONGEST_ENTRY and not is_prose(passage.text)
        return passage.topic not in ("check", "meaning") and bool(about) and not listed

    share, _, text = working.readings.at_least_one("reasoned", counts)
    if share >= _REASONED:
        return Mark(2, f"read as an assumption with its reason (trained reader, {share:.2f}): {text[:200]}")
    _, alone, text = working.readings.at_least_one("assumption", counts)
    if best.points == 0 and alone >= _SURE:
        return Mark(1, f"read as an assumption (trained reader, {alone:.2f}): {text[:200]}")
    return best


def is_assumption(passage: Passage, subject: Subject) -> bool:
    """Whether a passage says what is taken for granted, not what a result means or how it was checked."""
    text = passage.text
    regimes = {found[0].lower() for found in cues.REGIME.finditer(text)}
    shared = len(words(text) & subject.assumed)
    idealised = {found[0].lower() for found in cues.IDEALISED.finditer(text)}
    supposes = bool(cues.SUPPOSES.search(cues.OPERATES.sub(" ", text)))
    entry = len(text.split()) <= _LONGEST_ENTRY
    several = passage.topic == "assumptions" and len(idealised) >= 2
    short = entry and (regimes or supposes or several)
    if passage.topic in ("check", "meaning") or not (is_prose(text) or short):
        return False
    if passage.topic == "assumptions":
        return bool(regimes or several or (supposes and shared))
    late = passage.position > subject.reached
    if supposes and not (late and _draws_on(text) and not cues.DECLARES.search(text)):
        return bool(regimes or idealised) or shared >= 2
    if late:
        return bool(cues.HOLDS.search(text) and idealised) and shared >= 2
    return _declares_a_regime(text, subject)


def _aside(passage: Passage, subject: Subject) -> str:
    """What a step of the working takes for granted beside its equation: in brackets, or after "with"."""
    text = passage.text
    if passage.topic in ("check", "meaning") or passage.position > subject.reached:
        return ""
    if is_prose(text) and not is_worked(text):
        return ""
    held = cues.HELD.search(text)
    if held:
        return text[held.start() :]
    for found in cues.BRACKETED.finditer(text):
        regimes = {each[0].lower() for each in cues.REGIME.finditer(found[1])}
        supposes = cues.SUPPOSES.search(found[1]) or cues.FITS.search(found[1])
        if len(found[1].split()) >= 3 and (len(regimes) >= 2 or (regimes and supposes)):
            return found[1]
    return ""


def _declares_a_regime(text: str, subject: Subject) -> bool:
    """Whether a sentence before the results states a regime, its cause, or what a relation is good for."""
    if is_worked(text) and not cues.VALIDITY.search(text):
        return False
    regimes = {found[0].lower() for found in cues.REGIME.finditer(text)}
    idealised = {found[0].lower() for found in cues.IDEALISED.finditer(text)}
    named = any(words(regime) & subject.assumed for regime in regimes)
    if named and (cues.STATED.search(text) or cues.ATTRIBUTE.search(text)):
        return True
    causal = bool(cues.CAUSAL.search(text))
    if not is_prose(text):
        if named and causal and "," in text and not cues.EXPRESSION.search(text):
            return True
        return len(regimes) + bool(cues.LEAVES_OUT.search(text)) >= 2 and "," in text
    left_out = bool(cues.LEAVES_OUT.search(text) and idealised)
    if len(regimes) >= 2 or (left_out and ("," in text or causal)):
        return True
    shared = len(words(text) & subject.assumed)
    about = shared + bool(cues.EXPLAINS.search(text) or has_number(text)) >= 2
    fits = cues.VALIDITY.search(text) or cues.NEVER.search(text)
    if shared >= 2 and cues.USES.search(text) and cues.STATES_CAUSE.search(text) and cues.METHOD.search(text):
        return True
    if fits and about and (idealised or cues.METHOD.search(text)):
        return True
    explains = cues.EXPLAINS.search(text) or (len(idealised) >= 2 and not result_cues.WORKS_OUT.search(text))
    if idealised and shared >= 2 and explains:
        return True
    if shared >= 3 and cues.OUTWEIGHS.search(text) and causal:
        return True
    compared = has_number(text) and bool(cues.COMPARED.search(text))
    return named and (compared or causal or bool(cues.IS_REGIME.search(text)))


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
    if about and cues.DECLARES.search(cues.OPERATES.sub(" ", text)):
        return True
    concludes = (
        result_cues.ADVISES.search(text)
        or result_cues.STATES_MEANING.search(text)
        or result_cues.HEDGED.search(text)
    )
    if passage.topic == "meaning" or concludes or subject.mentioned(passage):
        return False
    late = passage.position > subject.reached
    fits = cues.VALIDITY.search(text) or (cues.GIVES_CAUSE if late else cues.EXPLAINS).search(text)
    defends = cues.METHOD.search(text) and cues.IDEALISED.search(text) and fits
    return bool(about and defends)


def _is_justified(text: str, subject: Subject) -> bool:
    """A reason, and something of the problem that carries it: a given, a number, or its words."""
    names = {spelled(given.name) for given in subject.working.problem.givens}
    tokens = {spelled(token) for token in re.findall(r"[A-Za-z]\w*", text)}
    concrete = has_number(text) or bool(tokens & names) or len(cues.HAN_REGIME.findall(text)) >= 2
    if cues.GIVES_CAUSE.search(text) and cues.IDEALISED.search(text):
        return True
    reason = cues.BECAUSE.search(text) or cues.CAUSAL.search(text)
    return bool(reason) and (concrete or len(words(text) & subject.assumed) >= 2)


def _is_justified_beside(place: int, subject: Subject) -> bool:
    """Whether the sentence before or after, in the same paragraph, gives the reason."""
    passages = subject.working.passages
    here = passages[place]
    before = passages[place - 1] if place else None
    after = passages[place + 1] if place + 1 < len(passages) else None
    if before and before.paragraph == here.paragraph and cues.FOLLOWS.match(here.text):
        return has_number(before.text) or _is_justified(before.text, subject)
    if after and after.paragraph == here.paragraph:
        caused = cues.GIVES_REASON_NEXT.match(after.text) and cues.CAUSAL.search(after.text)
        met = has_number(after.text) and cues.IS_MET.search(after.text)
        return bool(caused or met) and _is_justified(after.text, subject)
    return False
