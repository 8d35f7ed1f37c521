"""Made clips: the table follows the record, nothing overlaps, and the truth fits the pixels."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from datasets.clips import Clip, ClipPlan, film_of, plan_clip, write_clip
from datasets.clips_cheats import MAKERS, legal_after_roll
from datasets.clips_film import ClipError, VideoWriter
from datasets.clips_motion import flying_at
from datasets.clips_stage import Stage
from datasets.clips_story import NEUTRAL_NUMBER
from datasets.clips_table import Die, overlap
from datasets.clips_traced import traced_plan
from datasets.compose import view_of
from datasets.render_truth import project
from engine.actions import SIDES
from engine.lawn import EMPTY, NEUTRAL
from engine.position import Position
from engine.record import Record
from engine.table import LawnPlace
from lawn import main
from vision.layout import layout_of_marker

FIXTURES = Path(__file__).parents[1] / "fixtures" / "clips"
SMALL: dict[str, Any] = {"size": (640, 360), "fps": 10, "noise": 0.0}


@pytest.fixture(scope="module", params=[(2, "ours", 4), (3, "grid", 8)], ids=["two", "three"])
def whole_round(request: pytest.FixtureRequest) -> Clip:
    players, mat, seed = request.param
    return plan_clip(ClipPlan(seed=seed, players=players, mat=mat, tidy=True))


def positions(clip: Clip) -> list[Position]:
    """The position after each number of actions of a clip's first round, by the rules alone."""
    position = Position.start(colours=clip.match.colours)
    found = [position]
    for entry in clip.match.rounds[0].log if clip.match.rounds else clip.match.current:
        position = position.apply(entry.action)
        found.append(position)
    return found


def lying(clip: Clip, dice: tuple[Die, ...]) -> tuple[list[list[int]], dict[int, Counter[int]]]:
    """Owners on the Lawn, and the faces of each owner's dice off it."""
    lawn = [[EMPTY] * 3 for _ in range(6)]
    off: dict[int, Counter[int]] = {owner: Counter() for owner in (0, 1, 2, NEUTRAL)}
    for die in dice:
        place = clip.look.mat.place_of(die.xy)
        if isinstance(place, LawnPlace):
            assert lawn[place.row - 1][SIDES.index(place.side)] == EMPTY
            assert die.face == place.row  # rule 4:3.A
            lawn[place.row - 1][SIDES.index(place.side)] = die.owner
        else:
            off[die.owner][die.face] += 1
    return lawn, off


def test_every_still_table_is_the_one_that_the_record_says(whole_round: Clip) -> None:
    by_the_rules = positions(whole_round)
    for still in whole_round.script.stills:
        position = by_the_rules[still.applied]
        assert still.position == position.to_string()
        lawn, off = lying(whole_round, still.dice)
        assert lawn == [list(row) for row in position.lawn]
        for die in still.dice:
            if die.number == still.displaced and die.owner != NEUTRAL:
                off[die.owner] -= Counter([die.face])  # pushed, not rolled yet (5:2.A)
        for seat, row in enumerate(position.rows):
            assert off[seat] == Counter(row)
        captured = Counter(face for faces in position.captured for face in faces)
        assert off[NEUTRAL] == captured  # rule 5:3.B
    assert whole_round.script.stills[-1].applied == len(by_the_rules) - 1


def test_the_events_are_the_turns_of_the_record(whole_round: Clip) -> None:
    text = Record.of(whole_round.match).to_string()
    turns = [event for event in whole_round.events if event["type"] == "turn"]
    lines = [line for line in text.splitlines() if line.lstrip()[:1].isdigit()]
    assert len(turns) == len(lines)
    for turn, line in zip(turns, lines, strict=True):
        assert f"{turn['player']} {turn['side_rolled']} {turn['edge']}" in line
        assert f"-> {''.join(map(str, turn['rolled']))}" in line
        assert (f"place {turn['row']} {turn['side']}" in line) == (not turn["lost"])
        if turn["pushed"] not in (None, "neutral"):
            assert f"push {turn['pushed']} -> {turn['reentry']}" in line
        assert ("capture" in line) == (turn["captured"] is not None)
        assert ("lock" in line) == (turn["locks"] is not None)
    rolls = [event for event in whole_round.events if event["type"] == "big_roll"]
    for roll, score in zip(rolls, whole_round.match.rounds[0].scores, strict=True):
        assert roll["total"] == score.lead  # rule 7:2.A


