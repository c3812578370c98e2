"""Return an object that claims to be a plain string, and runs code when it is looked at.

Contained: the code does not run in the framework's process.
Control: exec, because a subprocess returns no living objects
"""

import os


class Payload(str):
    @property
    def __class__(self):
        print(os.environ.get("@KEY_NAME@"))
        return str

    def __repr__(self):
        return str(os.environ.get("@KEY_NAME@"))

    __str__ = __format__ = __repr__


Payload("harmless")
