"""The rulings as options."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import OptionsError
from engine.options import RULINGS, Options


def test_every_ruling_is_an_option_with_its_default() -> None:
    # R1 to R10
    assert [ruling.number for ruling in RULINGS] == [f"R{n}" for n in range(1, 11)]
    defaults = {ruling.option: ruling.default for ruling in RULINGS}
    assert Options().to_mapping() == defaults
    assert Options().changed() == {}


def test_every_value_of_every_ruling_can_be_chosen() -> None:
    for ruling in RULINGS:
        for value, meaning in ruling.values:
            assert meaning
            options = Options.from_mapping({ruling.option: value})
            assert options.to_mapping()[ruling.option] == value
            assert options.changed() == ({} if value == ruling.default else {ruling.option: value})
            assert Options.from_mapping(options.to_mapping()) == options


@pytest.mark.parametrize(
    "mapping",
    [
        *(None, [], "ending", {1: "gridlock"}, {"endings": "gridlock"}, {"own_push": "reroll"}),
        *({"ending": "never"}, {"ending": None}, {"ending": []}),
    ],
    ids=str,
)
def test_unknown_options_are_refused(mapping: Any) -> None:
    with pytest.raises(OptionsError):
        Options.from_mapping(mapping)


def test_a_wrong_value_is_refused_however_options_are_made() -> None:
    wrong: Any = "sometimes"
    with pytest.raises(OptionsError, match="Option grind takes after-boundary-roll or at-once"):
        Options(grind=wrong)
