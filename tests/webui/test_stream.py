"""The event stream as text: framing, ids, signs of life, its end, and the limit of streams."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from tests.webui.tables import FedSource, picture
from webui import stream
from webui.app import create_app
from webui.live import LiveTable


def never() -> bool:
    return False


def fields(block: bytes) -> dict[str, str]:
    """The fields of one event; a stream's block ends with an empty line."""
    text = block.decode()
    assert text.endswith("\n\n")
    return dict(line.split(": ", 1) for line in text.strip().split("\n") if line[0] != ":")


def test_the_newest_state_comes_at_once_with_its_version_as_id(table: LiveTable) -> None:
    retry, first = islice(stream.event_stream(table, never), 2)
    assert fields(retry) == {"retry": "2000"}
    event = fields(first)
    assert event["id"] == str(table.state.version)
    assert json.loads(event["data"]) == table.state.data


def test_a_new_state_follows(table: LiveTable, source: FedSource) -> None:
    events = stream.event_stream(table, never)
    next(events), next(events)
    source.feed(picture())
    event = fields(next(events))
    assert json.loads(event["data"])["picture"] is not None
    assert event["id"] == str(json.loads(event["data"])["version"])


def test_states_in_between_are_skipped_for_a_slow_client(
    table: LiveTable, source: FedSource
) -> None:
    events = stream.event_stream(table, never)
    next(events), next(events)
    for value in (1, 2, 3):
        version = table.state.version
        source.feed(picture(value))
        assert table.wait_other(version, 5) is not None
    assert json.loads(fields(next(events))["data"])["picture"]["time_s"] == 2


def test_a_client_that_comes_back_is_sent_only_what_it_has_not_seen(
    table: LiveTable, source: FedSource
) -> None:
    seen = str(table.state.version)
    events = stream.event_stream(table, never, seen)
    next(events)
    source.feed(picture())
    assert int(fields(next(events))["id"]) > int(seen)


@pytest.mark.parametrize("seen", ["x", "-3", "9" * 5000, "٣"])
def test_a_strange_last_id_is_as_good_as_none(table: LiveTable, seen: str) -> None:
    _, first = islice(stream.event_stream(table, never, seen), 2)
    assert fields(first)["id"] == str(table.state.version)


def test_a_quiet_stream_gives_signs_of_life(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "KEEP_ALIVE_S", 0.05)
    monkeypatch.setattr(stream, "LOOK_S", 0.02)
    events = stream.event_stream(table, never)
    next(events), next(events)
    sign = next(events)
    assert sign.startswith(b": keep-alive\n"), "a comment, which clients pass over"
    assert fields(sign) == {"event": "alive", "data": "1"}


def test_the_stream_ends_when_its_client_leaves(table: LiveTable) -> None:
    left = [False]
    events = stream.event_stream(table, lambda: left[0])
    next(events), next(events)
    left[0] = True
    assert list(events) == []


def test_the_stream_ends_when_the_table_stops(table: LiveTable) -> None:
    events = stream.event_stream(table, never)
    next(events), next(events)
    table.stop()
    assert list(events) == []


def test_the_answer_is_an_event_stream_that_nobody_caches(table: LiveTable) -> None:
    with create_app(table).test_client().get("/events") as answer:
        assert answer.status_code == 200
        assert answer.mimetype == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Accel-Buffering"] == "no"


def test_too_many_streams_are_refused_until_one_ends(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_STREAMS", 2)
    client = create_app(table).test_client()
    first, second = client.get("/events"), client.get("/events")
    refused = client.get("/events")
    assert refused.status_code == 503
    assert "Too many pages" in refused.text
    first.close()
    third = client.get("/events")
    assert third.status_code == 200
    second.close()
    third.close()


def test_asking_for_the_head_only_takes_no_stream(
    table: LiveTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "MAX_STREAMS", 1)
    client = create_app(table).test_client()
    for _ in range(3):
        assert client.head("/events").status_code == 200
    with client.get("/events") as answer:
        assert answer.status_code == 200
