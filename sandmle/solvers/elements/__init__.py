"""Outputs of many elements (pixels, tokens, items), each answered by what surrounds it."""
