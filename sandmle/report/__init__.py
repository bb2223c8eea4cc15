"""A task or a corpus laid before the eyes."""
