"""What the referee's bench found, as plain JSON types and as the page docs/referee.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from engine.referee_bench import RATE, RATES, Results
from engine.tally import wilson
from engine.verdict import KINDS, RULE_OF

_BARS = {"right": 0.995, "wrong": 0.001, "named": 0.97, "ms": 20.0}


def summary(results: Results) -> dict[str, Any]:
    """Everything found; shares are from 0 to 1, intervals [low, high] at 95 %."""
    return {
        "rounds": {
            str(rate): _rounds([r for task, r in results.items() if _is_round(task, rate)])
            for rate in RATES
            if any(_is_round(task, rate) for task in results)
        },
        "faults": {
            kind: _faults([r for task, r in results.items() if task[0] == kind])
            for kind in KINDS
            if any(task[0] == kind for task in results)
        },
        "time": {
            "two players (22 dice)": _times(_of_players(results, 0)),
            "three players (24 dice)": _times(_of_players(results, 1)),
        },
    }


def _is_round(task: tuple[str, int, str], rate: float) -> bool:
    return task[0] == "round" and task[2] == str(rate)


def _of_players(results: Results, odd: int) -> list[dict[str, Any]]:
    return [r for task, r in results.items() if task[0] == "round" and task[1] % 2 == odd]


def _share(count: int, of: int) -> dict[str, Any]:
    return {"count": count, "of": of, "share": count / of, "interval": list(wilson(count, of))}


def _rounds(each: list[dict[str, Any]]) -> dict[str, Any]:
    outcomes = Counter(result["outcome"] for result in each)
    asked = [r for r in each if r["questions"] or r["desyncs"] or r["accusations"]]
    right_asked = sum(result["outcome"] == "right" for result in asked)
    count = len(each)
    return {
        "count": count,
        "no_wrong_event": _share(outcomes["right"] + outcomes["open"], count),
        "right": _share(outcomes["right"], count),
        "right_without_help": _share(outcomes["right"] - right_asked, count),
        "right_with_answers": _share(right_asked, count),
        "open": _share(outcomes["open"], count),
        "wrong": _share(outcomes["wrong"], count),
        "questions_a_round": sum(r["questions"] for r in each) / count,
        "helped_into_step_a_round": sum(r["desyncs"] for r in each) / count,
        "accusations": sum(len(r["accusations"]) for r in each),
        "told_differently": sum(r["twins"] for r in each),
        "views_a_round": sum(r["views"] for r in each) / count,
    }


def _faults(each: list[dict[str, Any]]) -> dict[str, Any]:
    count = len(each)
    missed = Counter(
        "nothing" if not r["said"][0] else r["said"][0] for r in each if not r["right"]
    )
    after = {
        how: _share(sum(r["after_right"] for r in some), len(some))
        for how in ("mended", "accepted", "left")
        if (some := [r for r in each if r["after"] == how and r["right"]])
    }
    return {
        "named": _share(sum(r["right"] for r in each), count),
        "after_a_question": _share(sum(r["right"] and r["asked"] for r in each), count),
        "first": _share(sum(r["first"][0] == r["kind"] for r in each), count),
        "said_instead": dict(missed.most_common()),
        "accused_before": sum(len(r["accusations"]) for r in each),
        "after": after,
    }


def _times(each: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Processor time of a view, ms."""
    counts: Counter[float] = Counter()
    for result in each:
        for tenths, count in result["cpu_ms"].items():
            counts[int(tenths) / 10] += count
    views = counts.total()
    if not views:
        return {"views": 0}
    ordered, passed, at_99 = sorted(counts), 0, 0.0
    for value in ordered:
        passed += counts[value]
        if passed >= 0.99 * views:
            at_99 = value
            break
    mean = sum(value * count for value, count in counts.items()) / views
    over = sum(count for value, count in counts.items() if value > _BARS["ms"])
    return {
        "views": views,
        "mean_ms": mean,
        "99_percent_ms": at_99,
        "most_ms": ordered[-1],
        "over_20_ms": _share(over, views),
    }


# --- the page ---------------------------------------------------------------------------------

_INTRO = """# How well the referee sees

`make referee-bench` writes this page; the same seed gives the same numbers (times apart). Nobody's real table is
behind it: bots play at a simulated table, and a simulated camera errs in the proportions in which the shipped
detector errs on real photographs (`models/evaluation.json`), at a rate of wrong faces that is chosen. Intervals are
95 %, Wilson's.

**The table** (`engine/mock_turns.py`): half-steps as people do them, hasty and slow players, rows put in order or left
lying, sets lifted, rolled and put back, dice laid against a row before it slides, pushed dice that lie beside it, whole
turns and the next player's roll seen at once; in 30 % of the games nothing marks where Player Rows are. What could
never be known again (a roll before the same dice are rolled once more, a lost turn, a roll of the grind) always lies
until a camera can see it.

**The camera** (`engine/mock_camera.py`): beliefs are calibrated; a wrong face is mostly said without certainty. Two
consecutive views of an untouched die share its reading, right or wrong, with probability 0.8. Dice are missed, taken
for others (0.3 % of the views of a die), seen where there are none, of doubtful colour, near a line; hands rest on the
table in 5 % of the moments; 5 % of the moments are called still a second late. A die found anew lies 0.3 mm (sigma)
off, as in the reviews of thirteen made recordings, also after a hand that rested on it (`vision/tracks.py` forgets a
die that is covered and finds it again, whatever covered it).

**The referee** (`engine/referee.py`): each clear view leaves the legal stories that explain it, and the next view's
stories go on from them (`engine/tracks.py`); what no other story comes near becomes final, and a later view may still
take it back. A log is judged as it stands when the round is over.

**The person** plays on while the referee is content. When it asks and one of its answers is what happened, the person
takes that answer. Else, and when it is out of step for three views or accuses although all is legal, the person tells
it truthfully what the dice are that it means; when even the truth about all dice does not bring it back into step, the
round ends there, *open*.
"""


