"""Progressive arms: their own right answers of a set join the prompt, in order, and survive a kill."""

import asyncio
import re
from dataclasses import dataclass, field, replace

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Reply
from ansatz.errors import InfrastructureError, ModelError, StudyError
from ansatz.eval import Problem
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem import NumberTarget, ReferenceSolution
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.experiments.ledger.store import Ledger
from ansatz.experiments.running.earlier_answers import sequence_attempts
from ansatz.experiments.running.runner import run
from ansatz.experiments.study import Study
from ansatz.interventions.progressive import Progressive
from tests.experiments.records import records_of

SETS, QUESTIONS = 3, 4
WRONG = {("orbit-1", 2)}  # answered wrongly; all others right


def problems(sets=SETS, questions=QUESTIONS):
    made = {}
    for number in range(sets):
        ids = [f"orbit-{number}-q{position}" for position in range(1, questions + 1)]
        for position, id in enumerate(ids, start=1):
            value = key(f"orbit-{number}", position)
            made[id] = Problem(
                id=id,
                family=f"orbit-{number}",
                benchmark="own",
                question=f"Find quantity {position} of orbit-{number}.",
                targets=(NumberTarget(name=f"x_{position}", unit="km", weight=1.0, value=value),),
                reference=ReferenceSolution(text="CANARYSOLUTION"),
                follows=tuple(ids[: position - 1]),
            )
    return made


def key(name, position):
    return 1000.0 * (int(name[-1]) + 1) + position + 0.25


@dataclass
class Solver:
    """Answers the last question of a prompt, right unless it is in WRONG; `faults` breaks some questions."""

    delay: float = 0.0
    faults: set = field(default_factory=set)
    prompts: list = field(default_factory=list)
    identity: dict = field(default_factory=lambda: {"model": "solver"})

    async def reply(self, messages, tools, context):
        prompt = messages[-1].text
        name, position = asked(prompt)
        self.prompts.append(prompt)
        await asyncio.sleep(self.delay)
        if (name, position) in self.faults:
            raise InfrastructureError("503")
        value = 77777.0 if (name, position) in WRONG else key(name, position) * 1.0001
        return Reply(AIMessage(f"Since OWN WORDS, x_{position} = {value:.6f} km"), seconds=0.0)

    async def aclose(self):
        pass


def asked(prompt):
    position, name = re.findall(r"Find quantity (\d) of (orbit-\d)", prompt)[-1]
    return name, int(position)


def study(client, *, repeats=1, concurrency=4, items=None):
    arms = {"independent": (), "progressive": Progressive(judged_by="exact")}
    made = {name: Arm.of(name, switch) for name, switch in arms.items()}
    models = {"test:solver": Model(client, label="test:solver", concurrency=concurrency)}
    return Design(
        settings=StudySettings(name="sets", baseline="independent", repeats=repeats),
        models=models,
        arms=made,
        problems=items or problems(),
        scorers=(Outcome(),),
    )


async def done(prepared, folder):
    with Ledger.open(folder) as ledger:
        ledger.plan(prepared.attempts, prepared.problems.values())
        await run(prepared, ledger, lambda state: None)
    return records_of(folder)


def prompts_of(client, position, name="orbit-1"):
    """Prompts of the question: that of the independent arm first."""
    return sorted((p for p in client.prompts if asked(p) == (name, position)), key=len)


async def test_right_answers_join_the_prompt_and_wrong_ones_do_not(tmp_path):
    client = Solver()
    records = await done(study(client), tmp_path)
    assert [record.state for record in records] == ["scored"] * (2 * SETS * QUESTIONS)
    plain, progressive = prompts_of(client, 4)
    assert "Find quantity 1" not in plain and "OWN WORDS" not in plain
    assert re.findall(r"Find quantity (\d)", progressive) == ["1", "3", "4"]
    assert "x_1 = 2001.450125 km" in progressive and "x_3 = 2003.450325 km" in progressive
    assert "77777" not in progressive
    assert progressive.endswith(plain)


