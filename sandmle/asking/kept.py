"""Replies on disk, each under the hash of its request: no call is made twice."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from sandmle.asking.reply import Reply, Request, Usage


class KeptReplies:
    """A folder of replies: ab/abcdef....json holds a request and what was replied to it.

    Several processes may share it: files appear whole or not at all.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, request: Request) -> Reply | None:
        """The reply to exactly this request, None where there is none or its file is damaged."""
        try:
            data = json.loads(self._path(request.key).read_text(encoding="utf-8"))
            reply = data["reply"]
            return Reply(**{**reply, "key": request.key, "usage": Usage(**reply["usage"])})
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    def put(self, request: Request, reply: Reply) -> None:
        """Keeps a reply. Raises OSError where it cannot be written."""
        path = self._path(request.key)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"request": request.body, "reply": asdict(reply)}
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".part-")
        try:
            with open(handle, "w", encoding="utf-8") as file:
                json.dump(content, file, ensure_ascii=False, indent=1)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
