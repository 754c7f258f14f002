"""Ask a table a question in plain words: Neural Enquirer."""
