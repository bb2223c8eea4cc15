"""Build hook: a wheel carries, inside the package, the data that lies beside it in a checkout."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: What `sandmle.resources.resource` looks for, first in sandmle/shipped, then beside the package.
SHIPPED = ("rules", "templates", "specs", "training", "profiles", "Snakefile")


class ShippedData(BuildHookInterface[Any]):
    """Copies SHIPPED into wheels only: an editable install must read the checkout, not a copy."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the copies for a `standard` wheel; the other version is `editable`."""
        if version == "standard":
            copies = {name: f"sandmle/shipped/{name}" for name in SHIPPED}
            build_data["force_include"].update(copies)
