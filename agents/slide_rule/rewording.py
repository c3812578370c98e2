"""Put a question into other words, as far as the offline model can: it exchanges a few verbs."""

from __future__ import annotations

import re

_OTHER_WORDS = {
    "find": "determine",
    "determine": "find",
    "calculate": "compute",
    "compute": "calculate",
    "assume": "suppose",
    "suppose": "assume",
    "neglect": "ignore",
    "ignore": "neglect",
    "give": "state",
}
_WORDS = re.compile(rf"\b(?:{'|'.join(_OTHER_WORDS)})\b", re.IGNORECASE)


def reword_question(question: str) -> str:
    """Return the question with other verbs, or a sentence that the model cannot put it into other words."""

    def exchange(found: re.Match[str]) -> str:
        word = _OTHER_WORDS[found[0].lower()]
        return word.capitalize() if found[0][0].isupper() else word

    changed = _WORDS.sub(exchange, question)
    return changed if changed != question else "I cannot put this question into other words."
