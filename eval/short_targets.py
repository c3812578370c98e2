"""Read a target that is written short: by `answer`, with `options` or `unit`, or by `value` and `unit`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from string import ascii_uppercase
from typing import Any

from ansatz.errors import UnitError
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import parse_unit, read_number_and_unit

ANSWER = "answer"
"""The default name of a target. "answer = 1.51 kW", "Answer: 1.51 kW" and a box state its value."""
_WORDS = re.compile(r"[^\W\d_]+(?:[ '’-]+[^\W\d_]+)*")
_MOST_WORDS = 5  # of an answer that is a label; a longer text is a sentence


def expand_short_target(short: Mapping[str, Any]) -> Any:
    """Return the target that is written without `targets`. Raises ValueError if its answer is none."""
    unit, answer = short.get("unit", ""), short.get(ANSWER, short.get("value"))
    further = {name: short[name] for name in ("tolerance",) if name in short}
    if ANSWER in short and "value" in short:
        raise ValueError("answer: cannot be combined with value; write one of them")
    if answer is None:
        raise ValueError("answer: is empty; write the right value, or leave the problem out")
    if "options" in short:
        return _read_choice(answer, short["options"]) | further
    if ANSWER not in short:
        return dict(short)
    if isinstance(answer, Mapping):
        return {**answer, **further, **({"unit": unit} if unit else {})}
    if isinstance(answer, str) and _is_label(answer):
        if unit not in ("", "-"):
            raise ValueError(f"unit: is {unit}, but the answer {answer!r} is a word")
        return {"kind": "label", "value": " ".join(answer.split()), **further}
    return _read_number(answer, unit) | further


def _read_choice(answer: Any, options: Any) -> dict[str, Any]:
    """Return the choice with these options. The answer is a letter, or the text of one option.

    Case, spaces and brackets around the letter do not matter. Raises ValueError.
    """
    if isinstance(options, list | tuple):
        if len(options) > len(ascii_uppercase):
            raise ValueError(f"options: must be at most {len(ascii_uppercase)}, not {len(options)}")
        options = dict(zip(ascii_uppercase, options, strict=False))
    if not isinstance(options, Mapping):
        raise ValueError("options: must be a list, or an object of letters and texts")
    letter = _find_letter(str(answer), options)
    if letter is None:
        hint = _explain_position(str(answer), options) or nearest(str(answer), options)
        raise ValueError(f"answer: {answer!r} is no option{hint}")
    return {"kind": "choice", "value": letter, "options": options}


def _find_letter(answer: str, options: Mapping[str, Any]) -> str | None:
    """Return the letter that an answer names, or whose option it is the text of; None if not exactly one."""

    def fold(text: Any) -> str:
        return " ".join(str(text).casefold().split())

    exact, wanted = answer.strip(), fold(answer)
    readings = (
        [letter for letter in options if letter == exact],
        [letter for letter, text in options.items() if str(text).strip() == exact],
        [letter for letter, text in options.items() if fold(text) == wanted],
        [letter for letter in options if fold(letter) == wanted.strip("().: ")],
    )
    found = next(filter(None, readings), [])
    return found[0] if len(found) == 1 else None


def _explain_position(answer: str, options: Mapping[str, Any]) -> str:
    """Return what a number may be as the position of an option, as the end of a message."""
    if not answer.strip().isdecimal():
        return ""
    letters, position = list(options), int(answer)
    places = {start: position - start for start in (0, 1) if 0 <= position - start < len(letters)}
    meanings = (f"{letters[place]} if positions start from {start}" for start, place in places.items())
    return f"; write its letter: {', '.join(meanings)}" if places else ""


def _is_label(answer: str) -> bool:
    """Whether an answer is a word or a few. Raises ValueError for a letter, a unit and a sentence."""
    words = answer.split()
    if not _WORDS.fullmatch(" ".join(words)) or _is_number(answer):
        return False
    if len(answer.strip()) == 1:
        raise ValueError(
            f"answer: {answer!r} is a letter without `options`; add them, or {_format_label(answer)}"
        )
    if len(words) > _MOST_WORDS:
        raise ValueError(
            f"answer: has {len(words)} words, a label has at most {_MOST_WORDS}; for a text that a judge "
            'compares, write {"kind": "message", "value": …}'
        )
    with suppress(UnitError):
        parse_unit(answer)
        raise ValueError(
            f"answer: {answer!r} is a unit without a number; for a word, {_format_label(answer)}"
        )
    return True


def _format_label(answer: str) -> str:
    return f'write {{"kind": "label", "value": {json.dumps(answer, ensure_ascii=False)}}}'


def _is_number(answer: str) -> bool:
    """Whether Python reads the text as a number; it reads `nan` and `inf`, too."""
    with suppress(ValueError):
        float(answer)
        return True
    return False


def _read_number(answer: Any, unit: str) -> dict[str, Any]:
    """Return the number target of "1.51 kW", or of 1.51 with its unit. Raises ValueError."""
    if isinstance(answer, bool) or not isinstance(answer, int | float | str):
        raise ValueError(f"answer: must be a quantity such as '1.51 kW', a word, or a target, not {answer!r}")
    if not isinstance(answer, str) or _is_number(answer):
        return {"value": float(answer) if isinstance(answer, str) else answer, "unit": unit or "-"}
    try:
        value, written = read_number_and_unit(answer)
    except UnitError as error:
        as_label = "" if re.match(r"\s*[\d.+−-]", answer) else f"; for a word, {_format_label(answer)}"
        raise ValueError(f"answer: {error}{as_label}") from None
    if written and unit and unit != written:
        raise ValueError(f"answer: has the unit {written}, but the field unit has {unit}")
    return {"value": value, "unit": written or unit or "-"}
