"""`python -m neural_enquirer.cli` is the command `enquirer`."""

from neural_enquirer.cli.app import main

main()
