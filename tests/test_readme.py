"""What the README shows works as it stands."""

import re
from pathlib import Path

import pytest
import yaml
from langchain_core.messages import AIMessage

from ansatz.agents import Question, run_agent
from ansatz.agents.plan import BASE_PLAN
from ansatz.experiments.resolution import make_arm
from ansatz.experiments.study_file import StudyFile
from tests.fakes.scripted_model import ScriptedModel

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
EXAMPLES = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.parametrize("code", EXAMPLES)
async def test_an_extension_is_short_and_changes_what_a_model_is_asked(code):
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    names: dict[str, object] = {"__name__": "readme"}
    exec(compile(code, "README.md", "exec"), names)
    intervention = names["switch"]
    model = ScriptedModel(replies=[AIMessage("a = 347 m/s")])
    plan = intervention.apply(BASE_PLAN)
    transcript = await run_agent(plan, Question("How fast is sound in air at T = 300 K?"), model)
    assert transcript.stop == "answered"
    assert plan.fingerprint() != BASE_PLAN.fingerprint()


def test_there_is_an_example_of_a_tool_a_retriever_and_an_intervention():
    assert len(EXAMPLES) == 3


def test_the_study_file_is_valid_and_its_arms_resolve():
    [text] = [code for language, code in BLOCKS if language == "yaml"]
    study = StudyFile.model_validate(yaml.safe_load(text))
    assert list(study.all_arms()) == ["baseline", "calculator", "equation_retrieval", "both"]
    assert {tool.name for tool in make_arm(study, "both", Path()).plan.tools} == {"run_python"}
