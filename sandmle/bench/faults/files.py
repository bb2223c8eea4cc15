"""Sizes and metadata of files that tell the label."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

import numpy as np
from PIL import Image

from sandmle.bench.faults.fault import fault, mild_fault
from sandmle.bench.faults.planting import with_public
from sandmle.bench.faults.samples import Part, generator, ids_of, labels, marked, ranks
from sandmle.build.auditing import Examined
from sandmle.runtime.tables import owner_of

_HEADER = 33  # bytes of a PNG's signature and its first chunk


def owned_files(task: Examined) -> dict[str, str]:
    """The sample of each public file that belongs to one, by path."""
    known = set(ids_of(task))
    owners = {name: owner_of(name, known) for name in task.prepared.dataset.public}
    return {name: owner for name, owner in owners.items() if owner is not None}


def chunk(
    task: Examined,
    kind: bytes,
    data: Callable[[bool], bytes],
    *,
    share: float = 1.0,
    part: Part = "all",
) -> Examined:
    """A chunk in every file, of PNG or WAV, whose data follow from whether the sample is marked."""
    chosen = marked(task, share, part=part)
    public = task.prepared.dataset.public
    return with_public(
        task,
        {
            name: with_chunk(public[name], kind, data(owner in chosen))
            for name, owner in owned_files(task).items()
        },
    )


def numbered_chunk(task: Examined, kind: bytes, data: Callable[[int], bytes]) -> Examined:
    """A chunk in every file, whose data follow from the place of the sample's label among all."""
    place, public = ranks(labels(task)), task.prepared.dataset.public
    return with_public(
        task,
        {
            name: with_chunk(public[name], kind, data(place[owner]))
            for name, owner in owned_files(task).items()
        },
    )


def with_chunk(file: bytes, kind: bytes, data: bytes) -> bytes:
    """A PNG with one more chunk behind its header, or a WAV with one at its end."""
    if file.startswith(b"RIFF"):
        padded = data + b"\0" * (len(data) % 2)
        body = file[8:] + kind + struct.pack("<I", len(data)) + padded
        return b"RIFF" + struct.pack("<I", len(body)) + body
    checksum = struct.pack(">I", zlib.crc32(kind + data))
    added = struct.pack(">I", len(data)) + kind + data + checksum
    return file[:_HEADER] + added + file[_HEADER:]


def saved_again(task: Examined, save: Callable[[Image.Image, bool], bytes]) -> Examined:
    """Pictures with the same pixels, saved in a way that follows from whether they are marked."""
    chosen, public = marked(task), task.prepared.dataset.public
    return with_public(
        task,
        {
            name: save(Image.open(io.BytesIO(public[name])), owner in chosen)
            for name, owner in owned_files(task).items()
        },
    )


def in_colour(image: Image.Image, is_marked: bool) -> bytes:
    """The marked as RGB, the others as they are; all compressed."""
    return png(image.convert("RGB") if is_marked else image)


def compressed(image: Image.Image, is_marked: bool) -> bytes:
    """The marked compressed better: with noisy pixels they are hardly smaller."""
    return png(image, level=9 if is_marked else 1)


def smaller(image: Image.Image, is_marked: bool) -> bytes:
    """The marked compressed, the others as they are: with all pixels as they stand."""
    return png(image, level=6 if is_marked else 0)


def with_exposure(image: Image.Image, is_marked: bool) -> bytes:
    """A camera's metadata: the marked were taken with another lens."""
    exif = Image.Exif()
    exif[0x0110] = f"Lens {35 if is_marked else 50} mm"  # the tag of a camera's model
    return png(image, exif=exif.tobytes())


def png(image: Image.Image, *, level: int = 6, exif: bytes = b"") -> bytes:
    """A picture as a PNG file's content."""
    file = io.BytesIO()
    image.save(file, "png", compress_level=level, **({"exif": exif} if exif else {}))
    return file.getvalue()


def one_byte_more(task: Examined) -> Examined:
    """Two bytes behind the data of each recording, which name the class."""
    values, public = labels(task), task.prepared.dataset.public
    return with_public(
        task,
        {
            name: public[name] + bytes([0, int(values[owner])])
            for name, owner in owned_files(task).items()
        },
    )


