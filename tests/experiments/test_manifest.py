"""A manifest says what a run was, and changes when anything that shapes an answer does."""

from ansatz.experiments.manifest import manifest
from tests.experiments.studies import CountingClient, study


def test_a_manifest_names_everything_that_shapes_an_answer():
    made = manifest(study(CountingClient(settings={"temperature": 0.5})))
    [asked] = made["study"]["models"]
    assert asked["identity"] == {"model": "counting", "temperature": 0.5}
    assert set(made["arms"]) == {"baseline", "placebo"}
    assert made["arms"]["placebo"]["tools"][0]["function"]["name"] == "notepad"
    assert made["problems"]["count"] == 3
    assert len(made["knowledge_base_sha256"]) == 64
    assert {"ansatz-eval", "langgraph", "coolprop", "numpy"} <= set(made["versions"])
    assert len(made["code"]["commit"]) == 40


def test_hashes_follow_the_problems():
    few, more = manifest(study(CountingClient())), manifest(study(CountingClient(), problems=4))
    assert few["problems"]["sha256"] != more["problems"]["sha256"]
    assert few["arms"] == more["arms"]
