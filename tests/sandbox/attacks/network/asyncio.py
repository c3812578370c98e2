"""Connect through an event loop.

Contained: the listener is not reached.
"""

import asyncio

asyncio.run(asyncio.open_connection("127.0.0.1", int("@TCP_PORT@")))
