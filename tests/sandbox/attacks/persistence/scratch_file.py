"""Leave a file in the scratch folder for the next call.

Contained: the next call does not find it.
"""

open("left.txt", "w").write("@SECRET@")
# --- the next call ---
print(open("left.txt").read())
