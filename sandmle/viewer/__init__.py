"""Runs laid before the eyes: a page on which to read what policies did, and a server for it."""
