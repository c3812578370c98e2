"""Primary dimensions, and any arm against any, by figures of a count by hand."""

from dataclasses import dataclass

import numpy as np
import pytest
from langchain_openai import ChatOpenAI

import ansatz as az
from tests.eval.statistics.test_multiplicity import stepped_down
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

PROBLEMS = np.arange(1, 13)
# which problems each arm answers rightly, and which in few words
HELD = {
    "baseline": {"outcome": PROBLEMS <= 1, "brief": PROBLEMS <= 2},
    "sure": {"outcome": PROBLEMS != 5, "brief": PROBLEMS != 3},
    "brief": {"outcome": PROBLEMS <= 2, "brief": PROBLEMS > 0},
}


@dataclass(frozen=True)
class Words:
    dimensions = (az.Dimension("brief"),)

    async def score(self, context):
        count = len(context.transcript.answer.split())
        return (az.Score(dimension="brief", value=float(count <= 4), evidence=f"{count} words"),)


def reply(request):
    prompt = str(request.body["messages"])
    at = int(prompt.partition("Pump ")[2].split()[0]) - 1
    own = HELD[next((arm for arm in ("sure", "brief") if f"Be {arm}." in prompt), "baseline")]
    answer = f"answer = {0.0981 * (at + 1) if own['outcome'][at] else 77:.6g} kW"
    return Answer(answer if own["brief"][at] else f"After some thought and more words: {answer}")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with OpenAIServer(reply) as server:
        study = az.Study(
            "pumps",
            models=ChatOpenAI(model="local", base_url=server.base_url, api_key="unused", max_retries=0),
            problems=[
                (f"Pump {n} lifts {n} L/s by 10 m. Shaft power?", f"{0.0981 * n} kW") for n in PROBLEMS
            ],
            scorers=[az.Outcome(), Words()],
            primary=["outcome"],
            arms={arm: az.WithPrompt(f"Be {arm}.") for arm in ("sure", "brief")},
        )
        return study.run(tmp_path_factory.mktemp("pumps"))


def by_hand(arm, against, dimension):
    return HELD[arm][dimension] * 1.0 - HELD[against][dimension]


def expected(against):
    """Adjusted p of the two other arms: step-down over outcome, then over the rest behind its gate.

    The rest is "brief" and the outcome's own detail "exact", the same here as there is no other band; a unit
    is stated in every answer, so that "units" never differs.
    """
    arms = [arm for arm in HELD if arm != against]
    first = stepped_down(np.stack([by_hand(arm, against, "outcome") for arm in arms], axis=1))
    rest = [by_hand(arm, against, name) for name in ("brief", "outcome") for arm in arms]
    behind = stepped_down(np.stack(rest, axis=1))
    found = {(arm, "outcome"): first[at] for at, arm in enumerate(arms)}
    return found | {(arm, "brief"): max(behind[at], first[at]) for at, arm in enumerate(arms)}


@pytest.mark.slow
@pytest.mark.parametrize("against", HELD)
def test_any_arm_against_any_has_the_p_of_every_pattern_of_signs(run, against):
    for (arm, name), p in expected(against).items():
        [row] = run.contrast(arm, against).filter(dimension=name).to_dicts()
        assert row["estimate"] == pytest.approx(by_hand(arm, against, name).mean())
        assert row["p_adjusted"] == pytest.approx(p), (arm, against, name)
        assert (row["pairs"], row["dropped"]) == (12, 0)


def test_other_dimensions_count_only_if_a_primary_one_changed(run):
    found = {(each["arm"], each["dimension"]): each for each in run.deltas().to_dicts()}
    assert found["sure", "outcome"]["p_adjusted"] < 0.05 and found["sure", "brief"]["p_adjusted"] < 0.05
    assert found["brief", "brief"]["p"] == pytest.approx(2 / 2**10)
    assert found["brief", "brief"]["p_adjusted"] == found["brief", "outcome"]["p_adjusted"] == 1


def test_an_arm_or_a_dimension_that_is_not_there_is_named(run):
    for arms in (("sur", "brief"), ("brief", "sur")):
        with pytest.raises(az.AnsatzError, match="no arm 'sur'; did you mean 'sure'"):
            run.contrast(*arms)
    for setting, case in {
        "primary": (["outcom"], "primary: there is no dimension 'outcom'; did you mean 'outcome'"),
    }.items():
        with pytest.raises(az.StudyError, match=case[1]):
            az.Study("x", models="offline:slide-rule", problems=[("How?", "1 kW")], **{setting: case[0]})
