"""Which medal a score wins, as MLE-bench decides it."""

from collections.abc import Mapping


def medal(score: float, thresholds: Mapping[str, float], *, is_lower_better: bool) -> str | None:
    """The best of gold, silver and bronze whose threshold `score` reaches, or None."""
    for name in ("gold", "silver", "bronze"):
        threshold = thresholds[name]
        if score <= threshold if is_lower_better else score >= threshold:
            return name
    return None


def above_median(score: float, thresholds: Mapping[str, float], *, is_lower_better: bool) -> bool:
    """Whether `score` is better than the median; equal is not enough."""
    median = thresholds["median"]
    return score < median if is_lower_better else score > median
