"""Every module is used, every file has a room, and public classes have unique names."""

import pytest

from tests import rooms

pytestmark = pytest.mark.xdist_group("parsed sources")

FOR_SCRIPTS = {"ansatz.interventions.with_agent"}
"""Modules that only users import."""


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


def test_groups_of_tests_stay_in_one_worker(request):
    """pytest-xdist appends the group to the id; if pytest ignores that, every worker makes every fixture."""
    in_worker = hasattr(request.config, "workerinput")
    assert request.node.nodeid.endswith("@parsed sources") == in_worker


def test_every_module_is_used():
    assert set(rooms.find_unused_modules()) <= FOR_SCRIPTS


def test_imports_of_any_form_are_found(tmp_path):
    file = tmp_path / "some.py"
    file.write_text(FORMS)
    assert rooms.find_imports(file, {*"abcdef", "a.one", "b.two", "c.three", "x.y", "other"}) == {
        *"def",
        "a.one",
        "b.two",
        "c.three",
    }


def test_public_classes_have_unique_names():
    assert rooms.find_repeated_classes() == {}


def test_every_source_file_belongs_to_a_room():
    assert {path for path in rooms.list_sources() if rooms.find_room(path) is None} == set()
