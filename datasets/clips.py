"""Made videos of a game with exact truth: bots play, hands move, a camera looks on. `lawn clip` writes them.

OUT.mp4     the video
OUT.json    the truth: cameras, every still table with all its dice, what was covered when, the events in the form of
            a review's transcript, and the match record
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
from tqdm import tqdm

from datasets.clips_film import (
    CameraMove,
    ClipError,
    Film,
    LightChange,
    Script,
    VideoWriter,
    bumped,
)
from datasets.clips_hand import Bodies, random_person
from datasets.clips_play import Happening, Player
from datasets.clips_stage import Look, Painter, mat_sheet
from datasets.clips_story import Habits, Story
from datasets.clips_table import MatPlan, Room, fitted_view, mat_plan
from datasets.clips_truth import truth_of
from datasets.compose import view_of
from datasets.die import Lamp
from datasets.grids import grid_sheet, random_look
from datasets.scenes import Camera, random_style
from engine.bots import bot_named
from engine.lawn import NEUTRAL
from engine.match import Match
from engine.record import Record
from vision.layout import lawn_only, printed

Mat: TypeAlias = Literal["ours", "grid"]
EDGE_MM = 16.0
LEAST_DIE_PX = 16.0
UNHURRIED = 0.85
"""The usual pace of hands; others lengthen or shorten the rests too."""


@dataclass(frozen=True)
class ClipPlan:
    """What to make; the same plan gives the same clip.

    players: 2 or 3; rounds: how many are played to their end, unless after `turns` turns the clip ends; from_turn: what
    is played before is not shown; mat: our printed one or a foreign grid without markers; tilt_deg: of the camera from
    straight above, None by lot up to 35; size px;
    cheats: (kind of engine.verdict.KINDS, turn), bumps, heads, rests: turns before which the camera is bumped, a head
    leans in, a hand stays lying; light: whether lamp, exposure and shadows change; noise: see Script; crf: see
    VideoWriter; tidy: whether players keep ordered rows, None by lot; pace: of hands and rests, below UNHURRIED is
    hasty; bot: who plays; colours: of the players, the usual ones when empty.
    """

    seed: int
    players: int = 2
    rounds: int = 1
    turns: int | None = None
    from_turn: int = 1
    mat: Mat = "ours"
    tilt_deg: float | None = None
    size: tuple[int, int] = (1280, 720)
    fps: int = 30
    cheats: tuple[tuple[str, int], ...] = ()
    bumps: tuple[int, ...] = ()
    heads: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    light: bool = False
    noise: float = 1.5
    crf: int = 23
    tidy: bool | None = None
    pace: float = UNHURRIED
    bot: str = "greedy"
    colours: tuple[str, ...] = ()


@dataclass(frozen=True)
class Clip:
    """A clip before its pixels: everything but the frames is known."""

    plan: ClipPlan
    script: Script
    look: Look
    camera: Camera
    match: Match
    events: tuple[dict[str, Any], ...]
    shoulders: tuple[tuple[float, float], ...]


def play(plan: ClipPlan) -> Match:
    """The match that the bots play for the clip."""
    rng = random.Random(plan.seed)
    bot = bot_named(plan.bot)
    match = Match.start(plan.players, colours=plan.colours or None)
    turns = 0
    while not match.is_over and len(match.rounds) < plan.rounds:
        position = match.position
        if position.phase == "boundary-choice":
            if plan.turns is not None and turns >= plan.from_turn - 1 + plan.turns:
                break
            turns += 1
        match = match.apply(position.throw(rng) if position.is_chance else bot(position, rng))
    return match


def _habits(plan: ClipPlan, rng: np.random.Generator) -> Habits:
    tidy = bool(rng.random() < 0.8) if plan.tidy is None else plan.tidy
    return Habits(
        tidy=tidy,
        resequences=float(rng.choice([1.0, 0.9, 0.5])),
        pauses=float(rng.uniform(0.3, 0.9)),
        pace=plan.pace * float(rng.uniform(0.85, 1.15)),
    )


def _mat(plan: ClipPlan, rng: np.random.Generator) -> tuple[MatPlan, Any]:
    if plan.mat == "ours":
        layout = printed("A4", round(EDGE_MM))
        return mat_plan(layout, plan.players), mat_sheet(layout)
    look = random_look(rng, str(rng.choice(["pen", "printed", "thick", "boxes", "cloth"])))
    cell = (float(np.clip(look.cell_mm[0], 28, 44)), float(np.clip(look.cell_mm[1], 25, 34)))
    look = replace(look, cell_mm=cell)
    return mat_plan(lawn_only(cell, EDGE_MM), plan.players), grid_sheet(look, rng)


def plan_clip(plan: ClipPlan) -> Clip:
    """Everything of a clip but its frames. Raises ClipError when the plan cannot be filmed."""
    match = play(plan)
    rng = np.random.default_rng([plan.seed, 31])
    mat, sheet = _mat(plan, rng)
    tilt = float(rng.uniform(0, 35)) if plan.tilt_deg is None else plan.tilt_deg
    turned = (-0.5, 0.5) if plan.players == 3 else (-0.5, 0.5, 0.0)
    azimuth = float(rng.choice(turned)) * math.pi + float(rng.normal(0, 0.04))
    focal = float(rng.uniform(0.85, 1.05))
    camera, _ = fitted_view(
        mat, plan.size, math.radians(tilt), azimuth, float(rng.normal(0, 0.03)), focal
    )
    if plan.bumps:
        camera = replace(camera, distance_mm=camera.distance_mm * 1.12)
    cameras = [camera]
    for _ in plan.bumps:
        way, side = rng.uniform(0, 2 * math.pi), float(rng.choice([-1, 1]))
        shift = (50 * math.cos(way), 50 * math.sin(way))
        turn = math.radians(10) * float(rng.uniform(0.4, 1.0)) * side
        cameras.append(bumped(camera, shift, turn))
    room = Room(mat, [view_of(each, *plan.size) for each in cameras], plan.size, EDGE_MM)
    die_px = EDGE_MM * camera.focal * plan.size[0] / camera.distance_mm
    if die_px < LEAST_DIE_PX:
        raise ClipError(
            f"Dice would be {die_px:.0f} px in this clip, too small to be read; make it larger than "
            f"{plan.size[0]}x{plan.size[1]}."
        )
    story = Story(
        mat,
        room,
        EDGE_MM,
        [_habits(plan, rng) for _ in range(plan.players)],
        rng,
        match.colours,
        plan.pace / UNHURRIED,
    )
    player = Player(story, _happenings(plan), plan.from_turn)
    player.tell(match)
    missed = [each.kind for each in player.due if each.what == "cheat"]
    if missed:
        raise ClipError(
            f"No turn of this clip allows {', '.join(missed)}; take more turns or another seed."
        )
    if player.due:
        raise ClipError(
            f"Turn {player.due[0].turn} is not in this clip, which shows turns {plan.from_turn} to "
            f"{player.turns}; take another for what shall happen before it."
        )
    moves = tuple(
        CameraMove(t0, t1, cameras[index + 1]) for index, (t0, t1) in enumerate(player.bumps)
    )
    script = Script(
        tuple(story.acts),
        tuple(story.stills),
        story.now,
        moves,
        _light(story.now, rng) if plan.light else (),
        plan.noise,
        plan.fps,
        plan.seed,
    )
    shoulders = tuple(
        (story.homes[seat][0] + ox * 350, story.homes[seat][1] + oy * 350)
        for seat, (ox, oy) in enumerate(mat.outward)
    )
    return Clip(
        plan,
        script,
        _look(plan, mat, sheet, match, rng),
        camera,
        match,
        tuple(story.events),
        shoulders,
    )


def _happenings(plan: ClipPlan) -> tuple[Happening, ...]:
    many: list[Happening] = [Happening("cheat", turn, kind) for kind, turn in plan.cheats]
    for kind, turns in (("bump", plan.bumps), ("head", plan.heads), ("rest", plan.rests)):
        many += [Happening(kind, turn) for turn in turns]
    return tuple(sorted(many, key=lambda each: each.turn))


def _look(plan: ClipPlan, mat: MatPlan, sheet: Any, match: Match, rng: np.random.Generator) -> Look:
    owners = dict(enumerate(match.colours))
    if plan.players == 2:
        owners[NEUTRAL] = "white"
    styles = {}
    for owner, colour in owners.items():
        style = random_style(colour, rng, EDGE_MM)
        # Drawn gloss whitens a whole face, which real dice under a lamp do only at one angle.
        styles[owner] = replace(style, gloss=0.2 * style.gloss, marble=0.5 * style.marble)
    height, turn = rng.uniform(0.7, 0.95), rng.uniform(0, 2 * math.pi)
    flat = math.sqrt(1 - height**2)
    warm = float(rng.normal(0, 0.06))
    lamp = Lamp(
        (flat * math.cos(turn), flat * math.sin(turn), float(height)),
        float(rng.uniform(0.35, 0.65)),
        (1 + warm, 1.0, 1 - warm),
    )
    surface = str(rng.choice(["wood", "wood", "cloth", "felt", "carpet", "paper"]))
    return Look(mat, surface, sheet, lamp, styles, float(rng.uniform(0.9, 1.15)), plan.seed)


def _light(duration_s: float, rng: np.random.Generator) -> tuple[LightChange, ...]:
    """A lamp is switched, the camera corrects, somebody walks past, the exposure steps about."""
    changes: list[LightChange] = []
    at = float(rng.uniform(0.25, 0.4)) * duration_s
    warm = tuple(float(v) for v in np.array([0.62, 0.7, 0.76]) * rng.uniform(0.9, 1.1))
    changes.append(LightChange("lamp", at, at + 0.25, (warm[0], warm[1], warm[2])))
    back = tuple(min(1.0, v * 1.25) for v in warm)
    changes.append(LightChange("exposure", at + 0.9, at + 1.9, (back[0], back[1], back[2])))
    for share in (0.15, 0.6):
        t0 = share * duration_s
        way = rng.uniform(0, 2 * math.pi)
        dark = float(rng.uniform(0.5, 0.75))
        changes.append(
            LightChange("shadow", t0, t0 + 2.2, (dark,) * 3, (math.cos(way), math.sin(way)))
        )
    for share in (0.7, 0.85):
        step = float(rng.uniform(0.85, 1.12))
        t0 = share * duration_s
        changes.append(LightChange("exposure", t0, t0 + 0.07, (step, step, step)))
    return tuple(sorted(changes, key=lambda change: change.t0_s))


def film_of(clip: Clip, painters: Callable[[Clip, Camera], Painter] | None = None) -> Film:
    """The film of a clip. painters: makes the painter of stills for a camera, instead of the composed ones."""
    plan = clip.plan
    rng = np.random.default_rng([plan.seed, 32])
    people = tuple(random_person(rng) for _ in range(plan.players))
    cameras = [clip.camera, *(move.to for move in clip.script.camera_moves)]
    made = {camera: painters(clip, camera) for camera in cameras} if painters else None
    film = Film(clip.script, clip.look, clip.camera, plan.size, made)
    film.bodies = Bodies(people, clip.shoulders, film.stage, plan.seed)
    return film


def write_clip(
    plan: ClipPlan,
    out: Path,
    painters: Callable[[Clip, Camera], Painter] | None = None,
    bar: bool = True,
) -> Path:
    """Make a clip: OUT.mp4 and, last, OUT.json beside it. A whole one that is there already is kept.

    Returns the truth's path. Raises ClipError when it cannot be made or written.
    """
    out = out.with_suffix(".mp4")
    truth_path = out.with_suffix(".json")
    wanted = {key: list(v) if isinstance(v, tuple) else v for key, v in asdict(plan).items()}
    wanted = json.loads(json.dumps(wanted))
    if out.is_file() and truth_path.is_file():
        kept = json.loads(truth_path.read_text(encoding="utf-8"))
        if kept.get("plan") == wanted:
            return truth_path
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ClipError(f"{out.parent}: this folder cannot be made ({error.strerror}).") from error
    clip = plan_clip(plan)
    film = film_of(clip, painters)
    writer = VideoWriter(out, plan.size, plan.fps, plan.crf)
    whole = False
    try:
        frames: Iterator[Any] = film.frames()
        total = clip.script.frames
        for frame in tqdm(frames, out.name, total, unit="frame", disable=None if bar else True):
            writer.write(frame)
        whole = True
    finally:
        writer.close(keep=whole)
    record = Record.of(clip.match, tags=[("Made-by", f"lawn clip, seed {plan.seed}")]).to_string()
    truth = truth_of(
        clip.script, film, clip.events, record, out.name, writer.codec, clip.match.colours
    )
    truth["plan"] = wanted
    part = truth_path.with_suffix(".part.json")
    part.write_text(json.dumps(truth), encoding="utf-8")
    part.replace(truth_path)
    return truth_path
