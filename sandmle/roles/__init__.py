"""The four roles that draft a spec from a seed."""
