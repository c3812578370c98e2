"""Resolving a study: every name and setting that cannot be had is one line with its place."""

import pytest

from ansatz.experiments.factors import StudyError
from ansatz.experiments.study import Study
from tests.experiments.quiet import ran

HEAD = "name: x\nmodels: [offline:slide-rule]\n"
THREE = "problems: [{benchmark: properties, settings: {count: 3}}]\n"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD.replace("slide-rule", "slide-rul") + THREE, 2, "no offline model 'slide-rul'; did you mean 'slide-rule'?"),
        (HEAD.replace("offline:", "ofline:") + THREE, 2, "ofline"),
        (HEAD + "problems: [tpz]\n", 3, "there is no benchmark 'tpz'; did you mean 'tps'?"),
        (HEAD + "problems:\n  - benchmark: tps\n    settings:\n      instance: 2\n", 6, "tps has no setting 'instance'; did you mean 'instances'?"),
        (HEAD + "problems:\n  - benchmark: properties\n    where:\n      category: dry_steam\n", 6, "properties has no problem with category 'dry_steam'"),
        (HEAD + "problems:\n  - benchmark: properties\n    where: {categori: water}\n", 5, "properties has no tag 'categori'; did you mean 'category'?"),
        (HEAD + "problems: [{benchmark: properties, settings: {count: 0}}]\n", 3, "properties has no problem with these settings"),
        (HEAD + "problems: [{benchmark: items, settings: {path: nowhere.jsonl}}]\n", 3, "nowhere.jsonl: No such file"),
        (HEAD + "problems: [{benchmark: properties, settings: {count: many}}]\n", 3, "properties: count: must be a whole number, not 'many'"),
        (HEAD + THREE + "arms:\n  a:\n    formulation: {source: teacher}\n", 6, "formulation: source: 'teacher' is not valid (valid: reference, self)"),
        (HEAD + THREE + "arms:\n  a: [calculater]\n", 5, "there is no intervention 'calculater'; did you mean 'calculator'?"),
        (HEAD + THREE + "design: one_at_a_time\ninterventions:\n  calculator: {timeout: 3}\n", 6, "did you mean 'timeout_seconds'?"),
        (HEAD + THREE + "scorers: [outcomes]\n", 4, "there is no scorer 'outcomes'; did you mean 'outcome'?"),
        (HEAD + THREE + "arms: {a: calculator, b: calculator}\n", 4, "arms 'a' and 'b' are the same treatment"),
        (HEAD + THREE.replace("}}]", "}}, {benchmark: properties, settings: {count: 3}}]"), 3, "every id must be unique"),
    ],
)  # fmt: skip
def test_what_a_study_asks_in_vain_is_one_line_with_its_place(tmp_path, text, line, said):
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError) as failure:
        ran(path, tmp_path / "out")
    assert str(failure.value).startswith(f"{path}:{line}: ")
    assert said in str(failure.value)
    assert "\n" not in str(failure.value)
    assert not (tmp_path / "out").exists()


def test_a_function_beside_the_study_is_a_tool(tmp_path):
    (tmp_path / "own.py").write_text(
        'def double(x: float) -> float:\n    """Twice x."""\n    return 2 * x\n', encoding="utf-8"
    )
    (tmp_path / "study.yaml").write_text(HEAD + THREE + 'arms: {own: "own.py:double"}\n', encoding="utf-8")
    study = Study.from_yaml(tmp_path / "study.yaml")
    assert [tool.name for tool in study.arms["own"].plan.tools] == ["double"]
