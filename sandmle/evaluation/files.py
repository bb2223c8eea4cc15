"""The files of a run's folder."""

from __future__ import annotations

CONFIG_FILE = "config.json"
ROLLOUTS_FILE = "rollouts.jsonl"
SUMMARY_FILE = "summary.json"

#: All of them.
RUN_FILES = (CONFIG_FILE, ROLLOUTS_FILE, SUMMARY_FILE)
