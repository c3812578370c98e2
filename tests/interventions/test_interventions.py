"""Each intervention changes its own slots of the plan, and nothing else."""

from pathlib import Path

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage

from ansatz.agents import Question, run_agent
from ansatz.agents.plan import base_plan
from ansatz.errors import SettingError
from ansatz.experiments.design import plugins
from ansatz.experiments.design.arms import Arm
from ansatz.interventions import apply_all
from ansatz.interventions.equation_retrieval import EquationRetrieval
from ansatz.interventions.formulation import FormulationScaffold
from ansatz.interventions.placebo import Placebo
from ansatz.interventions.with_retriever import WithRetriever
from tests.fakes.scripted_model import ScriptedModel

OF_OBJECTS = {"with_agent", "with_mcp", "with_prompt", "with_retriever", "with_tools"}
NAMES = sorted(set(plugins.list_names("ansatz.interventions")) - OF_OBJECTS)
SLOTS = {
    "answer_template": {"instructions"},
    "calculator": {"instructions", "tools"},
    "calculation_protocol": {"instructions"},
    "checked": {"reviews"},
    "compute_matched": {"reviews"},
    "critic": {"reviews"},
    "cycle_protocol": {"instructions"},
    "equation_retrieval": {"instructions", "before"},
    "equation_tools": {"instructions", "tools"},
    "few_shot": {"before"},
    "fluid_properties": {"instructions", "tools"},
    "formula_sheet": {"before"},
    "formulation": {"before"},
    "handbook": {"instructions", "before"},
    "model_settings": {"model"},
    "placebo": {"instructions", "tools"},
    "polya": {"instructions"},
    "progressive": {"before"},
    "self_consistency": {"reviews"},
    "simple_prompt": {"instructions"},
    "stage_hint": {"before"},
    "symbolic_check": {"instructions", "reviews"},
}


PAGE = Path(__file__).parents[2] / "docs" / "tool.md"
NEEDED = {
    "compute_matched": {"arm": "checked"},
    "handbook": {"path": str(PAGE)},
    "model_settings": {"seed": 7},
}
"""Required settings of switches."""


def make(name):
    return plugins.load("ansatz.interventions", name, NEEDED.get(name, {}))


def test_all_interventions_are_listed_here():
    assert set(SLOTS) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_intervention_changes_only_its_slots(name):
    plan = make(name).apply(base_plan())
    before, after = base_plan().describe(), plan.describe()
    assert {slot for slot in after if after[slot] != before.get(slot)} == SLOTS[name]
    assert after == make(name).apply(base_plan()).describe()
    assert make(name).__doc__.split("\n")[0].strip()


def test_all_interventions_compose():
    plan = apply_all(base_plan(), map(make, NAMES))
    changed = {slot for slot, value in plan.describe().items() if value != base_plan().describe().get(slot)}
    assert changed == set().union(*SLOTS.values()) and len(plan.tools) == 6


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("equation_tools", {"top": 3}),
        ("calculator", {"timeout_seconds": 3}),
        ("fluid_properties", {"fluids": ["water"]}),
        ("formula_sheet", {"equations": ["newtonian.pressure.dynamic"]}),
    ],
)
def test_any_setting_changes_the_treatment(name, settings):
    """The settings of a tool are not in its schema, but are part of the treatment."""
    changed = plugins.load("ansatz.interventions", name, settings)
    assert Arm.of("a", changed).treatment != Arm.of("a", make(name)).treatment


async def test_the_model_formulates_before_it_solves():
    model = ScriptedModel(replies=[AIMessage("Given: T = 300 K\nFind: a"), AIMessage("a = 347 m/s")])
    plan = FormulationScaffold("self").apply(base_plan())
    transcript = await run_agent(plan, Question("How fast is sound?"), model)
    assert "Do not solve" in model.seen[0][-1].text
    assert "Given: T = 300 K" in model.seen[1][-1].text
    assert [call.node for call in transcript.model_calls] == ["write_formulation", "model"]


async def test_a_fixed_sheet_is_prepended_to_every_question():
    model = ScriptedModel(replies=[AIMessage("a = 347 m/s")])
    await run_agent(make("formula_sheet").apply(base_plan()), Question("How fast is sound?"), model)
    shown = model.seen[0][-1].text
    assert shown.startswith("Formula sheet:\n\n") and shown.endswith("\n\nHow fast is sound?")
    assert shown.count("[E") == 20


async def test_documents_of_a_retriever_have_their_source():
    async def handbook(question):
        return [Document("a^2 = gamma*R*T", metadata={"source": "gas.pdf", "page": 3}), "no source", "third"]

    other, silent = WithRetriever(lambda question: "two"), WithRetriever(lambda question: None)
    switches = [WithRetriever(handbook, top=2), other, silent, Placebo()]
    model = ScriptedModel(replies=[AIMessage("a = 347 m/s")])
    await run_agent(apply_all(base_plan(), switches), Question("How fast is sound?"), model)
    sheet = "Reference sheet:\n\n[gas.pdf, 3]\na^2 = gamma*R*T\n\nno source"
    assert model.seen[0][-1].text == f"{sheet}\n\nReference sheet:\n\ntwo\n\nHow fast is sound?"
    assert other.apply(base_plan()).instructions == base_plan().instructions  # no prompt instructs nothing
    with pytest.raises(SettingError, match="not 'handbook'"):
        WithRetriever("handbook")


def test_the_placebo_is_about_as_long_as_the_protocol():
    protocol = make("calculation_protocol").apply(base_plan()).instructions[-1]
    placebo = Placebo().apply(base_plan())
    assert abs(len(placebo.instructions[-1]) / len(protocol) - 1) < 0.1
    assert len(placebo.tools) == 1


def test_an_unknown_ranker_is_refused_with_the_nearest():
    with pytest.raises(SettingError, match=r"no ranker 'bm52'.*bm25"):
        EquationRetrieval(ranker="bm52")


async def test_the_settings_of_a_search_change_its_sheet():
    question = (
        "Newtonian drag coefficient of a sphere at Mach 8, gamma 1.4, with the real stagnation pressure"
    )
    whole = await EquationRetrieval(ranker="bm25").find_sheet(question)
    bare = await EquationRetrieval(ranker="bm25", traps=False, prerequisites=False).find_sheet(question)
    blind = await EquationRetrieval(ranker="bm25", conditions=False).find_sheet(question)
    assert "excluded: " in whole
    assert "excluded: " not in bare
    assert "prerequisite: " not in bare
    assert blind != whole


async def test_a_custom_ranker_ranks_by_its_scores():
    class ByName:
        def __init__(self, library):
            self._ids = [equation.id for equation in library]

        def scores(self, question):
            return np.array([float(id == "heating.sutton_graves.earth") for id in self._ids])

    found = await EquationRetrieval(top=1, ranker=ByName, conditions=False).find_sheet(
        "speed of sound of air"
    )
    assert "(heating.sutton_graves.earth)" in found.splitlines()[0]


async def test_if_nothing_fits_the_note_states_the_reason():
    note = await EquationRetrieval(ranker="bm25").find_sheet("How do I bake bread without yeast?")
    assert note.startswith("No equation is shown: nothing in the base fits")
    assert "[E1]" not in note
