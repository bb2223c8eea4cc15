"""Where the shipped rules, templates, specs and Snakefile lie, in a checkout and in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource(name: str) -> Path:
    """The shipped file or folder `name` ("rules", "templates", "specs", "training", ...).

    A wheel carries them inside the package; in a checkout they lie beside it.
    Raises FileNotFoundError where neither holds it: a broken installation.
    """
    for root in (_PACKAGE / "shipped", _PACKAGE.parent):
        if (root / name).exists():
            return root / name
    raise FileNotFoundError(f"sandmle is installed without its {name!r}; install it again")


def find_corpus(start: Path) -> Path:
    """The corpus folder that `start` lies in: the nearest folder upwards that holds specs/.

    Falls back to `start`'s own folder, so that a lone spec file anywhere can be used.
    """
    folder = start.resolve()
    folder = folder if folder.is_dir() else folder.parent
    for candidate in (folder, *folder.parents):
        if (candidate / "specs").is_dir():
            return candidate
    return folder


def layers(name: str, corpus: Path | None) -> tuple[Path, ...]:
    """The folders called `name` to search, the user's before the shipped one."""
    shipped = resource(name)
    own = corpus / name if corpus is not None else None
    if own is None or not own.is_dir() or own.resolve() == shipped.resolve():
        return (shipped,)
    return (own, shipped)
