"""Return a number of twenty thousand digits, which Python refuses to write or read.

Contained: there is an outcome, and the framework goes on.
Control: exec, because pickled numbers have no digits
"""

10**20000
