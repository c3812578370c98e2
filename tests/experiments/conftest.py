"""A run and its page, which several files of tests read and none changes."""

import pytest


@pytest.fixture(scope="session")
def written_run(tmp_path_factory):
    from tests.experiments.view_run import write_run

    return write_run(tmp_path_factory.mktemp("written") / "run")


@pytest.fixture(scope="session")
def written_page(written_run, tmp_path_factory):
    """The folder of the page."""
    from ansatz.experiments.view import write_view

    return write_view(written_run, tmp_path_factory.mktemp("written") / "page").parent
