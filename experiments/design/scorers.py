"""The scorers of a study: whether they can score as they were made, and the models that they ask."""

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
    """A client for every model that scorers ask, or that reads. Raises StudyError where two share a title."""
    chosen: dict[str, Any] = {}
    clients: dict[str, ModelClient] = {}
    for model in collect_judges(scorers, reading):
        if chosen.setdefault(model.title, model) != model:
            raise StudyError(f"two judges are called {model.title!r}; give one of them another label")
        if model.title not in clients:
            try:
                client = clients[model.title] = connect(model.target, model.settings)
                client.identity  # noqa: B018 - a judge of no identity is refused before anything is paid for
            except (ModelError, NoIdentity) as failure:
                path = ("answer_reader",) if model is reading else ("scorers",)
                raise StudyError(str(failure), path) from failure
    for scorer in scorers:
        check_scorer(scorer)
    return clients


def collect_judges(scorers: Iterable[Scorer], reading: JudgeModel | None) -> list[JudgeModel]:
    """The models that scorers ask, and the one that reads."""
    judges = [each for one in scorers if isinstance(one, UsesJudges) for each in one.wanted_models]
    return [*judges, *([reading] if reading else [])]


def dimensions_of(scorer: Scorer) -> tuple[Dimension, ...]:
    """What a scorer says that it measures. Raises StudyError where that is nothing usable."""
    name = type(scorer).__name__
    try:
        found = scorer.dimensions
    except Exception as failure:
        wrong = f"{type(failure).__name__}: {failure}"
        raise StudyError(f"{name}: its dimensions cannot be had: {wrong}") from failure
    if not isinstance(found, tuple) or not all(isinstance(each, Dimension) for each in found):
        raise StudyError(f"{name}: dimensions must be a tuple of Dimensions, not {found!r:.60}")
    return found


def check_scorer(scorer: Scorer) -> None:
    """Raises StudyError where a scorer cannot score as it was made."""
    if inspect.isclass(scorer):
        raise StudyError(f"{scorer.__name__} is a class and no scorer; write {scorer.__name__}()")
    name = type(scorer).__name__
    missing = [each for each in ("dimensions", "score") if inspect.getattr_static(scorer, each, None) is None]
    if missing:
        raise StudyError(f"{name} is no scorer: it has no {' and no '.join(missing)}")
    dimensions_of(scorer)
    try:
        if isinstance(scorer, NeedsCheck):
            scorer.check()
    except ValueError as failure:
        raise StudyError(str(failure)) from failure
