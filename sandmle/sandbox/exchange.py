"""Messages to a supervisor and its answers, without blocking the event loop."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from sandmle.sandbox.inside.wire import LENGTH, MOST_DESCRIPTORS, decode_header


async def exchange(
    connection: socket.socket, request: bytes, seconds: float
) -> tuple[dict[str, Any], list[bytes], list[int]]:
    """Sends a message and waits for the answer: its header, its pieces and its descriptors.

    Raises:
        TimeoutError: no answer in time.
        EOFError, ConnectionError: the other side is gone.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(seconds):
        await loop.sock_sendall(connection, request)
        start, descriptors = await _receive_start(connection)
        start += await _receive_exactly(connection, LENGTH.size - len(start))
        text = await _receive_exactly(connection, LENGTH.unpack(start)[0])
        header, sizes = decode_header(text)
        pieces = [await _receive_exactly(connection, size) for size in sizes]
    return header, pieces, descriptors


async def _receive_start(connection: socket.socket) -> tuple[bytes, list[int]]:
    """The first bytes of an answer, with which its descriptors come."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(connection, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(connection)
    piece, descriptors, _, _ = socket.recv_fds(connection, LENGTH.size, MOST_DESCRIPTORS)
    if not piece:
        raise EOFError
    return piece, descriptors


async def _receive_exactly(connection: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    received = bytearray()
    while len(received) < size:
        piece = await loop.sock_recv(connection, min(1 << 20, size - len(received)))
        if not piece:
            raise EOFError
        received += piece
    return bytes(received)
