"""A spec's text in its one layout: keys in order, comments where they belong, nothing else changed.

The text is written anew from its data and notes, and read again before it is given back: data and
comments must be the same, so that a file is never worse off than before.
"""

from __future__ import annotations

from sandmle.errors import SpecError
from sandmle.spec.layout import dump_data
from sandmle.spec.notes import comments, read_notes
from sandmle.spec.order import in_order
from sandmle.spec.yaml_source import parse_source
from sandmle.vocabulary import Vocabulary


def format_text(text: str, *, file: str, vocabulary: Vocabulary) -> str:
    """The text of a spec in its one layout; formatted text comes back as it is.

    The spec may have faults of meaning. Raises SpecError where it is not valid YAML, or not a
    mapping, and ValueError where its comments cannot be kept, which would be a bug.
    """
    source = parse_source(text, file=file)
    if source.problems:
        raise SpecError(source.problems)
    if not isinstance(source.data, dict):
        raise SpecError([source.at_value((), "expected a mapping of keys to values")])
    formatted = dump_data(in_order(source.data, vocabulary), read_notes(source))
    again = parse_source(formatted, file=file)
    kept = not again.problems and sorted(comments(again)) == sorted(comments(source))
    if not kept or again.data != source.data:
        raise ValueError(f"{file}: cannot be formatted without a loss; left as it is")
    return formatted.replace("\n", "\r\n") if "\r\n" in text else formatted
