"""The proof of the review: made recordings with known truth, and what `lawn review` makes of them.

Each recording is given by a seeded plan and made when it is missing, so the table can be made anew
anywhere. A transcript is right only if every Big Roll, tie-break, turn, capture, lock and round score
is, in order, and every infringement is named and nobody else accused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from datasets.clips import ClipPlan, write_clip
from engine.alignment import Pair, aligned
from engine.verdict import HAND_UNKNOWN
from vision.review_against import difference, steps_of
from vision.review_folder import ReviewFolder, Wishes
from vision.review_many import Job, reviewed

Json = dict[str, Any]


class BenchError(ValueError):
    """The bench cannot write its table."""


_SMALL: dict[str, Any] = {"size": (854, 480), "fps": 20, "noise": 1.0}


@dataclass(frozen=True)
class Recording:
    """A recording of the bench: its name, its plan, what is in it in words, whether it is path-traced."""

    name: str
    plan: ClipPlan
    traced: bool = False


def _short(name: str, **choices: Any) -> Recording:
    return Recording(name, ClipPlan(**{**_SMALL, **choices}))


RECORDINGS: tuple[Recording, ...] = (
    Recording("c01-two-ours-overhead", ClipPlan(101, tilt_deg=4, from_turn=2, turns=8, rests=(5,))),
    Recording(
        "c02-three-grid-oblique",
        ClipPlan(102, players=3, mat="grid", tilt_deg=30, from_turn=10, turns=8, heads=(13,)),
    ),
    _short(
        "c03-two-ours-bump", seed=103, tilt_deg=20, from_turn=8, turns=6, bumps=(11,), light=True
    ),
    _short(
        "c04-two-ours-cheat",
        seed=104,
        tilt_deg=15,
        turns=6,
        cheats=(("wrong-row", 2), ("lawn-die-turned", 5)),
    ),
    _short(
        "c05-three-ours-cheats",
        seed=105,
        players=3,
        tilt_deg=12,
        from_turn=8,
        turns=9,
        cheats=(("out-of-turn", 9), ("middle-die-lifted", 10)),
    ),
    _short(
        "c06-two-grid-light",
        seed=106,
        mat="grid",
        tilt_deg=2,
        from_turn=4,
        turns=6,
        light=True,
        rests=(6,),
    ),
    _short("c07-two-ours-rounds", seed=107, tilt_deg=10, rounds=2, from_turn=20, turns=14),
    Recording("r01-two-ours-whole", ClipPlan(201, tilt_deg=6, fps=25)),
    Recording(
        "r02-three-ours-whole",
        ClipPlan(203, players=3, tilt_deg=25, heads=(9,), rests=(14,), fps=25),
    ),
    Recording("r03-two-grid-whole", ClipPlan(203, mat="grid", tilt_deg=33, rests=(7,), fps=25)),
    Recording(
        "r04-two-ours-whole-hard",
        ClipPlan(
            204,
            tilt_deg=18,
            bumps=(9,),
            light=True,
            heads=(5,),
            rests=(12,),
            cheats=(("inner-die-placed", 6), ("die-missing", 13)),
        ),
    ),
    Recording("r05-three-grid-whole", ClipPlan(208, players=3, mat="grid", tilt_deg=10, fps=25)),
    _short("r06-two-ours-whole-480", seed=209, tilt_deg=12),
    Recording(
        "t01-traced",
        ClipPlan(4, from_turn=3, turns=3, tilt_deg=12, size=(854, 480), fps=20),
        traced=True,
    ),
    Recording(
        "t02-traced",
        ClipPlan(8, players=3, from_turn=14, turns=2, tilt_deg=28, size=(854, 480), fps=20),
        traced=True,
    ),
)

QUICK = ("c01-two-ours-overhead",)


@dataclass(frozen=True)
class Result:
    """What the review made of one recording.

    steps: Big Rolls, tie-breaks and turns there were; right: how many of them are in the transcript just
    so; pairs: those that differ; scores_right: captures, locks and points as far as they were seen.
    infringements: (kind, player) there were; named: as the review names them, and the player as he is where
    nobody is named because the table cannot tell (HAND_UNKNOWN); camera_moves: (were, seen).
    doubts: what the review asks about. speed: times as fast as it plays.
    """

    name: str
    about: str
    duration_s: float
    steps: int = 0
    right: int = 0
    pairs: tuple[Pair, ...] = ()
    scores_right: bool = False
    infringements: tuple[tuple[str, str | None], ...] = ()
    named: tuple[tuple[str, str | None], ...] = ()
    camera_moves: tuple[int, int] = (0, 0)
    doubts: int = 0
    speed: float = 0.0
    late_s: float = 0.0
    error: str = ""

    @property
    def exact(self) -> bool:
        """Every step and score, and not one too many."""
        return not self.error and not self.pairs and self.scores_right

    @property
    def judged(self) -> bool:
        """Every infringement named with its player, and nobody else accused."""
        return not self.error and sorted(map(str, self.infringements)) == sorted(
            map(str, self.named)
        )


def made(recording: Recording, folder: Path) -> Path:
    """The video of a recording, made if it is not there. Raises ClipError."""
    out = folder / f"{recording.name}.mp4"
    painters = None
    if recording.traced:
        from datasets.clips_traced import TracedPainter

        def painters(clip: Any, camera: Any) -> TracedPainter:
            return TracedPainter(clip, camera, out.with_suffix(".stills"))

    write_clip(recording.plan, out, painters)
    return out


def measured(recording: Recording, video: Path, keep: Path, explain_anew: bool = False) -> Result:
    """Review one recording, knowing nothing but its pictures.

    explain_anew: a review that is kept is explained anew from its views; its speed is then not known.
    """
    truth = json.loads(video.with_suffix(".json").read_text(encoding="utf-8"))
    about = described(recording)
    folder = keep / recording.name
    job = Job((video,), folder, Wishes(), explain_anew=explain_anew, apart=True)
    outcome = reviewed(job)
    if outcome.says:
        return Result(recording.name, about, truth["duration_s"], error=outcome.says)
    result = compared(recording.name, about, truth, ReviewFolder(job.folder).read_transcript())
    spent = dict(outcome.spent).get("all", 0.0)
    looked = "looking" in dict(outcome.spent)
    return replace(result, speed=truth["duration_s"] / spent if looked else 0.0)


def compared(name: str, about: str, truth: Json, found: Json) -> Result:
    """A transcript against the truth of its recording."""
    pairs = aligned(steps_of(found["events"]), steps_of(truth["events"]))
    wrong = tuple(pair for pair in pairs if not pair.same)
    late = [
        abs(pair.ours["t1_s"] - pair.theirs["t1_s"])
        for pair in pairs
        if pair.same and pair.ours is not None and pair.theirs is not None
    ]
    return Result(
        name=name,
        about=about,
        duration_s=truth["duration_s"],
        steps=len(steps_of(truth["events"])),
        right=sum(pair.same for pair in pairs),
        pairs=wrong,
        scores_right=_what_follows(found) == _what_follows(truth),
        infringements=_accusations(truth["events"]),
        named=_forgiven(_accusations(found["events"]), _accusations(truth["events"])),
        camera_moves=(_count(truth, "camera_moved"), _count(found, "camera_moved")),
        doubts=len(found["unsure"]),
        late_s=sorted(late)[len(late) // 2] if late else 0.0,
    )


def _count(account: Json, kind: str) -> int:
    return sum(event["type"] == kind for event in account["events"])


def _accusations(events: Sequence[Json]) -> tuple[tuple[str, str | None], ...]:
    return tuple((e["kind"], e["player"]) for e in events if e["type"] == "infringement")


def _forgiven(
    named: Sequence[tuple[str, str | None]], wanted: Sequence[tuple[str, str | None]]
) -> tuple[tuple[str, str | None], ...]:
    """What is named, with the player where it was right to name nobody."""
    left = list(wanted)
    made = []
    for kind, player in named:
        hit = (kind, player)
        if player is None and kind in HAND_UNKNOWN:
            hit = next((each for each in left if each[0] == kind), hit)
        if hit in left:
            left.remove(hit)
        made.append(hit)
    return tuple(made)


def _what_follows(account: Json) -> list[Any]:
    """Captures, locks and round scores. Points of Big Rolls that are not in the recording are left out."""
    seen: list[Any] = []
    rolled = False
    for event in account["events"]:
        kind = event["type"]
        rolled = rolled or kind == "big_roll"
        if kind == "capture":
            seen.append((kind, event["player"], event["face"]))
        elif kind == "lock":
            seen.append((kind, event["player"], event["row"]))
        elif kind == "round_over":
            for colour, score in sorted(event["scores"].items()):
                points = score if rolled else {k: score[k] for k in ("captured", "lawn")}
                seen.append((kind, colour, points))
    return seen


def described(recording: Recording) -> str:
    """What is in a recording, in a few words."""
    plan = recording.plan
    parts = [f"{plan.players} players", "our mat" if plan.mat == "ours" else "a grid"]
    if plan.tilt_deg is not None:
        parts.append(f"{plan.tilt_deg:.0f}°")
    parts.append(f"{plan.size[0]}x{plan.size[1]} at {plan.fps}")
    whole = plan.turns is None and plan.from_turn == 1
    parts.append("whole round" if whole else f"from turn {plan.from_turn}, {plan.turns} turns")
    if plan.rounds > 1:
        parts.append(f"{plan.rounds} rounds")
    for word, turns in (("bump", plan.bumps), ("head", plan.heads), ("resting hand", plan.rests)):
        if turns:
            parts.append(word)
    if plan.light:
        parts.append("light changes")
    parts += [kind for kind, _ in plan.cheats]
    if recording.traced:
        parts.append("path-traced")
    return ", ".join(parts)


@dataclass
class Bench:
    """The recordings to measure. folder: of the videos; keep: of the reviews."""

    folder: Path
    keep: Path
    names: tuple[str, ...] = ()
    make_missing: bool = True
    explain_anew: bool = False
    left_out: list[str] = field(default_factory=list)

    def chosen(self) -> list[Recording]:
        return [each for each in RECORDINGS if not self.names or each.name in self.names]

    def run(self) -> Iterator[Result]:
        """The results one by one; recordings that are missing and not to be made are left out."""
        for recording in self.chosen():
            video = self.folder / f"{recording.name}.mp4"
            if not video.with_suffix(".json").is_file() and not self.make_missing:
                self.left_out.append(recording.name)
                continue
            yield measured(recording, made(recording, self.folder), self.keep, self.explain_anew)


def _speed(result: Result) -> str:
    return f"{result.speed:.1f} x" if result.speed else "-"


def table(results: Iterable[Result]) -> str:
    """The results as a Markdown table."""
    lines = [
        "| recording | what is in it | length | steps right | scores | infringements named | questions left | speed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in results:
        if each.error:
            lines.append(
                f"| {each.name} | {each.about} | {each.duration_s:.0f} s | {each.error} |||||"
            )
            continue
        right = f"{each.right} of {each.steps}" + (" **exact**" if not each.pairs else "")
        extra = sum(pair.theirs is None for pair in each.pairs)
        right += f", {extra} that were not" if extra else ""
        wanted = list(map(str, each.infringements))
        hit = sum(name in map(str, each.named) for name in wanted)
        false = len([n for n in map(str, each.named) if n not in wanted])
        judged = f"{hit} of {len(wanted)}" + (f", {false} false" if false else "")
        lines.append(
            f"| {each.name} | {each.about} | {each.duration_s:.0f} s | {right} | "
            f"{'right' if each.scores_right else 'wrong'} | {judged} | {each.doubts} | {_speed(each)} |"
        )
    return "\n".join(lines)


def report(results: Sequence[Result]) -> str:
    """What the terminal shows: a line a recording, and below it every step that differs."""
    lines = []
    for each in results:
        if each.error:
            lines.append(f"{each.name}: {each.error}")
            continue
        judged = "all named" if each.judged else f"{each.named} of {each.infringements}"
        lines.append(
            f"{each.name}: {each.right} of {each.steps} steps{', exact' if each.exact else ''}; "
            f"infringements {judged}; {each.doubts} questions; {_speed(each)}; late {each.late_s:.1f} s"
        )
        lines += [f"    {difference(pair)}" for pair in each.pairs]
    whole = [each for each in results if each.exact]
    if len(results) > 1:
        lines.append(f"{len(whole)} of {len(results)} recordings exact.")
    return "\n".join(lines)


BEGIN = "<!-- lawn review-bench writes from here -->"
END = "<!-- to here -->"


def around_table(page: Path) -> tuple[str, str]:
    """What stands in a page before and after the marks of the table. Raises BenchError when it has none."""
    try:
        text = page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(
            f"{page}: no page that can be read; name one to write the table into, such as docs/review.md."
        ) from error
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise BenchError(f"{page}: the marks between which the table is written are missing.")
    return head, tail


def write_table(page: Path, results: Sequence[Result], left_out: Sequence[str]) -> None:
    """Put the table into a page, between its two marks. Raises BenchError when they are not there."""
    head, tail = around_table(page)
    exact = sum(each.exact for each in results)
    steps, right = sum(each.steps for each in results), sum(each.right for each in results)
    wanted = sum(len(each.infringements) for each in results)
    named = sum(
        sum(str(name) in map(str, each.named) for name in each.infringements) for each in results
    )
    lines = [
        f"{exact} of {len(results)} recordings came out exact; {right} of {steps} Big Rolls and turns are right; "
        f"{named} of {wanted} infringements were named.",
        "",
        table(results),
        "",
    ]
    if left_out:
        lines += [f"Not run, since they were not made: {', '.join(left_out)}.", ""]
    wrong = [each for each in results if each.pairs]
    if wrong:
        lines += ["What differs:", ""]
        lines += [f"- {each.name}: {difference(pair)}" for each in wrong for pair in each.pairs]
        lines.append("")
    page.write_text(f"{head}{BEGIN}\n\n" + "\n".join(lines) + f"\n{END}{tail}", encoding="utf-8")
