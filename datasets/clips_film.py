"""Frame by frame: the table, what moves over it, the camera and its faults, and the video file they end in."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.clips_hand import Bodies, Covering
from datasets.clips_motion import Act, body_at, flying_at, lying_at, smooth
from datasets.clips_stage import Image, Look, Painter, Stage
from datasets.clips_story import Still
from datasets.clips_table import Die
from datasets.compose import view_of
from datasets.scenes import Camera

GAMMA = 1 / 2.2
NOISES = 8


class ClipError(ValueError):
    """A clip cannot be made or written; the message says which and why."""


@dataclass(frozen=True)
class CameraMove:
    """The camera is pushed from t0 to t1 and stays where it then is."""

    t0_s: float
    t1_s: float
    to: Camera


@dataclass(frozen=True)
class LightChange:
    """The picture's brightness changes from t0 to t1, for good unless another change follows.

    kind: a lamp is switched, the camera corrects its exposure, or a person's shadow passes (then it comes back by
    itself); gain: of linear light, BGR; way: the direction (dx, dy) in which a passing shadow moves.
    """

    kind: Literal["lamp", "exposure", "shadow"]
    t0_s: float
    t1_s: float
    gain: tuple[float, float, float]
    way: tuple[float, float] = (1.0, 0.0)


@dataclass(frozen=True)
class Script:
    """All that happens in a clip, on one clock. noise: deviation of a pixel, grey levels of 255."""

    acts: Sequence[Act]
    stills: Sequence[Still]
    duration_s: float
    camera_moves: Sequence[CameraMove] = ()
    light: Sequence[LightChange] = ()
    noise: float = 1.5
    fps: int = 30
    seed: int = 0

    @property
    def frames(self) -> int:
        return math.floor(self.duration_s * self.fps)


@dataclass
class Seen:
    """What the filming noted for the truth: per still the dice with box and visible share, and what was covered."""

    dice: list[list[tuple[Die, tuple[float, float, float, float] | None, float]]] = field(
        default_factory=list
    )
    covered: list[list[list[list[float]]]] = field(default_factory=list)
    covers: list[dict[str, Any]] = field(default_factory=list)


class Film:
    """Makes the frames of a script.

    painters: for each camera what paints the stills instead of the stage (path-traced ones, say). bodies: set before
    the first frame, or no hands are seen.
    """

    def __init__(
        self, script: Script, look: Look, camera: Camera, size: tuple[int, int],
        painters: dict[Camera, Painter] | None = None,
    ) -> None:  # fmt: skip
        self.script, self.look, self.size = script, look, size
        self.bodies: Bodies | None = None
        self.cameras = [camera, *(move.to for move in script.camera_moves)]
        self.painters = painters or {}
        self.stage = Stage(look, camera, size)
        self._at = 0
        self._last: tuple[tuple[Camera, tuple[Die, ...]], Image] | None = None
        self.seen = Seen()
        rng = np.random.default_rng([script.seed, 21])
        shape = (size[1] + 32, size[0] + 32, 3)
        self._noise = [
            rng.normal(0, script.noise, shape).astype(np.float32)
            for _ in range(NOISES if script.noise else 0)
        ]
        self._up = [np.rint(np.clip(n, 0, 60)).astype(np.uint8) for n in self._noise]
        self._down = [np.rint(np.clip(-n, 0, 60)).astype(np.uint8) for n in self._noise]
        self._noise = []
        self.rng = rng

    # --- frames ---------------------------------------------------------------------------

    def frames(self) -> Iterator[Image]:
        """Every frame, (H, W, 3) uint8 BGR; what is noted on the way is in `seen`."""
        script = self.script
        acts = sorted(script.acts, key=lambda act: act.t0_s)
        at, lying = 0, script.stills[0].dice
        due = 0
        for number in range(script.frames):
            t = number / script.fps
            while at < len(acts) and t >= acts[at].t0_s + acts[at].duration_s:
                lying = acts[at].after
                at += 1
            act = acts[at] if at < len(acts) and t >= acts[at].t0_s else None
            frame, cover = self._picture(t, act, lying)
            if cover is not None and act is not None and number % max(1, script.fps // 6) == 0:
                self._note_cover(t, act, cover)
            while due < len(script.stills) and t >= _middle(script.stills[due]):
                self._note_still(script.stills[due], cover)
                due += 1
            yield self._spoiled(frame, t)
        for still in script.stills[due:]:
            self._note_still(still, None)

    def _picture(
        self, t: float, act: Act | None, lying: Sequence[Die]
    ) -> tuple[Image, Covering | None]:
        moves = self.script.camera_moves
        while self._at < len(moves) and t >= moves[self._at].t1_s:
            self._at += 1
            self.stage = Stage(self.look, self.cameras[self._at], self.size)
        if self._at < len(moves) and t >= moves[self._at].t0_s:
            return self._pushed(moves[self._at], t, lying), None
        if act is None:
            return self._still(lying).copy(), None
        own = t - act.t0_s
        frame = self._still(lying_at(act, own)).copy()
        self.stage.fly(frame, flying_at(act, own, self.look.edge_mm))
        if act.body == "none" or self.bodies is None:
            return frame, None
        return frame, self.bodies.paint(frame, self.stage, act.body, act.seat, body_at(act, own))

    def _still(self, dice: Sequence[Die]) -> Image:
        painter = self.painters.get(self.stage.camera)
        if painter is None:
            return self.stage.still(dice)
        key = (self.stage.camera, tuple(dice))
        if self._last is None or self._last[0] != key:
            self._last = (key, painter.still(dice))
        return self._last[1]

    def _pushed(self, move: CameraMove, t: float, lying: Sequence[Die]) -> Image:
        """The picture while the camera is being pushed: the table as a plane is right but for the dice's height."""
        a, b = self.cameras[self._at], move.to
        s = smooth((t - move.t0_s) / (move.t1_s - move.t0_s))
        wobble = 1 + 0.25 * math.sin(math.pi * s) * math.sin(9 * s)

        def between(one: float, other: float) -> float:
            return one + (other - one) * s * wobble

        camera = Camera(
            between(a.distance_mm, b.distance_mm),
            between(a.tilt, b.tilt),
            between(a.azimuth, b.azimuth),
            between(a.roll, b.roll),
            a.focal,
            (between(a.look_at[0], b.look_at[0]), between(a.look_at[1], b.look_at[1])),
        )
        here = view_of(camera, *self.size).homography()
        warp = here @ np.linalg.inv(self.stage.view.homography())
        picture = cv2.warpPerspective(
            self._still(lying), warp, self.size, borderMode=cv2.BORDER_REFLECT
        )
        return np.asarray(cv2.blur(picture, (5, 5)) if 0.1 < s < 0.9 else picture, np.uint8)

    # --- light and camera -----------------------------------------------------------------

    def gain(self, t: float) -> NDArray[np.float64]:
        """By what the light of the whole picture is multiplied at a time, BGR."""
        gain = np.ones(3)
        for change in self.script.light:
            if change.kind != "shadow" and t >= change.t0_s:
                share = smooth((t - change.t0_s) / max(change.t1_s - change.t0_s, 1e-6))
                gain = gain * (1 - share) + np.array(change.gain) * share
        return gain

    def _spoiled(self, frame: Image, t: float) -> Image:
        for change in self.script.light:
            if change.kind == "shadow" and change.t0_s <= t < change.t1_s:
                frame = self._shadowed(frame, change, t)
        gain = self.gain(t)
        if np.abs(gain - 1).max() > 1e-3:
            levels = np.arange(256)[:, None] * (gain**GAMMA)[None]
            table = np.clip(np.rint(levels), 0, 255).astype(np.uint8)[:, None, :]
            frame = np.asarray(cv2.LUT(frame, table), np.uint8)
        if self._up:
            one, other = self.rng.integers(NOISES, size=2)
            y, x, v, u = self.rng.integers(32, size=4)
            width, height = self.size
            frame = cv2.add(frame, self._up[one][y : y + height, x : x + width])
            frame = cv2.subtract(frame, self._down[other][v : v + height, u : u + width])
        return frame

    def _shadowed(self, frame: Image, change: LightChange, t: float) -> Image:
        """A person walks past a window: a wide soft shadow moves over the table."""
        u = (t - change.t0_s) / (change.t1_s - change.t0_s)
        small = (self.size[0] // 16, self.size[1] // 16)
        x, y = np.meshgrid(np.linspace(-1, 1, small[0]), np.linspace(-1, 1, small[1]))
        along = x * change.way[0] + y * change.way[1]
        dark = np.exp(-(((along - (-2.6 + 5.2 * u)) / 0.7) ** 2))
        light = (1 - dark[..., None] * (1 - np.array(change.gain))) ** GAMMA
        mask = cv2.resize(np.rint(light * 255).astype(np.uint8), self.size)
        return np.asarray(cv2.multiply(frame, mask, scale=1 / 255), np.uint8)

    # --- truth ----------------------------------------------------------------------------

    def _note_cover(self, t: float, act: Act, cover: Covering) -> None:
        x0, y0 = cover.region[:2]
        rows = np.flatnonzero((cover.alpha > 127).any(1))
        columns = np.flatnonzero((cover.alpha > 127).any(0))
        if len(rows) and len(columns):
            box = [
                int(x0 + columns[0]),
                int(y0 + rows[0]),
                int(x0 + columns[-1] + 1),
                int(y0 + rows[-1] + 1),
            ]
            self.seen.covers.append(
                {"t_s": round(t, 3), "body": act.body, "seat": act.seat, "box": box}
            )

    def _note_still(self, still: Still, cover: Covering | None) -> None:
        stage, hidden = self.stage, []
        covers = []
        for die in stage.far_first(still.dice):
            sprite = stage.lying(die)
            if sprite is not None:
                covers.append((die, sprite))
        noted: dict[int, tuple[Die, tuple[float, float, float, float] | None, float]] = {
            die.number: (die, None, 0.0) for die in still.dice
        }
        above = np.zeros((self.size[1], self.size[0]), np.float32)
        if cover is not None:
            hidden = [cover.polygon()]
            x0, y0, x1, y1 = cover.region
            above[y0:y1, x0:x1] = cover.over(cover.region)
        for die, sprite in reversed(covers):
            x0, y0, x1, y1 = sprite.region
            region = above[y0:y1, x0:x1]
            shown = float((sprite.cover * (1 - region)).sum() / max(sprite.cover.sum(), 1e-6))
            np.maximum(region, sprite.cover, out=region)
            noted[die.number] = (die, stage.box(die), shown)
        self.seen.dice.append([noted[die.number] for die in still.dice])
        self.seen.covered.append(hidden)


def _middle(still: Still) -> float:
    return (still.t0_s + still.t1_s) / 2


def bumped(camera: Camera, shift_mm: tuple[float, float], turn: float) -> Camera:
    """The camera pushed along the table and turned about its axis (radians)."""
    x, y = camera.look_at
    return replace(camera, look_at=(x + shift_mm[0], y + shift_mm[1]), roll=camera.roll + turn)


class VideoWriter:
    """Writes frames into an MP4: H.264 through PyAV where that is installed (extra `video`), else MPEG-4 by OpenCV.

    The file appears under its name when it is whole. crf: quality of H.264, less is better; 23 is usual.
    Raises ClipError when it cannot be written.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: int, crf: int = 23) -> None:
        self.path, self.size = path, size
        self.part = path.with_name(f"{path.stem}.part{path.suffix or '.mp4'}")
        self.codec = "mp4v"
        self._stream: Any = None
        try:
            import av
        except ImportError:
            fourcc = cv2.VideoWriter.fourcc(*"mp4v")
            self._file: Any = cv2.VideoWriter(str(self.part), fourcc, fps, size)
            if not self._file.isOpened():
                raise ClipError(
                    f"{path}: this video cannot be written; is the folder there?"
                ) from None
            return
        try:
            self._file = av.open(
                str(self.part), "w", format="mp4", options={"movflags": "+faststart"}
            )
        except OSError as error:
            raise ClipError(f"{path}: this video cannot be written ({error.strerror}).") from error
        self.codec = "h264"
        self._stream = self._file.add_stream("libx264", rate=fps)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        # One thread: the same frames give the same file.
        self._stream.options = {"crf": str(crf), "preset": "veryfast", "threads": "1"}
        self._stream.codec_context.thread_count = 1
        self._frame = av.VideoFrame.from_ndarray

    def write(self, image: Image) -> None:
        if self._stream is None:
            self._file.write(image)
            return
        for packet in self._stream.encode(self._frame(image, format="bgr24")):
            self._file.mux(packet)

    def close(self, keep: bool = True) -> None:
        """Finish the file; without `keep` it is thrown away."""
        if self._stream is None:
            self._file.release()
        else:
            for packet in self._stream.encode():
                self._file.mux(packet)
            self._file.close()
        if keep:
            self.part.replace(self.path)
        else:
            self.part.unlink(missing_ok=True)
