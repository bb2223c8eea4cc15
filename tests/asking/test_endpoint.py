"""The real client against a real server that misbehaves in all the ways that servers do."""

from __future__ import annotations

import email.utils
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sandmle.asking.connection import Connection, model_of
from sandmle.asking.pace import Stopped
from sandmle.asking.reply import Usage
from sandmle.asking.spending import Budget, Price
from sandmle.errors import BudgetSpent, EndpointError
from tests.asking.server import Action, Answer, Drop, Hang, Raw, Server, Status, in_turn, serving

SCHEMA = {"type": "object"}
HELLO = [{"role": "user", "content": "hello"}]
QUOTA = {"message": "you have no money", "code": "insufficient_quota"}


def connect(server: Server, folder: Path, **settings: Any) -> Connection:
    return Connection(
        folder,
        base_url=server.url,
        **{"first_wait": 0.01, "timeout": 5.0, "answer_tokens": 6_000, **settings},
    )


def ask(connection: Connection, text: str = "hello", model: str = "small") -> Any:
    messages = [{"role": "user", "content": text}]
    return connection.model(model).ask(messages, schema=SCHEMA, title="part")


def test_a_reply_comes_with_its_usage_and_in_the_form_that_was_asked_for(tmp_path: Path) -> None:
    with serving(in_turn(Answer("a: 1"))) as server:
        connection = connect(server, tmp_path)
        reply = ask(connection)
    assert (reply.text, reply.finish, reply.usage) == ("a: 1", "stop", Usage(100, 20))
    form = server.requests[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"] == SCHEMA
    assert server.requests[0]["messages"] == HELLO
    assert connection.spending.told().startswith("1 calls and 0 kept replies; 100 tokens")


@pytest.mark.parametrize("code", [400, 422])
def test_a_server_that_takes_no_schema_is_asked_without_one_from_then_on(
    tmp_path: Path, code: int
) -> None:
    def act(body: dict[str, Any]) -> Action:
        return Status(code) if "response_format" in body else Answer("a: 1")

    with serving(act) as server:
        connection = connect(server, tmp_path)
        assert [ask(connection, text).text for text in ("hello", "you")] == ["a: 1", "a: 1"]
        asked = ["response_format" in body for body in server.requests]
        assert asked == [True, True, False, False]
        assert ask(connect(server, tmp_path)).text == "a: 1"
        assert len(server.requests) == 4  # another run knows it too


def test_a_server_that_knows_the_old_name_of_the_limit_only(tmp_path: Path) -> None:
    def act(body: dict[str, Any]) -> Action:
        return Status(422) if "max_completion_tokens" in body else Answer("a: 1")

    with serving(act) as server:
        connection = connect(server, tmp_path, answer_tokens=500)
        assert [ask(connection, text).text for text in ("hello", "you")] == ["a: 1", "a: 1"]
        assert [body.get("max_tokens") for body in server.requests] == [None, 500, 500]
        assert all("response_format" in body for body in server.requests)


@pytest.mark.parametrize(
    "trouble",
    [
        Status(429, {"retry-after": "0.05"}),
        Status(500),
        Status(503, {"retry-after": "0.02"}),
        Status(529),
        Drop(),
        Raw(b"<html>busy</html>", "text/html"),
        Raw(b"{not json"),
        Raw(b'{"choices": []}'),
    ],
    ids=["429", "500", "503", "529", "dropped", "html", "no json", "no choices"],
)
def test_what_may_go_well_the_next_time_is_tried_again(tmp_path: Path, trouble: Action) -> None:
    with serving(in_turn(trouble, trouble, Answer("a: 1"))) as server:
        connection = connect(server, tmp_path)
        assert ask(connection).text == "a: 1"
        assert len(server.requests) == 3
        assert connection.spending.calls == 1


def test_no_answer_in_time_is_tried_again(tmp_path: Path) -> None:
    with serving(in_turn(Hang(), Answer("a: 1"))) as server:
        assert ask(connect(server, tmp_path, timeout=0.2)).text == "a: 1"
        assert len(server.requests) == 2


def test_a_server_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with serving(in_turn(Hang())) as server:
        connection = connect(server, tmp_path, timeout=0.1, retries=1)
        with pytest.raises(EndpointError, match=r"\(small\): 2 tries: no answer in time"):
            ask(connection)


def test_nobody_there(tmp_path: Path) -> None:
    with serving(in_turn(Answer())) as server:
        pass
    with pytest.raises(EndpointError, match="no connection"):
        ask(connect(server, tmp_path, retries=1))


def test_retry_after_is_waited_for_by_all_calls(tmp_path: Path) -> None:
    times: list[float] = []

    def act(_body: dict[str, Any]) -> Action:
        times.append(time.monotonic())
        return Status(429, {"retry-after": "0.4"}) if len(times) == 1 else Answer("a: 1")

    with serving(act) as server:
        connection = connect(server, tmp_path)
        with ThreadPoolExecutor(3) as pool:
            first = pool.submit(ask, connection, "0")
            while not times:
                time.sleep(0.005)
            time.sleep(0.1)  # the pause is known by now
            others = [pool.submit(ask, connection, str(number)) for number in (1, 2)]
            assert {one.result().text for one in (first, *others)} == {"a: 1"}
    assert len(times) == 4
    assert min(times[1:]) - times[0] >= 0.39


def test_retry_after_may_be_a_date_and_may_ask_for_too_much(tmp_path: Path) -> None:
    in_an_hour = email.utils.formatdate(time.time() + 3600, usegmt=True)
    with serving(in_turn(Status(429, {"retry-after": in_an_hour}))) as server:
        with pytest.raises(EndpointError, match=r"asks to wait 3\d\d\d s; run again then"):
            ask(connect(server, tmp_path))
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        (Status(401), "so it is"),
        (Status(403), "so it is"),
        (Status(404), "so it is"),
        (Status(429, {}, QUOTA), "you have no money"),
        (Status(400), "refuses the request.*so it is"),
    ],
)
def test_what_no_patience_mends_is_told_at_once(tmp_path: Path, trouble: Action, said: str) -> None:
    with serving(in_turn(trouble)) as server:
        with pytest.raises(EndpointError, match=said):
            ask(connect(server, tmp_path))
        assert len(server.requests) <= 4


