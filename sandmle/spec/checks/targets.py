"""Targets: as many as the task has, each cut into the classes that the rest of the spec says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandmle.errors import Problem
from sandmle.spec.draft import Draft
from sandmle.spec.messages import a_task
from sandmle.spec.tasks import TaskKind
from sandmle.spec.yaml_source import DataPath

#: Rows of every class that train needs, so that it can be learnt: half of an even share at most.
#: The same number as sandmle.runtime.split.FEWEST, which compiled scripts carry.
FEWEST = 8

#: How far the share that a cut leaves may stray from the DNA's prevalence.
PREVALENCE_TOLERANCE = 0.01


def check_targets(draft: Draft) -> Iterator[Problem]:
    """The number of targets, their cuts, labels, classes and prevalence."""
    task = draft.task_kind
    if task is None:
        return
    several = isinstance(draft.get("hidden", "targets"), dict)
    if several != task.several and draft.get("hidden") is not None:
        wanted = "several `targets`" if task.several else "one `target`"
        yield draft.source.at_key(("hidden",), f"{a_task(draft.task)} has {wanted}")
        return
    for path in draft.targets.values():
        yield from _cut(draft, task, path)
    yield from _counts(draft, task)
    yield from _prevalence(draft, task)


def quantiles(cut: object) -> list[float] | None:
    """The quantiles of a `cut` as written, None where it has none."""
    if not isinstance(cut, dict):
        return None
    return [cut["quantile"]] if "quantile" in cut else cut.get("quantiles")


def _cut(draft: Draft, task: TaskKind, path: DataPath) -> Iterator[Problem]:
    """One target's cut: there exactly when it is needed, and leaving no class empty."""
    rule, cut = (*path, "rule"), (*path, "cut")
    given = draft.get(*cut) is not None
    yields = _yields(draft, rule)
    if yields is not None and yields not in task.yields:
        kind, wanted = draft.get(*rule, "kind"), " or ".join(task.yields)
        message = f"rule {kind!r} yields a {yields}; {a_task(draft.task)} needs a {wanted}"
        yield draft.source.at_value((*rule, "kind"), message)
    elif task.classes is None or "number" not in task.yields:
        if given:
            yield draft.source.at_key(cut, f"{a_task(draft.task)} takes no cut; remove it")
    elif yields == "number" and not given:
        most = task.classes[1]
        example = "{quantile: 0.5}" if most == 2 else "{quantiles: [0.3, 0.7]}"
        message = f"the rule yields a number; {a_task(draft.task)} needs a cut, such as {example}"
        yield draft.source.at_value(path, message)
    elif yields == "category" and given:
        message = f"rule {draft.get(*rule, 'kind')!r} yields classes itself; remove the cut"
        yield draft.source.at_key(cut, message)
    elif given and draft.sound(*cut):
        yield from _classes_of_cut(draft, task, cut)


def _classes_of_cut(draft: Draft, task: TaskKind, cut: DataPath) -> Iterator[Problem]:
    shares = quantiles(draft.get(*cut)) or []
    least, most = task.classes or (0, 0)
    count = len(shares) + 1
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        message = f"cuts into {count} classes; {a_task(draft.task)} has {wanted}"
        yield draft.source.at_value(cut, message)
    edges = [0.0, *shares, 1.0]
    sizes = [draft.get("dna", half) for half in ("train", "test") if draft.sound("dna", half)]
    rows = sum(sizes) if len(sizes) == 2 else None
    for index in range(len(edges) - 1):
        place = _place(draft, cut, min(index, len(shares) - 1))
        share = edges[index + 1] - edges[index]
        if share < 0:
            yield draft.source.at_value(place, "quantiles must ascend")
            return
        needed = _rows_needed(draft, count)
        if needed is not None and rows is not None and rows * share < needed:
            message = (
                f"leaves class {index} about {rows * share:.0f} of {rows} rows; it needs {needed} "
                "for train and test together"
            )
            yield draft.source.at_value(place, message)


