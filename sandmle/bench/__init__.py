"""Measures steps and builds beside what they replace: taking turns in one run, by medians."""
