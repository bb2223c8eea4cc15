"""Roles: a seed in, a drafted spec out, each section written by the role that owns it."""
