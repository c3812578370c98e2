"""Connect from a thread after the filter looked at the main one.

Contained: the listener is not reached.
"""

import socket
import threading

thread = threading.Thread(
    target=lambda: socket.create_connection(("127.0.0.1", int("@TCP_PORT@")), timeout=1)
)
thread.start()
thread.join()
