"""G7: is a result given a meaning for this problem: a consequence, advice, or what it amounts to?"""

from __future__ import annotations

import re

from ansatz.eval.rubrics import result_cues
from ansatz.eval.rubrics.assumption import is_assumption
from ansatz.eval.rubrics.mark import Mark
from ansatz.eval.rubrics.passages import Passage
from ansatz.eval.rubrics.prose import is_prose, words
from ansatz.eval.rubrics.subject import Subject, has_number
from ansatz.eval.rubrics.working import Working

_LIKELY = 0.6  # probability of a meaning: 1 of 42 answers without any reaches it
_UNLIKELY = 0.15
_LONG = 15  # words from which a sentence on the result alone says more than that it is high or low
_CLAUSE = re.compile(r"[;:,(]|(?=\b(?:so|thus|hence|therefore|which|and|but|while|whereas)\b)| - ")
_PRINCIPLE = re.compile(  # a law asks for it, not the result
    r"\b(?:thermodynamics|(?:second|first) law|physics|theory|conservation|continuity|causality|definition"
    r"|stability|symmetry|geometry)\b[^.;,]{0,20}\b(?:requir|demand|need|impl|tell|show)\w*",
    re.IGNORECASE,
)
_BIDS = re.compile(
    r"(?:^|[;:,] (?:so |then |and |for [\w ]+ )?|\bso |\bthen )(?:please )?"
    r"(?:carry|place|put|leave|fly|build|add|watch|insulate|mount|route|protect|expect|treat|never|always)\b",
    re.IGNORECASE,
)
_BEGINS_WORKING = re.compile(
    r"^\W*(?:substitut|insert|plug|evaluat|comput|calculat|rearrang|solv|convert|using|final answer"
    r"|step \d|with [\w ]+ =)"
    r"|\bwe (?:get|obtain|find)\b"
    r"|\b(?:is|are|becomes?|comes? to|equals?) (?:therefore|thus|then|hence)?,? ?(?:about )?\d[^,;]{0,20}$",
    re.IGNORECASE,
)


def check(working: Working) -> Mark:
    """2: a sentence on what a result means, tied to this problem's things. 1: to the result only. 0: none.

    A stated assumption is none, and a mere check against a limit neither: that is for G5.
    """
    if not working.targets:
        return Mark(None, "no target is a number")
    subject = Subject.of(working)
    best = _by_rules(working, subject)
    return best if best.points == 2 else _by_reader(best, working, subject)


def _by_rules(working: Working, subject: Subject) -> Mark:
    best = Mark(0, "no sentence says what a result means")
    for place, passage in enumerate(working.passages):
        target = subject.mentioned(passage)
        late = passage.topic == "meaning" or passage.end > subject.reached
        if not (target or late) or not _is_conclusion(passage, subject):
            continue
        if passage.topic != "meaning" and _is_denied(place, working):
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


def _is_denied(place: int, working: Working) -> bool:
    """Whether the trained reader takes a sentence for something else, such as an assumption."""
    if result_cues.ADVISES.search(working.passages[place].text):
        return False
    reading = working.readings[place]
    supposes = reading["assumption"] + reading["reasoned"]
    return any(reading.values()) and (reading["meaning"] < _UNLIKELY or supposes >= _LIKELY)


def _by_reader(best: Mark, working: Working, subject: Subject) -> Mark:
    """The mark where the words do not tell: by what the trained reader makes of the sentences."""

    def counts(passage: Passage) -> bool:
        target = subject.mentioned(passage)
        about = words(target.description) if target else set()
        tied = (words(passage.text) & subject.setting) - about
        long = len(passage.text.split()) >= _LONG
        beside = passage.topic in ("check", "assumptions")
        return not beside and is_prose(passage.text) and (bool(tied) or long)

    share, _, text = working.readings.at_least_one("meaning", counts)
    if share >= _LIKELY:
        return Mark(2, f"read as what a result means (trained reader, {share:.2f}): {text[:200]}")
    return best


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
    advises = bool(result_cues.ADVISES.search(text) or _BIDS.search(text))
    if is_assumption(passage, subject) and not (states or advises or result_cues.CONNECTS.search(text)):
        return False
    if passage.topic == "check":
        text = _PRINCIPLE.sub(" ", text)
        return bool(result_cues.STATES_MEANING.search(text) and result_cues.ADVISES.search(text))
    if result_cues.STRICT_CHECKS.search(text) or result_cues.VERDICTS.search(text):
        beside = result_cues.VERDICTS.sub(" ", result_cues.STRICT_CHECKS.sub(" ", text))
        draws = result_cues.STATES_MEANING.search(beside) or result_cues.ADVISES.search(beside)
        draws = draws or _BIDS.search(beside)
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
    return bool(result_cues.ADVISES.search(clause) or result_cues.CONNECTS.search(clause))
