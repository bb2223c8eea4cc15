"""The files and folders of a training's folder that are handed on. Loads nothing."""

from __future__ import annotations

CONFIG_FILE = "config.json"
METRICS_FILE = "metrics.jsonl"
SUMMARY_FILE = "summary.json"
FILES = (CONFIG_FILE, METRICS_FILE, SUMMARY_FILE)

#: Where the rollouts of the splits lie.
ROLLOUTS = ("train", "validation")

#: The policies that are handed on: folders as of any model.
BEST, LAST = "best", "last"
FOLDERS = (*ROLLOUTS, BEST, LAST)
