"""Leave a file in the folder that all programs share.

Contained: the next call does not find it.
"""

open("/tmp/@TOKEN@", "w").write("@SECRET@")
# --- the next call ---
print(open("/tmp/@TOKEN@").read())
