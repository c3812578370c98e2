"""Lettered options after a question, and which of them a worked-out value is nearest to."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from ansatz.agents.slide_rule.givens import Given, quantities
from ansatz.agents.slide_rule.units import Unit

_LETTERED = re.compile(
    r"(?:^|(?<=\s))\(?(?P<letter>[A-H]|[a-h])[).:]\s+(?P<text>\S.*?)(?=\s+\(?[A-Ha-h][).:]\s|\s*$)", re.M
)
_FIRST = re.compile(r"(?:^|\s)\(?[Aa][).:]\s")
_FEWEST = 3
_ALIKE = 1.5  # a value further than this factor from every option speaks for none of them


@dataclass(frozen=True)
class Option:
    """`value` is None for an option that is not a quantity."""

    letter: str
    text: str
    value: Given | None


@dataclass(frozen=True)
class Options:
    options: tuple[Option, ...] = ()

    @property
    def unit(self) -> Unit | None:
        """The unit of the first option, if all options are quantities of one kind."""
        units = [option.value.unit for option in self.options if option.value]
        if not units or len(units) < len(self.options):
            return None
        return units[0] if all(units[0].same_kind(unit) for unit in units) else None

    @property
    def unit_text(self) -> str:
        first = self.options[0].value if self.options else None
        return re.sub(r"^[-+\d.,eE×x^{} ]+", "", first.text) if first else ""

    def nearest(self, value: float) -> str | None:
        """The letter of the option nearest to a value in SI, by ratio; None if all are far from it."""
        distances = [
            (_distance(option.value.value, value), option.letter) for option in self.options if option.value
        ]
        distance, letter = min(distances, default=(math.inf, ""))
        return letter if distance < math.log(_ALIKE) else None


def _distance(option: float, value: float) -> float:
    if option * value > 0:
        return abs(math.log(option / value))
    return 0.0 if option == value else math.inf


def split_options(text: str) -> tuple[str, Options]:
    """The text without its lettered options, and these; all of the text if it has none."""
    found = list(_LETTERED.finditer(text)) if _FIRST.search(text) else []
    for first, match in enumerate(found):
        run = found[first:]
        letters = [each["letter"].upper() for each in run]
        if match["letter"].upper() == "A" and letters == [chr(65 + place) for place in range(len(letters))]:
            if len(run) < _FEWEST:
                break
            options = tuple(_option(each["letter"].upper(), each["text"].strip()) for each in run)
            return f"{text[: match.start()].strip()}\n{text[run[-1].end() :].strip()}".strip(), Options(
                options
            )
    return text, Options()


def _option(letter: str, text: str) -> Option:
    found = quantities(f"value of {text}")
    starts = bool(found) and re.match(r"[-+]?\d", text) is not None
    return Option(letter, text, found[0] if starts else None)
