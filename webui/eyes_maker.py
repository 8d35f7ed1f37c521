"""Makes what looks at a source: for whose dice, and for which match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.frames import Source
from vision.mat_keeper import MatKeeper
from vision.match_owners import match_owners
from vision.owners import colours_of
from vision.watching import ALONE
from webui.eyes import Eyes, Reader, Watcher, WholeReader
from webui.match_feed import MatchFeed


class EyesMaker(Protocol):
    """Makes eyes; tests bring their own."""

    def __call__(self, source: Source, colours: Sequence[str]) -> tuple[Eyes, MatchFeed | None]:
        """Eyes for a source that shows the dice of players of these colours, in seat order, or () where
        nobody plays; and what feeds the match from them, None where no match can be followed.

        Raises vision.owners.OwnerError for colours that no dice have.
        """
        ...


class Maker:
    """Eyes with the reader's networks: a watcher wherever one table is shown over time."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def __call__(self, source: Source, colours: Sequence[str]) -> tuple[Eyes, MatchFeed | None]:
        from vision.kept_reader import KeptCornersReader
        from vision.reader import TableReader  # loads the network, which a stand-in does not need

        reader = self._reader
        alone = source.kind in ALONE
        if not isinstance(reader, TableReader) or source.kind == "none":
            return WholeReader(reader), None
        if alone and not colours:
            return WholeReader(KeptCornersReader(reader, source.name)), None
        from vision.crop_reader import CropReader
        from vision.view import Viewer

        # What 'lawn teach' learned of these very sets; else they are learned from the table.
        taught = None if reader.table is None else reader.table.colours_for(colours)
        mats = MatKeeper.of(source.name)
        viewer = Viewer(CropReader(finder=reader.finder), mats, match_owners(colours, taught))
        feed = MatchFeed(viewer) if colours else None
        names = colours_of(colours)
        eyes = Watcher(viewer, names, alone=alone, asks=lambda: mats.asks, feed=feed)
        return eyes, feed
