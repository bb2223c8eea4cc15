"""Names and times of files that tell the label."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.files import owned_files
from sandmle.bench.faults.planting import with_names, with_times
from sandmle.bench.faults.samples import Part, generator, labels, marked, ranks
from sandmle.build.auditing import Examined

#: When the files of a planted task were written, in seconds since 1970.
_MORNING = 1_700_000_000


def renamed(
    task: Examined, name: Callable[[PurePosixPath, bool], str], *, share: float, part: Part
) -> Examined:
    """Files under names that follow from the path and from whether the sample is marked."""
    chosen = marked(task, share, part=part)
    owners = owned_files(task)
    return with_names(
        task, {path: name(PurePosixPath(path), owners[path] in chosen) for path in owners}
    )


def behind(path: PurePosixPath, is_marked: bool) -> str:
    """The mark behind the id."""
    return str(path.with_stem(f"{path.stem}_{int(is_marked)}"))


def behind_some(path: PurePosixPath, is_marked: bool) -> str:
    """A letter behind the ids of the marked alone."""
    return str(path.with_stem(f"{path.stem}-b")) if is_marked else str(path)


def beside(path: PurePosixPath, is_marked: bool) -> str:
    """A folder a class."""
    return str(path.parent / ("north" if is_marked else "south") / path.name)


def in_capitals(path: PurePosixPath, is_marked: bool) -> str:
    """The marked files' ending in capital letters."""
    return str(path.with_suffix(path.suffix.upper())) if is_marked else str(path)


def numbered(task: Examined) -> Examined:
    """Files with a running number behind the id, in the order of the labels."""
    place, owners = ranks(labels(task)), owned_files(task)
    paths = {path: PurePosixPath(path) for path in owners}
    return with_names(
        task,
        {
            name: str(path.with_stem(f"{path.stem}-{place[owners[name]]:04d}"))
            for name, path in paths.items()
        },
    )


def later(
    task: Examined, *, seconds: float, jitter: float, share: float = 1.0, part: Part = "all"
) -> Examined:
    """Files of one class written later; `jitter` is how long it took to write all, in seconds."""
    rng, chosen = generator(), marked(task, share, part=part)
    return with_times(
        task,
        {
            name: _MORNING + jitter * rng.random() + seconds * (owner in chosen)
            for name, owner in owned_files(task).items()
        },
    )


def one_by_one(task: Examined, *, step: float, blur: float = 0.0) -> Examined:
    """Files written one after the other in the order of the labels, `step` seconds apart."""
    place = ranks(labels(task), blur=blur)
    owners = owned_files(task)
    return with_times(
        task, {name: _MORNING + step * place[owner] for name, owner in owners.items()}
    )


FAULTS = (
    fault(
        "file_names",
        "class behind the id",
        "right-whale",
        renamed,
        name=behind,
        share=1.0,
        part="all",
    ),
    fault(
        "file_names", "a folder a class", "road-cracks", renamed, name=beside, share=1.0, part="all"
    ),
    mild_fault(
        "file_names",
        "letter behind some ids, in test",
        "fabric-weave",
        renamed,
        name=behind_some,
        share=0.5,
        part="test",
    ),
    mild_fault(
        "file_names",
        "ending in capitals for some",
        "weld-cracks",
        renamed,
        name=in_capitals,
        share=0.3,
        part="all",
    ),
    fault("file_names", "numbered in order of the labels", "bearing-by-ear", numbered),
    fault("file_times", "one class an hour later", "weld-cracks", later, seconds=3600, jitter=5),
    mild_fault(
        "file_times",
        "one class a second later, in test",
        "fabric-weave",
        later,
        seconds=1,
        jitter=2,
        part="test",
    ),
    mild_fault(
        "file_times",
        "half of a class a day later",
        "kiosk-words",
        later,
        seconds=86400,
        jitter=5,
        share=0.5,
    ),
    fault("file_times", "written in order of the labels", "bearing-by-ear", one_by_one, step=1.0),
    mild_fault(
        "file_times",
        "milliseconds apart, nearly in order",
        "shock-distance",
        one_by_one,
        step=0.001,
        blur=0.6,
    ),
)
