"""A manifest describes a run, and changes with anything that can change an answer."""

import json

import ansatz as az
from ansatz.experiments.running.manifest import build_manifest
from tests.experiments.studies import CountingClient, study


def test_a_manifest_names_everything_that_shapes_an_answer():
    made = build_manifest(study(CountingClient(settings={"temperature": 0.5})))
    [asked] = made["study"]["models"]
    assert asked["identity"] == {"model": "counting", "temperature": 0.5}
    assert set(made["arms"]) == {"baseline", "placebo"}
    assert made["arms"]["placebo"]["tools"][0]["function"]["name"] == "notepad"
    assert made["problems"]["count"] == 3
    assert len(made["knowledge_base_sha256"]) == 64
    assert {"ansatz-eval", "langgraph", "coolprop", "numpy"} <= set(made["versions"])
    assert len(made["code"]["commit"]) == 40


def test_a_manifest_changes_only_with_new_answers_or_scores(tmp_path):
    def manifest_after(**settings):
        pairs = [("What is 2 * 21 m?", "42 m")]
        study = az.Study("s", models="offline:slide-rule", problems=pairs, **settings)
        return (study.run(tmp_path / "run").folder / "manifest.json").read_text()

    assert manifest_after()
    (tmp_path / "run" / "manifest.json").write_text("as it was")
    assert manifest_after() == "as it was"
    assert json.loads(manifest_after(primary="outcome"))["study"]["primary"] == ["outcome"]
