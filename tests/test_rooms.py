"""Every module serves something; `make loc` finds those that do not."""

from tests import rooms

FOR_SCRIPTS = {"ansatz.interventions.with_agent"}
"""What users import themselves and nothing of ours does."""


def test_no_module_is_without_a_production_caller():
    assert set(rooms.unused_modules()) <= FOR_SCRIPTS


def test_a_module_is_used_by_its_import_in_any_form(tmp_path):
    file = tmp_path / "some.py"
    file.write_text("def f():\n    from ansatz.eval import score\n    import ansatz.agents.plan as plan\n")
    assert {"ansatz.eval.score", "ansatz.agents.plan"} <= rooms.imports_of(file)


def test_every_source_file_lies_in_one_room():
    assert {path for path in rooms.sources() if rooms.room_of(path) is None} == set()
