"""The specs of two versions of a git repository, the working tree among them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from sandmle.review.comparison import Content, is_spec

#: What `git diff --raw` gives in place of the hash of a file that git does not hold.
_NO_HASH = "0"


class GitError(Exception):
    """git could not answer; the message is its own."""


def is_revision(name: str, folder: Path) -> bool:
    """Whether git knows a revision, or a range A..B, by this name."""
    ends = [end or "HEAD" for end in name.replace("...", "..").split("..")]
    if len(ends) > 2 or name.startswith("-"):
        return False
    command = ["git", "rev-parse", "--quiet", "--verify", "--end-of-options"]
    return all(_run([*command, f"{end}^{{commit}}"], folder).returncode == 0 for end in ends)


def split_arguments(arguments: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """The revisions and the paths that a command line names, HEAD where it names no revision.

    A name is a path where there is such a file or folder, or where it looks like one. Raises
    GitError for what is neither.
    """
    revisions: list[str] = []
    for number, name in enumerate(arguments):
        if (folder / name).exists() or len(revisions) == 2 or not is_revision(name, folder):
            paths = list(arguments[number:])
            break
        revisions.append(name)
    else:
        paths = []
    for name in paths:
        looks_so = "/" in name or name.endswith((".yaml", ".yml")) or "*" in name
        if not looks_so and not (folder / name).exists():
            raise GitError(f"{name}: neither a revision that git knows here nor a path")
    return revisions or ["HEAD"], paths


def toplevel(folder: Path) -> Path:
    """The folder that the repository around `folder` lies in. Raises GitError."""
    return Path(_answer(["git", "rev-parse", "--show-toplevel"], folder).decode().rstrip("\n"))


def changed_words(revisions: Sequence[str], folder: Path) -> list[str]:
    """The words of the vocabulary that differ between two versions too. Raises GitError."""
    command = ["git", "diff", "--name-only", "-z", *revisions, "--", ":(top,glob)**/rules/*/*.py"]
    return [name for name in _answer(command, folder).decode().split("\0") if name]


def changed_specs(
    revisions: Sequence[str], paths: Sequence[str], folder: Path
) -> tuple[list[Content], list[Content]]:
    """The specs that differ between two versions: their files before, and after.

    `revisions` are one or two, or a range, as `git diff` takes them; with one the other version is
    the working tree. `paths` narrow it down, relative to `folder`. Raises GitError.
    """
    wanted = list(paths) or [":(top)*.yaml", ":(top)*.yml"]
    # Every option is set: the user's own settings must not change what is read.
    command = ["git", "diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules"]
    listed = _answer([*command, *revisions, "--", *wanted], folder).decode()
    top = toplevel(folder)
    fields = listed.split("\0")
    entries = [
        (*info.split()[2:5], path)
        for info, path in zip(fields[0::2], fields[1::2], strict=False)
        if path.endswith((".yaml", ".yml"))
    ]
    hashes = [name for old, new, _, _ in entries for name in (old, new) if name.strip(_NO_HASH)]
    blobs = _blobs(list(dict.fromkeys(hashes)), folder)
    labels = _labels(revisions)
    before, after = [], []
    for old, new, status, path in entries:
        if status != "A":
            before.append(Content(f"{labels[0]}:{path}", path, blobs[old]))
        if status == "D":
            continue
        if labels[1]:
            after.append(Content(f"{labels[1]}:{path}", path, blobs[new]))
        else:
            raw = blobs[new] if new in blobs else (top / path).read_bytes()
            after.append(Content(path, path, raw))
    return (
        [content for content in before if is_spec(content.raw)],
        [content for content in after if is_spec(content.raw)],
    )


def _labels(revisions: Sequence[str]) -> tuple[str, str]:
    """What messages call the two versions; the working tree goes without a name."""
    first = revisions[0]
    if "..." in first:
        return f"{first}", first.split("...")[1] or "HEAD"
    if ".." in first:
        old, new = first.split("..")
        return old or "HEAD", new or "HEAD"
    return first, revisions[1] if len(revisions) > 1 else ""


def _blobs(hashes: Sequence[str], folder: Path) -> dict[str, bytes]:
    """The contents of files by their hashes, all from one git process."""
    if not hashes:
        return {}
    asked = "".join(f"{name}\n" for name in hashes).encode()
    raw = _answer(["git", "cat-file", "--batch"], folder, asked)
    found, position = {}, 0
    for name in hashes:
        line_end = raw.index(b"\n", position)
        head = raw[position:line_end].split()
        if len(head) != 3:
            raise GitError(f"git has no file {name}")
        start, size = line_end + 1, int(head[2])
        found[name] = raw[start : start + size]
        position = start + size + 1
    return found


def _answer(command: Sequence[str], folder: Path, asked: bytes = b"") -> bytes:
    done = _run(command, folder, asked)
    if done.returncode:
        raise GitError(done.stderr.decode(errors="replace").strip().splitlines()[0])
    return done.stdout


def _run(
    command: Sequence[str], folder: Path, asked: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(command, cwd=folder, input=asked, capture_output=True, check=False)
    except FileNotFoundError:
        raise GitError("git is not installed, and comparing revisions needs it") from None
