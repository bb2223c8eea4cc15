"""Code that runs inside the sandbox, on the trusted side of the fork.

These modules import the standard library and each other only: they are compiled by the caller and
sent in as code objects (see ``sandmle.sandbox.bootstrap``), for nothing of this project is visible
in there.
"""
