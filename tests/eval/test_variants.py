"""Region packs, plausibility limits and the retelling of problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from ansatz.cli import app
from ansatz.eval import problem_files
from ansatz.eval.benchmarks import physbench
from ansatz.eval.benchmarks.physbench import variants
from ansatz.eval.benchmarks.physbench.variants import REGIONS, pack, vary
from ansatz.eval.benchmarks.physbench.variants.packs import classes_for, limits, why_implausible
from ansatz.eval.benchmarks.physbench.variants.replacing import replace
from ansatz.eval.problem import Entity, Given, NumberTarget, Problem
from ansatz.eval.validation import InvalidData
from ansatz.quantities.units import parse_unit
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer


def _ride(speed: float, entities: bool = True, text: str = "") -> Problem:
    marked = {
        "person": Entity(text="Tom", kind="person"),
        "place": Entity(text="Ridge Road", kind="road"),
        "object": Entity(text="motorcycle", kind="motorcycle", quantities={"speed": "v"}),
    }
    return Problem(
        id="ride#0",
        family="ride",
        benchmark="test",
        question=text or f"Tom rides a motorcycle along Ridge Road at v = {speed} m/s. How far in t = 10 s?",
        givens=(Given(name="v", value=speed, unit="m/s"), Given(name="t", value=10.0, unit="s")),
        targets=(NumberTarget(name="d", weight=1, unit="m", value=speed * 10),),
        entities=marked if entities else {},
    )


@pytest.mark.parametrize("region", REGIONS)
def test_packs_are_rich_and_agree_with_the_limits(region: str) -> None:
    found = pack(region)
    assert len(found.people()) >= 40 and len(found.places) >= 25 and len(found.objects) >= 40
    homes = {town.country for town in found.places}
    homes |= {home for each in found.objects.values() for home in each.countries}
    assert homes <= found.names.keys()
    assert {thing.class_name for thing in found.objects.values()} <= limits().classes.keys()


def test_limits_are_ranges_in_readable_units_with_a_reason() -> None:
    for name, each in limits().classes.items():
        assert each.reason and each.stands_for, name
        for low, high, unit in each.ranges.values():
            assert low < high, name
            parse_unit(unit)


def test_half_of_the_stories_with_an_object_get_another_one_and_every_topic_is_told_anew() -> None:
    stories = exchanged = 0
    told = set()
    for problem in physbench.load():
        objects = {entity.text for role, entity in problem.entities.items() if role.startswith("object")}
        variant = vary(problem, pack("africa"), 0)
        stories += bool(objects)
        exchanged += bool(objects & variant.words.keys())
        told |= {problem.tags["topic"]} if variant.problem else set()
    assert exchanged >= 0.5 * stories
    assert told == {each.tags["topic"] for each in physbench.load()}


def test_a_class_with_a_list_stands_for_nothing_else() -> None:
    assert "jug" in classes_for("container", "jug")
    assert "jug" not in classes_for("container", "gas cell")


def test_a_motorcycle_taxi_does_not_do_200_m_per_second() -> None:
    assert why_implausible("motorcycle", (("speed", 20.0, "m/s"),)) is None
    wrong = why_implausible("motorcycle", (("speed", 200.0, "m/s"),))
    assert wrong and "200 m/s is outside 0 to 35 m/s" in wrong
    assert why_implausible("motorcycle", (("speed", 60.0, "km/h"),)) is None
    assert "nothing is known" in (why_implausible("motorcycle", (("voltage", 12.0, "V"),)) or "")


@pytest.mark.parametrize("region", REGIONS)
def test_an_object_stays_where_nothing_else_could_do_what_it_does(region: str) -> None:
    slow, fast = vary(_ride(20.0), pack(region), 0), vary(_ride(200.0), pack(region), 0)
    assert "motorcycle" in slow.words
    assert "outside" in fast.kept["motorcycle"]
    assert fast.problem and "motorcycle" in fast.problem.question


@pytest.mark.parametrize("region", REGIONS)
def test_a_variant_is_told_with_words_of_its_region_and_keeps_the_rest(region: str) -> None:
    original = _ride(20.0)
    variant = vary(original, pack(region), 0)
    assert variant.problem
    assert variant.words["Tom"] in pack(region).people()
    assert variant.words["motorcycle"] in pack(region).objects
    assert not any(old in variant.problem.question for old in ("Tom", "Ridge Road"))
    assert variant.problem.family == original.family
    assert variant.problem.targets == original.targets
    assert variant.problem.givens == original.givens
    assert (variant.problem.tags["region"], variant.problem.tags["original_id"]) == (region, original.id)


def test_the_same_seed_tells_the_same_story_and_seeds_differ() -> None:
    told = [vary(_ride(20.0), pack("asia"), seed).words for seed in range(20)]
    assert told == [vary(_ride(20.0), pack("asia"), seed).words for seed in range(20)]
    assert len({str(words) for words in told}) > 10


def test_a_name_goes_with_the_pronoun_of_the_story() -> None:
    for pronoun, gender in (("She", "f"), ("He", "m")):
        told = vary(
            _ride(20.0, text=f"Tom rides a motorcycle at 20 m/s. {pronoun} brakes."), pack("africa"), 0
        )
        assert told.words["Tom"] in pack("africa").people(gender)


def test_a_story_without_marked_entities_stays() -> None:
    found = vary(_ride(20.0, entities=False), pack("africa"), 0)
    assert found.problem is None and "is marked" in found.kept[""]


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        (
            "A tram stops. The tram waits.",
            {"tram": "auto-rickshaw"},
            "An auto-rickshaw stops. The auto-rickshaw waits.",
        ),
        ("Two crates and an apple.", {"crate": "tea chest", "apple": "guava"}, "Two tea chests and a guava."),
        ("Bags of rice; a bag of rice", {"bag of rice": "sack of maize"}, "Sacks of maize; a sack of maize"),
        ("Anna and Annabel", {"Anna": "Mei"}, "Mei and Annabel"),
        ("Tom meets Ben", {"Tom": "Ben", "Ben": "Kofi"}, "Ben meets Kofi"),
        ("a car and a card", {"car": "ute"}, "a ute and a card"),
        ("trays, sacks of rice", {"tray": "bus", "sack of rice": "ferry"}, "buses, ferries"),
    ],
)
def test_articles_plurals_and_word_ends(text: str, words: dict[str, str], told: str) -> None:
    assert replace(text, words) == told


def test_snow_is_put_where_it_lies() -> None:
    snowy = {town.town for region in REGIONS for town in pack(region).places if "snow" in town.land}
    problem = _ride(5.0).model_copy(
        update={
            "entities": {"place": Entity(text="the frozen meadow", kind="field")},
            "question": "On the frozen meadow, v = 5.0 m/s.",
        }
    )
    for region in REGIONS:
        for seed in range(10):
            told = vary(problem, pack(region), seed).words["the frozen meadow"]
            assert any(told.endswith(town) for town in snowy)


def test_the_benchmark_pairs_every_original_with_each_region() -> None:
    problems = variants.load(count=12, seed=2)
    assert len(problems) == 48 and len({each.id for each in problems}) == 48
    for place in range(0, 48, 4):
        original, *retold = problems[place : place + 4]
        assert original.tags["region"] == "original"
        assert [each.tags["region"] for each in retold] == list(REGIONS)
        assert {each.tags["original_id"] for each in retold} == {original.id}
        assert {each.family for each in retold} == {original.family}
        assert all(each.targets == original.targets for each in retold)
    assert problems == variants.load(count=12, seed=2)


def test_settings_are_refused_with_the_nearest_valid_value() -> None:
    with pytest.raises(InvalidData, match="did you mean 'asia'"):
        variants.load(regions=["asai"])
    with pytest.raises(InvalidData, match="questions can be told anew, not 100000"):
        variants.load(count=100000)


@pytest.fixture
def originals(tmp_path: Path) -> Path:
    file = tmp_path / "originals.jsonl"
    problem_files.dump([_ride(15.0)], file)
    return file


def run(*words: object) -> Result:
    return CliRunner().invoke(app, ["benchmark", "physbench", *map(str, words)])


def test_the_command_makes_variants_and_its_check_finds_what_is_spoiled(originals: Path) -> None:
    out = originals.with_name("out.jsonl")
    assert run("vary", originals, "--out", out, "--region", "asia").exit_code == 0
    found = run("check", originals, out, "--json")
    assert json.loads(found.output) == {"checked": 1, "rejected": 0, "changes": []}
    out.write_text(out.read_text(encoding="utf-8").replace("t = 10 s", "t = 10 min"), encoding="utf-8")
    spoiled = run("check", originals, out)
    assert spoiled.exit_code == 1
    assert "1 checked, 1 rejected" in spoiled.output and "10 s is missing" in spoiled.output


def test_a_second_opinion_is_asked_of_what_is_computed_to_be_the_same(
    originals: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_the_command_refuses_bad_input_in_one_line(originals: Path) -> None:
    assert run("vary", originals, "--out", originals).exit_code == 2
    other = originals.with_name("other.jsonl")
    problem_files.dump([_ride(15.0).model_copy(update={"id": "rode#0"})], other)
    refused = run("check", originals, other)
    assert refused.exit_code == 2 and "did you mean 'ride#0'" in refused.output
