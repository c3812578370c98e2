"""Holes that were found, once, in this or another design: each stays shut at every level that promises it."""

import os
import subprocess
import venv
from pathlib import Path

import pytest

from ansatz.sandbox import Sandbox
from ansatz.sandbox.isolation import reached
from ansatz.sandbox.launch import packages as package_folders

pytestmark = pytest.mark.xdist_group("sandboxes of every level")

TRY = """
import os
def attempt(name, act):
    try:
        act()
    except OSError as failure:
        return None
    return name
"""


async def let_through(sandbox, attempts, setup=""):
    """Which of these expressions did not fail."""
    tries = "".join(f"attempt({code!r}, lambda: {code}), " for code in attempts)
    execution = await sandbox.run(f"{TRY}{setup}\n[code for code in ({tries}) if code]")
    assert execution.status == "ok", execution.error
    return execution.value


@pytest.fixture
def target(tmp_path):
    """A file that any user may reach and write, so that only the sandbox protects it."""
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    file.chmod(0o666)
    _open_to_all(tmp_path)
    return file


def _open_to_all(place):
    for folder in (place, *place.parents):
        if folder != Path("/tmp") and folder.is_relative_to("/tmp"):
            folder.chmod(0o777)


async def test_new_root_hides_files_and_the_host_name(sandbox, level, target):
    if level != "full":
        pytest.skip("stat is hidden by the mount namespace alone")
    execution = await sandbox.run(
        f"import os\n[os.path.exists({str(target)!r}), os.path.exists('/etc/passwd'), os.uname().nodename]"
    )
    assert execution.value == [False, False, "sandbox"]


async def test_paths_and_metadata_are_unchanged(sandbox, target):
    """By calls that open nothing either; Landlock covers no chmod, utime and setxattr."""
    before, path, folder = target.stat(), str(target), str(target.parent)
    attempts = [
        f"open({path!r}).read()",
        f"open({path!r}, 'w')",
        f"os.unlink({path!r})",
        f"os.rename({path!r}, {path + '2'!r})",
        f"os.truncate({path!r}, 0)",
        f"os.chmod({path!r}, 0)",
        f"os.chown({path!r}, 0, 0)",
        f"os.utime({path!r}, (0, 0))",
        f"os.setxattr({path!r}, 'user.mark', b'x')",
        f"os.link({path!r}, {path + '3'!r})",
        f"os.symlink({path!r}, {path + '4'!r})",
        f"os.mkdir({folder + '/folder'!r})",
        f"os.rmdir({folder!r})",
        f"os.mknod({folder + '/node'!r})",
        f"os.mkfifo({folder + '/pipe'!r})",
    ]
    assert await let_through(sandbox, attempts) == []
    after = target.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_nlink) == (before.st_mode, before.st_mtime_ns, 1)
    assert (target.read_text(), os.listdir(folder)) == ("precious", [target.name])


@pytest.mark.parametrize("level", ["full", "landlock"], indirect=True)
async def test_ansatz_is_not_readable_in_the_sandbox(level, tmp_path, monkeypatch):
    """It holds the answers to its benchmarks, and is installed next to the readable libraries."""
    packages = tmp_path / "lib" / "site-packages"
    (packages / "ansatz").mkdir(parents=True)
    (packages / "ansatz" / "answers.py").write_text("ANSWER = 42")
    (packages / "sibling.py").write_text("ANSWER = 43")
    (tmp_path / "lib64").symlink_to("lib")
    _open_to_all(tmp_path)
    for folder in ("lib", "lib64"):
        monkeypatch.syspath_prepend(tmp_path / folder / "site-packages")
    attempts = [f"open('{tmp_path}/{folder}/site-packages/ansatz/answers.py')" for folder in ("lib", "lib64")]
    async with Sandbox(workers=1, preload=(), min_isolation="filter", level=level) as sandbox:
        assert await let_through(sandbox, attempts) == []
        sibling = await sandbox.run("import sibling\nsibling.ANSWER")
        within = await sandbox.run("import ansatz.answers")
    assert sibling.value == 43
    assert within.status == "error"


async def test_scratch_folder_is_bounded_or_missing(sandbox, level):
    """Without a quota 640 MB and 30,000 files were written."""
    code = (
        "import os\n"
        "def fill():\n"
        "    try:\n"
        "        for n in range(20):\n"
        "            with open(f'{n}', 'wb') as file: file.write(bytes(10 * 2**20))\n"
        "    except OSError as failure: return n, failure.errno\n"
        "def litter():\n"
        "    try:\n"
        "        for n in range(30_000): open(f'file{n}', 'w').close()\n"
        "    except OSError as failure: return n, failure.errno\n"
        "filled = fill()\n"
        "for n in range(20):\n"
        "    try: os.unlink(f'{n}')\n"
        "    except OSError: pass\n"
        "[filled, litter()]"
    )
    [written, _], [made, _] = (await sandbox.run(code)).value
    assert written <= 6
    assert made <= 1024
    assert (written > 0) == (made > 0) == (level == "full")


async def test_memory_limit_is_added_to_the_libraries(sandbox):
    """Counted from nothing, a limit of 256 MB let 1.1 GB through, or nothing at all; it is 512 here."""
    assert (await sandbox.run("len(bytearray(470 * 2**20))")).value == 470 * 2**20
    assert (await sandbox.run("len(bytearray(535 * 2**20))")).verdict == "memory"


async def test_system_libraries_are_found(best):
    """Debian's numpy needs /etc/alternatives and the linker's cache."""
    for path in ("/etc/ld.so.cache", "/etc/alternatives"):
        if os.path.exists(path) and reached()[0] == "full":
            assert (await best.run(f"import os\nos.path.exists({path!r})")).value is True


@pytest.mark.slow
def test_environment_below_tmp_is_reachable(tmp_path):
    """The new root is put together over /tmp, so what lies there must have been taken hold of before."""
    if not tmp_path.is_relative_to("/tmp"):
        pytest.skip(f"temporary files are not under /tmp but {tmp_path}")
    venv.create(tmp_path / "env", with_pip=False)
    packages = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    (packages / "lent.pth").write_text("\n".join([*package_folders(), str(Path(__file__).parents[2])]))
    (packages / "under_tmp.py").write_text("ANSWER = 42\n")
    (tmp_path / "program.py").write_text(
        "import asyncio, sys\n"
        "from ansatz.sandbox import Sandbox\n"
        "async def main():\n"
        "    async with Sandbox(level=sys.argv[1], preload=()) as sandbox:\n"
        "        print((await sandbox.run('import under_tmp, numpy\\nunder_tmp.ANSWER')).value)\n"
        "asyncio.run(main())\n"
    )
    for level in ("full", "landlock"):
        if reached((level,))[0]:
            done = subprocess.run(
                [tmp_path / "env/bin/python", "program.py", level],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=120,
            )
            assert done.stdout == "42\n", done.stderr
