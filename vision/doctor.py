"""Look over a camera and its table before a game: what is good, and what to improve, in plain sentences."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Image, Source
from vision.grid_finder import Read
from vision.mat import By, FoundMat
from vision.reader import LEAST_DIE_PX
from vision.reading import Reading

Level: TypeAlias = Literal["good", "improve", "bad"]

FRAMES = 60
"""Pictures that are looked at, at most."""
LOOK_S = 2.5
"""How long a live source is looked at, s."""
LEAST_FPS = 5.0
LEAST_WIDTH = 640
DARK, DIM = 35.0, 60.0
"""Median grey level (of 255) below which pictures are too dark, or could be lighter."""
MOST_CLIPPED = 0.08
"""Share of pixels that may be white beyond measure."""
FLICKER = 0.03
"""Deviation of a row's brightness (log) between pictures that shows as bands."""
GLARE_DICE = 1.2
"""A white spot wider than so many dice, with nothing in it, hides what lies there."""
SHARP_SHARE, BLURRED_SHARE = 0.14, 0.20
"""Width of an edge in die sizes: a pip is a fifth of a die, so that wider edges close it."""
GOOD_SLANT_DEG, LEAST_SLANT_DEG = 45.0, 25.0
"""How steeply the camera looks down on the mat."""

FOUND_BY: Mapping[By, str] = {
    "markers": "its markers",
    "print": "what is printed on it, its markers being out of sight",
    "grid": "its lines",
    "corners": "the corners that you gave",
    "features": "what the table looks like",
}


class Reader(Protocol):
    """What reads the dice of a picture: vision.reader.TableReader, or a stand-in."""

    def read(self, image: Image, name: str) -> Reading: ...


class Grids(Protocol):
    """What finds a mat by its lines, among dice that were read: vision.mat_keeper.MatKeeper, or a stand-in."""

    @property
    def asks(self) -> str: ...
    def find_among(self, image: Image, time_s: float, dice: Sequence[Read]) -> FoundMat | None: ...


@dataclass(frozen=True)
class Check:
    """One thing looked at. name: camera, light, sharpness, dice or mat; says: a sentence; values: numbers."""

    name: str
    level: Level
    says: str
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """All that was looked at. usable: nothing is so bad that a game could not be read."""

    source: str
    checks: tuple[Check, ...]

    @property
    def usable(self) -> bool:
        return all(check.level != "bad" for check in self.checks)

    def to_json(self) -> dict[str, Any]:
        """What `lawn doctor --json` prints."""
        checks = [
            {"check": check.name, "level": check.level, "says": check.says, **check.values}
            for check in self.checks
        ]
        return {"source": self.source, "usable": self.usable, "checks": checks}

    def text(self) -> str:
        """A line for every check, and what follows from them."""
        lines = [f"{self.source}:"]
        lines += [f"  {check.level:8} {check.name:10} {check.says}" for check in self.checks]
        if not self.usable:
            lines.append("  Not usable yet: mend what is bad and look again.")
        elif any(check.level == "improve" for check in self.checks):
            lines.append("  Usable; better with what could improve.")
        else:
            lines.append("  All is well: play.")
        return "\n".join(lines)


def look(source: Source, clock: Callable[[], float] = time.monotonic) -> list[Frame]:
    """Some pictures of a source: of a live one those of LOOK_S, of a file its first FRAMES."""
    frames: list[Frame] = []
    if not source.live:
        for frame in source:
            frames.append(frame)
            if len(frames) >= FRAMES or source.kind in ("photo", "folder"):
                break
        return frames
    end, index = clock() + LOOK_S, -1
    while clock() < end:
        newer = source.wait_newer(index, 0.25)
        if newer is not None:
            index = newer.index
            frames = [*frames[-FRAMES + 1 :], newer]
    return frames


