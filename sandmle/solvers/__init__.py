"""Baseline solvers: plain scripts that read a public folder and write a submission."""
