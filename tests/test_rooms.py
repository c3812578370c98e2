"""Every module serves something; `make loc` finds those that do not."""

import pytest

from tests import rooms

pytestmark = pytest.mark.xdist_group("parsed sources")

FOR_SCRIPTS = {"ansatz.interventions.with_agent"}
"""What users import themselves and nothing of ours does."""


FORMS = """
import a.one, sys
from b import two
from d import Name
if TYPE_CHECKING:
    from e import other_name
def f():
    import c.three as three
    importlib.import_module("f")
"""


def test_no_module_is_without_a_production_caller():
    assert set(rooms.unused_modules()) <= FOR_SCRIPTS


def test_a_module_is_used_by_its_import_in_any_form(tmp_path):
    file = tmp_path / "some.py"
    file.write_text(FORMS)
    assert rooms.imports_of(file, {*"abcdef", "a.one", "b.two", "c.three", "x.y", "other"}) == {
        *"def",
        "a.one",
        "b.two",
        "c.three",
    }


def test_public_classes_have_names_of_their_own():
    assert rooms.repeated_classes() == {}


def test_every_source_file_lies_in_one_room():
    assert {path for path in rooms.sources() if rooms.room_of(path) is None} == set()
