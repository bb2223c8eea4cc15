"""What editors, archives and bad luck do to a submission's file."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sandmle.build.evidence.mutations.mutation import LONG
from sandmle.runtime.table import MAX_BYTES

#: Bytes that are too many for a submission.
HUGE = MAX_BYTES + 1
#: How often a file is cut off, overwritten, and has a bit flipped, each at random.
STRIKES = 20
#: What stands in a file, and what programs, hands and keyboards put in its place.
REPLACED: Mapping[str, Sequence[str]] = {
    "\n": ("\r", "\r\n", "\n\r", "\n\n", "\u2028", "\\n", " ", ",\n"),
    ",": (";", "\t", ", ", " ,", "，", "", ",,", '","'),
    " ": ("\xa0", "  ", "", "\t"),
    "e": ("е",),
    "0": ("O",),
    "1": ("l",),
    ".": (",",),
    "-": ("–",),
}


def of_file(content: bytes, rng: np.random.Generator) -> Iterator[tuple[str, bytes]]:
    """Mutations of a file and what they do."""
    yield from framed(content)
    yield from instead(content)
    yield from struck(content, rng)
    text = content.decode()
    for codec in ("utf-16", "utf-16-le", "utf-32", "utf-7", "cp500"):
        yield f"written as {codec}", text.encode(codec, "replace")  # cp500 has few letters
    for old, others in REPLACED.items():
        for new in others:
            yield f"{new!r} for {old!r}", text.replace(old, new).encode()


def framed(content: bytes) -> Iterator[tuple[str, bytes]]:
    """A file with something in front of it or behind it."""
    for name, front in {
        "a byte order mark": "\ufeff",
        "two byte order marks": "\ufeff\ufeff",
        "a NUL in front": "\0",
        "an empty line in front": "\n",
        "spaces in front": "   ",
        "a comment in front": "# made by hand\n",
        "a separator's name in front": "sep=,\n",
        "an open quote in front": '"',
    }.items():
        yield name, front.encode() + content
    for name, back in {
        "a NUL at the end": b"\0",
        "an open quote at the end": b'"',
        "a half character at the end": b"\xe2\x82",
        "latin-1 at the end": "é".encode("latin-1"),
        "spaces at the end": b"  \n \n",
        "control-Z at the end": b"\x1a",
        "a line of a megabyte": b"a" * LONG,
        "a megabyte of line ends": b"\n" * LONG,
        "a megabyte of commas": b"," * LONG,
        "a megabyte of quotes": b'"' * LONG,
        "itself once more": content,
        "all its rows once more": content.partition(b"\n")[2],
        "too many megabytes": b"\n" * HUGE,
    }.items():
        yield name, content + back


def instead(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Another file in its place, or less of it."""
    yield from {
        "an empty file": b"",
        "one line end": b"\n",
        "the header alone": content.partition(b"\n")[0] + b"\n",
        "the header without its end": content.partition(b"\n")[0],
        "no last line end": content.rstrip(),
        "an archive": gzip.compress(content, mtime=0),
        "a picture": b"\x89PNG\r\n\x1a\n" + bytes(64),
        "a pickle": b"\x80\x04\x95" + content[:64],
        "an object": b'{"id": 1}',
        "a page": b"<html><body>" + content[:64],
        "backwards": content[::-1],
        "upper case": content.upper(),
    }.items()


def struck(content: bytes, rng: np.random.Generator) -> Iterator[tuple[str, bytes]]:
    """A file that is cut off, partly overwritten, or has a bit flipped, at random places."""
    for _ in range(STRIKES):
        place, length = int(rng.integers(len(content))), int(rng.integers(1, 30))
        noise = bytes(rng.integers(0, 256, length, dtype=np.uint8))
        flipped = bytes([content[place] ^ (1 << int(rng.integers(8)))])
        before, after = content[:place], content[place:]
        yield f"cut off at byte {place}", before
        yield f"random bytes at byte {place}", before + noise + after[length:]
        yield f"a bit flipped in byte {place}", before + flipped + after[1:]
