"""Rollouts that won medals become data for supervised fine-tuning."""
