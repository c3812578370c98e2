"""Region packs, plausibility limits, the variants made from them, and the command that makes them."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.errors import InvalidData
from ansatz.eval import problem_files
from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench import variants
from ansatz.eval.benchmarks.physbench.variants import REGIONS, make_variant, read_pack
from ansatz.eval.benchmarks.physbench.variants.generator import replace_words
from ansatz.eval.benchmarks.physbench.variants.packs import explain_implausible, find_classes, read_limits
from ansatz.eval.problem import ChoiceTarget, Entity, Given, MessageTarget, NumberTarget, Problem
from ansatz.quantities.units import parse_unit


def ride(speed=20.0, **changes):
    fields = {
        "id": "ride#0",
        "family": "ride",
        "benchmark": "test",
        "question": f"Tom rides a motorcycle along Ridge Road at v = {speed} m/s. How far in t = 10 s?",
        "givens": (Given(name="v", value=speed, unit="m/s"), Given(name="t", value=10.0, unit="s")),
        "targets": (NumberTarget(name="d", weight=1, unit="m", value=speed * 10),),
        "entities": {
            "person": Entity(text="Tom", kind="person"),
            "place": Entity(text="Ridge Road", kind="road"),
            "object": Entity(text="motorcycle", kind="motorcycle", quantities={"speed": "v"}),
        },
    }
    return Problem(**fields | changes)


def test_packs_agree_with_the_limits():
    for found in map(read_pack, REGIONS):
        assert len(found.people()) >= 40 and len(found.places) >= 25 and len(found.objects) >= 40
        homes = {town.country for town in found.places}
        homes |= {home for each in found.objects.values() for home in each.countries}
        assert homes <= found.names.keys()
        assert {thing.class_name for thing in found.objects.values()} <= read_limits().classes.keys()
    for name, each in read_limits().classes.items():
        assert each.reason and each.stands_for, name
        assert all(low < high and parse_unit(unit) for low, high, unit in each.ranges.values()), name


def test_a_class_replaces_only_what_it_lists_within_its_limits():
    assert "jug" in find_classes("container", "jug")
    assert "jug" not in find_classes("container", "gas cell")
    assert explain_implausible("motorcycle", (("speed", 20.0, "m/s"), ("speed", 60.0, "km/h"))) is None
    assert "200 m/s is outside 0 to 35 m/s" in explain_implausible("motorcycle", (("speed", 200.0, "m/s"),))
    assert explain_implausible("motorcycle", (("voltage", 12.0, "V"),))


@pytest.mark.parametrize("region", REGIONS)
def test_a_variant_uses_words_of_its_region_where_they_fit(region):
    original, pack = ride(), read_pack(region)
    made = make_variant(original, pack, 0)
    variant = made.problem
    assert made.words["Tom"] in pack.people()
    assert made.words["motorcycle"] in pack.objects
    assert not any(old in variant.question for old in ("Tom", "Ridge Road"))
    for field in ("family", "targets", "givens"):
        assert getattr(variant, field) == getattr(original, field)
    assert (variant.tags["probe"], variant.tags["original_id"]) == (region, original.id)
    fast = make_variant(ride(200.0), pack, 0)
    assert "outside" in fast.unchanged["motorcycle"] and "motorcycle" in fast.problem.question


def test_variants_of_the_set_keep_the_problem():
    """Undoing the replacements gives the original again; half of the objects change, and all topics do."""
    problems, objects, topics = physbench.load(), [], set()
    for place, problem in enumerate(problems):
        made = make_variant(problem, read_pack(REGIONS[place % len(REGIONS)]), seed=20)
        things = {entity.text for role, entity in problem.entities.items() if role.startswith("object")}
        objects += [bool(things & made.words.keys())] if things else []
        if made.problem is None:
            continue
        topics.add(problem.tags["topic"])
        back = {new: old for old, new in made.words.items()}
        assert replace_words(made.problem.question, back) == problem.question, problem.id
        assert (made.problem.family, made.problem.givens) == (problem.family, problem.givens)
        for target, original in zip(made.problem.targets, problem.targets, strict=True):
            if isinstance(target, ChoiceTarget):
                assert (target.value, target.options.keys()) == (original.value, original.options.keys())
            elif not isinstance(target, MessageTarget):
                assert target == original
    assert sum(objects) >= 0.5 * len(objects) and topics == {each.tags["topic"] for each in problems}


def test_the_seed_alone_chooses_the_words():
    first, second = (
        [make_variant(ride(), read_pack("asia"), seed).words for seed in range(20)] for _ in range(2)
    )
    assert first == second and len({str(words) for words in first}) > 10


@pytest.mark.parametrize(("pronoun", "gender"), [("She", "f"), ("He", "m")])
def test_a_name_goes_with_the_pronoun_of_the_story(pronoun, gender):
    problem = ride(question=f"Tom rides a motorcycle. {pronoun} brakes.")
    made = make_variant(problem, read_pack("africa"), 0)
    assert made.words["Tom"] in read_pack("africa").people(gender)


def test_a_story_with_snow_is_set_only_in_a_town_with_snow():
    problem = ride(
        entities={"place": Entity(text="the frozen meadow", kind="field")}, question="On the frozen meadow."
    )
    for found in map(read_pack, REGIONS):
        snowy = tuple(town.town for town in found.places if "snow" in town.land)
        for seed in range(10):
            assert make_variant(problem, found, seed).words["the frozen meadow"].endswith(snowy)
    snowless = found.model_copy(update={"places": [town for town in found.places if "snow" not in town.land]})
    assert "snow" in make_variant(problem, snowless, 0).unchanged["the frozen meadow"]


def test_a_story_without_entities_has_no_variant():
    made = make_variant(ride(entities={}), read_pack("asia"), 0)
    assert made.problem is None and "entities" in made.unchanged[""]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("A tram stops. The tram waits.", {"tram": "ox cart"}, "An ox cart stops. The ox cart waits."),
        ("Two crates and an apple.", {"crate": "tea chest", "apple": "guava"}, "Two tea chests and a guava."),
        ("Bags of rice; a bag of rice", {"bag of rice": "urn of maize"}, "Urns of maize; an urn of maize"),
        ("Anna and Annabel", {"Anna": "Mei"}, "Mei and Annabel"),
        ("Tom meets Ben", {"Tom": "Ben", "Ben": "Kofi"}, "Ben meets Kofi"),
        ("an umbrella, a car", {"umbrella": "unicycle", "car": "hourglass"}, "a unicycle, an hourglass"),
        ("trays, sacks of rice", {"tray": "bus", "sack of rice": "ferry"}, "buses, ferries"),
    ],
)
def test_articles_plurals_and_word_ends(text, words, expected):
    assert replace_words(text, words) == expected


def test_the_benchmark_pairs_each_original_with_every_region():
    problems = variants.load(count=3, topics=["optics"])
    assert len({each.id for each in problems}) == len(problems) == 12
    for place in range(0, 12, 4):
        original, *varied = problems[place : place + 4]
        assert [each.tags["probe"] for each in (original, *varied)] == ["original", *REGIONS]
        assert {(each.tags["original_id"], each.family) for each in varied} == {
            (original.id, original.family)
        }


def test_the_benchmark_refuses_settings_it_cannot_meet():
    with pytest.raises(InvalidData, match="did you mean 'asia'"):
        variants.load(regions=["asai"])
    with pytest.raises(InvalidData, match="not 1000"):
        variants.load(count=1000, topics=["optics"])


@pytest.fixture
def originals(tmp_path):
    problem_files.dump([ride(15.0)], tmp_path / "originals.jsonl")
    return tmp_path / "originals.jsonl"


def run(*words):
    return CliRunner().invoke(app, ["benchmark", "physbench", *map(str, words)])


def test_the_command_writes_variants_and_lists_replacements(originals):
    out = originals.with_name("out.jsonl")
    done = run("vary", originals, "--out", out, "--region", "asia", "--json")
    [variant], [row] = problem_files.load(str(out)), json.loads(done.output)
    assert done.exit_code == 0 and variant.id == "ride#0@asia" and row["id"] == "ride#0"
    assert "Tom → " in row["replaced"] and row["unchanged"] == ""


def test_the_command_does_not_overwrite_its_input(originals):
    assert run("vary", originals, "--out", originals).exit_code == 2
