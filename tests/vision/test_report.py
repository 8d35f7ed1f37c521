"""Readings and scores in plain text, as the terminal shows them."""

from __future__ import annotations

from dataclasses import replace

from tests.vision.made_up import die, reading, rolled
from vision.mat import NOT_FOUND
from vision.report import doubts, reading_text, score_text
from vision.scoring import score_reading


def scored(*dice: object) -> str:
    shown = reading(*dice)  # type: ignore[arg-type]
    return score_text(shown, score_reading(shown))


def test_a_reading_is_a_summary_and_an_aligned_row_for_every_die() -> None:
    text = reading_text(
        reading(
            die((10, 20, 70, 81), face=3, colour="blue"),
            die(
                (1110, 220, 1170, 281),
                face=6,
                colour="orange",
                face_p=0.996,
                colour_p=0.4,
                unsure=True,
            ),
        )
    )
    assert text.splitlines() == [
        "a.jpg (1000 x 800 px): 2 dice: 1 blue, 1 orange; 1 unsure.",
        "  face  sure   colour  sure   box (x0 y0 x1 y1, px)",
        "  3      99 %  blue     99 %     10    20    70    81",
        "  6      99 %  orange   40 %   1110   220  1170   281  unsure: colour",
    ]


def test_places_on_a_mat_have_a_column_and_the_mat_a_line() -> None:
    mat = {"found": True, "by": "markers", "corners": [[0, 0]] * 4, "error_mm": 0.34}
    lying = (
        replace(die(), place={"row": 3, "side": "left"}),
        replace(die(face=2), place={"area": "captured"}),
    )
    lines = reading_text(replace(reading(*lying), mat=mat)).splitlines()
    assert lines[1] == "  The mat is found by its markers, to about 0.3 mm."
    assert lines[2] == "  face  sure   colour  sure   place     box (x0 y0 x1 y1, px)"
    assert lines[3].startswith("  5      99 %  red      99 %  3 left    ")
    assert lines[4].startswith("  2      99 %  red      99 %  captured  ")


def test_a_table_without_a_mat_says_what_to_do() -> None:
    lines = reading_text(replace(reading(die()), mat=NOT_FOUND)).splitlines()
    assert lines[1].startswith("  No mat is seen, so no places are told ('lawn mat' prints one;")


def test_a_face_that_cannot_be_told_is_a_question_mark() -> None:
    assert reading_text(reading(die(face=None))).splitlines()[2].startswith("  ? ")


def test_says_what_is_unsure_of_a_die() -> None:
    assert doubts(die()) == ()
    assert doubts(die(face_p=0.5)) == ("face",)
    assert doubts(die(face=None)) == ("face",)
    assert doubts(die(face_p=0.5, colour_p=0.2, found_p=0.3)) == ("die", "face", "colour")
    assert reading_text(reading(die(found_p=0.3, unsure=True))).endswith("unsure: die")
    assert reading_text(reading(die(unsure=True))).endswith("unsure: look at it")


def test_certainty_is_never_rounded_up_to_a_hundred() -> None:
    assert " 99 %" in reading_text(reading(die(face_p=0.9999)))
    assert "100 %" not in reading_text(reading(die(face_p=0.9999, colour_p=0.9999)))


def test_a_picture_without_dice_and_its_notices_are_said() -> None:
    noticed = replace(reading(), notices=("The dice are too small.",))
    assert reading_text(noticed) == "a.jpg (1000 x 800 px): no dice.\n  The dice are too small."
    assert (
        score_text(noticed, score_reading(noticed)) == "a.jpg: no dice.\n  The dice are too small."
    )


def test_a_score_shows_base_every_bonus_with_its_dice_the_best_and_the_total() -> None:
    # rule 3:2.A and 3:2.C: five 6s are 30, all eight matched are 37, only one counts (3:2.D)
    assert scored(*rolled("red", [6, 6, 6, 6, 6, 2, 2, 3])).splitlines() == [
        "a.jpg: 8 dice: 8 red.",
        "  red: 2 2 3 6 6 6 6 6",
        "    base 37",
        "    five of a kind 30 (6 6 6 6 6)",
        "    total 67",
    ]
    assert scored(*rolled("red", [6, 6, 6, 6, 6, 2, 2, 2])).splitlines()[2:] == [
        "    base 36",
        "    fully matched 36 (2 2 2 6 6 6 6 6), the best",
        "    five of a kind 30 (6 6 6 6 6)",
        "    total 72",
    ]
    assert scored(*rolled("red", [1, 1, 2, 2, 3, 3, 4, 5])).splitlines()[2:] == [
        "    base 21",
        "    no bonus",
        "    total 21",
    ]


def test_the_turn_order_goes_down_from_the_highest_total() -> None:
    # rule 3:4.A
    text = scored(
        *rolled("blue", [1, 1, 2, 2, 3, 3, 4, 5]), *rolled("red", [1, 2, 3, 4, 5, 6, 6, 6])
    )
    assert text.splitlines()[-1] == "  Turn order: red (54), then blue (21)."


def test_a_tie_is_said_with_what_follows_from_it() -> None:
    # rule 3:4.B
    low = [1, 1, 2, 2, 3, 3, 4, 5]
    text = scored(
        *rolled("blue", low), *rolled("green", low), *rolled("red", [1, 2, 3, 4, 5, 6, 6, 6])
    )
    assert text.splitlines()[-2:] == [
        "  Turn order: red (54), then blue and green (21).",
        "  Blue and green tie at 21: they roll again for their place in the order (rule 3:4.B).",
    ]


def test_one_scored_colour_alone_has_no_turn_order() -> None:
    assert "Turn order" not in scored(*rolled("red", [1, 2, 3, 4, 5, 6, 6, 6]))


def test_a_colour_with_other_than_eight_dice_is_said_and_not_scored() -> None:
    # rule 3:1.A
    text = scored(*rolled("red", [1, 2, 3, 4, 5, 6, 6]))
    assert text.splitlines()[1:] == [
        "  red: 1 2 3 4 5 6 6",
        "    7 red dice seen; a Big Roll has 8, so it is not scored.",
    ]


def test_unsure_dice_are_pointed_out_and_mark_the_total() -> None:
    lines = scored(*rolled("red", [1, 2, 3, 4, 5, 6, 6, 6], unsure=2)).splitlines()
    assert lines[0].endswith("8 red; 2 unsure.")
    assert lines[-2] == "    total 54, unsure"
    assert lines[-1].startswith("    2 of these dice are unsure: compare with the table")
    one = scored(*rolled("red", [1, 2, 3, 4, 5, 6, 6, 6], unsure=1))
    assert "1 of these dice is unsure" in one
