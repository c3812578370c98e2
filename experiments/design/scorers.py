"""Check the scorers of a study, and connect the models that they ask."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import Any

from ansatz.agents import ModelClient
from ansatz.agents.models import connect
from ansatz.errors import ModelError, NoIdentity, StudyError
from ansatz.eval import Scorer
from ansatz.eval.judging import JudgeModel, UsesJudges
from ansatz.eval.score import Dimension, NeedsCheck


def connect_judges(scorers: Sequence[Scorer], reading: JudgeModel | None = None) -> dict[str, ModelClient]:
    """Return a client, by title, for every model that scorers or the answer reader ask.

    Raises StudyError if a model or scorer cannot be used, or if two different models have the same title.
    """
    chosen: dict[str, Any] = {}
    clients: dict[str, ModelClient] = {}
    for model in collect_judges(scorers, reading):
        if chosen.setdefault(model.title, model) != model:
            raise StudyError(f"two judges are called {model.title!r}; give one of them another label")
        if model.title not in clients:
            try:
                client = clients[model.title] = connect(model.target, model.settings)
                client.identity  # noqa: B018 - raises NoIdentity before any request is paid
            except (ModelError, NoIdentity) as failure:
                path = ("answer_reader",) if model is reading else ("scorers",)
                raise StudyError(str(failure), path) from failure
    for scorer in scorers:
        check_scorer(scorer)
    return clients


def collect_judges(scorers: Iterable[Scorer], reading: JudgeModel | None) -> list[JudgeModel]:
    """Return the models that scorers ask, and the answer reader."""
    judges = [each for scorer in scorers if isinstance(scorer, UsesJudges) for each in scorer.wanted_models]
    return [*judges, *([reading] if reading else [])]


def read_dimensions(scorer: Scorer) -> tuple[Dimension, ...]:
    """Return the dimensions of a scorer. Raises StudyError if they cannot be used."""
    name = type(scorer).__name__
    try:
        found = scorer.dimensions
    except Exception as failure:
        wrong = f"{type(failure).__name__}: {failure}"
        raise StudyError(f"{name}: its dimensions cannot be read: {wrong}") from failure
    if not isinstance(found, tuple) or not all(isinstance(each, Dimension) for each in found):
        raise StudyError(f"{name}: dimensions must be a tuple of Dimensions, not {found!r:.60}")
    return found


def check_scorer(scorer: Scorer) -> None:
    """Raise StudyError if a scorer cannot score with its settings."""
    if inspect.isclass(scorer):
        raise StudyError(f"{scorer.__name__} is a class, not a scorer; write {scorer.__name__}()")
    name = type(scorer).__name__
    missing = [each for each in ("dimensions", "score") if inspect.getattr_static(scorer, each, None) is None]
    if missing:
        raise StudyError(f"{name} is not a scorer: it has no {' and no '.join(missing)}")
    read_dimensions(scorer)
    try:
        if isinstance(scorer, NeedsCheck):
            scorer.check()
    except ValueError as failure:
        raise StudyError(str(failure)) from failure
