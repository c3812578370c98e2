"""`python -m ansatz`."""

from ansatz.cli import main

main()
