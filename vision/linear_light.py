"""From the colours of a picture to the light that made them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def linear_of(colours: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Linear light, 0..1, of sRGB colours of any shape, uint8 0..255 (IEC 61966-2-1)."""
    share = colours / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
