"""Prepared competitions of the real MLE-bench as tasks: played in their own layout, graded by
their own rules.
"""