def examine(
    name: str,
    frames: Sequence[Frame],
    reader: Reader,
    find_mat: Callable[[Image], FoundMat | None],
    moving: bool = True,
    grids: Grids | None = None,
) -> Report:
    """Check frames of a source that the user knows as `name`.

    moving: whether they are pictures of one camera as time passes, and not photos. grids: finds mats of any make where
    `find_mat` finds none.
    """
    if not frames:
        sentence = "No picture comes; check the cable, and that no other program uses the camera."
        return Report(name, (Check("camera", "bad", sentence),))
    last = frames[-1].image
    mat = find_mat(last)
    reading = reader.read(last, name)
    if mat is None and grids is not None:
        mat = grids.find_among(last, frames[-1].time_s, reading.dice)
    die_px = _die_px(reading, mat)
    asks = "" if grids is None else grids.asks
    checks = [
        camera_check(frames, moving),
        *light_checks([frame.image for frame in frames], die_px),
        sharpness_check(last, die_px),
        dice_check(reading, die_px),
        *mat_checks(mat, last, asks),
    ]
    return Report(name, tuple(checks))


def camera_check(frames: Sequence[Frame], moving: bool) -> Check:
    """Size and rate of the pictures as they came."""
    height, width = frames[-1].image.shape[:2]
    values: dict[str, Any] = {"width": width, "height": height}
    says = f"The pictures are {width} x {height} px"
    if moving and len(frames) > 1 and frames[-1].time_s > frames[0].time_s:
        fps = (frames[-1].index - frames[0].index) / (frames[-1].time_s - frames[0].time_s)
        values["fps"] = round(fps, 1)
        says += f", {fps:.1f} a second"
        if fps < LEAST_FPS:
            says += "; that is slow: use another USB socket, a nearer network, or more light."
            return Check("camera", "improve", says, values)
    if max(width, height) < LEAST_WIDTH:
        says += "; choose a larger picture in the camera's settings, best 1280 x 720 or more."
        return Check("camera", "improve", says, values)
    return Check("camera", "good", f"{says}.", values)


def light_checks(images: Sequence[Image], die_px: float | None) -> list[Check]:
    """Brightness, and whatever of flicker and glare there is."""
    grey = cv2.cvtColor(images[-1], cv2.COLOR_BGR2GRAY)
    level = float(np.median(grey))
    clipped = float((grey >= 252).mean())
    values = {"grey": round(level), "clipped": round(clipped, 3)}
    if level < DARK:
        first = Check("light", "bad", "It is too dark to tell dice; switch on a lamp.", values)
    elif clipped > MOST_CLIPPED:
        says = (
            f"{clipped:.0%} of the picture is white beyond measure; dim the lamp or turn it away."
        )
        first = Check("light", "improve", says, values)
    elif level < DIM:
        first = Check("light", "improve", "It is rather dark; more light makes it surer.", values)
    else:
        first = Check(
            "light", "good", "The light is bright enough and nothing is washed out.", values
        )
    checks = [first]
    bands = flicker(images)
    if bands > FLICKER:
        says = "The light flickers in bands; set the camera to your mains frequency (50 or 60 Hz) or use another lamp."
        checks.append(Check("flicker", "improve", says, {"flicker": round(bands, 3)}))
    spot = glare_px(images[-1])
    if die_px is not None and spot > GLARE_DICE * die_px:
        says = "A lamp is mirrored on the table and hides what lies there; move the lamp or the camera."
        checks.append(Check("glare", "improve", says, {"glare_px": round(spot)}))
    return checks


