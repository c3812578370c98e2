"""Every error that Ansatz raises on purpose, as one tree.

    Exception
    └── AnsatzError
        ├── BadInput
        ├── LedgerError
        ├── NoModelToAsk
        ├── ScorerFailed
        ├── InfrastructureError
        │   ├── BudgetSpent
        │   ├── ModelError
        │   ├── ModelUnavailable
        │   ├── NotRecorded
        │   ├── RequestRejected
        │   ├── ResponseTooLarge
        │   ├── RunStopped
        │   ├── SandboxUnavailable
        │   └── ServerFailed
        ├── UnknownEquation (also LookupError)
        ├── WeightsError (also RuntimeError)
        └── also ValueError
            ├── DimensionError
            ├── EntryError
            ├── EvaluationError
            ├── ExpressionError
            ├── InvalidData
            ├── InvalidRubric
            ├── NoIdentity
            ├── PlanError
            ├── PluginError
            ├── PropertyError
            │   └── AmbiguousStateError
            ├── ReferenceFault
            ├── SettingError
            ├── StudyError
            ├── UnitError
            ├── Unreadable
            ├── UnsetVariable
            └── UnusableReply
    UserWarning
    └── RegimeWarning

Exceptions that only pass control within one folder, such as a limit of an attempt, are defined there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class AnsatzError(Exception):
    """The base of every error that Ansatz raises on purpose. Its message is one line with the remedy.

    Example: `issubclass(StudyError, AnsatzError)`.
    """


class BadInput(AnsatzError):
    """An option or argument cannot be used; the message gives the reason."""


class LedgerError(AnsatzError):
    """The ledger cannot be used; the message gives the reason and the remedy."""


class NoModelToAsk(AnsatzError):
    """A scorer asks a model where no model is connected."""


class ScorerFailed(AnsatzError):
    """A scorer raised an exception, or returned no scores; the message names it."""


class InfrastructureError(AnsatzError):
    """Something other than the model's answer failed: the attempt has no score, and a resumed run retries it.

    Example: `issubclass(InfrastructureError, AnsatzError)`.
    """


class BudgetSpent(InfrastructureError):
    """The next request could exceed the budget; `most` is its highest possible cost in dollars."""

    def __init__(self, message: str, most: float = 0.0) -> None:
        super().__init__(message)
        self.most = most


class ModelError(InfrastructureError):
    """The model cannot be used at all: a wrong name, key or setting. The message gives the remedy."""


class ModelUnavailable(InfrastructureError):
    """Temporary failures outlasted the retry policy. `retries` are the tries."""

    def __init__(self, message: str, retries: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.retries = retries


class NotRecorded(InfrastructureError):
    """The recording has no exchange for the request."""


class RequestRejected(InfrastructureError):
    """The provider rejects the request; another try would fail, too."""


class ResponseTooLarge(InfrastructureError):
    """A response is longer than any answer of a model. It is not read to its end, and not retried."""


class RunStopped(InfrastructureError):
    """A run ended early: too many identical consecutive failures, or no worker is left."""


class SandboxUnavailable(InfrastructureError):
    """The machine does not reach the required isolation; the message gives the remedy."""


class ServerFailed(InfrastructureError):
    """An MCP server could not be reached, stopped, or did not answer in time."""


class UnknownEquation(AnsatzError, LookupError):
    """No entry has this id; the message names the nearest one."""


class WeightsError(AnsatzError, RuntimeError):
    """The encoder's weights are not installed, or differ from those that made the stored vectors."""


class DimensionError(AnsatzError, ValueError):
    """Terms of different dimensions are added."""


class EntryError(AnsatzError, ValueError):
    """A file of the equation base cannot be used; each line names file, field and nearest valid name."""


class EvaluationError(AnsatzError, ValueError):
    """An equation refuses its values; the message names the nearest valid symbol or unit."""


class ExpressionError(AnsatzError, ValueError):
    """Text is outside the grammar, or a formula has no real value at the given numbers."""


class InvalidData(AnsatzError, ValueError):
    """A file cannot be used; the message has one line for each fault."""


class InvalidRubric(AnsatzError, ValueError):
    """A rubric cannot be read; the message gives place and reason."""


class NoIdentity(AnsatzError, ValueError):
    """Something cannot be hashed to an identity; `holding` is the part of it that cannot."""

    def __init__(self, what: str, holding: str) -> None:
        advice = 'give it a name, as in name="my own v2"'
        super().__init__(f"{what} has no usable identity: {advice} ({holding} cannot be hashed)")
        self.holding = holding


class PlanError(AnsatzError, ValueError):
    """A tool, an MCP server or an agent cannot be part of a plan; the message gives the reason."""


class PluginError(AnsatzError, ValueError):
    """A plug-in cannot be loaded; the message gives the reason. `setting` is the setting at fault."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


class PropertyError(AnsatzError, ValueError):
    """No such state exists; the message names what to give instead."""


class AmbiguousStateError(PropertyError):
    """Several states have the two properties; `states` has each by two others, in SI units."""

    def __init__(self, message: str, states: Sequence[Mapping[str, float]]) -> None:
        super().__init__(message)
        self.states = tuple(states)


class ReferenceFault(AnsatzError, ValueError):
    """A problem's reference code returns nothing that answers can be compared with."""


class SettingError(AnsatzError, ValueError):
    """A setting is out of its bounds; the message is one line."""


class StudyError(AnsatzError, ValueError):
    """A study cannot be run; `path` leads to the cause in the study file.

    Example: `Study("x", models=[], problems=pumps)  # StudyError: there is no model to ask`.
    """

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


class UnitError(AnsatzError, ValueError):
    """A unit or quantity cannot be read, or has the wrong dimensions; the message is one line."""


class Unreadable(AnsatzError, ValueError):
    """Text is not an expression; the message gives the reason."""


class UnsetVariable(AnsatzError, ValueError):
    """A setting names an environment variable that is not set."""


class UnusableReply(AnsatzError, ValueError):
    """A model's reply cannot be used; the message gives the reason."""


class RegimeWarning(UserWarning):
    """A result rests on values outside the range or the conditions that the entry states."""
