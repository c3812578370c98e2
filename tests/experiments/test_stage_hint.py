"""Hints only at the stage at which the baseline failed, and their placebo."""

from dataclasses import dataclass, field

import pytest
from langchain_core.messages import AIMessage

import ansatz as az
from ansatz.agents import Reply
from ansatz.errors import StudyError
from ansatz.eval import Problem, Score
from ansatz.eval.problem import Given, NumberTarget, ReferenceSolution, SolutionStep
from ansatz.eval.score import Dimension

FAILS_AT = {"p0": "G1", "p1": "G2", "p2": "G3", "p3": "G4", "p4": ""}
WORDS = {"G1": "equations", "G2": "given values", "G3": "units", "G4": "significant digits"}


@dataclass
class HintedClient:
    """Fails at the stage of its question, unless the prompt has the hint for it."""

    prompts: list[str] = field(default_factory=list)

    @property
    def identity(self):
        return {"model": "hinted"}

    async def reply(self, messages, tools, context=None):
        text = messages[-1].text
        self.prompts.append(text)
        [stage] = [stage for id, stage in FAILS_AT.items() if f"{id}:" in text]
        helped = not stage or ("Hint:" in text and WORDS[stage] in text)
        return Reply(AIMessage("right" if helped else stage), seconds=0.0)

    async def aclose(self):
        pass


@dataclass(frozen=True)
class Stages:
    dimensions = tuple(Dimension(stage) for stage in WORDS)

    async def score(self, context):
        failed = context.transcript.answer
        return tuple(Score(dimension=each, value=float(each != failed), evidence=failed) for each in WORDS)


def problem(id):
    step = SolutionStep(equation="", symbol="q", expression="q = rho*V**2/2", value=6000.5, unit="Pa")
    return Problem(
        id=id,
        family=id,
        benchmark="own",
        question=f"{id}: what is q?",
        givens=(Given(name="V", value=100.0, unit="m/s", description="speed"),),
        targets=(NumberTarget(name="q", unit="Pa", value=6000.5),),
        reference=ReferenceSolution(steps=(step,)),
    )


def study(client, scorers, **arms):
    return az.Study(
        "hints",
        models=az.Model(client, label="test:hinted"),
        problems=[problem(id) for id in FAILS_AT],
        arms=arms or {"hint": az.StageHint(), "elsewhere": az.StageHint(placebo=True)},
        scorers=scorers,
    )


def test_hints_are_given_only_where_the_baseline_failed(tmp_path):
    client = HintedClient()
    run = study(client, Stages()).run(tmp_path / "run", progress=False)
    means = {arm: run[arm].select(*WORDS).to_numpy().min(axis=1).tolist() for arm in run.results.arms}
    assert means == {"baseline": [0.0] * 4 + [1.0], "hint": [1.0] * 5, "elsewhere": [0.0] * 4 + [1.0]}
    hinted = [text for text in client.prompts if "Hint:" in text]
    assert len(hinted) == 2 * 4
    assert not any("p4:" in text or "6000.5" in text for text in hinted)
    assert sum(WORDS[FAILS_AT[text.split("\n")[-1][:2]]] in text for text in hinted) == 4


def test_hints_need_the_verifier_and_an_arm(tmp_path):
    with pytest.raises(StudyError, match="verifier"):
        study(HintedClient(), az.Outcome())
    with pytest.raises(StudyError, match="no arm 'base'"):
        study(HintedClient(), Stages(), hint=az.StageHint(after="base"))
