"""Asking: questions in plain words, the answers to them, and how people are told."""
