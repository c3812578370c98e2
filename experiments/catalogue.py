"""What is installed, and which failures are the user's to mend."""

from __future__ import annotations

from typing import Any

from ansatz.agents.failures import ModelError
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.experiments import plugins
from ansatz.experiments.plugins import PluginError
from ansatz.experiments.prepare import StudyError
from ansatz.experiments.store import LedgerError
from ansatz.experiments.yaml_file import InvalidFile
from ansatz.knowledge_base.evaluation.evaluate import RankerError
from ansatz.knowledge_base.evaluation.questions import QuestionError
from ansatz.knowledge_base.library import EntryError, UnknownEquation
from ansatz.knowledge_base.nearest import nearest
from ansatz.knowledge_base.ranking import UnknownRanker

EXPECTED: tuple[type[Exception], ...] = (
    *(InvalidFile, StudyError, PluginError, LedgerError, ModelError),
    *(InvalidData, UnknownEquation, EntryError, UnknownRanker, RankerError, QuestionError),
)

_KINDS = ("interventions", "benchmarks", "scorers")


def catalogue(kind: str) -> list[dict[str, Any]]:
    """One row per plugin of a kind: its name, what it does, and what it moves or reports."""
    if kind not in _KINDS:
        raise PluginError(f"there is no list of {kind!r}{nearest(kind, _KINDS)}")
    return [_row(kind, name) for name in plugins.names(f"ansatz.{kind}")]


def _row(kind: str, name: str) -> dict[str, Any]:
    plugin = plugins.find(f"ansatz.{kind}", name).load()
    first_line = (plugin.__doc__ or "").strip().split("\n")[0]
    if kind == "interventions":
        return {
            "name": name,
            "what it does": plugin.summary,
            "should move": tuple(plugin.moves) or ("nothing",),
        }
    if kind == "scorers":
        return {"name": name, "what it does": first_line, "dimensions": tuple(plugin().dimensions)}
    return {"name": name, "what it does": first_line}
