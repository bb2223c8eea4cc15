"""Messages on a stream socket: a JSON header, then the pieces of bytes that it announces."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import Any

LENGTH = struct.Struct("<I")
Header = dict[str, Any]


def encode(header: Mapping[str, object], pieces: Sequence[bytes] = ()) -> bytes:
    """The bytes of a message."""
    text = json.dumps({**header, "sizes": [len(piece) for piece in pieces]}).encode()
    return b"".join((LENGTH.pack(len(text)), text, *pieces))


def decode_header(text: bytes) -> tuple[Header, list[int]]:
    """A header, and the sizes of the pieces that follow it."""
    header = json.loads(text)
    return header, [int(size) for size in header.pop("sizes")]


def receive(connection: socket.socket) -> tuple[Header, list[bytes]]:
    """The next message.

    Raises:
        EOFError: the other side has hung up.
    """
    (length,) = LENGTH.unpack(_receive_exactly(connection, LENGTH.size))
    header, sizes = decode_header(_receive_exactly(connection, length))
    return header, [_receive_exactly(connection, size) for size in sizes]


def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        piece = connection.recv(min(1 << 20, size - len(received)))
        if not piece:
            raise EOFError("the other side has hung up")
        received += piece
    return bytes(received)
