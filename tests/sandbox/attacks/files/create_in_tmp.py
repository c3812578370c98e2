"""Make a file in the folder that all programs share.

Contained: no file appears there.
"""

open("/tmp/@TOKEN@", "w").write("planted")
