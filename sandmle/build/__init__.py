"""Specs into built, validated tasks, incrementally."""
