"""Replace built-in functions for everyone who comes after.

Contained: the next call is right.
Control: exec, because the next subprocess has fresh built-ins
"""

import builtins

builtins.len = lambda _: 42
builtins.sorted = lambda *_, **__: "forged"
builtins.print = lambda *_, **__: None
