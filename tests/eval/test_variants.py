"""Region packs, plausibility limits, the retelling of problems, and the commands for it."""

import json

import pytest
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.eval import problem_files
from ansatz.eval.benchmarks.physbench import variants
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.packs import classes_for, limits, why_implausible
from ansatz.eval.benchmarks.physbench.variants.replacing import replace
from ansatz.eval.problem import Entity, Given, NumberTarget, Problem
from ansatz.eval.validation import InvalidData
from ansatz.quantities.units import parse_unit
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer


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


def test_packs_are_rich_and_agree_with_the_limits_and_these_have_readable_units():
    for found in map(pack, REGIONS):
        assert len(found.people()) >= 40 and len(found.places) >= 25 and len(found.objects) >= 40
        homes = {town.country for town in found.places}
        homes |= {home for each in found.objects.values() for home in each.countries}
        assert homes <= found.names.keys()
        assert {thing.class_name for thing in found.objects.values()} <= limits().classes.keys()
    for name, each in limits().classes.items():
        assert each.reason and each.stands_for, name
        assert all(low < high and parse_unit(unit) for low, high, unit in each.ranges.values()), name


def test_a_class_stands_for_what_it_lists_and_a_motorcycle_does_not_do_200_m_per_second():
    assert "jug" in classes_for("container", "jug")
    assert "jug" not in classes_for("container", "gas cell")
    assert why_implausible("motorcycle", (("speed", 20.0, "m/s"), ("speed", 60.0, "km/h"))) is None
    assert "200 m/s is outside 0 to 35 m/s" in why_implausible("motorcycle", (("speed", 200.0, "m/s"),))
    assert "nothing is known" in why_implausible("motorcycle", (("voltage", 12.0, "V"),))


@pytest.mark.parametrize("region", REGIONS)
def test_a_variant_is_told_with_words_of_its_region_where_they_fit_and_keeps_the_rest(region):
    original = ride()
    variant = vary(original, pack(region), 0)
    told = variant.problem
    assert variant.words["Tom"] in pack(region).people()
    assert variant.words["motorcycle"] in pack(region).objects
    assert not any(old in told.question for old in ("Tom", "Ridge Road"))
    for field in ("family", "targets", "givens"):
        assert getattr(told, field) == getattr(original, field)
    assert (told.tags["region"], told.tags["original_id"]) == (region, original.id)
    fast = vary(ride(200.0), pack(region), 0)
    assert "outside" in fast.kept["motorcycle"] and "motorcycle" in fast.problem.question


def test_the_same_seed_tells_the_same_story_and_seeds_differ():
    told, again = ([vary(ride(), pack("asia"), seed).words for seed in range(20)] for _ in range(2))
    assert told == again and len({str(words) for words in told}) > 10


@pytest.mark.parametrize(("pronoun", "gender"), [("She", "f"), ("He", "m")])
def test_a_name_goes_with_the_pronoun_of_the_story(pronoun, gender):
    told = vary(ride(question=f"Tom rides a motorcycle. {pronoun} brakes."), pack("africa"), 0)
    assert told.words["Tom"] in pack("africa").people(gender)


def test_snow_is_put_where_it_lies_and_a_story_without_marked_entities_stays():
    problem = ride(
        entities={"place": Entity(text="the frozen meadow", kind="field")}, question="On the frozen meadow."
    )
    for found in map(pack, REGIONS):
        snowy = tuple(town.town for town in found.places if "snow" in town.land)
        for seed in range(10):
            assert vary(problem, found, seed).words["the frozen meadow"].endswith(snowy)
    snowless = found.model_copy(update={"places": [town for town in found.places if "snow" not in town.land]})
    assert "no town of the pack has snow" in vary(problem, snowless, 0).kept["the frozen meadow"]
    unmarked = vary(ride(entities={}), found, 0)
    assert unmarked.problem is None and "is marked" in unmarked.kept[""]


@pytest.mark.parametrize(
    ("text", "words", "told"),
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
def test_articles_plurals_and_word_ends(text, words, told):
    assert replace(text, words) == told


def test_the_benchmark_pairs_every_original_with_each_region_or_says_what_is_wrong():
    problems = variants.load(count=3, topics=["optics"])
    assert len({each.id for each in problems}) == len(problems) == 12
    for place in range(0, 12, 4):
        original, *retold = problems[place : place + 4]
        assert [each.tags["region"] for each in (original, *retold)] == ["original", *REGIONS]
        assert {(each.tags["original_id"], each.family) for each in retold} == {
            (original.id, original.family)
        }
    with pytest.raises(InvalidData, match="did you mean 'asia'"):
        variants.load(regions=["asai"])
    with pytest.raises(InvalidData, match="questions can be told anew, not 1000"):
        variants.load(count=1000, topics=["optics"])


@pytest.fixture
def originals(tmp_path):
    problem_files.dump([ride(15.0)], tmp_path / "originals.jsonl")
    return tmp_path / "originals.jsonl"


def run(*words):
    return CliRunner().invoke(app, ["benchmark", "physbench", *map(str, words)])


def test_the_command_makes_variants_and_its_check_finds_what_is_spoiled(originals):
    out = originals.with_name("out.jsonl")
    assert run("vary", originals, "--out", out, "--region", "asia").exit_code == 0
    found = run("check", originals, out, "--json")
    assert json.loads(found.output) == {"checked": 1, "rejected": 0, "changes": []}
    out.write_text(out.read_text(encoding="utf-8").replace("t = 10 s", "t = 10 min"), encoding="utf-8")
    spoiled = run("check", originals, out)
    assert spoiled.exit_code == 1
    assert "1 checked, 1 rejected" in spoiled.output and "10 s is missing" in spoiled.output


def test_a_second_opinion_is_asked_of_what_is_computed_to_be_the_same(originals, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    told = originals.with_name("told.jsonl")
    text = originals.read_text(encoding="utf-8")
    told.write_text(text.replace("Tom", "Mei") + text.replace("ride#0", "ride#0@asia").replace("10 s", "9 s"))
    script = [Answer(calls=(("record_changes", {"changes": ["'along' became 'across'"]}),))]
    with OpenAIServer(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        read = run("check", originals, told, "--second-opinion", "openai:gpt-test")
        [sent] = [json.dumps(request.body) for request in server.requests]
    assert read.exit_code == 1 and "'along' became 'across'" in read.output and "9 s" in read.output
    assert "Tom rides" in sent and "Mei rides" in sent and "150" not in sent


def test_the_command_refuses_bad_input_in_one_line(originals):
    assert run("vary", originals, "--out", originals).exit_code == 2
    other = originals.with_name("other.jsonl")
    problem_files.dump([ride(id="rode#0")], other)
    refused = run("check", originals, other)
    assert refused.exit_code == 2 and "did you mean 'ride#0'" in refused.output
