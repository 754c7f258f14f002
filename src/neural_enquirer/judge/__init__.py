"""The judge: looks at what programs and cascade gave, and says which answer it is, or that there is none."""
