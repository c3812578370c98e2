"""Primary dimensions of a study file and any arm against any, by figures of a count by hand."""

import numpy as np
import pytest

import ansatz as az
from ansatz.experiments.report.write import to_markdown
from tests.eval.test_statistics_together import stepped_down
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

SCRIPT = '''
from dataclasses import dataclass
import ansatz as az

@dataclass(frozen=True)
class Words:
    dimensions = (az.Dimension("brief"),)

    async def score(self, context):
        count = len(context.transcript.answer.split())
        return (az.Score(dimension="brief", value=float(count <= 4), evidence=f"{count} words"),)

def power(flow: float) -> float:
    """Power in kW."""
    return flow

def head(flow: float) -> float:
    """Head in m."""
    return flow

problems = az.problems([(f"Pump {n} lifts {n} L/s by 10 m. Shaft power?", f"{0.0981 * n} kW") for n in range(1, 13)])
'''
STUDY = """
name: pumps
models: [{name: "openai:local", settings: {base_url: SERVER}}]
problems: ["pumps.py:problems"]
scorers: [outcome, "pumps.py:Words"]
primary: [outcome]
prior: 0.5
arms:
  sure: {with_tools: {tools: ["pumps.py:power"]}}
  brief: {with_tools: {tools: ["pumps.py:head"]}}
"""
PROBLEMS = np.arange(1, 13)
# which problems each arm answers rightly, and which in few words
HELD = {
    "baseline": {"outcome": PROBLEMS <= 1, "brief": PROBLEMS <= 2},
    "sure": {"outcome": PROBLEMS != 5, "brief": PROBLEMS != 3},
    "brief": {"outcome": PROBLEMS <= 2, "brief": PROBLEMS > 0},
}


def reply(request):
    number = int(request.body["messages"][-1]["content"].partition("Pump ")[2].split()[0])
    tools = [each["function"]["name"] for each in request.body.get("tools", ())]
    own = HELD[{"power": "sure", "head": "brief"}.get(tools[0], "") if tools else "baseline"]
    value = 0.0981 * number if own["outcome"][number - 1] else 77
    said = f"answer = {value:.6g} kW"
    return Answer(said if own["brief"][number - 1] else f"After some thought and more words: {said}")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pumps")
    (folder / "pumps.py").write_text(SCRIPT)
    with OpenAIServer(reply) as server:
        (folder / "study.yaml").write_text(STUDY.replace("SERVER", server.base_url))
        return az.Study.from_yaml(folder / "study.yaml").run(folder / "run")


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


@pytest.mark.parametrize("against", HELD)
def test_any_arm_against_any_has_the_p_of_every_pattern_of_signs(run, against):
    for arm in HELD.keys() - {against}:
        rows = run.contrast(arm, against)
        for (of, name), p in expected(against).items():
            if of != arm:
                continue
            [row] = rows.filter(dimension=name).to_dicts()
            assert row["estimate"] == pytest.approx(by_hand(arm, against, name).mean())
            assert row["p_adjusted"] == pytest.approx(p), (arm, against, name)
            assert (row["pairs"], row["dropped"]) == (12, 0)


def test_what_is_not_primary_counts_only_where_a_primary_dimension_moved(run):
    p = {(each["arm"], each["dimension"]): each["p_adjusted"] for each in run.deltas().to_dicts()}
    assert p["sure", "outcome"] < 0.05 and p["sure", "brief"] < 0.05
    [alone] = run.deltas().filter(arm="brief", dimension="brief")["p"].to_list()
    assert alone == pytest.approx(2 / 2**10)
    assert p["brief", "brief"] == p["brief", "outcome"] == 1
    assert p["brief", "brief"] == pytest.approx(expected("baseline")["brief", "brief"])


def test_a_prior_is_stated_and_gives_what_is_to_be_believed(run):
    """Of 12 problems 10 turn right for `sure`, 1 for `brief`; weights of ½ and the counts make the posterior."""
    [sure] = run.deltas().filter(arm="sure", dimension="outcome").to_dicts()
    [brief] = run.deltas().filter(arm="brief", dimension="outcome").to_dicts()
    assert sure["chance"] > 0.999 and 0.5 < brief["chance"] < 0.95
    better, worse = np.random.default_rng(5).dirichlet((10.5, 0.5, 2.5), 100_000)[:, :2].T
    assert (sure["low"], sure["high"]) == pytest.approx(np.quantile(better - worse, [0.025, 0.975]), abs=0.01)
    text = to_markdown(run.results)
    assert "### Posterior" in text and "weight 0.5 each" in text
    assert '"prior": 0.5' in (run.folder / "manifest.json").read_text()


def test_an_arm_or_a_dimension_that_is_not_there_is_named(run, tmp_path):
    for arms in (("sur", "brief"), ("brief", "sur")):
        with pytest.raises(az.AnsatzError, match="no arm 'sur'; did you mean 'sure'"):
            run.contrast(*arms)
    with pytest.raises(
        az.StudyError, match="primary: there is no dimension 'outcom'; did you mean 'outcome'"
    ):
        az.Study("x", models="offline:slide-rule", problems=[("How?", "1 kW")], primary=["outcom"])
    with pytest.raises(az.StudyError, match="prior: must be greater than 0, not 0"):
        az.Study("x", models="offline:slide-rule", problems=[("How?", "1 kW")], prior=0)
