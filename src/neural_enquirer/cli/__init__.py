"""The command line: `enquirer`, a file for each command.

Heavy imports stand inside the commands, so that `enquirer --help` answers at once.
"""
