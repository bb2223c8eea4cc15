"""Structural DNA of real tasks."""
