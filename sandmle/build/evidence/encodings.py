"""How files of pictures and sounds are encoded, beside what they show: headers, notes, palettes.

PNG: https://www.w3.org/TR/png-3/, JPEG: ITU-T T.81, WAV: the RIFF chunks of Microsoft and IBM.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping

from PIL import Image

#: What a file says of itself, by name: numbers, or bytes as they are.
Encoding = Mapping[str, float | bytes]

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8"
_OTHER_PICTURES = (b"GIF8", b"BM", b"II*\0", b"MM\0*")
#: Frames of JPEG that give its dimensions, and what follows the last of its headers.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SCAN = 0xDA
AFTER = "after the end"
#: What broken files raise, here and in Pillow.
UNREADABLE = (struct.error, IndexError, ValueError, OSError, Image.DecompressionBombError)


def encoding(content: bytes) -> Encoding:
    """What a picture's or a sound's file says beside the picture or the sound.

    Other files, and what can't be read, say nothing.
    """
    try:
        if content.startswith(_PNG):
            return _png(content)
        if content.startswith(_JPEG):
            return _jpeg(content)
        if content[:4] == b"RIFF" and content[8:12] == b"WAVE":
            return _wave(content)
        if content.startswith(b"\x93NUMPY"):
            return {"header": content[: 10 + int.from_bytes(content[8:10], "little")]}
        if content.startswith(b"\x1f\x8b"):
            return {"time": float(int.from_bytes(content[4:8], "little")), "flags": content[8:10]}
        if content.startswith(_OTHER_PICTURES) or content[8:12] == b"WEBP":
            return _picture(content)
    except UNREADABLE:
        return {"unreadable": 1.0}
    return {}


def pixels(content: bytes, mode: str = "") -> bytes:
    """What a picture shows, as bytes, in its own mode or another; the file where it is none."""
    try:
        with Image.open(io.BytesIO(content)) as opened:
            return (opened.convert(mode) if mode else opened).tobytes()
    except UNREADABLE:
        return content


def _png(content: bytes) -> dict[str, float | bytes]:
    """Those of a PNG: header, all chunks that are not pixels, and how hard it was compressed."""
    width, height, *mode = struct.unpack_from(">II5B", content, 16)
    found: dict[str, float | bytes] = {"width": width, "height": height, "mode": bytes(mode)}
    pieces, place, name = 0, 33, b""
    while name != b"IEND" and place < len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        place += 12 + length
        if name == b"IDAT":
            if not pieces:
                found["compression"] = content[place - 4 - length : place - 2 - length]
            pieces += 1
        elif length:
            key = name.decode("latin-1")
            found[key] = _joined(found, key, content[place - 4 - length : place - 4])
    return found | {"pieces": pieces} | _after(content[place:])


def _jpeg(content: bytes) -> dict[str, float | bytes]:
    """Those of a JPEG: dimensions, tables, comments and what applications have added."""
    found: dict[str, float | bytes] = {}
    place, marker = 2, 0
    while marker != _SCAN:
        marker, length = struct.unpack_from(">xBH", content, place)
        body = content[place + 4 : place + 2 + length]
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", body, 1)
            found |= {"height": height, "width": width, "mode": body[5:]}
        key = f"{marker:02x}"
        if marker not in _FRAMES and marker not in (0xC4, _SCAN):
            found[key] = _joined(found, key, body)
        place += 2 + length
    return found | _after(content[content.rfind(b"\xff\xd9") + 2 :])


def _wave(content: bytes) -> dict[str, float | bytes]:
    """Those of a WAV: rate and other numbers of its format, and all chunks beside the sound."""
    found: dict[str, float | bytes] = {}
    place, end = 12, min(len(content), 8 + int.from_bytes(content[4:8], "little"))
    while place + 8 <= end:
        name, length = struct.unpack_from("<4sI", content, place)
        body = content[place + 8 : place + 8 + length]
        place += 8 + length + length % 2
        if name == b"fmt ":
            form, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", body)
            found |= {"form": form, "channels": channels, "rate": rate, "bits": bits}
        elif name != b"data":
            key = name.decode("latin-1")
            found[key] = _joined(found, key, body)
    return found | _after(content[end:])


def _picture(content: bytes) -> dict[str, float | bytes]:
    """Those that Pillow tells of other pictures."""
    with Image.open(io.BytesIO(content)) as opened:
        found: dict[str, float | bytes] = {"width": opened.width, "height": opened.height}
        found["mode"] = f"{opened.format} {opened.mode}".encode()
        return found | {str(key): str(value).encode() for key, value in opened.info.items()}


def _joined(found: Mapping[str, float | bytes], key: str, body: bytes) -> bytes:
    """A chunk's bytes, behind those of earlier ones by the same name."""
    before = found.get(key, b"")
    return before + b"\n" + body if isinstance(before, bytes) and before else body


def _after(rest: bytes) -> dict[str, float | bytes]:
    return {AFTER: rest} if rest else {}