def test_dice_never_overlap_and_stay_in_the_picture(whole_round: Clip) -> None:
    clip = whole_round
    view = view_of(clip.camera, *clip.plan.size)
    width, height = clip.plan.size
    for still in clip.script.stills:
        for one, other in combinations(still.dice, 2):
            assert overlap(one, other, 16.0, clip.look.mat) < 0.5
        if not still.dice:
            continue  # three players begin with an empty table (1:2.D)
        points = np.array([[*clip.look.mat.to_scene(die.xy), 8.0] for die in still.dice])
        px = view.project(points)
        assert (px > 5).all()
        assert (px < [width - 5, height - 5]).all()


def test_acts_and_stills_take_turns_on_one_clock(whole_round: Clip) -> None:
    script = whole_round.script
    spans = [(act.t0_s, act.t0_s + act.duration_s) for act in script.acts]
    spans += [(still.t0_s, still.t1_s) for still in script.stills if still.during is None]
    spans.sort()
    assert spans[0][0] == 0
    assert all(a[1] <= b[0] + 1e-9 for a, b in pairwise(spans))
    assert spans[-1][1] == pytest.approx(script.duration_s)


def test_a_die_that_moves_has_no_leaps(whole_round: Clip) -> None:
    for act in whole_round.script.acts[:40]:
        seen: dict[int, tuple[float, ...]] = {}
        for step in range(int(act.duration_s * 60)):
            flying = {f.die.number: f.centre for f in flying_at(act, step / 60, 16.0)}
            for number in flying.keys() & seen.keys():
                assert np.linalg.norm(np.subtract(flying[number], seen[number])) < 60
            seen = flying


def test_the_same_plan_gives_the_same_clip_and_another_seed_another() -> None:
    plan = ClipPlan(seed=5, turns=2, mat="grid", rests=(2,), **SMALL)
    first, second = plan_clip(plan), plan_clip(plan)
    assert first.script == second.script
    assert first.events == second.events
    other = plan_clip(ClipPlan(seed=6, turns=2, mat="grid", rests=(2,), **SMALL))
    assert other.script != first.script


def test_a_fault_is_seen_named_and_mended() -> None:
    kinds = [kind for kind in MAKERS if kind not in ("captured-die-altered", "play-after-end")]
    plan = ClipPlan(seed=4, players=3, cheats=tuple((kind, 4) for kind in kinds), tidy=True)
    clip = plan_clip(plan)
    by_the_rules = positions(clip)
    found = [event["kind"] for event in clip.events if event["type"] == "infringement"]
    assert sorted(found) == sorted(kinds)
    wrong = [still for still in clip.script.stills if not still.legal]
    assert len(wrong) == len(kinds)
    for kind, still in zip(found, wrong, strict=True):
        before, after = (
            max((s for s in clip.script.stills if s.legal and s.t1_s <= still.t0_s), key=lambda s: s.t0_s),
            min((s for s in clip.script.stills if s.legal and s.t0_s >= still.t1_s), key=lambda s: s.t0_s),
        )  # fmt: skip
        assert after.dice == before.dice
        assert still.dice != before.dice
        position = by_the_rules[still.applied]
        if kind == "inner-die-rolled":
            row = position.rows[position.turn]
            _, off = lying(clip, still.dice)
            assert not legal_after_roll(row, tuple(sorted(off[position.turn].elements())))


def test_what_a_plan_cannot_show_is_said() -> None:
    with pytest.raises(ClipError, match="allows captured-die-altered"):
        plan_clip(ClipPlan(seed=1, players=3, turns=2, cheats=(("captured-die-altered", 1),)))
    with pytest.raises(ClipError, match="too small"):
        plan_clip(ClipPlan(seed=1, turns=1, size=(320, 180)))


def test_a_happening_in_a_turn_that_is_not_shown_is_said() -> None:
    with pytest.raises(ClipError, match="Turn 9 is not in this clip, which shows turns 1 to 2"):
        plan_clip(ClipPlan(seed=1, turns=2, bumps=(9,), **SMALL))


def test_stills_can_be_painted_by_somebody_else() -> None:
    asked = []

    class Grey:
        def still(self, dice: Sequence[Die]) -> np.ndarray:
            asked.append(tuple(dice))
            return np.full((360, 640, 3), 90, np.uint8)

    clip = plan_clip(ClipPlan(seed=3, from_turn=4, turns=1, mat="grid", **SMALL))
    film = film_of(clip, painters=lambda *_: Grey())
    frames = film.frames()
    assert (next(frames) == 90).all()
    next(frames)
    assert asked == [clip.script.stills[0].dice]  # once for what lies unchanged


