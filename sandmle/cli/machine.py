"""doctor: what works on this machine, why the rest does not, and what to do about it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import typer

from sandmle.cli.corpus import JsonOption
from sandmle.cli.faults import FINDINGS
from sandmle.cli.terminal import output, print_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sandmle.sandbox.host import Host
    from sandmle.sandbox.probe import Probe


def doctor(as_json: JsonOption = False) -> None:
    """Say which sandboxes work here, and what to change. Exits 1 where none that isolates does."""
    from sandmle.sandbox.host import installed_packages, read_host
    from sandmle.sandbox.probe import probe_all

    host, packages, probes = read_host(), installed_packages(), probe_all()
    taken = next((probe.name for probe in probes if probe.isolated and probe.works), None)
    if as_json:
        print_json(
            {
                "taken": taken,
                "backends": [dataclasses.asdict(probe) for probe in probes],
                "host": dataclasses.asdict(host),
                "packages": packages,
            }
        )
    else:
        _print_sandboxes(probes, taken)
        _print_machine(host, packages)
    if taken is None:
        raise typer.Exit(FINDINGS)


def _print_sandboxes(probes: Sequence[Probe], taken: str | None) -> None:
    console = output()
    for probe in probes:
        state = "works" if probe.works else "does not work"
        notes = [] if probe.isolated else ["isolates nothing; only with --unsafe"]
        notes += ["taken by default"] if probe.name == taken else []
        remark = f" ({', '.join(notes)})" if notes else ""
        console.print(f"{probe.name:<11}{state}{remark}", markup=False, highlight=False)
        if not probe.works:
            for word, text in (("why", probe.why_not), ("do", probe.advice)):
                console.print(f"{'':<11}{word}: {text}", markup=False, highlight=False)
    if taken is None:
        console.print("\nNo sandbox that isolates works here: nothing can be played safely.")


def _print_machine(host: Host, packages: Mapping[str, str | None]) -> None:
    switches = ", ".join(f"{name}={value}" for name, value in host.switches.items())
    facts = {
        "machine": f"{host.system} {host.kernel} {host.machine}"
        + (", in a container" if host.container else ""),
        "user": "root" if host.user == 0 else f"number {host.user}",
        "namespaces": switches or "no switches",
        "cgroup": f"{host.cgroup} (not needed: a step's memory is watched)",
        "packages": ", ".join(f"{name} {found or 'MISSING'}" for name, found in packages.items()),
    }
    console = output()
    console.print()
    for name, text in facts.items():
        console.print(f"{name:<11}{text}", markup=False, highlight=False)
