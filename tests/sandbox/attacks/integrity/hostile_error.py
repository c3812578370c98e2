"""Raise an error that runs code when it is shown.

Contained: the code does not run in the framework's process.
Control: exec, because a subprocess shows its errors itself
"""

import os


class Failure(Exception):
    def __str__(self):
        return str(os.environ.get("@KEY_NAME@"))


raise Failure
