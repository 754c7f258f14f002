"""Learning from corrections: what people say is right, kept in a file, and a model that has learned it."""
