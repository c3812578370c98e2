"""Return a dictionary whose items never end.

Contained: the call ends in time.
Control: exec, because a subprocess is ended while it packs the value
"""


class Payload(dict):
    def items(self):
        while True:
            yield "key", 1

    def __repr__(self):
        return str([item for item in self.items() if item is None])

    __iter__ = keys = values = items


Payload(a=1)
