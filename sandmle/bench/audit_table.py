"""What the audits catch, as a table: row by row, and in Markdown."""

from __future__ import annotations

import textwrap

from sandmle.bench.audits import AuditBench
from sandmle.build.auditing import audit_modules

#: The lines of a Markdown file between which the table is written.
BEGIN, END = "<!-- begin: sandmle bench audits -->", "<!-- end: sandmle bench audits -->"

#: What a row of the table says of an audit.
COLUMNS = (
    "audit",
    "faults",
    "mild",
    "caught",
    "by another",
    "missed",
    "false alarms",
    "CPU ms",
)

_STORY = (
    "Written by `sandmle bench audits --deep --markdown docs/quality.md`. {faults} faults, {mild} "
    "of them mild, are planted in {bases} good tasks of {kinds} modalities. Their own audits catch "
    "{own}, all audits together {caught} ({share:.1%}). {wrong} of {tasks} tasks of the corpus "
    "raise an alarm, and {upset} of {changes} good tasks that were changed in a way that harms "
    "nothing. Costs are medians over the corpus, in milliseconds of processor time."
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
        wrong=found.alarmed_tasks,
        tasks=found.tasks,
        upset=found.alarmed_changes,
        changes=found.changes,
    )
    lines = [
        *textwrap.wrap(story, 100, break_on_hyphens=False),
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|---|" + "---:|" * (len(COLUMNS) - 1),
        *(f"| {' | '.join(row)} |" for row in summary(found)),
        "",
    ]
    for note in notes(found):
        lines += textwrap.wrap(f"- {note}", 100, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join([*lines, ""])


def summary(found: AuditBench) -> list[tuple[str, ...]]:
    """A row an audit; see COLUMNS."""
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


def notes(found: AuditBench) -> list[str]:
    """What is missed, what another audit caught, and each false alarm, a line each."""
    return [
        *(
            f"Missed by {trial.audit}: {trial.fault}, in {trial.task}; "
            + (f"caught by {trial.caught_by}." if trial.caught_by else "caught by none.")
            for trial in found.trials
            if trial.caught_by != trial.audit
        ),
        *(
            f"False alarm of {alarm.audit}: {alarm.task}"
            f"{f' with {alarm.change}' if alarm.change else ''}; {alarm.evidence}."
            for alarm in found.alarms
        ),
    ]


def put_between(text: str, written: str) -> str:
    """A Markdown file's text with what is written in place of what was between BEGIN and END.

    A text without these lines gets them at its end.
    """
    if BEGIN not in text or END not in text:
        return f"{text.rstrip()}\n\n{BEGIN}\n{written}{END}\n".lstrip()
    before, rest = text.split(BEGIN, 1)
    return f"{before}{BEGIN}\n{written}{END}{rest.split(END, 1)[1]}"
