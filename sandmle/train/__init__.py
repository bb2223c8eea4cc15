"""Trains policies on a corpus, by trajectory-wise GRPO."""
