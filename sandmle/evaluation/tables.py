"""Summaries and comparisons as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.table import Table
from rich.text import Text

from sandmle.evaluation.compare import Compared, Comparison
from sandmle.evaluation.summary import Group, Interval, Summary
from sandmle.evaluation.tally import METRICS

#: How METRICS are called above a column.
_TITLES: Mapping[str, str] = {
    "reward_mean": "reward",
    "valid_submission": "valid",
    "above_median": "> median",
    "bronze": "bronze",
    "silver": "silver",
    "gold": "gold",
    "any_medal": "any medal",
    "format_rate": "format",
}
_KINDS = ("modality", "task_type", "difficulty", "metric")

#: What a p-value has to be below so that its line stands out.
_SIGNIFICANT = 0.05


def summary_table(summary: Summary) -> Table:
    """A row for each policy with its intervals below, then one for each group of a lone policy."""
    table = _table("", "tasks", "rollouts", *_TITLES.values())
    policies = summary.by["policy"]
    for name, group in policies.items():
        table.add_row(Text(name, "bold"), *_counts(group), *_means(group))
        intervals = (_interval(group.intervals[metric]) for metric in METRICS)
        table.add_row("", "", "", *intervals, style="bright_black")
    if len(policies) == 1:
        for kind in _KINDS:
            table.add_section()
            for name, group in sorted(summary.by[kind].items()):
                label = Text.assemble((f"{kind.replace('_', ' ')} ", "bright_black"), name)
                table.add_row(label, *_counts(group), *_means(group))
    return table


def notes(summary: Summary) -> Iterator[str]:
    """What else there is to tell of a run, a line each."""
    at = ", ".join(f"@{k} {value:.1%}" for k, value in summary.any_medal_at.items())
    if len(summary.any_medal_at) > 1:
        yield f"any medal {at}"
    ended = ", ".join(f"{name} {count}" for name, count in summary.terminations.items())
    yield f"ended by {ended}"
    if summary.unscored:
        yield f"{summary.unscored} unscored, in no metric; --retry-unscored plays them again"
    for error, count in summary.errors.items():
        yield f"  {count} times: {error}"
    split = ", ".join(f"{name} {_number(ms)}" for name, ms in summary.per_step_ms.items())
    yield f"ms a turn: {split}; ms a run of code: {_number(summary.per_code_run_ms)}"
    if summary.answer_tokens:
        cost = "" if summary.cost is None else f"; cost {summary.cost:.4f}"
        if summary.cost is not None and summary.priced < summary.rollouts:
            cost += f" of {summary.priced} rollouts"
        yield (
            f"{summary.prompt_tokens:,} tokens of prompts, {summary.answer_tokens:,} of answers, "
            f"{summary.retries:,} calls tried again{cost}"
        )


def comparison_table(compared: Compared) -> Table:
    """A row for each metric over all tasks, then for the medals and the reward by modality."""
    table = _table("", "tasks", compared.first, compared.second, "difference", "95%", "p")
    if compared.whole is not None:
        _add_comparison(table, "", compared.whole, METRICS)
    for name, comparison in sorted(compared.by_modality.items()):
        table.add_section()
        _add_comparison(table, name, comparison, ("reward_mean", "any_medal"))
    return table


def comparison_notes(compared: Compared) -> Iterator[str]:
    """What a reader has to know beside the figures, a line each."""
    for line in compared.differences:
        yield f"played otherwise: {line}"
    for names, why in (
        (compared.only_first, "only the first run has a scored rollout"),
        (compared.only_second, "only the second run has a scored rollout"),
        (compared.changed, "built anew in between"),
    ):
        if names:
            yield f"left out: {len(names)} tasks, {why}"


def _add_comparison(table: Table, name: str, found: Comparison, metrics: tuple[str, ...]) -> None:
    for metric in metrics:
        one = found.metrics[metric]
        significant = one.p_value is not None and one.p_value < _SIGNIFICANT
        table.add_row(
            Text.assemble((f"{name} " if name else "", "bright_black"), _TITLES[metric]),
            str(found.tasks),
            f"{one.first:.3f}",
            f"{one.second:.3f}",
            Text(f"{one.difference:+.3f}", "bold" if significant else ""),
            _interval(one.interval, signed=True),
            "" if one.p_value is None else f"{one.p_value:.4f}",
        )


def _table(*columns: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table


def _counts(group: Group) -> tuple[str, str]:
    return str(group.tasks + group.unscored_tasks), str(group.rollouts)


def _means(group: Group) -> Iterator[str]:
    for metric in METRICS:
        value = group.metrics[metric]
        yield "" if value is None else f"{value:.3f}"


def _interval(bounds: Interval | None, *, signed: bool = False) -> str:
    if bounds is None:
        return ""
    if signed:
        return " to ".join(f"{bound:+.3f}" for bound in bounds)
    return "-".join(f"{bound:.2f}" for bound in bounds)


def _number(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds:,.1f}"
