"""G6 to G8: assumptions, interpretation and presentation, marked by presence alone.

These are matters of reading, which needs a person or a model. The marks here are coarse: they tell whether
words of one short list occur, not what is said with them.
"""

from __future__ import annotations

import re

from ansatz.eval.verifier.finding import RuleMark
from ansatz.eval.verifier.working import Working

COARSE = "coarse, by presence of words"
CUES = {
    "assumption": r"assum\w+|neglect\w*|negligib\w+|ideal gas|steady|suppos\w+|treat\w* as|假设|忽略",
    "reason": r"because|since|due to|as the|so that|justif\w+|valid\w*|因为|由于",
    "meaning": r"mean(?:s|ing)|impl(?:y|ies)|indicat\w+|suggest\w*|reasonabl\w+|plausib\w+|expected"
    r"|typical\w*|consistent|compar\w+|physical\w*|exceeds?|说明|表明|合理",
}
"""All the words there are."""
_CUES = {name: re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.I) for name, words in CUES.items()}
_STEP = re.compile(
    r"^\W*(?:(?:step|given|find|formula|calculation|result|check|assumptions?)\b|\d+[.)])", re.I | re.M
)


def assumptions(working: Working) -> RuleMark:
    """2: an assumption and a reason. 1: an assumption. 0: none."""
    found = _CUES["assumption"].search(working.text)
    if not found:
        return RuleMark(0, f"no word of an assumption ({COARSE})")
    reason = _CUES["reason"].search(working.text)
    words = f"“{found.group()}”" + (f" and “{reason.group()}”" if reason else "")
    return RuleMark(2 if reason else 1, f"{words} ({COARSE})", error=False)


def interpretation(working: Working) -> RuleMark:
    """2: several words of what results mean. 1: one. 0: none."""
    found = dict.fromkeys(each.group().lower() for each in _CUES["meaning"].finditer(working.text))
    told = ", ".join(f"“{each}”" for each in list(found)[:4]) or "no word of what the results mean"
    return RuleMark(min(len(found), 2), f"{told} ({COARSE})", error=False if found else None)


def presentation(working: Working) -> RuleMark:
    """2: the results are stated and steps lead to them. 1: one of both. 0: neither."""
    stated = bool(working.finals) and len(working.finals) == len(working.targets)
    steps = len(working.terms) > 1 or len(_STEP.findall(working.text)) > 1
    said = f"results {'stated' if stated else 'not all stated'}, steps {'shown' if steps else 'not shown'}"
    return RuleMark(stated + steps, f"{said} ({COARSE})", error=False if stated and steps else None)
