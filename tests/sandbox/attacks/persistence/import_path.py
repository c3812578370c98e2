"""Leave a finder of modules that answers for every later import.

Contained: the next call imports the library's module.
Control: exec, because a fresh interpreter has fresh finders
"""

import sys
import types


class Finder:
    def find_spec(self, name, path=None, target=None):
        sys.modules["colorsys"] = types.SimpleNamespace(left="@SECRET@")
        return None


sys.modules["colorsys"] = types.SimpleNamespace(left="@SECRET@")
sys.meta_path.insert(0, Finder())
# --- the next call ---
import colorsys

print(colorsys.left)
