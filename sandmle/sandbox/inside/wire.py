"""Messages on a stream socket: a JSON header, then the pieces of bytes that it announces."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping, Sequence
from typing import Any

LENGTH = struct.Struct("<I")
MOST_DESCRIPTORS = 4
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
    return _receive_rest(connection, _receive_exactly(connection, LENGTH.size))


def receive_with_descriptors(
    connection: socket.socket,
) -> tuple[Header, list[bytes], list[int]]:
    """The next message, with the descriptors that come with its first bytes.

    Raises:
        EOFError: the other side has hung up.
    """
    start, descriptors, _, _ = socket.recv_fds(connection, LENGTH.size, MOST_DESCRIPTORS)
    if not start:
        raise EOFError("the other side has hung up")
    start += _receive_exactly(connection, LENGTH.size - len(start))
    return *_receive_rest(connection, start), descriptors


def _receive_rest(connection: socket.socket, start: bytes) -> tuple[Header, list[bytes]]:
    (length,) = LENGTH.unpack(start)
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
