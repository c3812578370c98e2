"""Look through suspended coroutines and generators, whose locals outlive a stack.

Contained: the answer is not in the output.
Control: exec, because only code that shares an interpreter with the framework has its coroutines
"""

import gc
import types

for thing in gc.get_objects():
    if isinstance(thing, types.CoroutineType) and thing.cr_frame:
        print(thing.cr_frame.f_locals)
    if isinstance(thing, types.FrameType):
        print({name: value for name, value in thing.f_locals.items() if name == "held"})
