"""`lawn check` and `lawn legal` as people run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.processes import ROOT, command, complaint, lawn

RECORDS = ROOT / "tests" / "fixtures"
GOOD = [RECORDS / f"{name}.lawn" for name in ("by-hand", "two-players", "three-players")]
ILLEGAL = b"Players: red, blue\nred big roll 15566666\n\nblue big roll 22334455\nblue low -> 16\n"


def objects(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ["check", "legal"])
def test_the_commands_are_listed_and_explain_themselves(name: str) -> None:
    assert f"\n  {name} " in lawn("--help").stdout.decode()
    done = lawn(name, "--help")
    assert done.returncode == 0
    assert b"--json" in done.stdout


def test_good_records_are_fine() -> None:
    done = lawn("check", *GOOD)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert text.count("every turn is legal") == 3
    assert "Ben (blue) wins with 182 after 3 rounds." in text
    assert "Carla (green) wins with 133 after 2 rounds." in text
    assert [each["ok"] for each in objects(lawn("check", "--json", *GOOD))] == [True] * 3


def test_an_illegal_record_is_named_with_line_rule_reasons_and_position(tmp_path: Path) -> None:
    (tmp_path / "a.lawn").write_bytes(ILLEGAL)
    done = lawn("check", "a.lawn", GOOD[1], cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "a.lawn: line 5 is not legal: blue low -> 16"
    assert lines[1] == "  Rule 3:4.A: It is red's turn, not blue's."
    assert lines[2].startswith("  Position before it: players red,blue; phase boundary-choice red;")
    assert "every turn is legal" in lines[3]
    first, second = objects(lawn("check", "--json", "a.lawn", GOOD[1], cwd=tmp_path))
    assert (first["ok"], first["line"], first["reasons"][0]["rule"]) == (False, 5, "3:4.A")
    assert second["ok"]
    # The position that is named can be asked what would have been legal.
    legal = lawn("legal", first["position"])
    assert "roll the low edge: the 1" in legal.stdout.decode()
    told = next(line for line in lines if line.startswith("  Position before it: "))
    assert lawn("legal", f"{told}\n").stdout == legal.stdout


def test_a_record_of_wrong_form_is_not_legal_either(tmp_path: Path) -> None:
    (tmp_path / "a.lawn").write_text("Dear diary,\n")
    done = lawn("check", "a.lawn", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(b"a.lawn: line 1 cannot be read: Dear diary,\n")


def test_standard_input_is_read() -> None:
    for content, code in ((GOOD[0].read_bytes(), 0), (ILLEGAL, 1), (b"", 1)):
        done = lawn("check", "-", input=content)
        assert (done.returncode, done.stderr) == (code, b"")
        assert done.stdout.startswith(b"standard input: ")
    assert "standard input" in complaint(lawn("check", "-", input=b"\xff\xfe\0"))


def test_files_that_cannot_be_read_are_named_and_the_others_are_checked(tmp_path: Path) -> None:
    whole = GOOD[1].read_bytes()
    (tmp_path / "binary.lawn").write_bytes(b"\x89PNG" + b"\0" * 50)
    (tmp_path / "latin.lawn").write_bytes("Players: red Jürgen, blue".encode("latin-1"))
    (tmp_path / "wide.lawn").write_bytes(whole.decode().encode("utf-16"))
    (tmp_path / "huge.lawn").write_bytes(b"# again and again\n" * 70_000)
    (tmp_path / "folder.lawn").mkdir()
    (tmp_path / "illegal.lawn").write_bytes(ILLEGAL)
    bad = ["missing.lawn", "binary.lawn", "latin.lawn", "wide.lawn", "huge.lawn", "folder.lawn"]
    done = lawn("check", "--json", GOOD[1], *bad, "illegal.lawn", cwd=tmp_path)
    assert done.returncode == 2
    assert [each["ok"] for each in objects(done)] == [True, False]
    complaints = done.stderr.decode().splitlines()
    assert [line.split(": ")[:2] for line in complaints] == [["Error", name] for name in bad]
    words = ["no such file", "binary", "not UTF-8", "UTF-16", "larger than 1 MB", "folder"]
    for line, word in zip(complaints, words, strict=True):
        assert word in line
        assert line.endswith(".")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only Unix has an endless file")
def test_an_endless_file_ends() -> None:
    assert "larger than 1 MB" in complaint(lawn("check", "/dev/zero"))


def test_a_name_of_a_player_is_printed_whatever_the_console_starts_with(tmp_path: Path) -> None:
    (tmp_path / "骰子.lawn").write_text("Players: red Jürgen 🎲, blue\n", encoding="utf-8")
    console = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = lawn("check", "骰子.lawn", "--json", cwd=tmp_path, env=console)
    (answer,) = objects(done)
    assert (answer["record"], answer["players"][0]["name"]) == ("骰子.lawn", "Jürgen 🎲")


def test_a_reader_that_leaves_early_ends_it_without_a_word() -> None:
    process = subprocess.Popen(
        [command(), "check", *map(str, GOOD)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), said) == (1, b"")


def last_position(name: str) -> str:
    (answer,) = objects(lawn("check", "--json", RECORDS / f"{name}.lawn"))
    position: str = answer["position"]
    return position


def test_every_legal_action_is_listed_with_its_outcome() -> None:
    position = last_position("by-hand")
    done = lawn("legal", position)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "Red chooses an edge of the Player Row and rolls it: 2 choices.",
        "  roll the low edge: the 1  [boundary low]",
        "      Red rolls the dice of that edge.",
        "  roll the high edge: the 6s  [boundary high]",
        "      Red rolls the dice of that edge.",
    ]
    (answer,) = objects(lawn("legal", "--json", position))
    assert answer["position"] == position
    (rolling,) = objects(lawn("legal", "--json", answer["actions"][0]["position"]))
    assert rolling["chance"]
    assert [each["probability"] for each in rolling["actions"]] == pytest.approx([1 / 6] * 6)
    (placing,) = objects(lawn("legal", "--json", rolling["actions"][2]["position"]))
    outcomes = {each["action"]: each["effects"] for each in placing["actions"]}
    # Red holds 3466 and row 6 is red's: only the 3 can go to the Lawn, where row 3 is full.
    assert set(outcomes) == {"place 3 left", "place 3 right"}
    assert outcomes["place 3 left"]["pushed"] == "blue"
    assert outcomes["place 3 right"]["captured"] == 3
    assert outcomes["place 3 right"]["next"] == "blue"


def test_a_position_in_which_the_round_is_over_says_so() -> None:
    done = lawn("legal", last_position("two-players"))
    assert done.returncode == 0
    assert done.stdout == b"The round is over (all dice placed): red 49, blue 72.\n"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("red 1466", "red 1467", "at character 74, rows of red: a die shows a face from 1 to 6"),
        ("blue 44456", "blue 4445", "blue has 7 dice"),
        ("phase", "phrase", "there is no field 'phrase'"),
        ("6 rrr", "6 rr", "a row of the Lawn has three places (rule 1:2.B)"),
    ],
)
def test_a_malformed_position_is_one_sentence(old: str, new: str, said: str) -> None:
    position = last_position("by-hand").replace(old, new, 1)
    assert said in complaint(lawn("legal", position))
    assert said in complaint(lawn("legal", "--json", position))


@pytest.mark.parametrize("position", ["", "x", "players " * 500, "phase; ; ;"])
def test_what_is_no_position_is_one_sentence(position: str) -> None:
    assert "at character " in complaint(lawn("legal", position))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere arguments are Unicode")
def test_a_position_that_is_no_unicode_is_one_sentence() -> None:
    assert "at character 1" in complaint(lawn("legal", b"players r\xffd"))


@pytest.mark.parametrize("words", [["check"], ["legal"], ["legal", "a", "b"], ["check", "--x"]])
def test_a_wrong_command_line_is_refused(words: list[str]) -> None:
    done = lawn(*words)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1].startswith("Error: ")
