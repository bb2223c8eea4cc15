"""The page itself: templates/view/ put together, with a policy under which nothing else may run.

The page's one script is named by its hash, and only it may load further ones, so that no text of a
model could run even if it came to stand in the page as markup. This holds on a disk, too.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sandmle import __version__
from sandmle.resources import resource

#: What the page says it was written by; `sandmle view` replaces no other page.
GENERATOR = "sandmle view"

#: The parts of the page's style and script, in their order.
_STYLES = ("pages/look.css", "view/style.css")
_SCRIPTS = (
    "pages/theme.js",
    *(
        f"view/{name}.js"
        for name in (
            *("text", "python", "index", "filters", "runs", "table"),
            *("climb", "rollout", "main"),
        )
    ),
)


def page(index: Mapping[str, Any], *, title: str) -> str:
    """The page with the index of `sandmle.viewer.index`, as text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    templates = resource("templates")
    style = "".join((templates / name).read_text(encoding="utf-8") for name in _STYLES)
    parts = [(templates / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = "(() => {\n" + "".join(parts) + "})();\n"
    environment = Environment(
        loader=FileSystemLoader(templates), undefined=StrictUndefined, autoescape=True
    )
    return environment.get_template("view/page.html.j2").render(
        title=title,
        version=__version__,
        generator=f"{GENERATOR} {__version__}",
        content_policy=_content_policy(script, style),
        style=Markup(style),
        script=Markup(script),
        index=Markup(data_block(index)),
    )


def data_block(data: Any) -> str:
    """JSON for a script element that is data: in ASCII and without `<`, which could end it."""
    return json.dumps(data, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def _content_policy(script: str, style: str) -> str:
    """Source: Content Security Policy Level 3, https://www.w3.org/TR/CSP3/."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}' 'strict-dynamic'",
            f"style-src '{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
