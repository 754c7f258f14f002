"""The tables of the everyday questions, made again from where they came from, byte for byte."""
