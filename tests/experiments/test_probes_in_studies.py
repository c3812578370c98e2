"""The setting `probes` of a study file: the variants that it adds, their share in the plan, and its faults."""

import json

import pytest

from ansatz.errors import StudyError
from ansatz.eval.probes import add_probes
from ansatz.eval.problem_schema import read_item
from ansatz.experiments.report.probe_chapter import chapter
from ansatz.experiments.study import Study
from tests.eval.probes.test_paraphrasing import SAME
from tests.eval.probes.test_probes import DUCT
from tests.experiments.records import payments_of
from tests.fakes.behaviours import Answer, Tokens
from tests.fakes.openai_server import OpenAIServer

STUDY = """
name: probes
models: [offline:slide-rule]
problems:
  - benchmark: file
    settings: {path: duct.jsonl}
    probes: PROBES
arms: {sheet: [formula_sheet]}
scorers: [outcome]
paraphraser: PARAPHRASER
"""


def study(folder, probes, *items, paraphraser="offline:slide-rule"):
    (folder / "duct.jsonl").write_text("\n".join(map(json.dumps, items or [DUCT])))
    text = STUDY.replace("PROBES", probes).replace("PARAPHRASER", paraphraser)
    (folder / "study.yaml").write_text(text)
    return Study.from_yaml(folder / "study.yaml")


def test_a_study_answers_originals_and_variants(tmp_path):
    made = study(tmp_path, "[reordered, renumbered]")
    assert list(made.problems) == ["duct", "duct@reordered", "duct@renumbered"]
    assert {each.family for each in made.problems.values()} == {"duct"}
    plan = made.plan()
    assert plan.probes == pytest.approx(2 / 3) and plan.to_json()["probes"] == plan.probes
    assert "67% of the problems are variants" in str(plan)


def test_a_kind_that_does_not_exist_is_refused_at_its_place(tmp_path):
    with pytest.raises(StudyError, match=r"study\.yaml:7: .*did you mean 'reordered'"):
        study(tmp_path, "[reorderd]")


def test_problems_without_any_variant_are_refused(tmp_path):
    item = {"question": "Boiling point of water at 1 atm?", "answer": "373.1 K"}
    with pytest.raises(StudyError, match="no variant can be made"):
        study(tmp_path, "[reordered]", item)


@pytest.fixture(scope="module")
def paraphrased(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paraphrases")
    plain = {"id": "plain", "question": "Boiling point of water at 1 atm?", "answer": "373.1 K"}
    made = study(folder, "[paraphrased]", DUCT, plain)
    return made.run(folder / "run", progress=False)


def test_the_plan_has_their_requests(tmp_path):
    costs = {each.arm: each.attempts for each in study(tmp_path, "[paraphrased]").plan().costs}
    assert costs == {"baseline": 2, "sheet": 2, "paraphrases": 1}


def test_dropped_texts_are_counted(paraphrased):
    assert list(paraphrased.results.problems) == ["duct", "duct@paraphrased", "plain"]
    assert "Determine the dynamic pressure q" in paraphrased.results.problems["duct@paraphrased"].question
    assert paraphrased.results.paraphrases == {"variants": 1, "recomputed": 1, "dropped": {"quantities": 1}}
    [section, *_] = chapter(paraphrased.results).sections
    assert section.findings[-1].startswith("paraphrased: 1 of 2 texts")


def test_a_second_start_asks_nothing(paraphrased):
    before = len(payments_of(paraphrased.folder / "paraphrases"))
    again = Study.from_yaml(paraphrased.folder.parent / "study.yaml").run(paraphrased.folder, progress=False)
    assert (
        again.counts == paraphrased.counts and len(payments_of(paraphrased.folder / "paraphrases")) == before
    )


def test_a_missing_paraphraser_is_refused(tmp_path):
    with pytest.raises(StudyError, match="set `paraphraser"):
        study(tmp_path, "[paraphrased]", paraphraser="null")


def test_drafts_of_a_script_are_rewritten(tmp_path):
    problems = add_probes([read_item(DUCT).to_problem()], ["paraphrased"]).problems
    made = Study("p", models="offline:slide-rule", problems=problems, paraphraser="offline:slide-rule")
    found = made.run(tmp_path / "run", progress=False).results.problems["duct@paraphrased"]
    assert "Determine" in found.question and "paraphrase" not in found.tags


def test_a_language_model_rewrites_within_rates_and_budget(tmp_path, monkeypatch):
    """The paraphraser alone is paid; a change of its text would be dropped, and its cost counts in the budget."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    texts = {"duct": SAME, "other": SAME.replace("50 m/s", "60 m/s")}
    problems = add_probes(
        [read_item({**DUCT, "id": id, "family": id}).to_problem() for id in texts], ["paraphrased"]
    ).problems
    replies = iter(texts.values())
    with OpenAIServer(lambda request: Answer(next(replies), tokens=Tokens(1000, 1000))) as server:
        paraphraser = {"name": "openai:fake", "input_price": 1.0, "output_price": 9.0}
        paraphraser["settings"] = {"base_url": server.base_url, "max_tokens": 1000}
        made = Study(
            "p",
            models="offline:slide-rule",
            problems=problems,
            paraphraser=paraphraser,
            budget=0.5,
            rates={"openai": {"requests": 600}},
        )
        found = made.run(tmp_path / "run", progress=False).results
    assert [each.body["messages"][0]["content"][:20] for each in server.requests] == [
        "Rewrite the question"
    ] * 2
    assert found.paraphrases["dropped"] == {"quantities": 1} and len(found.problems) == 3
    paid = payments_of(tmp_path / "run" / "paraphrases")
    assert [each.requests for each in paid.values()] == [2]
