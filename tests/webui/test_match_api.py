"""Playing by hand through the API: actions, corrections, undo, breaks; and what is refused, in a sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.bots import greedy_bot
from engine.journal_archive import info
from engine.journal_file import SUFFIX
from engine.match import Match
from tests.webui.companions import PLAYERS, Client, by_hand, client_of
from vision.sources import open_source
from webui.companion import Companion


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    _, made = by_hand(tmp_path / "matches")
    yield made
    made.close()


@pytest.fixture
def client(companion: Companion) -> Client:
    return client_of(companion)


BIG_ROLLS = ("rolled 1 2 3 4 5 6 6 6", "rolled 1 1 2 2 3 4 5 3")
"""54 with a straight, and 21: red begins."""


def open_match(client: Client) -> None:
    client.begin()
    client.play(*BIG_ROLLS)


def play_a_round(client: Client, seed: int) -> Match:
    """Post what bots play until the round is over; the match as the engine alone plays it."""
    rng = random.Random(seed)
    state = client.match()
    colours = tuple(each["colour"] for each in state["players"])
    match = Match.start(colours=colours)
    while not match.rounds:
        here = match.position
        action = here.throw(rng) if here.is_chance else greedy_bot(here, rng)
        client.play(str(action))
        match = match.apply(action)
    return match


def test_a_whole_round_is_played_by_hand_and_kept(client: Client, companion: Companion) -> None:
    name = client.begin()
    match = play_a_round(client, 5)
    state = client.match()
    assert state["match"]["round"] == 2
    assert [each["total"] for each in state["scores"]] == list(match.totals)
    assert state["last_round"]["scores"] == match.rounds[0].to_json()["scores"]
    assert state["prompt"]["key"] == "prompt.big-roll"
    assert state["id"] == name
    client.post("/match/leave")
    assert client.match() is None
    found = info(companion.room.shelf.folder / f"{name}{SUFFIX}")
    assert (found.rounds, found.totals) == (1, match.totals)


def test_three_players_begin_by_hand(client: Client) -> None:
    client.begin([{"colour": colour} for colour in ("red", "blue", "green")])
    client.play(*BIG_ROLLS, "rolled 1 1 2 2 3 4 5 5")
    assert client.match()["turn_order"] == ["red", "green", "blue"]
    client.play("boundary low", "rolled 3")
    # Rule 4:3.B: the first die on an open row is placed at its center.
    placed = [each for each in client.match()["legal"] if each["kind"] == "place"]
    assert {each["side"] for each in placed} == {"center"}
    client.play("place 6 center")
    assert client.match()["board"]["lawn"][5]["places"] == [None, "red", None]


def test_every_legal_action_that_is_told_is_taken_and_what_it_causes_is_told_before(
    client: Client,
) -> None:
    open_match(client)
    rng = random.Random(2)
    seen: set[str] = set()
    for _ in range(60):
        state = client.match()
        legal = state["legal"]
        if legal[0]["kind"] == "roll":
            dice = legal[0]["needs"]["dice"]
            client.play("rolled " + " ".join(str(rng.randint(1, 6)) for _ in range(dice)))
            continue
        chosen = rng.choice(legal)
        client.play(chosen["action"])
        after = client.match()
        if chosen["kind"] == "place":
            effect = chosen["effect"]
            row = after["board"]["lawn"][chosen["row"] - 1]
            assert row["places"] == effect["row_after"]
            assert (row["locked"] is not None) == (effect["locks"] is not None)
            if effect["captured"]:
                seen.add("capture")
                assert effect["captured"] in after["board"]["captured"][chosen["by"]]
            if effect["pushed"] not in (None, "white"):
                seen.add("push")
                assert after["board"]["air"]["owner"] == effect["pushed"]
    assert seen == {"capture", "push"}


def test_the_chances_of_each_edge_are_told_when_one_is_to_be_chosen(client: Client) -> None:
    open_match(client)
    state = client.match()
    assert [each["edge"] for each in state["chances"]] == ["low", "high"]
    low, high = state["chances"]
    assert (low["dice"], high["dice"]) == (1, 3)
    for each in state["chances"]:
        assert sum(each["low"].values()) == pytest.approx(1, abs=1e-4)
        assert each["blocked"] == 0
    # Nothing lies on the flanks yet, so nothing can be pushed, captured or locked.
    assert low["pushes"] == low["captures"] == low["locks"] == 0
    # Of the row 2 3 4 5 6 6 6 and one new die, the low edge is a 1 when a 1 is thrown.
    assert low["low"]["1"] == pytest.approx(1 / 6, abs=1e-4)
    assert low["high"]["6"] == 1


def test_a_big_roll_with_several_bonuses_asks_which_and_shows_their_dice(client: Client) -> None:
    client.begin()
    client.play("rolled 2 2 2 2 2 2 6 6", "rolled 1 1 2 2 3 4 5 3")
    roll = client.match()["big_rolls"][0]
    assert roll["base"] == 24
    # Rule 3:2.D: fully matched 24 and six of a kind 12 both qualify.
    assert [(each["category"], each["points"]) for each in roll["bonuses"]] == [
        ("fully matched", 24),
        ("six of a kind", 12),
    ]
    assert [roll["faces"][at] for at in roll["bonuses"][1]["dice"]] == [2] * 6
    assert (roll["open"], roll["elected"]) == (True, None)
    assert (
        client.post("/match/elect", {"by": "red", "category": "six of a kind"}).status_code == 200
    )
    roll = client.match()["big_rolls"][0]
    assert (roll["open"], roll["elected"], roll["total"]) == (False, "six of a kind", 36)


def test_a_tie_is_told_and_rolled_again(client: Client) -> None:
    client.begin()
    client.play("rolled 1 1 2 2 3 4 5 3", "rolled 1 1 2 2 3 4 5 3")
    state = client.match()
    assert state["prompt"]["key"] == "prompt.tie-break"  # rule 3:4.B
    client.play("rolled 1 2 3 4 5 6 6 6", "rolled 1 1 1 2 2 3 4 5")
    state = client.match()
    assert state["turn_order"] == ["red", "blue"]
    assert state["big_rolls"][0]["tie_break"] == [1, 2, 3, 4, 5, 6, 6, 6]
    assert [each["total"] for each in state["big_rolls"]] == [21, 21]


def test_what_the_rules_refuse_is_said_with_the_rule(client: Client) -> None:
    open_match(client)
    client.play("boundary low", "rolled 3")
    answer = client.post("/match/actions", {"action": "place 4 center"})
    assert answer.status_code == 409
    assert answer.json is not None
    assert [each["rule"] for each in answer.json["reasons"]] == ["4:2.A", "4:3.C"]
    assert answer.json["error"].startswith("The 4 is an inner die; ")
    by = client.post("/match/actions", {"action": "place 6 left", "by": "blue"})
    assert by.status_code == 409
    assert "turn" in (by.json or {})["error"]


def test_actions_that_come_together_are_taken_all_or_none(client: Client) -> None:
    open_match(client)
    before = client.match()
    refused = client.post(
        "/match/actions", {"actions": ["boundary low", "rolled 3", "place 1 left"]}
    )
    assert refused.status_code == 409
    assert client.match()["line"] == before["line"]


@pytest.mark.parametrize(
    ("path", "sent", "status", "says"),
    [
        ("/match/actions", {"action": "jump"}, 400, "is no action"),
        ("/match/actions", {"action": "rolled 7"}, 400, "from 1 to 6"),
        ("/match/actions", {}, 400, "Give one action"),
        ("/match/actions", {"action": 5}, 400, "action: "),
        ("/match/actions", {"action": "boundary low", "extra": 1}, 400, "extra: "),
        ("/match/actions", [], 400, "Give a JSON object here."),
        ("/match/dice/3", {"face": 2}, 409, "not on the table any more"),
        ("/match/dice/x", {"face": 2}, 409, "not on the table any more"),
        ("/match/dice", {"face": 9, "owner": 0, "place": {"row": 1, "side": "left"}}, 400, "1 to 6"),
        ("/match/dice", {"face": 2, "owner": 0, "place": {"row": 9}}, 400, "row 1 to 6"),
        ("/match/turns/999", {"do": "remove"}, 409, "no such turn"),
        ("/match/turns/1", {"do": "dance"}, 400, "do: "),
        ("/match/answer", {"guess": 0}, 409, "not open any more"),
        ("/match/elect", {"by": "red", "category": "fully matched"}, 409, ""),
        ("/match/accept", {}, 409, "No camera has seen the table yet"),
        ("/match/redo", {}, 409, "nothing to redo"),
        ("/match/note", {"text": " "}, 409, "needs words"),
        ("/matches", {"players": [{"colour": "red"}, {"colour": "blue"}]}, 409, "leave it first"),
        ("/matches/nothing/resume", {}, 409, "leave it first"),
    ],
)  # fmt: skip
def test_every_refusal_is_one_sentence(
    client: Client, path: str, sent: Any, status: int, says: str
) -> None:
    open_match(client)
    before = client.match()["line"]
    answer = client.post(path, sent)
    assert answer.status_code == status, answer.text
    error = (answer.json or {})["error"]
    assert says in error
    assert error[0] == error[0].upper() or error[0] == "'" or ":" in error
    assert error.endswith(".")
    assert "\n" not in error
    assert client.match()["line"] == before


@pytest.mark.parametrize("path", ["/match/actions", "/corners", "/join", "/matches"])
@pytest.mark.parametrize("text", ["[" * 50_000, '{"a":' * 10_000, "{", "NaN", "null"])
def test_json_that_is_no_object_is_refused_in_a_sentence(
    client: Client, path: str, text: str
) -> None:
    answer = client.client.post(
        f"/api/v1{path}",
        data=text,
        content_type="application/json",
        headers={"X-Lawn": "1", "X-CSRF-Token": client.state()["you"]["csrf"]},
    )
    assert answer.status_code == 400, answer.text
    assert (answer.json or {})["error"].endswith(".")


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"players": [{"colour": "red"}]}, "players: "),
        ({"players": [{"colour": "red"}, {"colour": "red"}]}, "different colours"),
        ({"players": [{"colour": "red"}, {"colour": "white"}]}, "white"),
        ({"players": [{"colour": "red"}, {"colour": "beige"}]}, "no colour of dice"),
        ({"players": [{"colour": "red"}, {"colour": "blue"}], "threshold": 0}, "from 1 to"),
        ({"players": [{"colour": "red"}, {"colour": "blue"}], "threshold": "9"}, "threshold: "),
        ({"players": [{"colour": "red"}, {"colour": "blue"}], "options": {"x": "y"}}, "no option"),
        (
            {"players": [{"colour": "red", "name": "a" * 41}, {"colour": "blue"}]},
            "players.0.name: ",
        ),
    ],
)
def test_a_match_that_cannot_be_is_refused_and_none_is_begun(
    client: Client, companion: Companion, sent: Any, says: str
) -> None:
    answer = client.post("/matches", sent)
    assert answer.status_code == 400
    assert says in (answer.json or {})["error"]
    assert client.match() is None
    folder = companion.room.shelf.folder
    assert not folder.exists() or not list(folder.iterdir())


def test_without_a_match_nothing_can_be_played(client: Client) -> None:
    answer = client.post("/match/actions", {"action": "boundary low"})
    assert answer.status_code == 409
    assert answer.json == {"error": "No match is being played; begin one, or go on with one."}
    assert client.get("/match/turns").status_code == 409


def test_a_step_is_undone_and_made_again(client: Client) -> None:
    open_match(client)
    client.play("boundary low")
    client.play("rolled 3")
    rolled = client.match()
    assert rolled["undo"] == "Anna: dice show 3"
    client.post("/match/undo")
    assert client.match()["board"]["air"] == {"dice": 1, "edge": "low", "owner": "red"}
    client.post("/match/redo")
    assert client.match()["line"] == rolled["line"]


def test_a_past_turn_is_corrected_taken_out_and_put_in(client: Client) -> None:
    open_match(client)
    client.play("boundary low", "rolled 3", "place 6 left")
    client.play("boundary low", "rolled 2 2", "place 5 left")
    turn = client.match()["turns"][-2]
    assert turn["by"] == "red"
    changed = client.post(
        f"/match/turns/{turn['id']}",
        {"do": "replace", "actions": ["boundary low", "rolled 3", "place 6 right"]},
    )
    assert changed.status_code == 200, changed.text
    state = client.match()
    assert state["board"]["lawn"][5]["places"] == [None, "white", "red"]
    assert state["board"]["lawn"][4]["places"] == ["blue", "white", None]
    refused = client.post(
        f"/match/turns/{turn['id']}", {"do": "replace", "actions": ["place 1 left"]}
    )
    assert refused.status_code == 409
    last = state["turns"][-1]["id"]
    client.post(f"/match/turns/{last}", {"do": "remove"})
    assert client.match()["board"]["lawn"][4]["places"] == [None, "white", None]
    put = client.post(
        f"/match/turns/{turn['id']}",
        {"do": "add-after", "actions": ["boundary low", "rolled 2 2", "place 5 right"]},
    )
    assert put.status_code == 200, put.text
    assert client.match()["board"]["lawn"][4]["places"] == [None, "white", "blue"]


def test_only_turns_of_play_are_numbered(client: Client) -> None:
    open_match(client)
    client.play("boundary low", "rolled 4", "place 2 left")
    numbers = [turn["number"] for turn in client.match()["turns"]]
    assert numbers[:2] == [None, None], "Big Rolls"
    assert [number for number in numbers if number] == [1]
    told = client.get("/match/turns").get_json()["turns"]
    assert [turn["number"] for turn in told] == numbers


def test_a_break_is_said_and_ends(client: Client) -> None:
    open_match(client)
    client.post("/match/pause")
    state = client.match()
    assert (state["paused"], state["prompt"]["key"]) == (True, "prompt.paused")
    client.post("/match/go-on")
    assert client.match()["paused"] is False
    client.post("/match/note", {"text": "Tea  break"})
    assert client.match()["remarks"][-1]["text"] == "Tea break"


def test_an_unfinished_match_is_offered_and_gone_on_with(client: Client) -> None:
    name = client.begin()
    client.play(*BIG_ROLLS)
    line = client.match()["line"]
    assert client.state()["offer"] == []
    client.post("/match/leave")
    (offer,) = client.state()["offer"]
    assert (offer["id"], offer["players"][0]["name"]) == (name, "Anna")
    for strange in ("nothing", "..%2F..%2Fetc", "%2e%2e", name + SUFFIX):
        assert client.post(f"/matches/{strange}/resume").status_code in (404, 405)
    assert client.post(f"/matches/{name}/resume").json == {"id": name}
    assert client.match()["line"] == line
    assert client.post(f"/matches/{name}/resume").json == {"id": name}, "it is being played already"


def test_a_match_that_is_played_elsewhere_is_refused_in_a_sentence(
    client: Client, companion: Companion
) -> None:
    name = client.begin()
    other = by_hand(companion.room.shelf.folder)[1]
    refused = client_of(other).post(f"/matches/{name}/resume")
    assert refused.status_code == 409
    assert (refused.json or {})["error"].endswith(".")
    assert not other.room.is_playing
    client.play(*BIG_ROLLS)
    # The other page does not offer it as if it could be gone on with, until it is left.
    assert [(each["id"], each["elsewhere"]) for each in client_of(other).state()["offer"]] == [
        (name, True)
    ]
    client.post("/match/leave")
    other.room._offered_at = 0.0
    assert [each["elsewhere"] for each in client_of(other).state()["offer"]] == [False]
    assert client_of(other).post(f"/matches/{name}/resume").status_code == 200


def test_a_damaged_journal_is_mended_when_it_is_gone_on_with(
    client: Client, companion: Companion
) -> None:
    name = client.begin()
    client.play(*BIG_ROLLS)
    client.post("/match/note", {"text": "unmistakable"})
    line = client.match()["line"]
    client.post("/match/leave")
    path = companion.room.shelf.folder / f"{name}{SUFFIX}"
    path.write_bytes(path.read_bytes().replace(b"unmistakable", b"unmistakeable"[:12]))
    assert client.post(f"/matches/{name}/resume").status_code == 200
    state = client.match()
    assert "was damaged" in state["said"]
    assert state["line"] == line
    assert "unmistak" not in str(state["remarks"])


def test_a_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    made = by_hand(tmp_path / "file" / "matches")[1]
    answer = client_of(made).post("/matches", {"players": PLAYERS})
    assert answer.status_code == 409
    assert "choose another folder with --matches" in (answer.json or {})["error"]


def test_a_camera_may_be_chosen_with_the_match(client: Client, companion: Companion) -> None:
    refused = client.post("/matches", {"players": PLAYERS, "camera": "5"})
    assert (refused.status_code, client.match()) == (409, None)
    assert client.post("/matches", {"players": PLAYERS, "camera": "none"}).status_code == 201
    assert companion.chosen.spec == "none"


@pytest.mark.parametrize(
    ("spec", "status"),
    [
        *(("/etc/passwd", 400), ("table.mp4", 400), ("~", 400), ("12345", 404), ("9" * 150, 404)),
        *(("rtsp://[", 409), ("http://[::1", 409)),
    ],
)
def test_what_is_no_camera_is_refused_with_the_match_and_alone(
    client: Client, companion: Companion, spec: str, status: int
) -> None:
    companion.opener.open_live = lambda spec: open_source(spec, patient=True)
    for path, said in (
        ("/matches", {"players": PLAYERS, "camera": spec}),
        ("/camera", {"spec": spec}),
    ):
        refused = client.post(path, said)
        assert refused.status_code == status, refused.json
        assert (refused.json or {})["error"]
    assert (companion.chosen.spec, client.match()) == ("none", None)


def test_a_hint_rates_every_choice(client: Client) -> None:
    open_match(client)
    advice = (client.get("/match/hint").json or {})["advice"]
    assert {each["action"] for each in advice} == {"boundary low", "boundary high"}
    client.play("boundary low")
    assert client.get("/match/hint").json == {"advice": []}, "dice are in the air"


def test_the_rulings_and_colours_to_choose_from_are_told(client: Client) -> None:
    told = client.get("/rulings").json or {}
    assert [each["number"] for each in told["rulings"]] == [f"R{n}" for n in range(1, 11)]
    assert "white" not in told["colours"]
    assert told["threshold"]["standard"] == 500
    by_option = {each["option"]: each for each in told["rulings"]}
    assert by_option["own-push"]["default"] == "reroll"
    client.begin(options={"own-push": "keep-face"}, threshold=150)
    assert client.match()["options"]["own-push"] == "keep-face"
    assert client.match()["threshold"] == 150
