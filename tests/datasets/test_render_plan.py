"""Planned tables: lawful, the same every time, and their truth is what geometry says."""

from collections import Counter
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from datasets.render import RenderError, check_seeds, label_lines
from datasets.render_die import CELL_PX, cell_of, die_mesh, face_axes, paint_atlas, turn_to
from datasets.render_layout import overlap
from datasets.render_looks import Look, random_look
from datasets.render_mats import DESIGNS, draw_mat
from datasets.render_plan import make_plan
from datasets.render_presets import LIGHTS, MATS, PRINTS, SEEDS, TABLES
from datasets.render_records import Mat, Plan
from datasets.render_surfaces import SURFACES
from datasets.render_things import hull_faces, shape_of
from datasets.render_truth import die_body, matrices, project, truth_of
from vision.reading import COLOURS

TRAIN = range(1_000_000, 1_000_016)


@cache
def plan_of(seed: int) -> Plan:
    return make_plan(seed, size=(640, 360))


@cache
def truth_at(seed: int) -> dict:
    return truth(plan_of(seed))


def look(colour: str = "blue", seed: int = 1) -> Look:
    return random_look(np.random.default_rng(seed), colour, 16.0, "train")


def truth(plan: Plan) -> dict:
    return truth_of(plan, [shape_of(thing).body() for thing in plan.things])


def test_the_same_seed_plans_the_same_table_with_the_same_truth() -> None:
    again = make_plan(1_000_003, size=(640, 360))
    assert again == plan_of(1_000_003)
    assert truth(again) == truth_at(1_000_003)
    assert make_plan(1_000_003) != plan_of(1_000_004)


def test_nothing_of_held_out_tables_is_in_training() -> None:
    for lists in (MATS, TABLES, LIGHTS):
        assert not set(lists["train"]) & set(lists["held-out"])
    assert set(DESIGNS) | {"own-colour", "own-ink-saving"} == {*MATS["train"], *MATS["held-out"]}
    assert set(SURFACES) == {*TABLES["train"], *TABLES["held-out"], *PRINTS}
    assert not set(PRINTS) & set(TABLES["held-out"])
    for seed in range(9_000_000, 9_000_008):
        plan = make_plan(seed)
        assert plan.split == "held-out"
        assert plan.table in TABLES["held-out"]
        assert plan.light in LIGHTS["held-out"]
        assert plan.mat is None or plan.mat.design in MATS["held-out"]
        assert make_plan(seed, only_things=True).table in TABLES["held-out"]


def test_half_of_the_train_pictures_of_things_lie_on_printed_cloth_and_no_table_with_dice_does() -> (
    None
):
    seeds = range(1_400_100, 1_400_160)
    printed = [make_plan(seed, only_things=True).table in PRINTS for seed in seeds]
    assert 20 <= sum(printed) <= 40
    assert not any(make_plan(seed).table in PRINTS for seed in seeds)


def test_seeds_of_the_wrong_presets_are_refused() -> None:
    check_seeds(10, SEEDS["held-out"].start, "held-out")
    with pytest.raises(RenderError, match="not all train seeds"):
        check_seeds(1, 9_000_000, "train")
    with pytest.raises(RenderError, match="not all held-out seeds"):
        check_seeds(2, 9_999_999, "held-out")


def test_a_match_has_all_its_dice_on_the_table() -> None:  # rules 1:1.A, 1:1.B
    seen = set()
    for seed in TRAIN:
        plan = plan_of(seed)
        if plan.kind != "lawn":
            continue
        counts = Counter(die.look for die in plan.dice)
        neutral = [index for index, look in enumerate(plan.looks) if look.neutral]
        seen.add(len(neutral))
        assert counts == {0: 8, 1: 8, 2: 6 if neutral else 8}
    assert seen == {0, 1}  # both kinds of match were among them


def test_dice_on_the_lawn_lie_in_the_row_of_their_face_and_fill_it_lawfully() -> None:
    for seed in TRAIN:
        plan = plan_of(seed)
        rows: dict[int, list[str]] = {}
        for die in plan.dice:
            if die.place.area != "lawn":
                continue
            assert die.face == die.place.row  # rule 4:3.A
            row = 3.5 - die.y_mm / plan.pitch_mm[1]
            assert abs(row - die.face) < 0.5
            assert die.place.side is not None
            rows.setdefault(die.face, []).append(die.place.side)
        for sides in rows.values():
            assert len(set(sides)) == len(sides)
            assert "center" in sides  # rule 4:3.B


