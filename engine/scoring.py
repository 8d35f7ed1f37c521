"""The three components of a round score (7:2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RoundScore:
    """One player's round score, final once the round is over and running before that.

    Attributes:
        base: the sum of the Big Roll (3:1.B); 0 before it.
        bonus: points of the claimed bonus (3:2); 0 for none or before the election.
        category: the claimed bonus category, or "".
        captured: total face value of the captured neutral dice (7:2.B).
        lawn: 3 x face for every row that the player has locked (7:2.C).
    """

    base: int
    bonus: int
    category: str
    captured: int
    lawn: int

    @property
    def lead(self) -> int:
        """Lead-In Base Score with the bonus (7:2.A)."""
        return self.base + self.bonus

    @property
    def total(self) -> int:
        """The round score (7:2)."""
        return self.base + self.bonus + self.captured + self.lawn

    def to_json(self) -> dict[str, Any]:
        """A plain dict of the components and the total."""
        return {
            "base": self.base,
            "bonus": self.bonus,
            "category": self.category or None,
            "captured": self.captured,
            "lawn": self.lawn,
            "total": self.total,
        }
