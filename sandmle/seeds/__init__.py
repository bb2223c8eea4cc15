"""Seeds: a real competition folder in, its structural DNA out."""
