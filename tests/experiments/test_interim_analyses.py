"""A study may stop once every arm has succeeded or is futile, and its notes state that."""

import pytest

from ansatz.errors import SettingError, StudyError
from ansatz.experiments.design.study_settings import Stopping
from ansatz.experiments.study import Study
from tests.experiments.served_study import answer, write_study
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer

STOP = ["stop.looks=4", "stop.futility=0.1"]


def served(helps):
    """The placebo's prompt is the longer one; where it helps, the bare one is right on every sixth problem."""

    def script(request):
        right = answer(request)
        number = int(right.text.split()[2])
        is_right = number % 6 == 0 if helps and len(request.text) < 1000 else number % 2 == 0
        return right if is_right or (helps and len(request.text) > 1000) else Answer("Q = 0 J")

    return script


@pytest.mark.parametrize(
    ("helps", "looks", "alpha", "verdict"),
    [(True, 2, 0.003, "success"), (False, 1, 0.0000149, "futile")],
)
def test_a_study_stops_as_soon_as_it_is_decided(tmp_path, helps, looks, alpha, verdict):
    with OpenAIServer(served(helps)) as server:
        study = Study.from_yaml(write_study(tmp_path, server.base_url, problems=80), STOP)
        run = study.run(tmp_path / "run", progress=False)
        done = 160 * looks // 4
        assert run.counts == {"planned": done, "scored": done, "failed": 0}
        assert study.run(tmp_path / "run", progress=False).counts == run.counts
        assert len(server.requests) == done
    [note] = [note for note in run.results.notes if "interim analyses" in note]
    assert note.startswith(
        f"{looks} interim analyses, the last with {looks / 4:.0%} of the families (placebo: "
    )
    assert verdict in note
    assert note in run.report().markdown.read_text()
    assert 1 - run.results.level == pytest.approx(alpha, rel=0.03) and run.results.is_complete
    row = run.deltas().row(0, named=True)
    assert (row["low_simultaneous"] > 0) == helps


def test_looks_that_cannot_be_taken_are_refused(tmp_path):
    path = write_study(tmp_path, "http://localhost:1", problems=6)
    with pytest.raises(StudyError, match="stop: 4 looks need 8 families, not 6"):
        Study.from_yaml(path, STOP)
    with pytest.raises(SettingError, match=r"^looks must be less than or equal to 10, not 11$"):
        Stopping(looks=11)
