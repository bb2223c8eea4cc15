"""Messages on a stream: a JSON header, then the pieces of bytes that it announces."""

from __future__ import annotations

import json
import os
import socket
import stat
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

LENGTH = struct.Struct("<I")
MOST_DESCRIPTORS = 4
Header = dict[str, Any]


class Connection(Protocol):
    """What is needed of a stream socket; two pipes have it too."""

    def recv(self, size: int, /) -> bytes:
        """At most so many bytes; none where the other side has hung up."""

    def sendall(self, data: bytes, /) -> None:
        """Sends all bytes."""

    def fileno(self) -> int:
        """The descriptor that is ready where there is something to receive."""


class StandardStreams:
    """The connection of a process that has been given nothing but stdin and stdout."""

    def recv(self, size: int, /) -> bytes:
        """See ``Connection``."""
        return os.read(0, size)

    def sendall(self, data: bytes, /) -> None:
        """See ``Connection``."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(1, rest) :]

    def fileno(self) -> int:
        """See ``Connection``."""
        return 0


def open_connection(descriptor: int) -> Connection:
    """The connection that a descriptor is an end of: a socket, or stdin with stdout beside it."""
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        return socket.socket(fileno=descriptor)
    return StandardStreams()


def encode(header: Mapping[str, object], pieces: Sequence[bytes] = ()) -> bytes:
    """The bytes of a message."""
    text = json.dumps({**header, "sizes": [len(piece) for piece in pieces]}).encode()
    return b"".join((LENGTH.pack(len(text)), text, *pieces))


def decode_header(text: bytes) -> tuple[Header, list[int]]:
    """A header, and the sizes of the pieces that follow it."""
    header = json.loads(text)
    return header, [int(size) for size in header.pop("sizes")]


def receive(connection: Connection) -> tuple[Header, list[bytes]]:
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


def _receive_rest(connection: Connection, start: bytes) -> tuple[Header, list[bytes]]:
    (length,) = LENGTH.unpack(start)
    header, sizes = decode_header(_receive_exactly(connection, length))
    return header, [_receive_exactly(connection, size) for size in sizes]


def _receive_exactly(connection: Connection, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        piece = connection.recv(min(1 << 20, size - len(received)))
        if not piece:
            raise EOFError("the other side has hung up")
        received += piece
    return bytes(received)