def test_player_rows_ascend_from_their_owners_left() -> None:  # rule 3:3.A
    for seed in TRAIN:
        for player in range(3):
            row = [
                d for d in plan_of(seed).dice if d.place.area == "row" and d.place.player == player
            ]
            assert [d.face for d in row] == sorted(d.face for d in row)


def test_dice_do_not_lie_in_each_other() -> None:
    from datasets.render_layout import footprint

    for seed in TRAIN:
        plan = plan_of(seed)
        squares = [
            footprint(d.x_mm, d.y_mm, d.yaw, plan.looks[d.look].style.edge_mm * 0.97)
            for d in plan.dice
        ]
        for index, square in enumerate(squares):
            assert not any(overlap(square, other) for other in squares[:index])


def test_opposite_faces_sum_to_seven_in_space_and_in_the_painted_skin() -> None:
    for seed in range(6):
        die = replace(look("white", seed), speckle=0.0, clear=0.0)
        axes = face_axes(die)
        for face in range(1, 7):
            assert np.array_equal(axes[face][2], -axes[7 - face][2])
            assert np.linalg.det(axes[face]) == pytest.approx(1)
            assert np.array_equal(turn_to(face, die) @ axes[face][2], [0, 0, 1])
        atlas = paint_atlas(die)
        for face in range(1, 7):
            column, row = cell_of(face)
            rows = slice(row * CELL_PX, (row + 1) * CELL_PX)
            depth = atlas[rows, column * CELL_PX : (column + 1) * CELL_PX, 3]
            pips, _ = cv2.connectedComponents((depth < 0.8).astype(np.uint8))
            assert pips - 1 == face


def test_both_handednesses_occur() -> None:
    turned = set()
    for seed in range(20):
        axes = face_axes(look("red", seed))
        turned.add(round(float(np.linalg.det([axes[1][2], axes[2][2], axes[3][2]]))))
    assert turned == {1, -1}


def test_the_mesh_is_a_closed_cube_of_the_dies_size() -> None:
    mesh = die_mesh(look())
    assert np.allclose(mesh.points.min(0), -1)
    assert np.allclose(mesh.points.max(0), 1)
    edges = Counter(
        tuple(sorted((int(a), int(b))))
        for quad in mesh.quads
        for a, b in zip(quad, np.roll(quad, 1), strict=True)
        if a != b
    )
    assert set(edges.values()) == {2}
    assert ((mesh.normals * mesh.points).sum(1) > 0.5).all()
    assert mesh.uv.min() >= 0
    assert mesh.uv.max() <= 1


def test_a_seen_dies_centre_and_top_lie_in_its_box() -> None:
    for seed in TRAIN:
        plan = plan_of(seed)
        dice = {tuple(die["xy_mm"]): die for die in truth_at(seed)["dice"]}
        for die in plan.dice:
            xy = (
                round(die.x_mm + 1.5 * plan.pitch_mm[0], 2),
                round(3 * plan.pitch_mm[1] - die.y_mm, 2),
            )
            if xy not in dice or dice[xy]["cut_off"]:
                continue
            x0, y0, x1, y1 = dice[xy]["box"]
            (x, y), *_ = project(plan.lens, die_body(die, plan, {}).middle[None])
            assert x0 < x < x1
            assert y0 < y < y1
            top = np.array(dice[xy]["top"])
            slack = 0.06 * max(x1 - x0, y1 - y0)  # rounded corners do not fill the face's square
            assert (top > [x0 - slack, y0 - slack]).all()
            assert (top < [x1 + slack, y1 + slack]).all()


def test_the_written_matrices_project_the_mats_corners() -> None:
    plan = next(p for p in map(plan_of, TRAIN) if p.mat and truth_at(p.seed)["mat"]["corners"])
    told = truth_at(plan.seed)
    camera = told["camera"]
    half = plan.mat.half_mm if plan.mat else (0.0, 0.0)
    corner = np.array([[-half[0], half[1], 0.4]])  # row 1 left
    turn, _ = cv2.Rodrigues(np.array(camera["R"]))
    at, _ = cv2.projectPoints(
        corner, turn, np.array(camera["t"]), np.array(camera["K"]), np.array(camera["distortion"])
    )
    x, y = at[0, 0]
    x = plan.lens.width - x if told["mirrored"] else x
    assert np.allclose((x, y), told["mat"]["corners"][0], atol=0.1)


