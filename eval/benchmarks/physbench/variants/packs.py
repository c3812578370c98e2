"""Region packs: names, places and objects of daily life, and what each object can be and do."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field

from ansatz.eval.benchmarks.templates.template_parts import TemplatePart, or_text_for
from ansatz.eval.problem import Entity, NumberTarget, Problem
from ansatz.eval.validation import check_choices
from ansatz.quantities.units import UnitError, converted

FOLDER = Path(__file__).parent
REGIONS = ("asia", "africa", "south_america_oceania")


class Town(TemplatePart):
    """A town, and what its surroundings offer."""

    town: str
    country: str
    land: tuple[Literal["coast", "hills", "snow", "river", "lake"], ...] = ()


class Thing(TemplatePart):
    """The class (limits.yaml) of an object, and the countries it belongs to; none means the whole region."""

    class_name: str = Field(alias="class")
    countries: tuple[str, ...] = ()


class Pack(TemplatePart):
    """One region. Names, places and objects of one story are taken from one country.

    Given names are by country and by the pronoun they commonly go with, f or m.
    """

    region: str
    title: str
    objects: dict[str, Annotated[Thing, or_text_for("class")]]
    names: dict[str, dict[Literal["f", "m"], tuple[str, ...]]]
    places: tuple[Town, ...]
    rivers: tuple[str, ...]
    lakes: tuple[str, ...]

    def people(self, gender: str = "", country: str = "") -> tuple[str, ...]:
        """All given names, or those of one gender or country."""
        homes = (each for home, each in self.names.items() if country in ("", home))
        found = (name for home in homes for of, names in home.items() if gender in ("", of) for name in names)
        return tuple(dict.fromkeys(found))

    def things(self, classes: Collection[str], country: str) -> tuple[tuple[str, str], ...]:
        """Objects of some classes that a country has, each with its class."""
        return tuple(
            (text, each.class_name)
            for text, each in self.objects.items()
            if each.class_name in classes and (not each.countries or country in each.countries)
        )


class ObjectClass(TemplatePart):
    """Kinds of object that a class may stand for, its ranges by property (low, high, unit), and why.

    `such_as` are common objects that are better replaced by this class than by others of their kind; all
    objects of a class may be `made_of` one material. Where `instead_of` lists objects, no other may give way.
    """

    stands_for: tuple[str, ...]
    such_as: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()
    made_of: str = ""
    ranges: dict[str, tuple[float, float, str]]
    reason: str


class ObjectLimits(TemplatePart):
    """`places` are patterns by kind of place; `land` the words of a place that need that land.

    `properties` are names of others by the property whose range holds for them too.
    """

    classes: dict[str, ObjectClass]
    properties: dict[str, tuple[str, ...]] = Field(default={})
    places: dict[str, str]
    land: dict[str, tuple[str, ...]]
    materials: frozenset[str]


@cache
def limits() -> ObjectLimits:
    """What objects can be and do."""
    return ObjectLimits.model_validate(_read("limits.yaml"))


@cache
def pack(region: str) -> Pack:
    """The pack of a region, with what is found everywhere. Raises InvalidData for another region."""
    check_choices("regions", [region], REGIONS)
    own, shared = _read(f"packs/{region}.yaml"), _read("packs/everywhere.yaml")
    return Pack.model_validate({**own, "objects": own["objects"] | shared["objects"]})


def _read(name: str) -> dict[str, Any]:
    """Read as text, so that "No" is a name; the fields' types do the rest."""
    fields: dict[str, Any] = yaml.load((FOLDER / name).read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
    return fields


@cache
def classes_for(kind: str, text: str) -> tuple[str, ...]:
    """The classes that may stand for an object of a kind, told as `text`."""
    return tuple(
        name
        for name, each in limits().classes.items()
        if kind in each.stands_for and (not each.instead_of or text in each.instead_of)
    )


Stated = tuple[tuple[str, float, str], ...]
"""Properties with their values and units: (("mass", 0.16, "kg"),)."""


def stated_of(problem: Problem, entity: Entity) -> Stated:
    """What the problem says of an entity: values of givens and results, by property."""
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


@lru_cache(maxsize=4096)  # the same of every country of a pack
def why_implausible(class_name: str, stated: Stated) -> str | None:
    """Why an object of the class cannot be so, in one line; None where it can."""
    known = limits().classes[class_name]
    for name, value, unit in stated:
        wider = next((wide for wide, narrow in limits().properties.items() if name in narrow), name)
        bounds = known.ranges.get(name) or known.ranges.get(wider)
        if bounds is None:
            return f"{class_name}: nothing is known of its {name}"
        low, high, wanted = bounds
        try:
            found = converted(value, unit, wanted)
        except UnitError as error:
            return f"{class_name}: {error}"
        if not low <= found <= high:
            outside = f"a {name} of {found:.4g} {wanted} is outside {low:g} to {high:g} {wanted}"
            return f"{class_name}: {outside} ({known.reason})"
    return None
