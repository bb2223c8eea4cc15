"""What the audits catch, as a table: in Markdown, and row by row."""

from __future__ import annotations

import textwrap

from sandmle.bench.audits import AuditBench
from sandmle.build.auditing import audit_modules

#: The lines of a Markdown file between which the table is written.
BEGIN, END = "<!-- begin: sandmle bench audits -->", "<!-- end: sandmle bench audits -->"

_STORY = (
    "Written by `sandmle bench audits --deep --markdown docs/quality.md`. {faults} faults, {mild} "
    "of them mild, are planted in {bases} good tasks of {kinds} modalities; their own audits catch "
    "{own}, all audits together {caught} ({share:.1%}). {wrong} of {tasks} tasks of the corpus "
    "raise an alarm, and {upset} of {changes} that were changed in a way that harms nothing. Cost "
    "is the median of processor milliseconds on the corpus' tasks."
)


def table(found: AuditBench) -> str:
    """The table and what is missed as Markdown: the written part of docs/quality.md."""
    story = _STORY.format(
        faults=len(found.trials),
        mild=sum(trial.is_mild for trial in found.trials),
        bases=len({trial.task for trial in found.trials}),
        kinds=len(found.modalities),
        own=sum(trial.caught_by == trial.audit for trial in found.trials),
        caught=len(found.trials) - len(found.missed),
        share=found.caught,
        wrong=len({alarm.task for alarm in found.alarms if alarm.change is None}),
        tasks=found.tasks,
        upset=len({(a.task, a.change) for a in found.alarms if a.change is not None}),
        changes=found.changes,
    )
    rows = [f"| {' | '.join(row)} |" for row in summary(found)]
    lines = [
        *textwrap.wrap(story, 100, break_on_hyphens=False),
        "",
        "| audit | faults | mild | caught | by another | missed | false alarms | CPU ms |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
        *rows,
    ]
    notes = [
        f"Missed: {trial.fault}, in {trial.task} ({trial.audit}): {trial.evidence or 'nothing'}."
        for trial in found.missed
    ]
    notes += [
        f"False alarm: {alarm.task}{f', {alarm.change}' if alarm.change else ''} "
        f"({alarm.audit}): {alarm.evidence}."
        for alarm in found.alarms
    ]
    for note in notes:
        lines += ["", *textwrap.wrap(f"- {note}", 100, subsequent_indent="  ")]
    return "\n".join([*lines, ""])


def summary(found: AuditBench) -> list[tuple[str, ...]]:
    """A row an audit: faults, mild ones, those caught by itself and by another, those missed, false
    alarms, and cost."""
    rows = []
    for name in sorted({*audit_modules(), *(trial.audit for trial in found.trials)}):
        trials = [trial for trial in found.trials if trial.audit == name]
        own = sum(trial.caught_by == name for trial in trials)
        missed = sum(trial.caught_by is None for trial in trials)
        numbers = (
            len(trials),
            sum(trial.is_mild for trial in trials),
            own,
            len(trials) - own - missed,
            missed,
            sum(alarm.audit == name for alarm in found.alarms),
        )
        cost = f"{found.costs[name]:.0f}" if name in found.costs else "-"
        rows.append((name, *map(str, numbers), cost))
    return rows


def put_between(text: str, written: str) -> str:
    """A Markdown file's text with what is written in place of what was between BEGIN and END.

    A text without these lines gets them at its end.
    """
    if BEGIN not in text or END not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{written}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{written}{END}{rest.split(END, 1)[1]}"
