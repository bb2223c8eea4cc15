"""Roles that language models play: each is told what it needs, and its answers are checked."""