def page(found: dict[str, Any]) -> str:
    """The Markdown page for a summary."""
    lines = [_INTRO, "## Whole rounds", "", *_round_lines(found["rounds"]), ""]
    lines += ["## Infringements", "", *_fault_lines(found["faults"]), ""]
    lines += ["## Time", "", *_time_lines(found["time"])]
    return "\n".join(lines) + "\n"


def _round_lines(rounds: dict[str, Any]) -> list[str]:
    lines = [
        "| wrong faces | rounds | no wrong event | right, nobody asked | right, after answers | open "
        "| wrong log | questions a round | helped into step a round | accusations |",
        "| --- " * 10 + "|",
    ]
    for rate, each in rounds.items():
        lines.append(
            f"| {float(rate):.1%} | {each['count']} | {_percent(each['no_wrong_event'])} "
            f"| {_percent(each['right_without_help'])} | {_percent(each['right_with_answers'])} "
            f"| {_percent(each['open'])} | {_percent(each['wrong'])} "
            f"| {each['questions_a_round']:.2f} | {each['helped_into_step_a_round']:.2f} "
            f"| {each['accusations']} |"
        )
    lines += [
        "",
        "A round is *right* when every turn of its log is what happened; *open* when all that is logged happened, but "
        "the referee still asks or is out of step at the end; *wrong* when anything is logged that did not happen. A "
        "turn that is told differently and leaves the table just as it was left counts as right: the other edge was "
        "rolled and shows its old faces; the die that was pushed off and one that was rolled came to lie in one row, "
        "and nobody saw which is which; a roll of who plays alone that shows the faces it had, none of which can be "
        "played, which changes nothing in the game. "
        "The stories are then alike in all that the table shows and in all that follows, and the likelier "
        "one is logged with its probability. That was so in "
        f"{sum(each['told_differently'] for each in rounds.values())} turns.",
    ]
    main = rounds.get(str(RATE))
    if main:
        right, wrong = main["no_wrong_event"]["share"], main["wrong"]["share"]
        lines += [
            "",
            f"At {RATE:.1%}: {_verdict(right >= _BARS['right'])} the bar of 99.5 % of rounds without a wrong event, "
            f"{_verdict(wrong <= _BARS['wrong'])} that of at most one wrong log in 1,000, and "
            f"{_verdict(main['accusations'] == 0)} that of no accusation in the {main['count']} clean rounds.",
        ]
    return lines


def _verdict(reached: bool) -> str:
    return "meets" if reached else "**misses**"


def _fault_lines(faults: dict[str, Any]) -> list[str]:
    if not faults:
        return ["None was tried."]
    lines = [
        "Each kind was committed at a fitting moment of random rounds. *Named*: kind and player are right in what "
        "stands after three seconds (die-missing: eight). Where nobody can know the player, naming nobody is right. "
        "*After a question*: so many of these only because the referee asked what a die is, on which it hung whether "
        "somebody had erred, was told the truth, and looked on for three seconds more. "
        "*Goes on*: afterwards two legal turns are told right and nobody is accused; a table that no position can be "
        "(an empty center, a die too many) need not be accepted, if the fault was named.",
        "",
        "| kind | rule | tried | named right | after a question | at once | instead | goes on when mended | accepted "
        "| left, then accepted |",
        "| --- " * 10 + "|",
    ]
    for kind, each in faults.items():
        instead = ", ".join(f"{name} {n}" for name, n in each["said_instead"].items()) or "-"
        after = (
            _percent(each["after"][how]) if how in each["after"] else "-"
            for how in ("mended", "accepted", "left")
        )
        rule = RULE_OF[next(k for k in KINDS if k == kind)]
        lines.append(
            f"| {kind} | {rule} | {each['named']['of']} | {_percent(each['named'])} "
            f"| {_percent(each['after_a_question'])} | {_percent(each['first'])} | {instead} | {' | '.join(after)} |"
        )
    worst = min(faults.items(), key=lambda pair: pair[1]["named"]["share"])
    below = [kind for kind, each in faults.items() if each["named"]["share"] < _BARS["named"]]
    lines += [
        "",
        f"Below the bar of 97 %: {', '.join(below) or 'none'}. The least well named is {worst[0]} "
        f"({_percent(worst[1]['named'])}).",
    ]
    return lines


def _time_lines(times: dict[str, Any]) -> list[str]:
    lines = [
        "Processor time of `Referee.see` a view, on the machine and under the load of that run:",
        "",
        "| table | views | mean | 99 % are below | most | over 20 ms |",
        "| --- " * 6 + "|",
    ]
    for table, each in times.items():
        if each["views"]:
            lines.append(
                f"| {table} | {each['views']} | {each['mean_ms']:.1f} ms "
                f"| {each['99_percent_ms']:.1f} ms | {each['most_ms']:.1f} ms "
                f"| {_percent(each['over_20_ms'])} |"
            )
    return lines


def _percent(share: dict[str, Any]) -> str:
    low, high = share["interval"]
    return f"{100 * share['share']:.2f} % ({100 * low:.2f} to {100 * high:.2f})"
