"""`python -m ansatz.cli`."""

from ansatz.cli import main

main()
