"""Runs: policies on a selection of tasks, resumable, summed up with intervals, compared."""
