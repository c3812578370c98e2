"""Start a program with the standard library.

Contained: no other program runs.
"""

import subprocess

subprocess.run(["sleep", "0.4"], check=True)
