"""The archive: all matches with search, one match with its turns and pictures, and its exports."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, send_file

from engine.errors import LawnError
from engine.game_log import GameLog
from engine.journal_archive import MatchInfo, open_points, record_of
from engine.journal_shelf import Opened, Shelf, Shelved
from engine.match_table import score_csv
from engine.record_writer import line_of
from webui.catalogue import Speaker, speaker
from webui.said import Voice
from webui.score_sheet import score_sheet
from webui.turn_numbers import turn_numbers
from webui.turn_words import turn_words

NOT_HERE = "There is no such match in the archive."
NO_PICTURE = "There is no such picture in this match."


@dataclass(frozen=True)
class Player:
    """A player as the pages show one. label: the name, or the colour of who has none."""

    seat: int
    colour: str
    label: str
    total: int
    won: bool


def archive_routes(shelf: Shelf) -> Blueprint:
    """GET /archive and /match/<id>, their JSON below /api/v1/matches, and the exports of a match.

    An id is only ever compared with the names that are listed in the folder.
    """
    routes = Blueprint("archive", __name__)

    @routes.get("/archive")
    def page() -> str:
        says = speaker()
        matches = shelf.matches()
        return render_template(
            "archive.html",
            matches=[_listed(says, each) for each in matches if not each.info.problem],
            problems=[each for each in matches if each.info.problem],
            set_aside=shelf.set_aside(),
        )

    @routes.get("/match/<match>")
    def one(match: str) -> str:
        says, opened = speaker(), _opened(shelf, match)
        return render_template("match.html", **_told(says, opened))

    @routes.get("/api/v1/matches")
    def listed() -> Response:
        return jsonify(
            matches=[each.to_json() for each in shelf.matches()], set_aside=list(shelf.set_aside())
        )

    @routes.get("/api/v1/matches/<match>")
    def told(match: str) -> Response:
        opened = _opened(shelf, match)
        log = opened.log
        return jsonify(
            id=opened.id,
            **opened.info.to_json(),
            match=log.game.match.to_json(),
            score_sheets=[each.to_json() for each in log.game.match.rounds],
            history=turns_of(log),
            remarks=[{"at_s": each.at_s, "text": each.text} for each in log.remarks],
        )

    @routes.get("/api/v1/matches/<match>/pictures/<int:number>.jpg")
    def picture(match: str, number: int) -> Response:
        jpeg = shelf.picture(match, number) if number < 1 << 31 else None
        if jpeg is None:
            abort(404, NO_PICTURE)
        return Response(jpeg, mimetype="image/jpeg")

    @routes.get("/api/v1/matches/<match>/record")
    def record(match: str) -> Response:
        opened = _opened(shelf, match)
        text = record_of(opened.log).to_string()
        return _file(text.encode(), "text/plain", f"{opened.id}.lawn")

    @routes.get("/api/v1/matches/<match>/csv")
    def table(match: str) -> Response:
        opened = _opened(shelf, match)
        text = score_csv(
            opened.log.game.match,
            name=opened.id,
            names=opened.log.started.names,
            began_s=opened.info.began_s,
        )
        return _file(text.encode("utf-8-sig"), "text/csv", f"{opened.id}.csv")

    @routes.get("/api/v1/matches/<match>/score-sheet.pdf")
    def sheet(match: str) -> Response:
        says, opened = speaker(), _opened(shelf, match)
        labels = [player.label for player in players_of(says, opened.info)]
        data = score_sheet(says, opened.log.game.match, labels, opened.info.began_s)
        return _file(data, "application/pdf", f"{opened.id}.pdf")

    return routes


def _file(data: bytes, mimetype: str, name: str) -> Response:
    return send_file(io.BytesIO(data), mimetype, as_attachment=True, download_name=name)


def _opened(shelf: Shelf, match: str) -> Opened:
    try:
        opened = shelf.open(match)
    except LawnError as error:
        abort(409, str(error))
    if opened is None:
        abort(404, NOT_HERE)
    return opened


def players_of(says: Speaker, info: MatchInfo) -> list[Player]:
    """The players of a match in seat order."""
    return [
        Player(
            seat, colour, name or capital(colour_word(says, colour)), total, colour in info.winners
        )
        for seat, (colour, name, total) in enumerate(
            zip(info.colours, info.names, info.totals, strict=True)
        )
    ]


def colour_word(says: Speaker, colour: str) -> str:
    key = f"colour.{colour}"
    return says.t(key) if says.has(key) else colour


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(says: Speaker, shelved: Shelved) -> dict[str, Any]:
    """A match as a line of the archive, with the words that the search looks through."""
    info = shelved.info
    players = players_of(says, info)
    outcome = outcome_of(says, info, players)
    began = datetime.fromtimestamp(info.began_s)
    words = [
        *(player.label for player in players),
        *(word for player in players for word in (player.colour, colour_word(says, player.colour))),
        says.day(info.began_s),
        f"{began:%Y-%m-%d %d.%m.%Y}",
        outcome,
        shelved.id,
    ]
    return {
        "id": shelved.id,
        "info": info,
        "players": players,
        "outcome": outcome,
        "iso": f"{began:%Y-%m-%d}",
        "words": " ".join(words).casefold(),
    }


def outcome_of(says: Speaker, info: MatchInfo, players: Sequence[Player]) -> str:
    """Who won, or how far it is, in a sentence without its full stop."""
    winners = [player.label for player in players if player.won]
    if len(winners) == 1:
        return says.t("archive.won", name=winners[0])
    if winners:
        *first, last = winners
        names = says.t("live.and", first=", ".join(first), last=last)
        return says.t("archive.shared", names=names)
    return says.t("archive.unfinished", round=info.rounds + 1)


def _told(says: Speaker, opened: Opened) -> dict[str, Any]:
    """Everything that the page of one match shows."""
    log, info = opened.log, opened.info
    match = log.game.match
    players = players_of(says, info)
    voice = Voice.of(says, {player.colour: player.label for player in players})
    seats = {player.colour: player.seat for player in players}
    turns = []
    for turn in turns_of(log):
        ruling = turn["source"] == "ruling"
        by = turn["by"]
        words = (
            (voice.said(turn["text"]),)
            if ruling or by is None
            else turn_words(voice, turn["text"], by)
        )
        turns.append(
            {
                "words": words,
                "ruling": ruling,
                "player": players[seats[by]] if by in seats else None,
                "misfit": voice.said(turn["misfit"]),
                **{key: turn[key] for key in ("number", "round", "source", "picture")},
            }
        )
    return {
        "id": opened.id,
        "info": info,
        "players": players,
        "match": match,
        "outcome": outcome_of(says, info, players),
        "turns": _by_round(turns),
        "remarks": [(each.at_s, voice.said(each.text)) for each in log.remarks],
        "open": [voice.said(f"{point}.") for point in open_points(log)],
        "changed": match.options.changed(),
        "running": None if match.is_between_rounds else match.position.scores(),
    }


def turns_of(log: GameLog) -> list[dict[str, Any]]:
    """Every turn, oldest first: number (see turn_numbers), round, by (a colour or None), text (the line of the
    record, or a ruling's sentence), source, misfit (why it does not fit any more, or ""), picture (number or None)."""
    turns = []
    numbers = turn_numbers(log.game)
    for at, turn in enumerate(log.game.turns):
        match = log.game.match_before(at)
        if turn.ruling is not None:
            text = turn.ruling.sentence
        else:
            try:
                text = line_of(match.position, turn.entries)
            except LawnError:
                text = ", ".join(str(entry) for entry in turn.entries)
        turns.append(
            {
                "number": numbers[at],
                "round": len(match.rounds) + 1,
                "by": turn.entries[0].by if turn.entries else None,
                "text": text,
                "source": turn.source,
                "misfit": turn.misfit,
                "picture": turn.picture,
            }
        )
    return turns


def _by_round(turns: list[dict[str, Any]]) -> list[tuple[int, list[dict[str, Any]]]]:
    rounds: dict[int, list[dict[str, Any]]] = {}
    for turn in turns:
        rounds.setdefault(turn["round"], []).append(turn)
    return list(rounds.items())
