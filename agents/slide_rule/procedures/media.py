"""What flows: a fluid whose states are looked up, or a perfect gas whose states follow from formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.procedures.mentions import Mention

_VARIABLE = re.compile(
    r"variable[- ](?:specific[- ]heats?|heat capacit|c_?p|propert)|temperature[- ]depend"
    r"|variation of (?:the )?specific heats?"
    r"|(?:specific heats?|c_?p) (?:of (?:the )?\w+ )?(?:that )?(?:var|chang|depend)"
    r"|functions? of temperature|air[- ]tables?|(?:relative|reduced) pressures?|NASA",
    re.IGNORECASE,
)
_CONSTANT = re.compile(
    r"(?<!not )constant[- ](?:specific[- ]heats?|c_?p|heat capacit)|cold[- ]air|perfect gas|calorically",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"(?:not|rather than|instead of|no|never)\s+(?:\w+\s+){0,3}?(?:constant|cold[- ]air)[^.;,]*",
    re.IGNORECASE,
)
_REAL = re.compile(r"real[- ]gas|CoolProp|Lemmon", re.IGNORECASE)
_FLUIDS = (
    ("R134a", r"r[- ]?134a|refrigerant|hfc[- ]?134a"),
    ("water", r"\b(?:water|steam|rankine|feedwater)\b"),
    ("air", r"\b(?:air|brayton|gas[- ]turbine|gas(?:es)?)\b"),
)
_ASHRAE = re.compile(r"ashrae|-40 ?°C", re.IGNORECASE)
_NBP = re.compile(r"\bNBP\b|normal boiling point", re.IGNORECASE)
_ZERO = re.compile(
    r"\b(?P<what>s|h|entropy|enthalpy)\b[^.;,]{0,40}?(?:=\s*0|zero)[^.;\d]{0,20}?"
    r"(?:T\S*\s*=\s*)?(?P<T>\d+(?:\.\d+)?)\s*(?P<unit>K|°C)"
    r"(?:[^.;\d]{0,25}(?P<P>\d+(?:\.\d+)?)\s*(?P<unit_P>kPa|bar|MPa))?"
)
_KPA = {"kPa": 1.0, "bar": 100.0, "MPa": 1000.0}


@dataclass(frozen=True)
class Medium:
    """`fluid` by its name in the tools; the zeros (K, kPa) are where a perfect gas has h = 0 and s = 0."""

    fluid: str
    perfect: bool = False
    zero_h: float = 0.0
    zero_s: float = 298.15
    zero_p: float = 100.0
    offset_s: float = 0.0

    @property
    def family(self) -> str:
        """water, R134a or air, whatever the reference state."""
        return self.fluid.partition(" (")[0]

    def lines(self, label: str) -> dict[str, str]:
        """How a perfect gas's properties follow from one another at a state."""
        zero = f" - {self.zero_h:g}" if self.zero_h else ""
        offset = f"{self.offset_s:g} + " if self.offset_s else ""
        rise = f"cp*log(T_{label}/{self.zero_s:g})"
        return {
            f"h_{label}": f"cp*(T_{label}{zero})" if zero else f"cp*T_{label}",
            f"T_{label}": f"h_{label}/cp + {self.zero_h:g}" if zero else f"h_{label}/cp",
            f"s_{label}": f"{offset}{rise} - R*log(P_{label}/{self.zero_p:g})",
            f"v_{label}": f"R*T_{label}/P_{label}",
            f"u_{label}": f"h_{label} - P_{label}*v_{label}",
        }


def families(text: str) -> list[str]:
    """The fluids a text names, in the order in which they come."""
    found = [(match.start(), name) for name, words in _FLUIDS for match in re.finditer(words, text, re.I)]
    return list(dict.fromkeys(name for _, name in sorted(found)))


def medium(family: str, text: str, stated: Sequence[Mention], tabulated_air: bool) -> Medium:
    """How a fluid is to be treated.

    Nobody knows an air table by heart: without one before the eyes (`tabulated_air`) air has the specific
    heats of room temperature, whatever the text says.
    """
    if family == "R134a":
        return Medium(
            "R134a (ASHRAE)" if _ASHRAE.search(text) else "R134a (NBP)" if _NBP.search(text) else "R134a"
        )
    if family == "water":
        return Medium("water (IF97)" if re.search(r"\bIF-?97\b", text) else "water")
    if _REAL.search(text):
        return Medium("air (real gas)") if tabulated_air else Medium("air", True)
    if varies(text, stated):
        return Medium("air") if tabulated_air else Medium("air", True, 0.0, 300.0, 100.0, 1.702)
    return _perfect_gas(_ZERO.finditer(text))


def varies(text: str, stated: Sequence[Mention]) -> bool:
    """Specific heats that depend on temperature are asked for; where nothing is said they are constant."""
    said = _REFUSED.sub("", text)
    constant = _CONSTANT.search(said) or any(mention.kind == "cp" for mention in stated)
    return bool(_VARIABLE.search(said) or said != text) and not constant


def _perfect_gas(zeros: Iterable[re.Match[str]]) -> Medium:
    zero_h, zero_s, zero_p = 0.0, 298.15, 100.0
    for zero in zeros:
        kelvin = float(zero["T"]) + (273.15 if zero["unit"] == "°C" else 0.0)
        if zero["what"] in ("h", "enthalpy"):
            zero_h = kelvin
        else:
            zero_s = kelvin
            zero_p = float(zero["P"]) * _KPA[zero["unit_P"]] if zero["P"] else zero_p
    return Medium("air", True, zero_h, zero_s, zero_p)