async def test_no_key_and_no_other_set_or_repeat_is_shown(tmp_path):
    client, items = Solver(), problems()
    await done(study(client, repeats=2, items=items), tmp_path)
    hidden = ["CANARY", *(f"{each.targets[0].value:.6f}" for each in items.values())]
    for prompt in client.prompts:
        assert not any(each in prompt for each in hidden)
        assert len(set(re.findall(r"of (orbit-\d)", prompt))) == 1


async def test_a_set_is_asked_in_order_while_sets_go_side_by_side(tmp_path):
    client = Solver(delay=0.01)
    prepared = study(client, concurrency=8)
    await done(prepared, tmp_path)
    firsts = [asked(prompt) for prompt in client.prompts[:8]]
    assert len({name for name, _ in firsts}) > 1
    chains = sequence_attempts(prepared.attempts, prepared)
    assert sorted(map(len, chains)) == [1] * (SETS * QUESTIONS) + [QUESTIONS] * SETS


async def test_a_question_after_a_failed_one_is_retried_with_it(tmp_path):
    records = await done(study(Solver(faults={("orbit-2", 2)})), tmp_path)
    failed = {(r.arm, r.problem): r.error for r in records if r.state == "error"}
    assert set(failed) == {
        ("independent", "orbit-2-q2"),
        *(("progressive", f"orbit-2-q{position}") for position in (2, 3, 4)),
    }
    assert "orbit-2-q2 comes before and has no scores yet" in failed["progressive", "orbit-2-q4"]
    client = Solver()
    records = await done(study(client), tmp_path)
    assert {record.state for record in records} == {"scored"}
    assert len(client.prompts) == 4
    assert "OWN WORDS" in prompts_of(client, 4, "orbit-2")[-1]


@pytest.mark.parametrize("after", [7, 17])
async def test_an_interrupted_run_continues_with_the_same_prompts(tmp_path, after):
    whole = Solver()
    quiet = await done(study(whole, concurrency=1), tmp_path / "quiet")

    class Dying(Solver):
        async def reply(self, messages, tools, context):
            if len(self.prompts) == after:
                raise ModelError("the key was revoked")
            return await super().reply(messages, tools, context)

    dying, again = Dying(), Solver()
    with pytest.raises(ModelError, match="revoked"):
        await done(study(dying, concurrency=1), tmp_path / "killed")
    killed = await done(study(again, concurrency=1), tmp_path / "killed")
    ended = [
        [(r.arm, r.problem, r.transcript.answer, r.scores) for r in records] for records in (quiet, killed)
    ]
    assert ended[0] == ended[1]
    assert sorted(dying.prompts + again.prompts) == sorted(whole.prompts)


@dataclass(frozen=True)
class Stricter(Outcome):
    strictness: int = 2


def test_earlier_questions_and_their_scorer_are_in_the_identity():
    items = problems()
    other = items["orbit-1-q2"].model_copy(update={"question": "Find quantity 2 of orbit-1, please."})
    base = study(Solver(), items=items)

    def differing(changed):
        keys = {(attempt.arm, attempt.problem): attempt.key for attempt in changed.attempts}
        return {(u.arm, u.problem) for u in base.attempts if keys[u.arm, u.problem] != u.key}

    later = {("progressive", f"orbit-1-q{position}") for position in (2, 3, 4)}
    assert differing(study(Solver(), items=items | {other.id: other})) == {("independent", other.id), *later}
    after_a_first = {("progressive", id) for id in items if not id.endswith("q1")}
    assert differing(replace(base, scorers=(Stricter(),))) == after_a_first


def test_an_arm_judged_by_what_no_scorer_reports_is_refused():
    arms = {"progressive": Progressive(judged_by="exat")}
    with pytest.raises(StudyError, match="no scorer reports 'exat'; did you mean 'exact'"):
        Study("sets", models="offline:slide-rule", problems=problems(1).values(), arms=arms)
