"""Leave a module in the scratch folder that the next call imports in the place of the library's.

Contained: the next call imports the library's.
"""

open("colorsys.py", "w").write("print('@SECRET@')")
# --- the next call ---
import colorsys

print(colorsys.__file__)