def test_a_missing_key_is_told_without_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with serving(in_turn(Answer())) as server:
        with pytest.raises(EndpointError, match="OPENAI_API_KEY"):
            ask(connect(server, tmp_path))
        assert not server.requests


def test_the_address_may_come_from_the_client_s_own_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(in_turn(Answer("a: 1"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        assert ask(Connection(tmp_path)).text == "a: 1"


def test_a_call_is_made_once_for_all_runs(tmp_path: Path) -> None:
    with serving(in_turn(Answer("a: 1"), Answer("a: 2"), Answer("a: 3"))) as server:
        assert ask(connect(server, tmp_path)).text == "a: 1"
        again = connect(server, tmp_path)
        assert ask(again).text == "a: 1"
        assert (again.spending.calls, again.spending.kept) == (0, 1)
        assert ask(again, "something else").text == "a: 2"
        assert ask(again, model="large").text == "a: 3"
        assert len(server.requests) == 3


def test_a_damaged_file_is_no_reply(tmp_path: Path) -> None:
    with serving(in_turn(Answer("a: 1"))) as server:
        ask(connect(server, tmp_path))
        (path,) = tmp_path.glob("*/*.json")
        for damage in ("", "{", '{"reply": 1}', '{"reply": {"text": "x"}}', "[]"):
            path.write_text(damage)
            assert ask(connect(server, tmp_path)).text == "a: 1"
        assert len(server.requests) == 6
        assert not [part for part in tmp_path.rglob("*") if part.name.startswith(".")]


def test_no_more_calls_at_once_than_wanted(tmp_path: Path) -> None:
    def act(_body: dict[str, Any]) -> Action:
        time.sleep(0.05)
        return Answer("a: 1")

    with serving(act) as server:
        connection = connect(server, tmp_path, concurrency=3)
        with ThreadPoolExecutor(9) as pool:
            list(pool.map(lambda number: ask(connection, str(number)), range(9)))
        assert server.most_at_once == 3


def test_no_more_calls_a_minute_than_wanted(tmp_path: Path) -> None:
    with serving(in_turn(Answer("a: 1"))) as server:
        connection = connect(server, tmp_path, per_minute=60 / 0.05)
        begun = time.monotonic()
        for number in range(5):
            ask(connection, str(number))
        assert time.monotonic() - begun >= 0.2


def test_a_budget_is_never_exceeded(tmp_path: Path) -> None:
    # Each call may cost some tokens of prompt and 6,000 of answer, and takes 120.
    with serving(in_turn(Answer("a: 1"))) as server:
        connection = connect(server, tmp_path, budget=Budget(tokens=6_300))
        for number in range(3):
            ask(connection, str(number))
        with pytest.raises(BudgetSpent, match="3 calls and 0 kept replies; 300 tokens"):
            ask(connection, "3")
        assert ask(connection, "0").text == "a: 1"  # kept replies cost nothing
        assert len(server.requests) == 3


def test_calls_wait_for_those_under_way_before_the_budget_is_called_spent(tmp_path: Path) -> None:
    with serving(in_turn(Answer("a: 1"))) as server:
        connection = connect(server, tmp_path, budget=Budget(tokens=7_000))
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(lambda number: ask(connection, str(number)), range(8)))
        assert {reply.text for reply in replies} == {"a: 1"}
        assert server.most_at_once == 1


def test_money_counts_by_the_price_of_each_model(tmp_path: Path) -> None:
    prices = {"": Price(1.0, 10.0), "large": Price(10.0, 100.0)}
    with serving(in_turn(Answer("a: 1", usage=(1_000, 100)))) as server:
        connection = connect(server, tmp_path, prices=prices, budget=Budget(money=0.7))
        ask(connection)
        assert connection.spending.money == pytest.approx(0.002)
        ask(connection, model="large")
        assert connection.spending.money == pytest.approx(0.022)
        assert connection.spending.told().endswith("cost 0.0220")
        for number in range(4):
            ask(connection, str(number), model="large")
        with pytest.raises(BudgetSpent):  # 6,000 tokens of an answer may cost 0.6
            ask(connection, "4", model="large")
        assert connection.spending.money == pytest.approx(0.102)


def test_servers_that_tell_no_usage_are_booked_by_size(tmp_path: Path) -> None:
    with serving(in_turn(Answer("b" * 300, usage=None))) as server:
        connection = connect(server, tmp_path)
        assert ask(connection, "a" * 1000).usage == Usage(500, 150)


def test_stopping_ends_waits_and_lets_no_call_begin(tmp_path: Path) -> None:
    with serving(in_turn(Status(429, {"retry-after": "60"}))) as server:
        connection = connect(server, tmp_path)
        with ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(ask, connection)
            while not server.requests:
                time.sleep(0.005)
            threading.Timer(0.05, connection.pace.stop).start()
            with pytest.raises(Stopped):
                waiting.result(timeout=5)
        with pytest.raises(Stopped):
            ask(connection, "more")
        assert len(server.requests) == 1


def test_closing_waits_until_the_call_under_way_is_kept_and_booked(tmp_path: Path) -> None:
    begun, may_answer = threading.Event(), threading.Event()

    def act(_body: dict[str, Any]) -> Action:
        begun.set()
        may_answer.wait(5)
        return Answer("late")

    with serving(act) as server:
        connection = connect(server, tmp_path)
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(ask, connection)
            assert begun.wait(5)
            threading.Timer(0.05, may_answer.set).start()
            connection.close()
            assert connection.spending.calls == 1
            assert asked.result(timeout=5).text == "late"
        again = connect(server, tmp_path)
        assert ask(again).text == "late"
        assert len(server.requests) == 1


def test_a_model_s_name_may_hold_anything() -> None:
    assert model_of("openai:org/model:7b=x") == "org/model:7b=x"
    for wrong in ("gpt", "openai:", "openai: ", "anthropic:x"):
        with pytest.raises(ValueError, match=r"is no model; expected openai:MODEL"):
            model_of(wrong)