def test_a_traced_table_has_its_dice_where_the_composed_one_has_them() -> None:
    clip = plan_clip(ClipPlan(seed=2, turns=1, from_turn=6, tilt_deg=30.0, **SMALL))
    dice = clip.script.stills[0].dice
    stage = Stage(clip.look, clip.camera, clip.plan.size)
    plan = traced_plan(clip, clip.camera, dice)
    for die, laid in zip(dice, plan.dice, strict=True):
        (px,) = project(plan.lens, np.array([[laid.x_mm, laid.y_mm, 8.0]]))
        x0, y0, x1, y1 = stage.box(die) or (0, 0, 0, 0)
        assert px == pytest.approx(((x0 + x1) / 2, (y0 + y1) / 2), abs=1.5)
        assert plan.looks[laid.look].style == clip.look.styles[die.owner]
        assert laid.face == die.face


def test_the_command_leaves_blender_to_its_own_process() -> None:
    """Where the command itself imports bpy, the process that traces finds a broken one."""
    program = """
import sys
import datasets.clips
from pathlib import Path
def write_clip(plan, out, painters):
    print(painters is not None, "bpy" in sys.modules)
    return out.with_suffix(".json")
datasets.clips.write_clip = write_clip
from datasets.commands import clip
clip(["a.mp4", "--traced", "--seed", "1"], standalone_mode=False)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["True", "False"], done.stderr


def test_a_die_changes_the_pixels_of_its_box_and_no_others() -> None:
    clip = plan_clip(ClipPlan(seed=2, turns=1, from_turn=6, tilt_deg=30.0, **SMALL))
    stage = Stage(clip.look, clip.camera, clip.plan.size)
    empty = stage.still(()).astype(int)
    dice = clip.script.stills[0].dice
    changed = np.abs(stage.still(dice).astype(int) - empty).max(2) > 40
    near = np.zeros_like(changed)
    for die in dice:
        box = stage.box(die)
        assert box is not None
        x0, y0, x1, y1 = (round(v) for v in box)
        assert changed[y0:y1, x0:x1].mean() > 0.3
        near[max(0, y0 - 15) : y1 + 15, max(0, x0 - 15) : x1 + 15] = True
    assert not changed[~near].any()


def test_stills_painted_piecewise_equal_those_painted_at_once() -> None:
    clip = plan_clip(ClipPlan(seed=2, turns=2, **SMALL))
    one = Stage(clip.look, clip.camera, clip.plan.size)
    for still in clip.script.stills:
        one.still(still.dice)
    last = clip.script.stills[-1].dice
    other = Stage(clip.look, clip.camera, clip.plan.size)
    assert np.abs(one.still(last).astype(int) - other.still(last).astype(int)).max() <= 1


def test_a_resting_hand_hides_what_the_truth_says(tmp_path: Path) -> None:
    plan = ClipPlan(seed=7, from_turn=5, turns=1, rests=(5,), crf=12, tilt_deg=5.0, **SMALL)
    truth = json.loads(write_clip(plan, tmp_path / "hand.mp4", bar=False).read_text())
    frames = read_frames(tmp_path / "hand.mp4")
    assert len(frames) == truth["frames"]
    rest = next(s for s in truth["stills"] if s["label"] == "a hand rests")
    later = next(s for s in truth["stills"] if s["label"] == "a hand rests no more")
    hand = frames[(rest["frame0"] + rest["frame1"]) // 2].astype(int)
    free = frames[(later["frame0"] + later["frame1"]) // 2].astype(int)
    difference = np.abs(hand - free).max(2)
    hidden = [die for die in rest["dice"] if die["visible"] < 0.1]
    assert hidden
    (outline,) = rest["covered"]
    for die in rest["dice"]:
        x0, y0, x1, y1 = (round(v) for v in die["box"])
        inside = cv2.pointPolygonTest(
            np.array(outline, np.float32), ((x0 + x1) / 2, (y0 + y1) / 2), False
        )
        if die["visible"] < 0.1:
            assert die["hidden"]
            assert inside > 0
            assert difference[y0:y1, x0:x1].mean() > 15
        elif die["visible"] == 1:
            assert inside < 0
    # A second call finds the clip whole and leaves it.
    written = (tmp_path / "hand.mp4").stat().st_mtime_ns
    write_clip(plan, tmp_path / "hand.mp4", bar=False)
    assert (tmp_path / "hand.mp4").stat().st_mtime_ns == written


def read_frames(path: Path) -> list[np.ndarray]:
    capture, frames = cv2.VideoCapture(str(path)), []
    while (read := capture.read())[0]:
        frames.append(read[1])
    capture.release()
    return frames


def test_a_cut_off_clip_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(VideoWriter, "write", full)
    with pytest.raises(OSError, match="No space"):
        write_clip(ClipPlan(seed=7, turns=1, **SMALL), tmp_path / "cut.mp4", bar=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("codec", ["h264", "mp4v"])
def test_videos_are_written_with_and_without_the_video_extra(
    codec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if codec == "h264":
        pytest.importorskip("av")
    else:
        monkeypatch.setitem(sys.modules, "av", None)
    writer = VideoWriter(tmp_path / "x.mp4", (320, 180), 30)
    assert writer.codec == codec
    for level in range(10):
        writer.write(np.full((180, 320, 3), 20 * level, np.uint8))
    writer.close()
    frames = read_frames(tmp_path / "x.mp4")
    assert [round(float(frame.mean()) / 20) for frame in frames] == list(range(10))


def test_bad_choices_are_refused_in_one_sentence(tmp_path: Path) -> None:
    for bad, says in (
        (["--size", "big"], "--size is width x height"),
        (["--cheat", "theft@3"], "no infringement theft"),
        (["--bump", "soon"], "turn numbers"),
    ):
        result = CliRunner().invoke(main, ["clip", str(tmp_path / "x.mp4"), *bad])
        assert result.exit_code == 2
        assert says in result.output


# --- the clips that ship with the tests ---------------------------------------------------------


@pytest.mark.parametrize("name", ["pushes", "grid", "cheat"])
def test_a_shipped_clip_is_what_its_plan_makes(name: str) -> None:
    truth = json.loads((FIXTURES / f"{name}.json").read_text())
    plan = {k: tuple(map(tuple, v)) if k == "cheats" else v for k, v in truth["plan"].items()}
    plan = {k: tuple(v) if isinstance(v, list) else v for k, v in plan.items()}
    clip = plan_clip(ClipPlan(**plan))
    assert [(s.label, s.applied) for s in clip.script.stills] == [
        (s["label"], s["applied"]) for s in truth["stills"]
    ]
    for still, told in zip(clip.script.stills, truth["stills"], strict=True):
        assert [(d.number, d.face) for d in still.dice] == [
            (d["id"], d["face"]) for d in told["dice"]
        ]
    assert Record.from_string(truth["record"]).match.current == clip.match.current


def test_the_truth_of_the_camera_agrees_with_the_markers_before_and_after_a_bump() -> None:
    truth = json.loads((FIXTURES / "cheat.json").read_text())
    frames = read_frames(FIXTURES / "cheat.mp4")
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    for camera, frame in zip(truth["cameras"], (frames[5], frames[-5]), strict=True):
        corners, numbers, _ = finder.detectMarkers(frame)
        assert numbers is not None
        assert len(numbers) >= 3
        for marker, number in zip(corners, numbers.ravel(), strict=True):
            layout = layout_of_marker(int(number))
            assert layout is not None
            wanted = cv2.perspectiveTransform(
                np.array([layout.markers[int(number)]], np.float64), np.array(camera["mat_to_px"])
            )
            assert np.abs(wanted[0] - marker[0]).max() < 1.5
    assert truth["cameras"][0]["corners"] != truth["cameras"][1]["corners"]
    assert [event["type"] for event in truth["events"]].count("camera_moved") == 1


def test_film_of_a_plan_notes_every_still() -> None:
    clip = plan_clip(ClipPlan(seed=3, from_turn=4, turns=1, mat="grid", **SMALL))
    film = film_of(clip)
    count = sum(1 for _ in film.frames())
    assert count == clip.script.frames
    assert len(film.seen.dice) == len(clip.script.stills)
    for noted, still in zip(film.seen.dice, clip.script.stills, strict=True):
        assert [die for die, _, _ in noted] == list(still.dice)
        assert all(shown > 0.6 for _, _, shown in noted)
        assert all(die.number < NEUTRAL_NUMBER or die.owner == NEUTRAL for die, _, _ in noted)
