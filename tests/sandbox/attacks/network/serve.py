"""Open a port for the world to call.

Contained: nobody who calls gets an answer.
"""

import socket

server = socket.create_server(("127.0.0.1", int("@SERVE_PORT@")))
server.settimeout(0.5)
server.accept()