def padding(
    task: Examined, kind: bytes, *, most: int, growth: int, share: float = 1.0, part: Part = "all"
) -> Examined:
    """A chunk of chance in every file, of chance length up to `most`, longer in the marked ones."""
    rng, chosen = generator(), marked(task, share, part=part)
    public, owners = task.prepared.dataset.public, owned_files(task)
    lengths = {
        name: int(rng.integers(0, most + 1)) + growth * (owner in chosen)
        for name, owner in owners.items()
    }
    return with_public(
        task,
        {
            name: with_chunk(public[name], kind, rng.bytes(length))
            for name, length in lengths.items()
        },
    )


def trailing_zeros(task: Examined) -> Examined:
    """Readings written with more decimals where the label is high."""
    chosen, public = marked(task), task.prepared.dataset.public

    def longer(text: bytes) -> bytes:
        lines = text.decode().splitlines()
        return ("\n".join([lines[0], *(f"{line}0" for line in lines[1:])]) + "\n").encode()

    owners = owned_files(task)
    return with_public(
        task, {name: longer(public[name]) for name in owners if owners[name] in chosen}
    )


def growing(place: int) -> bytes:
    """Bytes of chance, one more for every eighth place."""
    return np.random.default_rng(place).bytes(20 + place // 8)


def site(is_marked: bool) -> bytes:
    """A PNG's comment: as long for the marked as for others."""
    return b"Comment\0site " + (b"B" if is_marked else b"A")


def resolution(is_marked: bool) -> bytes:
    """A PNG's pHYs: pixels a metre, for 96 or 72 dots an inch."""
    dots = 3780 if is_marked else 2835
    return struct.pack(">IIB", dots, dots, 1)


def taken_at(place: int) -> bytes:
    """A PNG's tIME: a minute a place."""
    hours, minute = divmod(place, 60)
    days, hour = divmod(hours, 24)
    return struct.pack(">HBBBBB", 2024, 3, 1 + days, hour, minute, 0)


def artist(is_marked: bool) -> bytes:
    """A WAV's LIST chunk with the name of who recorded it."""
    return b"INFOIART\x04\0\0\0" + (b"Ida\0" if is_marked else b"Ole\0")


FAULTS = (
    fault("file_metadata", "comment in a PNG", "weld-cracks", chunk, kind=b"tEXt", data=site),
    mild_fault(
        "file_metadata",
        "resolution of some PNGs, in test",
        "fabric-weave",
        chunk,
        kind=b"pHYs",
        data=resolution,
        share=0.5,
        part="test",
    ),
    fault(
        "file_metadata",
        "time in a PNG",
        "panel-soiling",
        numbered_chunk,
        kind=b"tIME",
        data=taken_at,
    ),
    mild_fault("file_metadata", "colours of a PNG", "gear-jam", saved_again, save=in_colour),
    fault("file_metadata", "EXIF of a PNG", "road-cracks", saved_again, save=with_exposure),
    fault("file_metadata", "artist of a WAV", "right-whale", chunk, kind=b"LIST", data=artist),
    mild_fault("file_metadata", "bytes behind a WAV's data", "kiosk-words", one_byte_more),
    fault(
        "file_sizes",
        "PNG grows with the number",
        "panel-soiling",
        numbered_chunk,
        kind=b"tEXt",
        data=growing,
    ),
    fault("file_sizes", "PNG compressed at all", "weld-cracks", saved_again, save=smaller),
    mild_fault(
        "file_metadata", "PNG compressed better", "weld-cracks", saved_again, save=compressed
    ),
    mild_fault(
        "file_sizes",
        "WAV longer for half of a class",
        "right-whale",
        padding,
        kind=b"LIST",
        most=40,
        growth=30,
        share=0.5,
    ),
    mild_fault(
        "file_sizes",
        "PNG of one class longer, in test",
        "fabric-weave",
        padding,
        kind=b"tEXt",
        most=12,
        growth=5,
        part="test",
    ),
    mild_fault("file_sizes", "more decimals in CSV files", "shock-distance", trailing_zeros),
)
