"""How dice are painted, by the server and, told by the page, by static/dice.js."""

from __future__ import annotations

PAINTS = {
    "white": ("#f8f7f2", "#1c1c1c"),
    "black": ("#242427", "#ffffff"),
    "grey": ("#9aa0a6", "#141414"),
    "red": ("#c2302c", "#ffffff"),
    "orange": ("#ee8a24", "#1f1200"),
    "yellow": ("#f4cd2a", "#1f1a00"),
    "green": ("#23793a", "#ffffff"),
    "blue": ("#2360c4", "#ffffff"),
    "purple": ("#7540ab", "#ffffff"),
    "pink": ("#f19abf", "#2a0816"),
    "brown": ("#74462a", "#ffffff"),
}
"""Colour of vision.reading.COLOURS -> (the die, its pips and words on it), sRGB."""

_T, _H, _B = 7.3, 15.0, 22.7
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((_H, _H),),
    2: ((_T, _T), (_B, _B)),
    3: ((_T, _T), (_H, _H), (_B, _B)),
    4: ((_T, _T), (_B, _T), (_T, _B), (_B, _B)),
    5: ((_T, _T), (_B, _T), (_H, _H), (_T, _B), (_B, _B)),
    6: ((_T, _T), (_B, _T), (_T, _H), (_B, _H), (_T, _B), (_B, _B)),
}
"""Middles (x, y) of the pips of a face on a die of 30 x 30."""


def paint(colour: str) -> tuple[str, str]:
    """(die, ink) of a colour; grey for one that no dice are known in."""
    return PAINTS.get(colour, PAINTS["grey"])
