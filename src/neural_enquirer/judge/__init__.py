"""The judge: looks at what came out of programs and cascade, and says which answer it is, or that there is none."""
