"""School physics, remembered by topic: a topic comes to mind when the question uses its words.

The formulas stand in school_physics.md. Each can be turned round, as every student learns to. Sources:
- D. Halliday, R. Resnick and J. Walker, *Fundamentals of Physics*, and R. A. Serway and J. W. Jewett,
  *Physics for Scientists and Engineers*: mechanics, waves, heat, electricity, optics, modern physics;
- H. D. Curtis, *Orbital Mechanics for Engineering Students*: orbits, transfers, the rocket equation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ansatz.agents.slide_rule.formula import Formula
from ansatz.agents.slide_rule.rearranging import rearrangements
from ansatz.agents.slide_rule.sheet import read_sheet
from ansatz.agents.slide_rule.words import content_words

_TOPIC = re.compile(r"^# (?P<title>.*)\ncues: (?P<cues>.*)\n", re.MULTILINE)
_TOPICS_AT_ONCE = 5  # as many as one looks through before giving up
_ENGINEERING = content_words(
    """mach hypersonic supersonic subsonic transonic freestream shock stagnation boundary layer reynolds
    knudsen prandtl nusselt stanton damkohler airfoil aerofoil wing nozzle throat enthalpy reentry entry
    vehicle capsule ablation ablator ablative emissivity dissociation recombination plasma rarefied turbulent
    laminar nose catalytic radiative viscosity isentropic perfect vibrational continuum aerodynamic
    aeroheating nitrogen dissociated ionized ionization spectral blackbody conductivity convective convection
    compressor turbine refrigerant steam cycle combustor recovery kinetics arrhenius molecules molecular
    diffusivity"""
)


@dataclass(frozen=True)
class Topic:
    """A chapter of a school book: `cues` bring it to mind; formulas stand in their order and turned round."""

    title: str
    cues: frozenset[str]
    formulas: tuple[Formula, ...]


@cache
def topics() -> tuple[Topic, ...]:
    text = Path(__file__).with_name("school_physics.md").read_text(encoding="utf-8")
    headings = list(_TOPIC.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    return tuple(
        _topic(heading["title"], content_words(heading["cues"]), text[heading.end() : end])
        for heading, end in zip(headings, ends, strict=True)
    )


def _topic(title: str, cues: frozenset[str], entries: str) -> Topic:
    formulas = [replace(formula, cues=cues) for formula in read_sheet(entries, trusted=False).formulas]
    turned = (each for formula in formulas for each in rearrangements(formula))
    return Topic(title, cues, (*formulas, *turned))


def school_formulas(words: frozenset[str]) -> tuple[Formula, ...]:
    """The formulas of the topics that a question's words bring to mind, the likeliest topic first.

    A question in the words of engineering brings none to mind.
    """
    named = {topic.title: len(topic.cues & words) for topic in topics()}
    if 2 * len(_ENGINEERING & words) >= max(named.values()):
        return ()
    called = sorted(topics(), key=lambda topic: -named[topic.title])[:_TOPICS_AT_ONCE]
    return tuple(formula for topic in called if named[topic.title] for formula in topic.formulas)
