"""Return a list that contains itself.

Contained: there is an outcome, and the next call is right.
Verdict: not ok
"""

value = []
value.append(value)
value
