"""Append to a start-up script in the home folder.

Contained: the script is as it was.
"""

open("@HOME@/.bashrc", "a").write("echo planted\n")
