"""Read a password from the home folder.

Contained: the canary of the home folder is not in the output.
"""

print(open("@HOME@/.netrc").read())
