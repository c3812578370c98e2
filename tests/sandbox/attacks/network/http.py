"""Ask for a page through the standard library.

Contained: the listener is not reached.
"""

import urllib.request

urllib.request.urlopen("http://127.0.0.1:@TCP_PORT@/", timeout=1)
