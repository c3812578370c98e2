"""The `ansatz` command as a person runs it."""

import subprocess
import sys


def ansatz(*arguments, **settings):
    command = [sys.executable, "-m", "ansatz.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **settings)
