"""What the errors of an endpoint mean: worth another try or not, how long to wait, what to tell."""

from __future__ import annotations

import email.utils
import importlib
import random
import time

from sandmle.errors import EndpointError

#: How often a failed call is tried again, and the seconds before the first such time, which double.
RETRIES = 6
FIRST_WAIT = 1.0
_LONGEST_BACKOFF = 60.0

#: Seconds that a server may ask us to wait; beyond them it is better to come back later.
_LONGEST_WAIT = 600.0

#: Characters of a server's own words in messages.
QUOTED = 300

#: What is told where the client is missing, which is an extra.
NOT_INSTALLED = "the openai client is not installed: pip install 'sandmle[openai]'"

#: What a spent allowance is called in the error of status 429, which no waiting mends.
_NO_QUOTA = "insufficient_quota"


def may_pass(error: Exception) -> bool:
    """Whether what failed may go well the next time: it is not the request's fault."""
    import openai

    if isinstance(error, openai.RateLimitError):
        return error.code != _NO_QUOTA
    if isinstance(error, openai.APIStatusError):
        return error.status_code in (408, 409) or error.status_code >= 500
    return isinstance(error, (openai.APIError, ValueError, TimeoutError))


def asked_wait(error: Exception, place: str) -> float | None:
    """Seconds that the server at `place` asks to wait, if it does.

    Raises EndpointError where they are more than _LONGEST_WAIT.
    """
    asked = _retry_after(error)
    if asked is not None and asked > _LONGEST_WAIT:
        raise EndpointError(f"{place}: asks to wait {asked:.0f} s; run again then, nothing is lost")
    return asked


def _retry_after(error: Exception) -> float | None:
    """Seconds by the header Retry-After: a number, or a date."""
    import openai

    if not isinstance(error, openai.APIStatusError):
        return None
    text = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    date = email.utils.parsedate_tz(text)
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())


def backoff(attempt: int, first: float) -> float:
    """Seconds before the next try after the `attempt`th from 0, ever more, none quite the same."""
    return min(first * 2.0**attempt, _LONGEST_BACKOFF) * random.uniform(0.5, 1.0)


def said(error: Exception) -> str:
    """An error in a line, without the client's advice on how to hand it a key."""
    import openai

    if isinstance(error, (openai.APITimeoutError, TimeoutError)):
        return "no answer in time"
    if isinstance(error, openai.APIConnectionError):
        return f"no connection: {error.__cause__ or error}"
    return " ".join(str(error).split())[:QUOTED]


def transport_errors() -> tuple[type[Exception], ...]:
    """What version 2 of the client lets through where a stream breaks; later ones wrap it."""
    import openai

    if openai.__version__.startswith("2."):
        return (importlib.import_module("httpx").HTTPError,)
    return ()
