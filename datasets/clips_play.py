"""Playing a match on the table of a clip: Big Rolls, turns, pushes, captures, and picking up between rounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from datasets.clips_cheats import commit, moment_of
from datasets.clips_gesture import Gesture
from datasets.clips_motion import Act, Body, Key
from datasets.clips_story import NEUTRAL_NUMBER, Still, Story, owner_of
from datasets.clips_table import Die
from engine.actions import SIDES, BoundaryRoll, Place, Rolled
from engine.lawn import EMPTY, NEUTRAL, placements
from engine.match import Match
from engine.position import Position

IN_A_TURN = ("boundary-roll", "grind-roll", "placement", "re-entry")


@dataclass(frozen=True)
class Happening:
    """Something that is no play: a cheat, a bump of the camera, a head, a resting hand.

    turn: before which turn (1 is the clip's first) it comes; a cheat may have to wait for a later one that allows it.
    """

    what: str
    turn: int
    kind: str = ""


class Player:
    """Plays the log of a match into a story. from_turn: the first that is shown; 1 shows the Big Rolls too."""

    def __init__(
        self, story: Story, happenings: tuple[Happening, ...] = (), from_turn: int = 1
    ) -> None:
        self.story = story
        self.due = list(happenings)
        self.from_turn = from_turn
        self.bumps: list[tuple[float, float]] = []
        self.turn: dict[str, Any] | None = None
        self.turns = 0
        self.unfinished: Gesture | None = None

    def tell(self, match: Match) -> None:
        """The whole match, from an empty table to a table at rest."""
        story = self.story
        start = Position.start(colours=match.colours, options=match.options)
        logs = [each.log for each in match.rounds]
        if not match.is_between_rounds:
            logs.append(match.current)
        for index, log in enumerate(logs):
            self._set_up(start, index > 0)
            position = start
            for entry in log:
                position = self._step(position, entry.action)
            if position.is_over:
                scores = {
                    colour: score.to_json()
                    for colour, score in zip(position.colours, position.scores(), strict=True)
                }
                story.event("round_over", story.now, scores=scores, end=position.end_reason)
                story.hold("round over", 2.5)
                self._cheat("end", position)
        if match.is_over:
            totals = dict(zip(match.colours, match.totals, strict=True))
            story.event("match_over", story.now, totals=totals)
        story.hold("end", 1.0)

    # --- before and between rounds --------------------------------------------------------

    def _set_up(self, start: Position, again: bool) -> None:
        story = self.story
        players = len(start.colours)
        if again:
            self._pick_up(players)
        story.hands = [list(range(8 * seat, 8 * seat + 8)) for seat in range(players)]
        story.rowed, story.lawn = set(), {}
        story.captured = [[] for _ in range(players)]
        story.position = start.to_string()
        if players == 2:
            for row in range(1, 7):
                number = NEUTRAL_NUMBER + row - 1
                story.lawn[row, 1] = number
                if not again:
                    story.dice[number] = story.on_lawn(number, row, 1)
            if again:
                gesture = story.gesture(0)
                for row in range(1, 7):
                    number = NEUTRAL_NUMBER + row - 1
                    gesture.bring(story.on_lawn(number, row, 1))
                story.do(gesture, "neutral dice set up", 1.0)
                return
        story.hold("set up", 1.5)

    def _pick_up(self, players: int) -> None:
        """Everybody takes the own dice from the table; the first player the neutral ones too."""
        story = self.story
        for seat in range(players):
            owners = (seat, NEUTRAL) if seat == 0 else (seat,)
            mine = [n for n in sorted(story.dice) if owner_of(n) in owners]
            gesture = story.gesture(seat)
            for number in mine:
                gesture.take(number)
            story.do(gesture, f"{story.colours[seat]} picks up the dice", 0.8)

    def _begin_here(self) -> None:
        """The clip begins now: what came before is not shown."""
        story = self.story
        story.acts.clear()
        story.stills.clear()
        story.events.clear()
        self.bumps.clear()
        story.now = 0.0
        story.hold("begin", 1.2)

    # --- what is no play ------------------------------------------------------------------

    def _cheat(self, moment: str, position: Position) -> None:
        number = max(self.turns + (moment == "turn"), 1)
        for each in [h for h in self.due if h.what == "cheat" and h.turn <= number]:
            if number < self.from_turn or moment_of(each.kind) != moment:
                continue
            if commit(self.story, each.kind, position):  # type: ignore[arg-type]
                self.due.remove(each)
                return

    def _between_turns(self, position: Position) -> None:
        if self.turns < self.from_turn:
            return
        for each in [h for h in self.due if h.what != "cheat" and h.turn == self.turns]:
            self.due.remove(each)
            if each.what == "bump":
                self._bump()
            elif each.what == "head":
                self._lean_in(position.turn)
            else:
                self._rest(position.turn)

    def _bump(self) -> None:
        """Somebody pushes the camera."""
        story = self.story
        self.bumps.append((story.now, story.now + 0.4))
        t0 = story.now
        story.now += 0.4
        story.event("camera_moved", t0)
        story.hold("camera bumped", 2.0)

    def _lean_in(self, seat: int) -> None:
        """A head comes over the table, looks, and goes."""
        story = self.story
        (hx, hy), (ox, oy) = story.homes[seat], story.mat.outward[seat]
        away = (hx + 160 * ox, hy + 160 * oy)
        mx, my = story.mat.layout.lawn.centre
        over = (mx + (hx - mx) * 0.45, my + (hy - my) * 0.45)
        stay = float(story.rng.uniform(1.2, 2.2))
        keys = (
            Key(0.0, *away, 0.0, 0.0),
            Key(0.9, *over, 0.0, 0.0),
            Key(0.9 + stay, *over, 0.0, 0.0),
            Key(1.9 + stay, *away, 0.0, 0.0),
        )
        self._linger("head", seat, keys, "a head leans in")

    def _rest(self, seat: int) -> None:
        """A hand comes to the Lawn and stays there, thinking."""
        story = self.story
        target = story.mat.centre(int(story.rng.integers(1, 7)), "center")
        target = (target[0] + float(story.rng.normal(0, 15)), target[1])
        stay = float(story.rng.uniform(1.5, 2.5))
        keys = (
            Key(0.0, *story.homes[seat], 60.0, 0.3),
            Key(0.7, *target, 22.0, 0.2),
            Key(0.7 + stay, *target, 22.0, 0.2),
            Key(1.4 + stay, *story.homes[seat], 60.0, 0.3),
        )
        self._linger("hand", seat, keys, "a hand rests")

    def _linger(self, body: Body, seat: int, keys: tuple[Key, ...], label: str) -> None:
        story = self.story
        lying = tuple(die for _, die in sorted(story.dice.items()))
        act = Act(story.now, keys[-1].t, label, seat, body, keys, (), lying)
        story.acts.append(act)
        story.stills.append(
            Still(
                story.now + keys[1].t,
                story.now + keys[2].t,
                label,
                lying,
                story.applied,
                story.position,
                story.displaced,
                story.legal,
                act,
            )
        )
        story.now += act.duration_s
        story.hold(label + " no more", 0.8)

    # --- one action -----------------------------------------------------------------------

    def _step(self, position: Position, action: Any) -> Position:
        story = self.story
        after = position.apply(action)
        if isinstance(action, BoundaryRoll):
            if self.turns + 1 == self.from_turn > 1:
                self._begin_here()
            self._cheat("turn", position)
        elif isinstance(action, Place):
            self._cheat("placement", position)
        t0 = story.now
        story.applied += 1
        story.position = after.to_string()
        if isinstance(action, BoundaryRoll):
            self._begin_turn(position, action)
        elif isinstance(action, Place):
            self._place(position, action)
        elif isinstance(action, Rolled):
            if position.phase in ("big-roll", "tie-break"):
                self._big_roll(position, action, after, t0)
            elif position.phase == "re-entry":
                self._re_enter(position, action)
            else:
                self._boundary_roll(position, action, after)
        if self.turn is not None and after.phase not in IN_A_TURN:
            self._end_turn()
        return after

    def _big_roll(self, position: Position, action: Rolled, after: Position, t0: float) -> None:
        story, seat = self.story, position.turn
        habits = story.habits[seat]
        gesture = story.gesture(seat)
        numbers = list(story.hands[seat])
        for number in numbers:
            if number in story.dice:
                gesture.take(number)
        story.rowed -= set(numbers)
        faces = [int(face) for face in story.rng.permutation(action.faces)]
        gesture.throw(story.thrown(numbers, faces, story.targets[seat]))
        colour = position.colours[seat]
        tie = position.phase == "tie-break"
        story.do(gesture, f"{colour} {'tie-break' if tie else 'big roll'}", 1.6)
        if habits.tidy:
            gesture = story.gesture(seat)
            story.put_in_row(seat, gesture)
            story.do(gesture, f"{colour} row arranged", 0.9)
        if tie:
            story.event("tie_break", t0, player=colour, faces=list(action.faces))
            return
        roll = after.opening.roll(seat)
        claimed = after.opening.bonuses[seat]
        points = next((b.points for b in roll.bonuses if b.category == claimed), 0)
        bonus = {"category": claimed, "points": points} if claimed else None
        story.event(
            "big_roll",
            t0,
            player=colour,
            faces=list(action.faces),
            base=roll.base,
            bonus=bonus,
            total=roll.base + points,
        )

    def _begin_turn(self, position: Position, action: BoundaryRoll) -> None:
        row = position.rows[position.turn]
        self.turns += 1
        self._between_turns(position)
        self.turn = {
            "t0_s": self.story.now,
            "number": self.turns,
            "player": position.turn_colour,
            "edge": row[0] if action.edge == "low" else row[-1],
            "side_rolled": action.edge,
            "rolled": [],
            "grind": [],
            "row": None,
            "side": None,
            "pushed": None,
            "reentry": None,
            "captured": None,
            "lost": False,
            "locks": None,
        }

    def _end_turn(self) -> None:
        assert self.turn is not None
        story, turn = self.story, self.turn
        t0 = turn.pop("t0_s")
        story.event("turn", t0, **turn)
        if turn["captured"] is not None:
            story.event("capture", t0, player=turn["player"], face=turn["captured"])
        if turn["locks"] is not None:
            story.event("lock", t0, player=turn["locks"], row=turn["row"])
        self.turn = None

    def _boundary_roll(self, position: Position, action: Rolled, after: Position) -> None:
        """The boundary set, or in the grind all dice left, taken up and thrown (4:1, 6:2.B)."""
        story, seat = self.story, position.turn
        assert self.turn is not None
        hand = story.hands[seat]
        grind = position.phase == "grind-roll"
        edge = self.turn["edge"]
        numbers = [n for n in hand if grind or story.dice[n].face == edge]
        numbers.sort(key=lambda n: story.dice[n].xy)
        gesture = story.gesture(seat)
        for number in numbers:
            gesture.take(number)
        story.rowed -= set(numbers)
        faces = [int(face) for face in story.rng.permutation(action.faces)]
        gesture.throw(story.thrown(numbers, faces, story.targets[seat]))
        name = "grind roll" if grind else "boundary roll"
        if grind:
            self.turn["grind"].append(list(action.faces))
        else:
            self.turn["rolled"] = list(action.faces)
        self.turn["lost"] = position.turn_colour in position.effects(action).lost_turns
        story.do(gesture, f"{position.turn_colour} {name}", 1.0)
        habits = story.habits[seat]
        if habits.tidy and story.rng.random() < habits.resequences:
            gesture = story.gesture(seat)
            if story.put_in_row(seat, gesture):
                story.do(gesture, f"{position.turn_colour} row re-sequenced", 0.8)
        if self.turn["lost"]:
            story.hold(f"{after.turn_colour or position.turn_colour} is next", 0.8)

    def edge_die(self, seat: int, face: int) -> int:
        """The die of that face that a player would take from the row: the outermost."""
        story = self.story
        alike = [n for n in story.hands[seat] if story.dice[n].face == face]
        return max(alike, key=lambda n: (n in story.rowed, abs(story.along(seat, story.dice[n]))))

    def _place(self, position: Position, action: Place) -> None:
        story, seat = self.story, position.turn
        assert self.turn is not None
        self.turn["row"], self.turn["side"] = action.face, action.side
        effects = position.effects(action)
        self.turn["locks"] = position.turn_colour if effects.locks is not None else None
        number = self.edge_die(seat, action.face)
        story.hands[seat].remove(number)
        story.rowed.discard(number)
        row, column = action.face, SIDES.index(action.side)
        _, displaced = placements(position.lawn[row - 1], seat)[action.side]
        gesture = story.gesture(seat)
        if displaced == EMPTY:
            gesture.carry(number, story.on_lawn(number, row, column))
            story.lawn[row, column] = number
            story.do(gesture, f"{position.turn_colour} places {row}", 1.0)
            return
        off = self._push(gesture, number, row, column == 0)
        self.turn["pushed"] = "neutral" if displaced == NEUTRAL else position.colours[displaced]
        paused = story.rng.random() < story.habits[seat].pauses
        if displaced == NEUTRAL:
            self.turn["captured"] = row
            if paused:
                story.displaced = off
                story.do(gesture, f"{position.turn_colour} pushes a neutral die off row {row}", 0.7)
                story.displaced = None
                gesture = story.gesture(seat)
            spot = story.mat.captured[seat][len(story.captured[seat])].centre
            end = story.free_pose(Die(off, NEUTRAL, row, spot, story.quarter()), 0.5, 0.05)
            gesture.carry(off, end)
            story.captured[seat].append(off)
            story.do(gesture, f"{position.turn_colour} captures {row}", 1.0)
            return
        story.displaced = off
        if paused:
            story.do(gesture, f"{position.turn_colour} pushes off row {row}", 0.8)
        else:
            self.unfinished = gesture

    def _push(self, gesture: Gesture, number: int, row: int, from_left: bool) -> int:
        """Lay the die at the flank and slide the row (5:1.B); returns the number of the die that goes off."""
        story = self.story
        columns = (0, 1, 2) if from_left else (2, 1, 0)
        old = [story.lawn[row, column] for column in columns]
        step = (1.0 if from_left else -1.0) * 1.12 * story.edge_mm
        flank = story.dice[old[0]]
        beside = Die(
            number,
            owner_of(number),
            row,
            (flank.xy[0] - step, flank.xy[1]),
            flank.yaw + float(story.rng.normal(0, 0.05)),
        )
        gesture.carry(number, beside)
        off = old[2]
        moving = {number: columns[0], old[0]: columns[1], old[1]: columns[2]}
        ends = {}
        lying = {n: d for n, d in story.dice.items() if n not in (*moving, off)}
        kept, story.dice = story.dice, lying
        for each, column in moving.items():
            laid = story.on_lawn(each, row, column)
            # Any of its four sides to the front is the same footprint: the one that needs the least turning.
            quarters = round((kept[each].yaw - laid.yaw) / (math.pi / 2))
            ends[each] = replace(laid, yaw=laid.yaw + quarters * math.pi / 2)
            lying[each] = ends[each]
        ends[off] = story.near_edge(off, row, row, from_left)
        story.dice = kept
        gesture.slide(ends, number, 0.75)
        for each, column in moving.items():
            story.lawn[row, column] = each
        return off

    def _re_enter(self, position: Position, action: Rolled) -> None:
        """The pusher rolls the displaced die, its owner takes it into the own row (5:2)."""
        story, seat, owner = self.story, position.turn, position.displaced
        assert self.turn is not None
        assert story.displaced is not None
        off = story.displaced
        self.turn["reentry"] = action.faces[0]
        gesture = self.unfinished or story.gesture(seat)
        self.unfinished = None
        gesture.take(off)
        gesture.throw(story.thrown([off], action.faces, story.targets[seat]))
        story.displaced = None
        story.hands[owner].append(off)
        story.do(gesture, f"{position.turn_colour} rolls the pushed die", 0.9)
        self._cheat("re-entry", position)
        gesture = story.gesture(owner)
        colour = position.colours[owner]
        if story.habits[owner].tidy:
            story.put_in_row(owner, gesture)
        else:
            (end,) = story.thrown([off], action.faces, story.targets[owner])
            gesture.carry(off, end)
        story.do(gesture, f"{colour} takes the die back", 0.9)
