"""Region packs (names, places, everyday objects), and the physical limits of each class of object."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field

from ansatz.errors import UnitError
from ansatz.eval.benchmarks.templates.template_parts import TemplatePart, or_text_for
from ansatz.eval.problem import Entity, NumberTarget, Problem
from ansatz.eval.validation import check_choices
from ansatz.quantities.units import convert_number

FOLDER = Path(__file__).parent
REGIONS = ("asia", "africa", "south_america_oceania")


class Town(TemplatePart):
    """A town and its landscape."""

    town: str
    country: str
    land: tuple[Literal["coast", "hills", "snow", "river", "lake"], ...] = ()


class Thing(TemplatePart):
    """An object of a pack."""

    class_name: str = Field(alias="class")
    """Its class in `limits.yaml`."""
    countries: tuple[str, ...] = ()
    """The countries in which it is common; empty for the whole region."""


class Pack(TemplatePart):
    """One region. A story takes its names, places and objects from one country."""

    region: str
    title: str
    objects: dict[str, Annotated[Thing, or_text_for("class")]]
    names: dict[str, dict[Literal["f", "m"], tuple[str, ...]]]
    """Given names by country and by the pronoun that usually goes with them."""
    places: tuple[Town, ...]
    rivers: tuple[str, ...]
    lakes: tuple[str, ...]

    def people(self, gender: str = "", country: str = "") -> tuple[str, ...]:
        """Return all given names, or those of one gender or country."""
        homes = (each for home, each in self.names.items() if country in ("", home))
        found = (name for home in homes for of, names in home.items() if gender in ("", of) for name in names)
        return tuple(dict.fromkeys(found))

    def things(self, classes: Collection[str], country: str) -> tuple[tuple[str, str], ...]:
        """Return the objects of some classes that are common in a country, each with its class."""
        return tuple(
            (text, each.class_name)
            for text, each in self.objects.items()
            if each.class_name in classes and (not each.countries or country in each.countries)
        )


class ObjectClass(TemplatePart):
    """A class of objects that can replace objects of other kinds within its limits."""

    stands_for: tuple[str, ...]
    """The kinds of object that the class can replace."""
    such_as: tuple[str, ...] = ()
    """Common objects for which this class is preferred to other classes of their kind."""
    instead_of: tuple[str, ...] = ()
    """If given, the only objects that the class can replace."""
    made_of: str = ""
    """The material of all objects of the class."""
    ranges: dict[str, tuple[float, float, str]]
    """Low, high and unit by property."""
    reason: str
    """The reason or source of the ranges."""


class ObjectLimits(TemplatePart):
    """The contents of `limits.yaml`."""

    classes: dict[str, ObjectClass]
    properties: dict[str, tuple[str, ...]] = Field(default={})
    """For each property, the narrower properties to which its range also applies."""
    places: dict[str, str]
    """A pattern for the name of each kind of place."""
    land: dict[str, tuple[str, ...]]
    """For each landscape, the words of a place that require it."""
    materials: frozenset[str]


@cache
def read_limits() -> ObjectLimits:
    """Return the physical limits of all classes of objects."""
    return ObjectLimits.model_validate(_read_yaml("limits.yaml"))


@cache
def read_pack(region: str) -> Pack:
    """Return the pack of a region, including the objects that are common everywhere.

    Raises InvalidData for an unknown region.
    """
    check_choices("regions", [region], REGIONS)
    regional, shared = _read_yaml(f"packs/{region}.yaml"), _read_yaml("packs/everywhere.yaml")
    return Pack.model_validate({**regional, "objects": regional["objects"] | shared["objects"]})


def _read_yaml(name: str) -> dict[str, Any]:
    """Read all scalars as text, so that the name "No" is not a boolean. Pydantic converts the numbers."""
    fields: dict[str, Any] = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
    return fields


@cache
def find_classes(kind: str, text: str) -> tuple[str, ...]:
    """Return the classes that can replace the object `text` of a kind."""
    return tuple(
        name
        for name, each in read_limits().classes.items()
        if kind in each.stands_for and (not each.instead_of or text in each.instead_of)
    )


Stated = tuple[tuple[str, float, str], ...]
"""Properties with their values and units: (("mass", 0.16, "kg"),)."""


def find_stated_properties(problem: Problem, entity: Entity) -> Stated:
    """Return the properties of an entity whose values are givens or results of the problem."""
    values = {
        target.name: (target.value, target.unit)
        for target in problem.targets
        if isinstance(target, NumberTarget) and target.value is not None
    }
    values |= {step.symbol: (step.value, step.unit) for step in problem.reference.steps}
    for given in problem.givens:
        if isinstance(given.value, int | float):
            values[given.name] = (float(given.value), given.unit)
    return tuple((name, *values[symbol]) for name, symbol in entity.quantities.items() if symbol in values)


@lru_cache(maxsize=4096)  # the answer is the same for every country of a pack
def explain_implausible(class_name: str, stated: Stated) -> str | None:
    """Return one line on why no object of the class can have these properties, or None if one can."""
    limits = read_limits()
    known = limits.classes[class_name]
    for name, value, unit in stated:
        wider = next((wide for wide, narrow in limits.properties.items() if name in narrow), name)
        bounds = known.ranges.get(name) or known.ranges.get(wider)
        if bounds is None:
            return f"{class_name}: its {name} has no known range"
        low, high, wanted = bounds
        try:
            found = convert_number(value, unit, wanted)
        except UnitError as error:
            return f"{class_name}: {error}"
        if not low <= found <= high:
            outside = f"a {name} of {found:.4g} {wanted} is outside {low:g} to {high:g} {wanted}"
            return f"{class_name}: {outside} ({known.reason})"
    return None
