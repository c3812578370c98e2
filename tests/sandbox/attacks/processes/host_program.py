"""Run a program that lies among the user's files.

Contained: the program leaves no trace.
"""

import subprocess

subprocess.run(["@OUTSIDE@/program"], check=True)
