"""How often Python looks for circles of objects that nobody holds any more."""

from __future__ import annotations

import gc

NEW_OBJECTS, YOUNGER = 10_000, 20
"""So many more objects than before, and so many looks at younger ones, until the next look; by itself 700 and 10."""


def collect_seldom() -> None:
    """Let this process look for circles more seldom, for some 20 MB more.

    Stories and positions come and go by the thousand and hold no circles. Looking for some took a twelfth of the
    referee's time, and made views slow that had done nothing for it.
    """
    gc.set_threshold(NEW_OBJECTS, YOUNGER, YOUNGER)
