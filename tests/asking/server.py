"""An OpenAI-compatible server on loopback that does what a test tells it to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: Tokens that every answer says it took.
PROMPT_TOKENS, ANSWER_TOKENS = 100, 20


@dataclass(frozen=True)
class Answer:
    """A completion, in a stream where the request wants one.

    `usage` is left out where it is None; `calls` are names and arguments (as text) of tool calls,
    `reasoning` stands in the message's field `reasoning_field`.
    """

    text: str | None = ""
    finish: str = "stop"
    refusal: str | None = None
    usage: tuple[int, int] | None = (PROMPT_TOKENS, ANSWER_TOKENS)
    calls: Sequence[tuple[str, str]] = ()
    reasoning: str | None = None
    reasoning_field: str = "reasoning_content"


@dataclass(frozen=True)
class Status:
    """An error, as endpoints tell it."""

    code: int
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Mapping[str, str] = field(default_factory=lambda: {"message": "so it is"})


@dataclass(frozen=True)
class Raw:
    """A body as it is, with status 200."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True)
class Drop:
    """The connection ends in the middle of the answer."""


@dataclass(frozen=True)
class Hang:
    """No answer, for so many seconds or until the server ends."""

    seconds: float = 60.0


Action = Answer | Status | Raw | Drop | Hang


class Server:
    """Requests in the order in which they came, and those that were answered by an Answer."""

    def __init__(self, act: Callable[[dict[str, Any]], Action]) -> None:
        self.act = act
        self.requests: list[dict[str, Any]] = []
        self.answered: list[str] = []
        self.most_at_once = self._at_once = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                server.handle(self, json.loads(body))

            def log_message(self, *_arguments: object) -> None:
                pass

        class Loopback(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256

            def handle_error(self, *_arguments: object) -> None:
                pass  # a client that was killed

        self._http = Loopback(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def handle(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append(body)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            action = self.act(body)
            if isinstance(action, Hang):
                self._ended.wait(action.seconds)
            elif isinstance(action, Drop):
                handler.send_response(200)
                handler.send_header("content-length", "100000")
                if body.get("stream"):
                    handler.send_header("content-type", "text/event-stream")
                    handler.end_headers()
                    handler.wfile.write(b"".join(list(_events(body, Answer("so far so")))[:2]))
                else:
                    handler.end_headers()
                    handler.wfile.write(b'{"id": "x", "choi')
            elif isinstance(action, Status):
                _send(handler, action.code, json.dumps({"error": action.error}), action.headers)
            elif isinstance(action, Raw):
                _send(handler, 200, action.body, {"content-type": action.content_type})
            else:
                with self._lock:
                    self.answered.append(json.dumps(body, sort_keys=True))
                if body.get("stream"):
                    events = b"".join(_events(body, action))
                    _send(handler, 200, events, {"content-type": "text/event-stream"})
                else:
                    _send(handler, 200, json.dumps(_completion(body, action)), {})
            if isinstance(action, Hang | Drop):
                handler.close_connection = True
        finally:
            with self._lock:
                self._at_once -= 1


@contextmanager
def serving(act: Callable[[dict[str, Any]], Action]) -> Iterator[Server]:
    """A server that does what `act` says of each request's body."""
    server = Server(act)
    try:
        yield server
    finally:
        server.close()


def in_turn(*actions: Action) -> Callable[[dict[str, Any]], Action]:
    """The actions one after the other, the last from then on."""
    left, lock = list(actions), threading.Lock()

    def act(_body: dict[str, Any]) -> Action:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return act


def _send(
    handler: BaseHTTPRequestHandler, code: int, body: str | bytes, headers: Mapping[str, str]
) -> None:
    content = body.encode() if isinstance(body, str) else body
    handler.send_response(code)
    for name, value in {"content-type": "application/json", **headers}.items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


def _completion(body: Mapping[str, Any], answer: Answer) -> dict[str, Any]:
    message: dict[str, Any] = {
        "role": "assistant",
        "content": answer.text,
        "refusal": answer.refusal,
    }
    if answer.reasoning is not None:
        message[answer.reasoning_field] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = _calls(answer)
    completion: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish}],
    }
    if answer.usage is not None:
        completion["usage"] = _usage(answer.usage)
    return completion


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call-{place}",
            "type": "function",
            "function": {"name": name, "arguments": arguments},
        }
        for place, (name, arguments) in enumerate(answer.calls)
    ]


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    prompt, written = usage
    return {
        "prompt_tokens": prompt,
        "completion_tokens": written,
        "total_tokens": prompt + written,
    }


def _events(body: Mapping[str, Any], answer: Answer) -> Iterator[bytes]:
    """A completion as a stream: reasoning, text and calls in small pieces, the usage at its end."""

    def event(choices: list[dict[str, Any]], **more: Any) -> bytes:
        whole = {"id": "1", "object": "chat.completion.chunk", "created": 0, **more}
        whole |= {"model": body["model"], "choices": choices}
        return f"data: {json.dumps(whole)}\n\n".encode()

    def piece(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return event([{"index": 0, "delta": delta, "finish_reason": finish}])

    yield piece({"role": "assistant", "content": ""})
    for name, text in ((answer.reasoning_field, answer.reasoning), ("content", answer.text)):
        for start in range(0, len(text or ""), 7):
            yield piece({name: (text or "")[start : start + 7]})
    for place, call in enumerate(_calls(answer)):
        arguments = call["function"]["arguments"]
        begun = {**call, "index": place, "function": {**call["function"], "arguments": ""}}
        yield piece({"tool_calls": [begun]})
        for start in range(0, len(arguments), 7):
            part = {"index": place, "function": {"arguments": arguments[start : start + 7]}}
            yield piece({"tool_calls": [part]})
    yield piece({}, answer.finish)
    if answer.usage is not None and (body.get("stream_options") or {}).get("include_usage"):
        yield event([], usage=_usage(answer.usage))
    yield b"data: [DONE]\n\n"
