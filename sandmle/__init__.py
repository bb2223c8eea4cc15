"""SandMLE: YAML specs compiled into micro-scale machine-learning tasks for training agents."""

__version__ = "0.1.0"
