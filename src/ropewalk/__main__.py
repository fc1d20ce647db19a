"""`python -m ropewalk` is the command `ropewalk`."""

from .cli.main import run

run()
