"""Runs a solver's code on a task's public data, and lets it out of nothing."""

from sandmle.sandbox.interface import Sandbox, StepResult, open_sandbox
from sandmle.sandbox.limits import Limits

__all__ = ["Limits", "Sandbox", "StepResult", "open_sandbox"]
