"""Loading the base: what is refused, and in which words."""

import pytest
import yaml

from ansatz.errors import EntryError
from ansatz.knowledge_base.equation import FOLDER, Library, group_by_formula, library
from ansatz.knowledge_base.equation.library import PHRASES
from tests.knowledge_base.test_equation import KEPLER, SUTTON_GRAVES


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, SUTTON_GRAVES)
    write(tmp_path, KEPLER)
    return tmp_path


def write(folder, fields, text=None):
    domain, name = fields["id"].split(".", 1)
    file = folder / domain / f"{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text or yaml.safe_dump(fields), encoding="utf-8")
    return file


def test_every_yaml_file_is_an_entry(folder):
    found = Library.load(folder)
    assert [equation.id for equation in found] == ["astro.kepler", "heating.sutton_graves.earth"]
    assert found.domains == {"astro": 1, "heating": 1}
    assert len(found) == len(group_by_formula(found)) == 2


def test_file_name_may_be_the_whole_id(tmp_path):
    write(tmp_path, KEPLER).rename(tmp_path / "astro" / "astro.kepler.yaml")
    assert "astro.kepler" in Library.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"confusible_with": []}, "confusible_with: unknown key; did you mean 'confusable_with'"),
        ({"symbols": {**KEPLER["symbols"], "e": {"units": "-", "desc": "x"}}}, "symbols.e.units: unknown key; did you mean 'unit'"),
        ({"symbols": {**KEPLER["symbols"], "e": {"unit": "-", "desc": "x", "foo": 1}}}, "symbols.e.foo: unknown key (valid: unit, desc, sample, valid, latex)"),
        ({"regime": {"require": [{"var": "kn", "lte": 1}]}}, "regime.require.0.lte: unknown key; did you mean 'l"),
        ({"tests": [{"inn": {}, "out": 1, "source": "x"}]}, "tests.0.inn: unknown key; did you mean 'in'"),
        ({"kind": "laws"}, "kind: "),
        ({"id": "astro.keppler"}, "id and domain must follow the path: astro.kepler"),
        ({"domain": "cycle"}, "id and domain must follow the path"),
    ],
)  # fmt: skip
def test_invalid_field_is_reported_with_its_file(tmp_path, change, field):
    file = write(tmp_path, KEPLER, yaml.safe_dump(KEPLER | change))
    with pytest.raises(EntryError) as refusal:
        Library.load(tmp_path)
    assert f"{file}: {field}" in str(refusal.value)


@pytest.mark.parametrize("text", ["- a list", "id: [", "id: a\nid: b"])
def test_file_that_is_no_mapping_is_refused(tmp_path, text):
    file = write(tmp_path, KEPLER, text)
    with pytest.raises(EntryError, match=str(file)):
        Library.load(tmp_path)


def test_yaml_reads_no_as_text_and_1e5_as_a_number(tmp_path):
    regime = "regime: {require: [{var: gas, in: [NO]}, {var: Re_x, lt: 5e5}]}"
    write(tmp_path, KEPLER, yaml.safe_dump(KEPLER | {"regime": None}).replace("regime: null", regime))
    nitric, large = Library.load(tmp_path).get("astro.kepler").regime.require
    assert (nitric.accepted, large.lt) == ({"NO"}, 5e5)


def test_one_invalid_file_does_not_hide_others(folder):
    write(folder, KEPLER, "kind: x")
    found = Library.read(folder)
    assert [equation.id for equation in found] == ["heating.sutton_graves.earth"]
    assert list(found.problems) == ["astro.kepler"]


@pytest.mark.parametrize(
    "change",
    [
        {"confusable_with": ["heating.sutton_grave.earth"]},
        {"failure_modes": [{"when": "x", "effect": "y", "use": "heating.sutton_grave.earth"}]},
    ],
)
def test_references_must_exist(folder, change):
    write(folder, KEPLER | change)
    with pytest.raises(EntryError, match=r"did you mean 'heating\.sutton_graves\.earth'"):
        Library.load(folder)


def test_base_is_as_large_as_documented():
    assert len(library()) >= 1475
    assert " ".join(library().domains) == (
        "astro boundary_layer cycle equilibrium heating newtonian nonequilibrium physics radiation reference "
        "shock viscous_interaction"
    )


def test_phrases_belong_to_known_entries():
    phrases = yaml.load(PHRASES.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    assert phrases.keys() <= {equation.id for equation in library()}
    assert all(library().get(id).phrases == tuple(listed) for id, listed in phrases.items())
    assert not [file for file in FOLDER.rglob("*.yaml") if "\nasked:" in file.read_text(encoding="utf-8")]
