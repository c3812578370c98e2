"""Put an object of one's own in the place of the output stream.

Contained: there is an outcome, and the next call is right.
Control: exec, because a subprocess spoils only its own stream
"""

import json
import sys


class Stream:
    def write(self, text):
        raise SystemExit

    def __getattr__(self, name):
        raise SystemExit


json.dumps = None
sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = Stream()
