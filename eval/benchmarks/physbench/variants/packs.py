"""Region packs: names, places and objects of daily life, and what each object can be and do."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ansatz.eval.benchmarks.validation import InvalidData, check_choices, explain
from ansatz.quantities.did_you_mean import nearest

FOLDER = Path(__file__).parent
REGIONS = ("asia", "africa", "south_america_oceania")
LANDS = ("coast", "hills", "snow", "river", "lake")

_Model = TypeVar("_Model", bound=BaseModel)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Names(_Frozen):
    """Given names of a country, by the pronoun they commonly go with."""

    f: tuple[str, ...]
    m: tuple[str, ...]


class Town(_Frozen):
    """A town, and what its surroundings offer (LANDS)."""

    town: str
    country: str
    land: tuple[str, ...] = ()


class Thing(_Frozen):
    """The class (limits.yaml) of an object, and the countries it belongs to; none means the whole region."""

    class_name: str = Field(alias="class")
    countries: tuple[str, ...] = ()


def _named(value: Any) -> Any:
    return {"class": value} if isinstance(value, str) else value


class Pack(_Frozen):
    """One region. Names, places and objects of one story are taken from one country."""

    region: str
    title: str
    names: dict[str, Names]
    places: tuple[Town, ...]
    rivers: tuple[str, ...]
    lakes: tuple[str, ...]
    objects: dict[str, Annotated[Thing, BeforeValidator(_named)]]

    def people(self, gender: str = "", country: str = "") -> tuple[str, ...]:
        """All given names, or those of one gender (f or m) or country."""
        groups = [each for home, each in self.names.items() if country in ("", home)]
        found = (name for each in groups for group in _groups(each, gender) for name in group)
        return tuple(dict.fromkeys(found))

    def things(self, classes: Collection[str], country: str) -> tuple[tuple[str, str], ...]:
        """Objects of some classes that a country has, each with its class."""
        return tuple(
            (text, each.class_name)
            for text, each in self.objects.items()
            if each.class_name in classes and (not each.countries or country in each.countries)
        )


class Everywhere(_Frozen):
    """Objects that are found in every region."""

    objects: dict[str, Annotated[Thing, BeforeValidator(_named)]]


class ObjectClass(_Frozen):
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


class Limits(_Frozen):
    """`places` are patterns by kind of place; `land` the words of a place that need that land."""

    classes: dict[str, ObjectClass]
    properties: dict[str, tuple[str, ...]] = Field(default={})
    places: dict[str, str]
    land: dict[str, tuple[str, ...]]
    materials: frozenset[str]


@cache
def limits() -> Limits:
    """What objects can be and do. Raises InvalidData."""
    return _read(FOLDER / "limits.yaml", Limits)


@cache
def pack(region: str) -> Pack:
    """The pack of a region, with what is found everywhere. Raises InvalidData with a line for each fault."""
    check_choices("regions", [region], REGIONS)
    own = read_pack(FOLDER / "packs" / f"{region}.yaml")
    shared = _read(FOLDER / "packs" / "everywhere.yaml", Everywhere).objects
    return own.model_copy(update={"objects": own.objects | shared})


def read_pack(file: Path) -> Pack:
    """A pack of one's own. Raises InvalidData with a line for each fault."""
    found = _read(file, Pack)
    lines = [
        f"objects.{text}: {each.class_name!r} is no class of limits.yaml"
        f"{nearest(each.class_name, limits().classes)}"
        for text, each in found.objects.items()
        if each.class_name not in limits().classes
    ]
    named = [
        (f"objects.{text}.countries", home) for text, each in found.objects.items() for home in each.countries
    ]
    named += [(f"places[{index}].country", town.country) for index, town in enumerate(found.places)]
    lines += [
        f"{field}: {home!r} has no names{nearest(home, found.names)}"
        for field, home in named
        if home not in found.names
    ]
    lines += [
        f"places[{index}].land: {land!r} is not valid{nearest(land, LANDS)}"
        for index, town in enumerate(found.places)
        for land in town.land
        if land not in LANDS
    ]
    if lines:
        raise InvalidData("\n".join(f"{file.name}: {line}" for line in lines))
    return found


def _groups(names: Names, gender: str) -> list[tuple[str, ...]]:
    return [names.f if gender == "f" else names.m] if gender else [names.f, names.m]


def _read(file: Path, model: type[_Model]) -> _Model:
    try:
        # Read as text, so that "No" is a name; the fields' types do the rest.
        return model.model_validate(yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader))
    except OSError as error:
        raise InvalidData(f"{file}: {error.strerror}") from None
    except yaml.YAMLError as error:
        raise InvalidData(f"{file.name}: not YAML: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise InvalidData("\n".join(f"{file.name}: {line}" for line in explain(error, model))) from None
