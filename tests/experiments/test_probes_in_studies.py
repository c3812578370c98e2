"""The setting `probes` of a study file: the variants that it adds, their share in the plan, and its faults."""

import json

import pytest

from ansatz.errors import StudyError
from ansatz.experiments.study import Study
from tests.eval.probes.test_probes import DUCT

STUDY = """
name: probes
models: [offline:slide-rule]
problems:
  - benchmark: file
    settings: {path: duct.jsonl}
    probes: PROBES
arms: {sheet: [formula_sheet]}
scorers: [outcome]
"""


def study(folder, probes, item=DUCT):
    (folder / "duct.jsonl").write_text(json.dumps(item))
    (folder / "study.yaml").write_text(STUDY.replace("PROBES", probes))
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
