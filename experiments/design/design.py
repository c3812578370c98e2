"""A resolved study: models, arms, problems and scorers as objects, and the list of its attempts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, product, zip_longest
from typing import Any

from ansatz.agents import ModelClient
from ansatz.agents.identity import canonical_text, identity
from ansatz.agents.models import connect
from ansatz.errors import ModelError, StudyError
from ansatz.eval import Problem, Scorer
from ansatz.eval.follow_up_questions import list_earlier
from ansatz.eval.score import Dimension
from ansatz.experiments.design.arms import Arm, find_sandboxes
from ansatz.experiments.design.leave_one_out import SwitchPaths
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.scorers import collect_judges
from ansatz.experiments.design.screening import Pairs
from ansatz.experiments.design.stage_hints import STAGES
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.experiments.design.worked_examples import format_worked_examples
from ansatz.experiments.ledger.prices import Price, find_price, price_to_json
from ansatz.experiments.ledger.record import PlannedAttempt, canonical_hash
from ansatz.quantities import nearest
from ansatz.sandbox import Sandbox, trusting

FLAGS = 2  # answers of the baseline that decide on the repeats of a problem; they are not counted


@dataclass(frozen=True, kw_only=True)
class Design:
    """A study whose names are resolved to objects."""

    settings: StudySettings
    models: Mapping[str, Model]
    """By title."""
    arms: Mapping[str, Arm]
    problems: Mapping[str, Problem]
    scorers: Sequence[Scorer]
    judges: Mapping[str, ModelClient] = field(default_factory=dict)
    """The models that scorers ask, by title."""
    batched_judges: frozenset[str] = frozenset()
    """The titles of the judges whose requests go through their providers' batch interfaces."""
    pairs: Pairs | None = None
    """The settings of each problem in a screening design; None if every arm answers every problem."""
    paths: SwitchPaths | None = None
    """The orders of switches in a leave-one-out design; None in other designs."""

    @cached_property
    def attempts(self) -> tuple[PlannedAttempt, ...]:
        """Every attempt to make, in order.

        Arms are shuffled within each problem and repeat, so a drift of the provider affects all arms equally.
        """
        return tuple(_list_attempts(self))

    @cached_property
    def attempts_by_arm(self) -> Counter[str]:
        """The number of attempts of each arm by one model, without their keys, which take long to compute."""
        return Counter(arm for id, repeat in _list_rounds(self) for arm in _choose_arms(self, id, repeat))

    @property
    def size(self) -> int:
        """The number of attempts."""
        return self.attempts_by_arm.total() * len(self.models)

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """All that the scorers measure, in the order of reports."""
        return tuple(each for scorer in self.scorers for each in scorer.dimensions)

    @property
    def primary(self) -> tuple[str, ...]:
        """The dimensions that are tested first. If arms may be stopped, there is at least one."""
        quality = [each for each in self.dimensions if each.role == "quality"]
        first = [each.name for each in quality if not each.detail] or [each.name for each in quality]
        return self.settings.primary or tuple(first[:1] if self.settings.stop else ())

    @cached_property
    def shuffled_families(self) -> tuple[str, ...]:
        """The families in a random order of the seed, so that a part of a run is a random sample."""
        families = list(dict.fromkeys(problem.family for problem in self.problems.values()))
        random.Random(self.settings.seed).shuffle(families)
        return tuple(families)

    @cached_property
    def clients(self) -> Mapping[tuple[str, str], ModelClient]:
        """The client that answers, by title of the model and name of the arm.

        An arm may change the model's settings; arms with equal settings share a client. Raises StudyError for
        a setting that a model does not have.
        """
        by_settings: dict[tuple[str, str], ModelClient] = {}
        clients: dict[tuple[str, str], ModelClient] = {}
        for title, model in self.models.items():
            for arm in self.arms.values():
                settings = canonical_text(identity(arm.plan.model_settings))
                if (title, settings) not in by_settings:
                    changes = arm.plan.model_settings
                    with _naming_arm(arm.name):
                        client = model.connect_with(changes) if changes else model.client
                    by_settings[title, settings] = client
                clients[title, arm.name] = by_settings[title, settings]
        return clients

    @cached_property
    def consulted_clients(self) -> Mapping[str, ModelClient]:
        """The clients of further models that steps of arms ask, by name. Raises StudyError."""
        found: dict[str, ModelClient] = {}
        for arm in self.arms.values():
            with _naming_arm(arm.name):
                found |= {name: connect(name) for name in arm.plan.consulted if name not in found}
        return found

    @property
    def all_clients(self) -> tuple[ModelClient, ...]:
        """The clients of models in their arms, of further models that steps ask, and of judges."""
        return (*self.clients.values(), *self.consulted_clients.values(), *self.judges.values())

    def restrict(
        self,
        *,
        models: Iterable[str] | None = None,
        arms: Iterable[str] | None = None,
        problems: Iterable[str] | None = None,
    ) -> Design:
        """Return the design with these models, arms and problems only. Raises StudyError for unknown names.

        The baseline stays, and so do arms that another arm follows.
        """
        if self.pairs is not None:
            return self._restrict_screening(models, arms, problems)
        chosen = (
            None if arms is None else {self.settings.baseline, *([arms] if isinstance(arms, str) else arms)}
        )
        if chosen is not None:
            chosen |= {arm.follows for name, arm in self.arms.items() if name in chosen and arm.follows}
        selected, kept = _select("problem", self.problems, problems), _select("arm", self.arms, chosen)
        if self.paths is not None:  # without arms that no family of the part needs
            families = {problem.family for problem in selected.values()}
            kept = {name: arm for name, arm in kept.items() if self.paths.asks_any(name, families)}
        return replace(self, models=_select("model", self.models, models), arms=kept, problems=selected)

    def _restrict_screening(
        self, models: Iterable[str] | None, arms: Iterable[str] | None, problems: Iterable[str] | None
    ) -> Design:
        """Return a part of a screening design. Its arms are those of the pairs of the chosen problems."""
        assert self.pairs is not None
        if arms is not None and set(self.pairs.on) - set(arms):
            raise StudyError("a screening design asks its arms in pairs; choose problems instead of arms")
        chosen = _select("problem", self.problems, problems)
        pairs = self.pairs.restrict(chosen)
        used = {self.settings.baseline, *pairs.on}
        kept = {name: arm for name, arm in self.arms.items() if name in used}
        models = _select("model", self.models, models)
        return replace(self, models=models, arms=kept, problems=chosen, pairs=pairs)

    def spread(self, count: int, draw: random.Random | None = None) -> Design:
        """Return the design with `count` problems from as many families as possible, in the study's order.

        Without `draw` the choice is fixed: the first problem of evenly spaced families, then the second, ...
        """
        families: dict[str, list[str]] = {}
        for id, problem in self.problems.items():
            families.setdefault(problem.family, []).append(id)
        queues = list(families.values())
        if draw is not None:
            queues = [draw.sample(ids, len(ids)) for ids in draw.sample(queues, len(queues))]
        elif count < len(queues):
            queues = [queues[at * len(queues) // count] for at in range(count)]
        taken = set(list(filter(None, chain.from_iterable(zip_longest(*queues))))[:count])
        return self.restrict(problems=taken)

    def trusts(self, model: str, arm: str) -> bool:
        """Return whether the code in an attempt is Ansatz's: from the offline model in one of Ansatz's plans.

        False if the model or arm is unknown, as when a run is scored again from its folder.
        """
        asked, treated = self.models.get(model), self.arms.get(arm)
        return bool(asked and treated and asked.is_simulated and treated.plan.agent is None)

    def isolation(self) -> tuple[str, ...]:
        """Return the isolation levels of code in this study, such as ("full",); empty if no part runs code.

        Less isolation than required is accepted only if Ansatz wrote all the code. Raises SandboxUnavailable.
        """
        with self._trusting():
            return tuple(sorted({sandbox.require() for sandbox in self._sandboxes}))

    async def start_sandboxes(self) -> None:
        """Start all workers of the sandboxes, so that no attempt has to wait for one."""
        with self._trusting():
            for sandbox in self._sandboxes:
                await sandbox.start()

    @property
    def _sandboxes(self) -> tuple[Sandbox, ...]:
        switches = chain.from_iterable(arm.switches for arm in self.arms.values())
        return find_sandboxes((*switches, *self.scorers))

    def _trusting(self) -> AbstractContextManager[None]:
        return trusting(all(self.trusts(model, arm) for model in self.models for arm in self.arms))

    def describe(self) -> dict[str, Any]:
        """Return the study as plain JSON for reports, which then need no plug-in and no script."""
        consulted = [
            {"title": name, **price_to_json(self.prices[name, False])} for name in self.consulted_clients
        ]
        return {
            "name": self.settings.name,
            "baseline": self.settings.baseline,
            "primary": list(self.primary),
            "seed": self.settings.seed,
            "repeats": self.settings.most_repeats,
            "models": [_describe_model(model) for model in self.models.values()],
            "arms": [
                {
                    "name": arm.name,
                    "switches": arm.labels(),
                    "builds_on": arm.builds_on is not None,
                    **({"consults": list(arm.plan.consulted)} if arm.plan.consulted else {}),
                }
                for arm in self.arms.values()
            ],
            "dimensions": [each.to_json() for each in self.dimensions],
            "scorers": [identity(scorer) for scorer in self.scorers],
            **({"consulted": consulted} if consulted else {}),
            **({"screening": self._describe_pairs(self.pairs)} if self.pairs else {}),
            **({"leave_one_out": self.paths.to_json()} if self.paths else {}),
            "judges": [
                {"title": each.title, **price_to_json(self.prices[each.title, True])}
                for each in collect_judges(self.scorers, self.settings.answer_reader)
            ],
        }

    def _describe_pairs(self, pairs: Pairs) -> dict[str, Any]:
        on = {arm: [name for name in pairs.switches if name in pairs.on[arm]] for arm in sorted(pairs.on)}
        return {"switches": list(pairs.switches), "on": on}

    @cached_property
    def prices(self) -> Mapping[tuple[str, bool], Price | None]:
        """The price of every model by its title and whether it judges; None if unknown."""
        answering = {(title, False): model.price for title, model in self.models.items()}
        judging = {
            (each.title, True): find_price(vars(each), self.judges[each.title].identity)
            for each in collect_judges(self.scorers, self.settings.answer_reader)
        }
        consulted = {
            (name, False): find_price({}, asked.identity) for name, asked in self.consulted_clients.items()
        }
        return {**consulted, **answering, **judging}

    @property
    def scored_by(self) -> dict[str, Any]:
        """What scores depend on besides the answers: if it changes, all answers are scored again."""
        read = {"reading": identity(self.settings.answer_reader)} if self.settings.answer_reader else {}
        dimensions = sorted((each.to_json() for each in self.dimensions), key=lambda each: each["name"])
        return {"scorers": self.describe()["scorers"], "dimensions": dimensions} | read


def _describe_model(model: Model) -> dict[str, Any]:
    return {
        "title": model.title,
        "name": model.model if isinstance(model.model, str) else type(model.model).__name__,
        "simulated": model.is_simulated,
        "identity": model.client.identity,
        **price_to_json(model.price),
    }


def _select(kind: str, known: Mapping[str, Any], wanted: Iterable[str] | None) -> Mapping[str, Any]:
    if wanted is None:
        return known
    chosen = {wanted} if isinstance(wanted, str) else set(wanted)
    for name in sorted(chosen - known.keys()):
        raise StudyError(f"the study has no {kind} {name!r}{nearest(name, list(known))}")
    return {name: each for name, each in known.items() if name in chosen}


@contextmanager
def _naming_arm(name: str) -> Iterator[None]:
    try:
        yield
    except ModelError as failure:
        raise StudyError(f"arm {name!r}: {failure}", ("arms", name)) from failure


def _list_rounds(design: Design) -> Iterable[tuple[str, int]]:
    """Return the id of each problem with each repeat."""
    flags = FLAGS if design.settings.adaptive_repeats else 0
    return product(design.problems, range(design.settings.most_repeats + flags))


def _choose_arms(design: Design, id: str, repeat: int) -> Collection[str]:
    """Return the arms that answer this problem in this repeat."""
    if repeat >= design.settings.most_repeats:
        return (design.settings.baseline,)
    arms: Collection[str] = design.arms
    if design.pairs is not None:
        arms = [arm for arm in arms if arm in design.pairs.arms[id, repeat]]
    if design.paths is not None:
        arms = [arm for arm in arms if design.paths.asks(arm, design.problems[id].family)]
    return arms


def _list_attempts(design: Design) -> Iterator[PlannedAttempt]:
    """Yield the attempts. The key of an attempt is a hash of everything that can change its answer.

    For an arm that builds on earlier answers, this includes the earlier problems and the scorer of their
    answers. If repeats depend on the baseline, two further answers of it come after the counted repeats.
    """
    problems, arms = design.problems, design.arms
    contents = {id: canonical_hash(each.model_dump(mode="json")) for id, each in problems.items()}
    identities = {system: client.identity for system, client in design.clients.items()}
    treatments = {name: canonical_hash(arm.treatment) for name, arm in arms.items()}
    judges = {each.name: identity(scorer) for scorer in design.scorers for each in scorer.dimensions}
    for id, repeat in _list_rounds(design):
        earlier = [contents[other] for other in list_earlier(problems[id], problems)]
        order = random.Random(f"{design.settings.seed}/{id}/{repeat}").sample(list(arms), len(arms))
        chosen = _choose_arms(design, id, repeat)
        for model, arm in product(design.models, (arm for arm in order if arm in chosen)):
            parts = [identities[model, arm], treatments[arm], contents[id], repeat, design.settings.seed]
            if followed := arms[arm].follows:
                parts.append(treatments[followed])
            if arms[arm].stage_hint:
                parts.append([judges[stage] for stage in STAGES if stage in judges])
            if few_shot := arms[arm].few_shot:
                parts.append(format_worked_examples(problems[id], few_shot))
            if (switch := arms[arm].builds_on) and earlier:
                parts += [earlier, [judges[switch.judged_by]] if switch.judged_by in judges else []]
            yield PlannedAttempt(canonical_hash(parts), model, arm, id, repeat)
