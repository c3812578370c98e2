"""The wheel contains every file of the packages, and works outside the checkout."""

import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from ansatz.knowledge_base.search.minilm import INSTALL

pytestmark = pytest.mark.long

ROOT = Path(__file__).parent.parent
PACKAGES = ("ansatz", "agents", "knowledge_base", "interventions", "eval", "experiments")


def run(*command, cwd, timeout=300):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked_files() -> set[str]:
    """Return the package files that git tracks, by their installed names."""
    listed = run("git", "ls-files", *PACKAGES, cwd=ROOT).splitlines()
    files = [name for name in listed if not (ROOT / name).is_symlink()]
    return {name if name.startswith("ansatz/") else f"ansatz/{name}" for name in files}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from the source distribution as in `make dist`."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    run("git", "clone", "--quiet", ROOT, source, cwd=folder)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, source, cwd=folder)
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_wheel_contains_every_package_file(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == tracked_files()


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment(wheel, tmp_path):
    """The sentence model is installed without its declared dependencies, which take gigabytes."""
    venv.create(tmp_path / "env", with_pip=True)
    pins = re.findall(r"^[\w.-]+==\S+", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    (tmp_path / "pins.txt").write_text("\n".join(pins))  # a hash would demand one of the wheel, too
    scripts, quietly = tmp_path / "env" / "bin", ("--quiet", "-c", tmp_path / "pins.txt")
    for wanted in (["install", wheel], INSTALL.split()[1:]):
        run(scripts / "python", "-m", "pip", *wanted, *quietly, cwd=tmp_path, timeout=900)
    assert "Usage" in run(scripts / "ansatz", "--help", cwd=tmp_path)
    question = (
        "A duct carries air at p = 101325 Pa and T = 300 K.\n\nReport your answers as:\nrho = ___ kg/m^3"
    )
    assert "rho = " in run(scripts / "ansatz", "solve", question, cwd=tmp_path)
    run(scripts / "ansatz", "new", "pumps", cwd=tmp_path)
    for command in (["run", "study.yaml"], ["report", "runs/pumps"], ["view", "runs/pumps"]):
        run(scripts / "ansatz", *command, cwd=tmp_path / "pumps")
    assert (tmp_path / "pumps" / "runs" / "pumps" / "view" / "index.html").stat().st_size


@pytest.mark.slow
def test_strict_mypy_types_the_readme_script(tmp_path):
    """mypy types a script outside the checkout with the editable installation."""
    script = re.search(r"```python\n(.+?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    (tmp_path / "pumps.py").write_text(script + "\nreveal_type(run.deltas())\n")
    shown = run(sys.executable, "-m", "mypy", "--strict", "pumps.py", cwd=tmp_path)
    assert 'Revealed type is "polars.' in shown and "Success" in shown


@pytest.mark.parametrize("file", ["constraints.txt", "docs/constraints.txt"])
def test_every_constraint_has_hashes_and_names_no_host(file):
    text = (ROOT / file).read_text()
    pinned = re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]
    assert len(pinned) > 100 and "://" not in text
    assert not [
        each for each in pinned if not re.match(r"[\w.-]+==\S+ \\\n( +--hash=sha256:\w{64}( \\)?\n)+", each)
    ]


def test_citation_has_the_version_of_the_package():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
