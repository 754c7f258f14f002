"""The tables and figures of the paper, made again: a module each, and the runs that they are made of."""
