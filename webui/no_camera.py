"""A table without a camera: everything is entered by hand."""

from __future__ import annotations

from collections.abc import Iterator

from vision.frames import Frame, Kind, Source, SourceStatus

NO_CAMERA = "none"
"""How a person asks for it."""
SAYS = "No camera is used; enter rolls and moves by hand."


class NoCamera(Source):
    """A source that never has a picture. says: why there is none, one sentence."""

    kind: Kind = "none"

    def __init__(self, says: str = SAYS) -> None:
        super().__init__("no camera")
        self._says = says

    def status(self) -> SourceStatus:
        return SourceStatus("off", self._says)

    def __iter__(self) -> Iterator[Frame]:
        return iter(())

    def _play(self) -> None:
        return
