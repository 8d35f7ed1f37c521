"""Dice grouped by colour and scored: eight of a colour are a Big Roll, others are said and not scored."""

from vision.reading import COLOURS, DieReading, Reading
from vision.scoring import score_reading


def dice(colour: str, faces: list[int | None], unsure: bool = False) -> list[DieReading]:
    """Read dice of one colour, somewhere in the picture."""
    level = {name: float(name == colour) for name in COLOURS}
    return [
        DieReading((0, 0, 9, 9), face, (1 / 6,) * 6, colour, level, 0.9, unsure=unsure)
        for face in faces
    ]


def reading(*groups: list[DieReading]) -> Reading:
    return Reading("table.jpg", 640, 480, tuple(die for group in groups for die in group))


def test_every_colour_of_eight_dice_is_scored_on_its_own() -> None:
    table = score_reading(
        reading(dice("red", [1, 1, 1, 1, 1, 2, 3, 4]), dice("blue", [6, 5, 4, 3, 2, 1, 1, 2]))
    )
    red, blue = sorted(table.groups, key=lambda group: group.colour, reverse=True)
    assert red.roll is not None
    assert blue.roll is not None
    assert (red.roll.base, red.roll.total) == (14, 19)  # rule 3:1.B, 3:2.A
    assert (blue.roll.base, blue.roll.total) == (24, 45)  # rule 3:2.B
    assert table.order == (("blue",), ("red",))  # rule 3:4.A


def test_a_tie_shares_a_place_in_the_order() -> None:
    faces: list[int | None] = [1, 1, 2, 3, 4, 5, 5, 5]
    table = score_reading(reading(dice("red", faces), dice("green", faces)))
    assert sorted(table.order[0]) == ["green", "red"]  # rule 3:4.B


def test_seven_or_nine_dice_are_said_and_not_scored() -> None:
    for count in (1, 7, 9):
        table = score_reading(reading(dice("red", [3] * count)))
        (group,) = table.groups
        assert group.roll is None
        assert group.problem is not None
        assert f"{count} red" in group.problem
        assert table.order == ()


def test_a_die_that_cannot_be_read_keeps_its_colour_from_being_scored() -> None:
    (group,) = score_reading(reading(dice("red", [3, 3, 3, 3, 3, 3, 3, None]))).groups
    assert group.roll is None
    assert group.problem is not None
    assert "cannot be read" in group.problem


def test_unsure_dice_are_counted_for_the_person() -> None:
    (group,) = score_reading(reading(dice("red", [1] * 6), dice("red", [2, 2], unsure=True))).groups
    assert group.unsure == 2
    assert group.roll is not None


def test_an_empty_table_has_no_score() -> None:
    assert score_reading(reading()).to_json() == {"colours": [], "order": []}
