"""The match in the words of one language, players by their names: what of `match_json` is said rather than counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from webui.action_words import action_words
from webui.catalogue import Speaker
from webui.folders import without_folders
from webui.said import Voice, set_apart
from webui.turn_words import turn_words

Json = dict[str, Any]


def in_words(match: Json, says: Speaker) -> Json:
    """The object MATCH as a page of that language gets it.

    Said anew are every sentence of the referee and of the journal, names of players who gave none, prompt.text (what
    happened, at an infringement), undo and redo; added are `says` of an infringement: its sentence without the rule's
    number, `words` of every turn, `notes` of legal placements, `opening`: who of the Big Rolls plays when, ties, or who
    elects (3:4), and `seems`: what seems to have been done and is not final, newest first: [{by, words}].
    """
    given = {each["colour"]: each["name"] for each in match["match"]["players"]}
    voice = Voice.of(says, given)
    called = _called(voice, given)
    return {
        **match,
        "players": [{**each, "name": called[each["colour"]]} for each in match["players"]],
        "scores": [{**each, "name": called[each["colour"]]} for each in match["scores"]],
        "turns": [turn_in_words(each, voice) for each in match["turns"]],
        "seems": _seems(match["provisional"]["actions"], voice, called) if match["ahead"] else [],
        "prompt": _prompt(match, voice, called),
        "opening": _opening(match, voice, called),
        "legal": [_choice(each, match, voice, called) for each in match["legal"]],
        "question": _question(match["question"], voice),
        "heard": [{**each, "text": voice.said(each["text"])} for each in match["heard"]],
        "note": match["note"] and {**match["note"], "text": voice.said(match["note"]["text"])},
        "remarks": [{**each, "text": voice.said(each["text"])} for each in match["remarks"]],
        "undo": _step(match["undo"], voice),
        "redo": _step(match["redo"], voice),
        "problem": voice.said(without_folders(match["problem"])),
        "said": voice.said(match["said"]),
    }


def turn_in_words(turn: Json, voice: Voice) -> Json:
    """A turn with `words`, clause by clause, and with its misfit said."""
    if turn["by"] and turn["source"] != "ruling":
        words = turn_words(voice, turn["text"], turn["by"])
    else:
        words = (voice.said(turn["text"]),)
    return {**turn, "words": list(words), "misfit": voice.said(turn["misfit"])}


def _called(voice: Voice, given: Mapping[str, str]) -> dict[str, str]:
    """How players are called by colour: by name, else by their colour as a word that begins a sentence."""
    return {
        colour: set_apart(name) or voice.colour(colour, capital=True)
        for colour, name in given.items()
    }


def _seems(actions: Iterable[Json], voice: Voice, called: Mapping[str, str]) -> list[Json]:
    lines: list[Json] = []
    edge = ""
    for each in actions:
        if not lines or each["by"] != lines[0]["by"] or each["action"] == "boundary":
            lines.insert(0, {"by": each["by"], "words": []})
        words, t = lines[0]["words"], voice.says.t
        faces = "".join(map(str, each.get("faces", ())))
        if each["action"] == "boundary":
            edge = each["edge"]
        elif each["action"] == "place":
            words.append(t(f"live.past-{each['side']}", face=each["face"]))
        elif each["action"] == "claim":
            words.append(t(f"bonus.{each['category']}"))
        elif len(faces) == 8 and not words and not edge:
            words.append(t("live.past-big-roll", faces=faces))
        elif edge and not words:
            words.append(t(f"live.past-{edge}", **{"from": "…"}, to=faces))
        else:
            words.append(f"→ {faces}")
    return [{**line, "name": called[line["by"]]} for line in lines]


def _prompt(match: Json, voice: Voice, called: Mapping[str, str]) -> Json:
    prompt, args = match["prompt"], match["prompt"]["args"]
    key = prompt["key"].removeprefix("prompt.")
    if key == "infringement":
        verdict = match["question"]["verdict"]
        return {**prompt, "text": voice.headline(verdict["sentence"], verdict["rule"])}
    words = {"name": called.get(prompt["by"], ""), "count": args.get("dice", 0)}
    if key == "won":
        winners = [called[each] for each in args["winners"]]
        words |= {"name": voice.listed(winners), "count": len(winners)}
    elif key == "re-entry":
        words["owner"] = called[args["owner"]]
        key += "-own" if args["owner"] == prompt["by"] else ""
    return {**prompt, "text": voice.says.t(f"live.prompt-{key}", **words)}


def _opening(match: Json, voice: Voice, called: Mapping[str, str]) -> str:
    t, board, rolls = voice.says.t, match["board"], match["big_rolls"]
    if board["phase"] == "tie-break":
        totals = [each["total"] for each in rolls]
        tied = [called[each["colour"]] for each in rolls if totals.count(each["total"]) > 1]
        return t("live.tie", names=voice.listed(tied), name=called[board["turn"]])
    if board["phase"] == "bonus-choice":
        return t("live.elect", name=called[board["turn"]])
    if match["turn_order"]:
        return t("live.order", names=voice.listed([called[each] for each in match["turn_order"]]))
    return ""


def _choice(choice: Json, match: Json, voice: Voice, called: Mapping[str, str]) -> Json:
    t, kind = voice.says.t, choice["kind"]
    if kind == "boundary":
        row = match["board"]["rows"][choice["by"]]
        edge = "all" if row[0] == row[-1] else choice["edge"]
        label = t(f"live.roll-{edge}", face=choice["face"], count=len(choice["dice"]))
        return {**choice, "label": label}
    if kind == "claim":
        return {**choice, "label": t(f"bonus.{choice['category']}")}
    if kind == "roll":
        return {**choice, "label": _prompt(match, voice, called)["text"]}
    effect, face = choice["effect"], choice["face"]
    notes = []
    if effect["captured"] is not None:
        notes.append({"kind": "capture", "text": t("live.captures", face=face)})
    elif effect["own"]:
        notes.append({"kind": "push", "text": t("live.pushes-own")})
    elif effect["pushed"] is not None:
        notes.append({"kind": "push", "text": t("live.pushes", name=called[effect["pushed"]])})
    if effect["locks"] is not None:
        notes.append({"kind": "lock", "text": t("live.locks", face=face, points=3 * face)})
    sentences = [voice.said(each) for each in effect["sentences"]]
    label = t(f"live.place-{choice['side']}", face=face)
    return {**choice, "label": label, "notes": notes, "effect": {**effect, "sentences": sentences}}


def _question(question: Json | None, voice: Voice) -> Json | None:
    if question is None:
        return None
    verdict = dict(question["verdict"])
    if "rule" in verdict:
        verdict["says"] = voice.without_rule(verdict["sentence"], verdict["rule"])
    for name in ("sentence", "mend"):
        if name in verdict:
            verdict[name] = voice.said(verdict[name])
    if "guesses" in verdict:
        verdict["guesses"] = [
            {**each, "sentence": voice.said(each["sentence"])} for each in verdict["guesses"]
        ]
    if "differences" in verdict:
        verdict["differences"] = [
            {**each, "expected": voice.die(each["expected"]), "seen": voice.die(each["seen"])}
            for each in verdict["differences"]
        ]
    return {**question, "verdict": verdict}


def _step(text: str, voice: Voice) -> str:
    """A step as the undo button names it: "red: boundary low, rolled 3" in words."""
    who, of_a_player, actions = text.partition(": ")
    if not of_a_player or " " in who:
        return voice.said(text)
    words = (action_words(voice.says, each) for each in actions.split(", "))
    return f"{voice.word(who, named=True)}: {', '.join(words)}"
