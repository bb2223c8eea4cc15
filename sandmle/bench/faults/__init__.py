"""Faults planted in good tasks, to see which audits catch them, and changes that harm nothing.

Each module holds those of some audits in FAULTS. They were written without a look at how strict the
audits are, and stay as they are when an audit misses one.
"""
