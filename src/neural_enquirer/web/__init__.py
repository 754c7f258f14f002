"""The page where people ask their table, and the server behind it.

What stands here and in the modules that need no FastAPI can be imported without the extra `[web]`.
"""
