"""The spec language: YAML text in, a checked and frozen Spec out."""
