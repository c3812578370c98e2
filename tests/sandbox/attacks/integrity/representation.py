"""Return an object whose text is made by code.

Contained: the code does not run in the framework's process.
Control: exec, because a subprocess returns no living objects
"""

import os


class Payload:
    def __repr__(self):
        return str(os.environ.get("@KEY_NAME@"))


Payload()
