"""A browser that a test clicks through: Chromium, spoken to over a pipe.

Protocol: https://chromedevtools.github.io/devtools-protocol/, JSON messages ended by a NUL.
"""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.report.browser import CHROMIUM

#: Seconds for which an answer or a condition is waited for, on a machine that does other work too.
_PATIENCE = 60.0


class Browser:
    """One page in a browser. What its scripts throw or its policy refuses is kept in `faults`."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._received = b""
        self._number = 0
        self._session: str | None = None
        self.faults: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol and returns its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        rest = memoryview(json.dumps(message).encode() + b"\0")
        while rest:
            rest = rest[os.write(self._writing, rest) :]
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._reading], [], [], _PATIENCE)
            assert ready, "the browser does not answer"
            self._received += os.read(self._reading, 1 << 20)
        message, _, self._received = self._received.partition(b"\0")
        data: dict[str, Any] = json.loads(message)
        return data

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.faults.append(json.dumps(parameters["exceptionDetails"]))
        if event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.faults.append(parameters["entry"]["text"])

    def open(self, address: str) -> None:
        """Goes to an address, and waits until the page is loaded."""
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def value(self, expression: str) -> Any:
        """What an expression is in the page, as JSON carries it; a promise is awaited."""
        result = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, expression: str) -> None:
        """Waits until an expression is true in the page."""
        end = time.monotonic() + _PATIENCE
        while not self.value(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Clicks with the mouse on the middle of the first element that fits."""
        found = self.value(
            f"""(() => {{
              const element = document.querySelector({json.dumps(selector)});
              if (!element) return null;
              element.scrollIntoView({{block: "center"}});
              const box = element.getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"""
        )
        assert found, f"nothing to click on: {selector}"
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=found[0],
                y=found[1],
                button="left",
                clickCount=1,
            )

    def press(self, key: str) -> None:
        """Presses a key; one character is typed where the focus is."""
        named = {"Escape": 27, "Enter": 13, "Tab": 9}
        text = {} if key in named else {"text": key}
        code = named.get(key, ord(key[0].upper()))
        self.call(
            "Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text
        )
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text: str) -> None:
        """Types where the focus is."""
        self.call("Input.insertText", text=text)

    def resize(self, width: int, height: int, *, dark: bool = False, phone: bool = False) -> None:
        """A window of that size, in light or dark."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def screenshot(self, path: Path) -> Path:
        """A PNG of what the window shows."""
        path.write_bytes(
            base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        )
        return path


@contextmanager
def chromium(folder: Path) -> Iterator[Browser]:
    """A browser with nothing but a fresh profile in `folder`."""
    assert CHROMIUM is not None
    to_browser, writing = os.pipe()
    reading, from_browser = os.pipe()
    flags = (
        *("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        *("--disable-dev-shm-usage", f"--user-data-dir={folder}", "--remote-debugging-pipe"),
    )
    # The browser reads its file 3 and writes its file 4.
    script = 'exec "$@" 3<&"$FROM" 4>&"$TO"'
    command = ["bash", "-c", script, "chromium", CHROMIUM, *flags, "about:blank"]
    process = subprocess.Popen(
        command,
        pass_fds=(to_browser, from_browser),
        env={**os.environ, "FROM": str(to_browser), "TO": str(from_browser)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Browser(reading, writing)
    finally:
        process.terminate()
        process.wait(timeout=30)
        os.close(reading)
        os.close(writing)
