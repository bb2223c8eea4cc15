"""The libraries that a warm sandbox has imported before a step begins.

A set is a name from ``SETS``, or any module. What is in no set can be imported too: it takes its
time.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from sandmle.errors import SandboxError

SETS = {
    "scikit-learn": (
        "numpy",
        "pandas",
        "scipy.stats",
        "scipy.sparse",
        "scipy.signal",
        "scipy.ndimage",
        "scipy.interpolate",
        "PIL.Image",
        "joblib",
        "multiprocessing",
        "sklearn.calibration",
        "sklearn.cluster",
        "sklearn.compose",
        "sklearn.decomposition",
        "sklearn.discriminant_analysis",
        "sklearn.dummy",
        "sklearn.ensemble",
        "sklearn.feature_extraction.text",
        "sklearn.feature_selection",
        "sklearn.gaussian_process",
        "sklearn.impute",
        "sklearn.isotonic",
        "sklearn.kernel_ridge",
        "sklearn.linear_model",
        "sklearn.manifold",
        "sklearn.metrics",
        "sklearn.mixture",
        "sklearn.model_selection",
        "sklearn.multioutput",
        "sklearn.naive_bayes",
        "sklearn.neighbors",
        "sklearn.neural_network",
        "sklearn.pipeline",
        "sklearn.preprocessing",
        "sklearn.svm",
        "sklearn.tree",
    ),
    "boosting": ("xgboost", "lightgbm"),
    "torch": ("torch", "torch.nn", "torch.optim", "torch.utils.data"),
}
DEFAULT = ("scikit-learn", "boosting")  # each module of these as far as it is installed


def modules_of(libraries: Sequence[str]) -> tuple[str, ...]:
    """The modules of the sets, in the order in which they are imported.

    Raises:
        SandboxError: a set outside of the default that is not installed.
    """
    modules: list[str] = []
    for name in libraries:
        members = SETS.get(name, (name,))
        present = [module for module in members if _is_installed(module)]
        if name not in DEFAULT and len(present) < len(members):
            known = ", ".join(SETS)
            raise SandboxError(
                f"no library {name!r} is installed: name modules, or sets of them ({known})"
            )
        modules += present
    return tuple(dict.fromkeys(modules))


def _is_installed(module: str) -> bool:
    package = module.partition(".")[0]
    return package.isidentifier() and find_spec(package) is not None
