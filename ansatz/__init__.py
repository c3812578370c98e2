"""Ansatz: which intervention helps a language model with engineering work, where, and by how much.

The names below are the public interface. They load on first use, so that importing
`ansatz` (and `ansatz --help`) does not pay for LangGraph, NumPy or CoolProp.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

_ROOT = Path(__file__).resolve().parent.parent
if (_ROOT / "agents" / "plan.py").exists():  # a checkout: the sub-packages lie beside this folder
    __path__.append(str(_ROOT))

if TYPE_CHECKING:  # the same names again, for type checkers and editors; a test compares the two
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
    from ansatz.experiments.factors import Arm as Arm
    from ansatz.experiments.factors import Model as Model
    from ansatz.experiments.factors import StudyError as StudyError
    from ansatz.experiments.factors import full_factorial as full_factorial
    from ansatz.experiments.factors import one_at_a_time as one_at_a_time
    from ansatz.experiments.resolution import benchmark as benchmark
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

_PUBLIC = {
    "agents": ("AgentPlan", "Limits", "Question", "Transcript", "build_graph", "run_agent"),
    "errors": ("AnsatzError", "InfrastructureError"),
    "eval": ("Dimension", "Problem", "Score", "Scorer", "ScoringContext"),
    "eval.judging": ("JudgeModel", "ModelGraded"),
    "eval.outcome": ("Outcome",),
    "eval.problem": ("ChoiceTarget", "LabelTarget", "NumberTarget"),
    "eval.problem_files": ("load", "problems"),
    "eval.reviews": ("Reviews",),
    "eval.score": ("Scale",),
    "eval.verifier.verifier": ("Verifier",),
    "experiments.factors": ("Arm", "Model", "StudyError", "full_factorial", "one_at_a_time"),
    "experiments.run": ("Run",),
    "experiments.solve": ("solve",),
    "experiments.solved": ("Solved",),
    "experiments.study": ("Study",),
    "experiments.resolution": ("benchmark",),
    "interventions": ("Intervention", "apply_all"),
    "interventions.calculator": ("Calculator",),
    "interventions.checked": ("Checked",),
    "interventions.compute_matched": ("ComputeMatched",),
    "interventions.critic": ("Critic",),
    "interventions.few_shot": ("FewShot",),
    "interventions.equation_retrieval": ("EquationRetrieval",),
    "interventions.equation_tools": ("EquationTools",),
    "interventions.fluid_properties": ("FluidProperties",),
    "interventions.formula_sheet": ("FormulaSheet",),
    "interventions.formulation": ("FormulationScaffold",),
    "interventions.placebo": ("Placebo",),
    "interventions.progressive": ("Progressive",),
    "interventions.prompts": (
        "AnswerTemplate",
        "CalculationProtocol",
        "CycleProtocol",
        "Polya",
        "SimplePrompt",
        "WithPrompt",
    ),
    "interventions.self_consistency": ("SelfConsistency",),
    "interventions.symbolic_check": ("SymbolicCheck",),
    "interventions.with_agent": ("WithAgent",),
    "interventions.with_mcp": ("WithMCP",),
    "interventions.with_model_settings": ("WithModelSettings",),
    "interventions.with_retriever": ("WithRetriever",),
    "interventions.with_tools": ("WithTools",),
}
_MODULES = {name: module for module, names in _PUBLIC.items() for name in names}
__all__ = sorted([*_MODULES, "__version__"])  # pyright: ignore[reportUnsupportedDunderAll]


if not TYPE_CHECKING:  # where type checkers see it, they take any name for one of ours

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from importlib.metadata import version

            return version("ansatz-eval")
        if name not in _MODULES:
            raise AttributeError(f"module 'ansatz' has no attribute {name!r}")
        return getattr(import_module(f"ansatz.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
