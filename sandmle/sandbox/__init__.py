"""Runs a solver's code on a task's public data, and lets it out of nothing."""

from sandmle.sandbox.interface import Sandbox, StepResult
from sandmle.sandbox.limits import Limits
from sandmle.sandbox.opening import open_sandbox

__all__ = ["Limits", "Sandbox", "StepResult", "open_sandbox"]
