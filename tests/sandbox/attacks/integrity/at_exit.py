"""Leave work for the end of the interpreter.

Contained: nothing is done after the call.
"""

import atexit

print("\nRESULT gARLAS4=", flush=True)
atexit.register(lambda: open("@OUTSIDE@/planted", "w").close())
