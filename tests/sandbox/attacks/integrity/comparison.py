"""Return an object that is equal to everything and says what it is compared with.

Contained: the code does not run in the framework's process.
Control: exec, because a subprocess returns no living objects
"""

import os


class Payload(float):
    def __eq__(self, other):
        print(os.environ.get("@KEY_NAME@"), other)
        return True

    __hash__ = float.__hash__

    def __repr__(self):
        return f"{self == 1} {os.environ.get('@KEY_NAME@')}"


Payload(1.0)