def _rows_needed(draft: Draft, classes: int) -> int | None:
    """How many of all rows a class needs: enough for train, and as many to test it."""
    if not draft.sound("dna", "train"):
        return None
    train: int = draft.get("dna", "train")
    return 2 * max(1, min(FEWEST, train // (2 * classes)))


def _place(draft: Draft, cut: DataPath, index: int) -> DataPath:
    """The path of a cut's quantile number `index`."""
    if draft.get(*cut, "quantile") is not None:
        return (*cut, "quantile")
    return (*cut, "quantiles", index)


def _yields(draft: Draft, rule: DataPath) -> str | None:
    """What a target's rule YIELDS, None where its word is not known."""
    kind = draft.get(*rule, "kind")
    word = draft.vocabulary.folder("hidden").get(kind) if isinstance(kind, str) else None
    return str(word.traits["YIELDS"]) if word else None


def _counts(draft: Draft, task: TaskKind) -> Iterator[Problem]:
    """The number of classes, which cut, labels, the rule and the DNA must agree on."""
    labels = draft.get("hidden", "labels") if draft.sound("hidden", "labels") else None
    classes = draft.get("dna", "classes") if draft.sound("dna", "classes") else None
    if task.classes is None:
        if labels is not None:
            message = f"{a_task(draft.task)} has no classes to name; remove the labels"
            yield draft.source.at_key(("hidden", "labels"), message)
        if classes is not None:
            message = f"{a_task(draft.task)} has no classes; remove it"
            yield draft.source.at_key(("dna", "classes"), message)
        return
    if task.classes != (2, 2):
        yield from _classes_unsaid(draft)
    count, said = _class_count(draft, task, labels, classes)
    if classes is not None and classes != count:
        message = f"says {classes} classes, but {said} {count}"
        yield draft.source.at_value(("dna", "classes"), message)
    if labels is not None and len(labels) != count:
        message = f"names {len(labels)} classes, but {said} {count}"
        yield draft.source.at_value(("hidden", "labels"), message)


def _class_count(
    draft: Draft, task: TaskKind, labels: Sequence[str] | None, classes: int | None
) -> tuple[int | None, str]:
    """How many classes there are, by the part of the spec that knows best, and its name."""
    paths = list(draft.targets.values())
    if paths and draft.sound(*paths[0], "cut"):
        shares = quantiles(draft.get(*paths[0], "cut"))
        if shares is not None:
            return len(shares) + 1, "the cut makes"
    if task.classes == (2, 2):
        return 2, f"{a_task(draft.task)} has"
    made = _classes_of_rule(draft, (*paths[0], "rule")) if paths else None
    if made is not None:
        return made, "the rule makes"
    if classes is not None:
        return classes, "the DNA says"
    return len(labels) if labels is not None else None, "the labels name"


def _classes_of_rule(draft: Draft, rule: DataPath) -> int | None:
    """The classes that a rule yields, where its word says in CLASSES which parameter tells."""
    kind = draft.get(*rule, "kind")
    word = draft.vocabulary.folder("hidden").get(kind) if isinstance(kind, str) else None
    name = word.traits.get("CLASSES") if word else None
    if word is None or name is None or not draft.sound(*rule):
        return None
    value = draft.get(*rule).get(name, word.parameters[name].get("default"))
    return value if isinstance(value, int) else len(value)


def _classes_unsaid(draft: Draft) -> Iterator[Problem]:
    """A rule that yields classes, without a word on how many there are."""
    for path in draft.targets.values():
        named = draft.get("hidden", "labels") is not None
        counted = draft.get("dna", "classes") is not None
        yields = _yields(draft, (*path, "rule"))
        if yields not in (None, "number") and not named and not counted:
            message = (
                f"{a_task(draft.task)} whose rule yields classes needs `classes`, their number"
            )
            yield draft.source.at_value(("dna",), message)


def _prevalence(draft: Draft, task: TaskKind) -> Iterator[Problem]:
    """The prevalence, which the cuts must leave."""
    if not draft.sound("dna", "prevalence"):
        return
    path = ("dna", "prevalence")
    if task.classes != (2, 2):
        message = f"{a_task(draft.task)} has no positive class; remove it"
        yield draft.source.at_key(path, message)
        return
    targets = list(draft.targets.values())
    if not all(draft.sound(*target, "cut") for target in targets):
        return
    cuts = [quantiles(draft.get(*target, "cut")) for target in targets]
    shares = [1 - cut[0] for cut in cuts if cut and len(cut) == 1]
    if not shares or len(shares) != len(cuts):
        return
    prevalence, left = draft.get(*path), sum(shares) / len(shares)
    if abs(prevalence - left) > PREVALENCE_TOLERANCE:
        what = "the cut leaves" if len(shares) == 1 else "the cuts leave on average"
        message = f"says {prevalence}, but {what} {left:.3g} positive"
        yield draft.source.at_value(path, message)
