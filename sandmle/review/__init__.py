"""Specs reviewed in git: what a change means, and what it does."""