def flicker(images: Sequence[Image]) -> float:
    """How much (log) rows change their brightness from picture to picture, apart from all rows alike."""
    if len(images) < 4 or len({image.shape for image in images}) > 1:
        return 0.0
    rows = []
    for image in images:
        thin = cv2.resize(image, (32, image.shape[0] // 4), interpolation=cv2.INTER_AREA)
        # The median of a row: an arm covers but some of it.
        rows.append(np.median(np.log(thin.astype(np.float64).mean(2) + 8), axis=1))
    profile = np.array(rows)
    profile -= profile.mean(1, keepdims=True)
    profile -= np.median(profile, axis=0)
    return float(np.median(profile.std(0)))


def glare_px(image: Image) -> float:
    """Width, px, of the widest spot that is white beyond measure: of the largest circle inside it.

    A mirrored lamp is compact; the white border of a mat is long and thin.
    """
    white = (image.min(2) >= 250).astype(np.uint8)
    return 2 * float(cv2.distanceTransform(white, cv2.DIST_L2, 3).max())


def edge_width_px(image: Image) -> float:
    """How many px the picture's strongest edges take from dark to light."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    slope = cv2.magnitude(
        cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=1 / 8),
        cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=1 / 8),
    )
    reach = np.ones((15, 15), np.uint8)
    contrast = cv2.dilate(grey, reach) - cv2.erode(grey, reach)
    strong = slope >= np.percentile(slope[::2, ::2], 99.5)
    strong &= slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8)) - 1e-3
    if not strong.any():
        return math.inf
    return float(np.median(contrast[strong] / np.maximum(slope[strong], 1e-3)))


def sharpness_check(image: Image, die_px: float | None) -> Check:
    width = edge_width_px(image)
    share = width / (die_px or 32.0)
    values = {"edge_px": round(width, 1) if math.isfinite(width) else None}
    if share > BLURRED_SHARE:
        says = "The picture is blurred; wipe the lens, and focus on the table (fix the focus if you can)."
        return Check("sharpness", "bad", says, values)
    if share > SHARP_SHARE:
        says = "The picture is a little soft; focus on the table, or move the camera closer."
        return Check("sharpness", "improve", says, values)
    return Check("sharpness", "good", "The picture is sharp.", values)


def dice_check(reading: Reading, die_px: float | None) -> Check:
    """Whether dice are large enough in the picture."""
    count = len(reading.dice)
    values = {"dice": count, "die_px": None if die_px is None else round(die_px, 1)}
    if die_px is None:
        says = "No dice are seen; put some on the table and look again."
        return Check("dice", "improve", says, values)
    if die_px < LEAST_DIE_PX:
        says = (
            f"Dice are {die_px:.0f} px large: too small, move the camera closer "
            f"until they are {LEAST_DIE_PX:.0f} px or more."
        )
        return Check("dice", "bad", says, values)
    seen = f"{count} dice are seen, " if count else "By the mat's size dice are "
    return Check("dice", "good", f"{seen}{die_px:.0f} px large.", values)


def mat_checks(mat: FoundMat | None, image: Image, asks: str = "") -> list[Check]:
    """Whether the mat is found, whole, and seen steeply enough. asks: what a person must say before it is known."""
    if mat is None and asks:
        return [Check("mat", "improve", asks, {"mat": None})]
    if mat is None:
        says = (
            "No mat is found: lay a printed one ('lawn mat') with its corners free, "
            "or show the lawn's corners with --corners."
        )
        return [Check("mat", "improve", says, {"mat": None})]
    height, width = image.shape[:2]
    x, y, z = mat.camera_mm
    middle = mat.layout.lawn.centre
    slant = math.degrees(math.atan2(abs(z), math.hypot(x - middle[0], y - middle[1])))
    values = {"mat": mat.to_json(), "layout": mat.layout.name, "slant_deg": round(slant)}
    inside = (mat.corners >= 0).all() and (mat.corners <= [width, height]).all()
    if not inside:
        says = "Part of the lawn is outside the picture; turn the camera so that all of it is seen."
        return [Check("mat", "bad", says, values)]
    how = f"The mat is found by {FOUND_BY[mat.by]}, to {mat.error_mm:.1f} mm"
    if mat.mirrored:
        how += " (the picture is mirrored, which is put right)"
    if slant < LEAST_SLANT_DEG:
        says = f"{how}, but the camera looks at it too flatly; raise the camera."
        return [Check("mat", "bad", says, values)]
    if slant < GOOD_SLANT_DEG:
        says = f"{how}; a camera that looks down more steeply hides fewer dice behind others."
        return [Check("mat", "improve", says, values)]
    return [Check("mat", "good", f"{how}.", values)]


def _die_px(reading: Reading, mat: FoundMat | None) -> float | None:
    """The middle size of the dice seen, or else what the mat's dice would have; px."""
    if reading.dice:
        return float(np.median([_size(die.box) for die in reading.dice]))
    if mat is None:
        return None
    x, y = mat.layout.lawn.centre
    half = mat.layout.dice_mm / 2
    ends: NDArray[np.float64] = mat.to_px(
        np.array([[x - half, y], [x + half, y], [x, y - half], [x, y + half]])
    )
    across, along = np.linalg.norm(ends[1] - ends[0]), np.linalg.norm(ends[3] - ends[2])
    return float(np.sqrt(across * along))


def _size(box: tuple[float, float, float, float]) -> float:
    return math.sqrt(max(box[2] - box[0], 0.0) * max(box[3] - box[1], 0.0))
