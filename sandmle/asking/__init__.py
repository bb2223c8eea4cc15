"""Asking language models: paced, paid for, kept on disk, and read as data that may be hostile."""
