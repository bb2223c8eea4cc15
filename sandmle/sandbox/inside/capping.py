"""Keeps the head and the tail of a stream, however long it is."""

from __future__ import annotations


class HeadAndTail:
    """A byte stream of any length in bounded memory: its first and its last bytes.

    The end of a log matters most (a traceback's last line), so a third of the room is for the head
    and the rest for the tail.
    """

    def __init__(self, room: int) -> None:
        """``room`` is the number of bytes to keep."""
        self._head_room = room // 3
        self._tail_room = room - self._head_room
        self._head = bytearray()
        self._tail = bytearray()
        self._seen = 0

    def feed(self, piece: bytes) -> None:
        """Takes the next bytes of the stream."""
        self._seen += len(piece)
        missing = self._head_room - len(self._head)
        if missing > 0:
            self._head += piece[:missing]
            piece = piece[missing:]
        self._tail += piece
        del self._tail[: max(0, len(self._tail) - self._tail_room)]

    def kept(self) -> bytes:
        """What was kept; a gap is marked with the number of bytes that it hides."""
        cut = self._seen - len(self._head) - len(self._tail)
        if cut <= 0:
            return bytes(self._head + self._tail)
        return bytes(self._head) + b"\n[... %d bytes cut ...]\n" % cut + bytes(self._tail)
