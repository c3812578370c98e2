"""What makes one try stays short: the README, and the pages that show how to extend."""

import re
from pathlib import Path

import pytest
import yaml
from langchain_core.messages import AIMessage

from ansatz.agents import Question, run_agent
from ansatz.agents.plan import BASE_PLAN
from ansatz.experiments.design.resolution import arm_of
from ansatz.experiments.design.study_file import StudyFile
from tests.fakes.scripted_model import ScriptedModel

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 100
    [code] = blocks(README, "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize("page", ["tool", "retriever", "switch"])
async def test_an_extension_is_short_and_changes_what_a_model_is_asked(page):
    [code] = blocks((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 12
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(code, page, "exec"), names)
    plan = names["switch"].apply(BASE_PLAN)
    model = ScriptedModel(replies=[AIMessage("a = 347 m/s")])
    transcript = await run_agent(plan, Question("How fast is sound in air at T = 300 K?"), model)
    assert transcript.stop == "answered"
    assert plan.fingerprint() != BASE_PLAN.fingerprint()


def test_the_study_file_is_valid_and_its_arms_resolve():
    [text] = blocks(README, "yaml")
    study = StudyFile.model_validate(yaml.safe_load(text))
    assert list(study.all_arms()) == ["calculator", "equation_retrieval", "both"]
    both = arm_of("both", study.all_arms()["both"])
    assert {tool.name for tool in both.plan.tools} == {"run_python"}