def test_mirroring_swaps_left_and_right_of_the_truth() -> None:
    plan = plan_of(1_000_002)
    one = truth(replace(plan, lens=replace(plan.lens, mirrored=False)))
    two = truth(replace(plan, lens=replace(plan.lens, mirrored=True)))
    for a, b in zip(one["dice"], two["dice"], strict=True):
        assert a["box"][0] == pytest.approx(plan.lens.width - b["box"][2], abs=0.11)
        assert a["visible"] == pytest.approx(b["visible"])
        assert a["xy_mm"] == b["xy_mm"]


def test_a_die_behind_another_is_less_visible_and_one_alone_is_wholly() -> None:
    plan = next(p for p in map(plan_of, TRAIN) if p.kind == "lawn")
    alone = replace(plan, dice=plan.dice[:1], things=(), hand=None)
    assert truth(alone)["dice"][0]["visible"] == 1.0
    assert truth(alone)["dice"][0]["top_visible"] == 1.0
    k, _, turn, _ = matrices(plan.lens)
    ahead = turn[2][:2] / np.linalg.norm(turn[2][:2])
    first, edge = plan.dice[0], plan.looks[plan.dice[0].look].style.edge_mm
    # A far taller thing right in front of it, seen from a low camera.
    low = replace(plan.lens, position=(-ahead[0] * 300, -ahead[1] * 300, 120.0))
    assert k[0, 0] > 0
    body = die_body(first, plan, {})
    wall = replace(
        body,
        points=(body.points - body.middle) * [1, 1, 3] + body.middle - [*ahead * edge * 1.5, 0.0],
        middle=body.middle - [*ahead * edge * 1.5, 0.0],
        half=body.half * [1, 1, 3],
        axes=np.eye(3),
    )
    down = np.array([*ahead * np.sin(1.2), -np.cos(1.2)])
    right = np.cross(down, [0, 0, 1.0])
    right /= np.linalg.norm(right)
    aimed = replace(
        low,
        mirrored=False,
        position=tuple(body.middle - down * 300),
        turn=tuple(tuple(row) for row in (right, np.cross(down, right), down)),
    )
    hidden = truth_of(replace(alone, lens=aimed), [wall])["dice"][0]
    assert hidden["visible"] < 0.6
    assert not hidden["labelled"]


def test_dice_that_cannot_be_asked_for_are_told_but_are_no_labels() -> None:
    unlabelled = 0
    for seed in TRAIN:
        told = truth_at(seed)
        for die in told["dice"]:
            asked = die["top_visible"] >= 0.6 and not die["cut_off"]
            assert die["labelled"] == asked
            assert (die["box"] in told["ignore"]) or asked
            assert die["colour"] in COLOURS
            unlabelled += not asked
        lines = label_lines(told, (640, 360)).splitlines()
        assert [int(line[0]) + 1 for line in lines] == [
            die["face"] for die in told["dice"] if die["labelled"]
        ]
    assert unlabelled  # the check above saw both sorts


def test_tables_of_other_things_have_no_dice() -> None:
    plan = make_plan(1_000_000, only_things=True)
    told = truth(plan)
    assert plan.kind == "distractors"
    assert len(plan.things) >= 6
    assert told["dice"] == []
    assert label_lines(told, (1280, 720)) == ""


@pytest.mark.parametrize("design", sorted({*MATS["train"], *MATS["held-out"]}))
def test_every_mat_can_be_drawn(design: str) -> None:
    from datasets.render_mats import own_layout

    layout = own_layout(16.0, larger=False)
    half = layout.extent.width / 2, layout.extent.height / 2
    margin = (half[0] - 1.5 * layout.cell_mm[0], half[1] - 3 * layout.cell_mm[1])
    picture = draw_mat(Mat(design, layout.cell_mm, margin, 0.0, 3))
    assert picture.shape[2] == 3
    assert picture.std() > 0.01
    assert 0 <= picture.min() <= picture.max() <= 1


@pytest.mark.parametrize(
    ("corners", "faces", "each"),
    [("d4", 4, 3), ("d8", 8, 3), ("d10", 10, 4), ("d12", 12, 5), ("d20", 20, 3)],
)
def test_polyhedra_have_the_faces_of_their_name(corners: str, faces: int, each: int) -> None:
    from datasets.render_things import _solid

    hull = hull_faces(_solid(corners))
    assert [len(face) for face in hull] == [each] * faces
