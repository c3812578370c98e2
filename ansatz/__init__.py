"""Ansatz: which intervention helps a language model with engineering work, where, and by how much.

The names below are the public interface. They load on first use, so that importing
`ansatz` (and `ansatz --help`) does not pay for LangGraph, NumPy or CoolProp.
"""

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

_ROOT = Path(__file__).resolve().parent.parent
if (_ROOT / "agents" / "plan.py").exists():  # a checkout: the sub-packages lie beside this folder
    __path__.append(str(_ROOT))

if TYPE_CHECKING:  # what type checkers and editors read
    from ansatz.agents import AgentPlan as AgentPlan
    from ansatz.agents import Limits as Limits
    from ansatz.agents import Question as Question
    from ansatz.agents import Transcript as Transcript
    from ansatz.agents import build_graph as build_graph
    from ansatz.agents import run_agent as run_agent
    from ansatz.errors import AnsatzError as AnsatzError
    from ansatz.errors import InfrastructureError as InfrastructureError
    from ansatz.eval import Dimension as Dimension
    from ansatz.eval import Problem as Problem
    from ansatz.eval import Score as Score
    from ansatz.eval import Scorer as Scorer
    from ansatz.eval import ScoringContext as ScoringContext
    from ansatz.eval.judging import JudgeModel as JudgeModel
    from ansatz.eval.judging import ModelGraded as ModelGraded
    from ansatz.eval.outcome import Outcome as Outcome
    from ansatz.eval.problem import ChoiceTarget as ChoiceTarget
    from ansatz.eval.problem import LabelTarget as LabelTarget
    from ansatz.eval.problem import NumberTarget as NumberTarget
    from ansatz.eval.problem_files import load as load
    from ansatz.eval.problem_files import problems as problems
    from ansatz.eval.reviews import Reviews as Reviews
    from ansatz.eval.score import Scale as Scale
    from ansatz.eval.verifier.verifier import Verifier as Verifier
    from ansatz.experiments.design.arms import Arm as Arm
    from ansatz.experiments.design.arms import full_factorial as full_factorial
    from ansatz.experiments.design.arms import one_at_a_time as one_at_a_time
    from ansatz.experiments.design.asked_models import Model as Model
    from ansatz.experiments.design.resolution import benchmark as benchmark
    from ansatz.experiments.design.study_error import StudyError as StudyError
    from ansatz.experiments.run import Run as Run
    from ansatz.experiments.solve import solve as solve
    from ansatz.experiments.solved import Solved as Solved
    from ansatz.experiments.study import Study as Study
    from ansatz.interventions import Intervention as Intervention
    from ansatz.interventions import apply_all as apply_all
    from ansatz.interventions.calculator import Calculator as Calculator
    from ansatz.interventions.checked import Checked as Checked
    from ansatz.interventions.compute_matched import ComputeMatched as ComputeMatched
    from ansatz.interventions.critic import Critic as Critic
    from ansatz.interventions.equation_retrieval import EquationRetrieval as EquationRetrieval
    from ansatz.interventions.equation_tools import EquationTools as EquationTools
    from ansatz.interventions.few_shot import FewShot as FewShot
    from ansatz.interventions.fluid_properties import FluidProperties as FluidProperties
    from ansatz.interventions.formula_sheet import FormulaSheet as FormulaSheet
    from ansatz.interventions.formulation import FormulationScaffold as FormulationScaffold
    from ansatz.interventions.placebo import Placebo as Placebo
    from ansatz.interventions.progressive import Progressive as Progressive
    from ansatz.interventions.prompts import AnswerTemplate as AnswerTemplate
    from ansatz.interventions.prompts import CalculationProtocol as CalculationProtocol
    from ansatz.interventions.prompts import CycleProtocol as CycleProtocol
    from ansatz.interventions.prompts import Polya as Polya
    from ansatz.interventions.prompts import SimplePrompt as SimplePrompt
    from ansatz.interventions.prompts import WithPrompt as WithPrompt
    from ansatz.interventions.self_consistency import SelfConsistency as SelfConsistency
    from ansatz.interventions.symbolic_check import SymbolicCheck as SymbolicCheck
    from ansatz.interventions.with_agent import WithAgent as WithAgent
    from ansatz.interventions.with_mcp import WithMCP as WithMCP
    from ansatz.interventions.with_model_settings import WithModelSettings as WithModelSettings
    from ansatz.interventions.with_retriever import WithRetriever as WithRetriever
    from ansatz.interventions.with_tools import WithTools as WithTools

    __version__: str

# One table for both: the imports above are read as text, since whoever runs this has to pay for none of them.
_IMPORT = re.compile(r"^    from (ansatz\S*) import (\w+) as", re.MULTILINE)
_MODULES = {name: module for module, name in _IMPORT.findall(Path(__file__).read_text(encoding="utf-8"))}
__all__ = sorted([*_MODULES, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll]


if not TYPE_CHECKING:  # where type checkers see it, they take any name for one of ours

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("ansatz-eval")
        if name not in _MODULES:
            raise AttributeError(f"module 'ansatz' has no attribute {name!r}")
        return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return __all__
