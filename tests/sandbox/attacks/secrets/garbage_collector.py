"""Look through every object of the interpreter for answers.

Contained: the answer is not in the output.
Control: exec, because only code that shares an interpreter with the framework finds its objects
"""

import gc

for holder in gc.get_objects():
    for thing in gc.get_referents(holder):
        if type(thing) is dict and "answer" in thing:
            print(thing)
