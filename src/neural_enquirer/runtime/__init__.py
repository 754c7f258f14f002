"""The runtime: what asking needs of the open model, in numpy."""
