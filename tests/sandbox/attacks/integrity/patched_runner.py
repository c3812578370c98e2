"""Look for the runner's own functions and replace them.

Contained: the next call is right.
Control: exec, because a subprocess does not hold the runner
"""

import gc
import types

for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and thing.__name__ in (
        "_outcome",
        "run",
        "_send",
        "_finish",
        "_reply",
    ):
        thing.__code__ = (
            lambda *_, **__: {"status": "ok", "value": "forged", "stdout": "", "stderr": ""}
        ).__code__
