"""The lawn's corners as a person gave them, kept per camera in the user's data folder.

One JSON file a camera, written beside and then renamed, so that it is always whole. A damaged file is set aside under
another name and never deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.mat import Array, FoundMat, MatError, mat_of_corners

LEAST_SHARE = 0.01
"""A lawn that fills less of the picture than this, as a share of its area, is too small to be read."""

Coordinate = Annotated[float, Field(allow_inf_nan=False)]
Point = tuple[Coordinate, Coordinate]


class Corners(BaseModel):
    """Four corners px (row 1 left, row 1 right, row 6 right, row 6 left) in a picture of width x height px."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    width: Annotated[int, Field(gt=0, le=100_000)]
    height: Annotated[int, Field(gt=0, le=100_000)]
    corners: tuple[Point, Point, Point, Point]

    def mat(self) -> FoundMat:
        """The mat that they show. Raises MatError with one sentence that says what is wrong with them."""
        points = np.array(self.corners, np.float64)
        if (points < 0).any() or (points > [self.width, self.height]).any():
            raise MatError(
                "A corner lies outside the picture; drag all four onto the lawn's corners."
            )
        found = mat_of_corners(points, (self.width, self.height))
        if cv2.contourArea(points.astype(np.float32)) < LEAST_SHARE * self.width * self.height:
            raise MatError(
                "The lawn between these corners is too small to be read; "
                "move the camera closer or drag the corners apart."
            )
        return found

    def scaled(self, width: int, height: int) -> Corners | None:
        """The same corners in a picture of another size; None when that has another shape."""
        if abs(width * self.height - height * self.width) > max(width, height) * 2:
            return None
        by = np.array([width / self.width, height / self.height])
        points = np.array(self.corners) * by
        return Corners(width=width, height=height, corners=_points(points))


def corners_from(points: Array, width: int, height: int) -> Corners:
    """Corners of an array (4, 2) px."""
    return Corners(width=width, height=height, corners=_points(points))


def _points(points: Array) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points)
    return a, b, c, d


@dataclass(frozen=True)
class CornersStore:
    """The folder of kept corners; default: in the user's data folder."""

    folder: Path = field(
        default_factory=lambda: user_data_path("get-off-my-lawn", appauthor=False) / "corners"
    )

    def load(self, camera: str) -> Corners | None:
        """What was kept for a camera, None when nothing was. A damaged file is set aside first."""
        path = self._path(camera)
        try:
            text = path.read_text("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            self._set_aside(path)
            return None
        try:
            kept = Corners.model_validate(json.loads(text)["corners"])
            kept.mat()
        except (ValidationError, ValueError, RecursionError, KeyError, TypeError):
            self._set_aside(path)
            return None
        return kept

    def save(self, camera: str, corners: Corners) -> None:
        """Keep them; what was kept before is replaced in one step. Raises OSError when the disk refuses."""
        path = self._path(camera)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"camera": camera, "corners": corners.model_dump(mode="json")}, indent=1)
        handle, name = tempfile.mkstemp(prefix=".corners-", dir=path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _path(self, camera: str) -> Path:
        """A name that people recognise and no two cameras share."""
        plain = re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-")[:40] or "camera"
        mark = hashlib.sha256(camera.encode()).hexdigest()[:10]
        return self.folder / f"{plain}-{mark}.json"

    def _set_aside(self, path: Path) -> None:
        for number in range(1, 10_000):
            aside = path.with_name(f"{path.stem}.damaged-{number}.json")
            if not aside.exists():
                path.rename(aside)
                return
