"""What players are asked where a table can have come about in several ways, and what their answers do."""

from __future__ import annotations

from dataclasses import replace

from engine.evidence import Evidence
from engine.position import Position
from engine.questions import guesses
from engine.referee import ASK_ANYWAY_S, Referee
from engine.sight import Seen, Sight, sightings
from engine.story_parts import Steps, Story
from engine.verdict import Desync, Guess, Unsure
from tests.engine.tables import table
from tests.engine.views import Scene
from tests.engine.watched import Table

ROWS = {"red": "1244456", "blue": "1123456"}
LAWN = {5: "rw.", 6: ".wb"}
START = table("boundary-choice red", ROWS, LAWN)

THREE = ("boundary low", "rolled 3", "place 6 left")
FOUR = ("boundary low", "rolled 4", "place 6 left")
FIVE = ("boundary low", "rolled 5", "place 6 left")
BLUE = ("boundary high", "rolled 2", "place 5 right")
BLUE_TOO = ("boundary high", "rolled 3", "place 5 right")
LATER = (
    ("boundary low", "rolled 1", "place 1 left"),
    ("boundary low", "rolled 5 6", "place 2 left"),
)


def story(weight: float, *actions: str) -> Story:
    steps: Steps = ()
    position = START
    for text in actions:
        action = position.action_named(text)
        position = position.apply(action)
        steps = (*steps, (action, position))
    return Story(weight, 1.0, steps, position)


def sight_of(position: Position) -> Sight:
    _, dice = Evidence().seen(Scene.of(position).view())
    return sightings(Seen(dice, frozenset(), 2))[0]


def asked(*told: Story, committed: int = 0, replaces: int = 0) -> list[tuple[list[str], float]]:
    """The answers to choose from, each with its chance."""
    before = told[0].steps[2][1] if committed else START
    question = guesses(before, list(told), sight_of(told[0].position), committed, replaces)
    return [(said(guess), guess.probability) for guess in question.guesses] if question else []


def said(guess: Guess) -> list[str]:
    return [str(entry.action) for entry in guess.actions]


# --- what is asked ------------------------------------------------------------------------


def test_only_the_first_thing_in_which_stories_differ_is_asked() -> None:
    told = (
        story(0.5, *THREE, *BLUE),
        story(0.3, *FOUR, *BLUE),
        story(0.2, *THREE, *BLUE_TOO),
    )
    assert asked(*told) == [(list(THREE), 0.7), (list(FOUR), 0.3)]


def test_what_several_stories_say_alike_is_one_answer_that_weighs_as_much_as_they_do() -> None:
    told = (
        story(0.3, *THREE, *BLUE),
        story(0.2, *FOUR, *BLUE),
        story(0.2, *FOUR, *BLUE_TOO),
        story(0.2, *THREE, *BLUE_TOO),
        story(0.1, *FIVE, *BLUE),
    )
    assert asked(*told) == [(list(THREE), 0.5), (list(FOUR), 0.4), (list(FIVE), 0.1)]


def test_stories_that_are_each_unlikely_are_asked_about_where_together_they_are_not() -> None:
    told = [story(1.0, *THREE, *BLUE)]
    told += [story(0.009, *FOUR, *BLUE), story(0.008, *FOUR, *BLUE_TOO)]
    assert [answer for answer, _ in asked(*told)] == [list(THREE), list(FOUR)]
    assert asked(told[0], told[1]) == []


def test_what_is_final_is_not_part_of_an_answer() -> None:
    told = (story(0.6, *THREE, *BLUE), story(0.4, *THREE, *BLUE_TOO))
    assert asked(*told, committed=1) == [(list(BLUE), 0.6), (list(BLUE_TOO), 0.4)]


def test_a_story_that_goes_on_from_another_one_contradicts_it_not() -> None:
    assert asked(story(0.6, *THREE, *BLUE), story(0.4, *THREE)) == []


def test_what_is_final_is_not_replaced_by_nothing() -> None:
    told = (story(0.6, *THREE), story(0.4))
    assert asked(*told) == [(list(THREE), 0.6), ([], 0.4)]
    assert asked(*told, replaces=3) == []


# --- what an answer does ------------------------------------------------------------------


def doubtful(faces: dict[int, float]) -> Table:
    """Red has rolled a 3, which is taken for these faces, and placed a 6."""
    seen = Table(START)
    seen.look()
    seen.act(*THREE[:2])
    seen.misread[seen.rolled(3)] = faces
    seen.look()
    seen.act(THREE[2])
    seen.look()
    return seen


def go_on(seen: Table, *turns: tuple[str, str, str]) -> None:
    for *roll, place in turns:
        seen.act(*roll)
        seen.look()
        seen.act(place)
        seen.look(3)


def next_question(seen: Table) -> Unsure:
    """What is asked while the table rests."""
    before = seen.questions()
    for _ in range(60):
        seen.look(1, 20.0)
        if seen.questions() != before:
            break
    (question,) = seen.questions()[len(before) :]
    return question


def test_an_answer_makes_final_what_has_been_seen_since() -> None:
    seen = doubtful({3: 0.5, 4: 0.499})
    go_on(seen, BLUE, *LATER)
    assert seen.final() == []
    (question,) = seen.questions()
    assert all(len(guess.actions) == 3 for guess in question.guesses)
    (true,) = [guess for guess in question.guesses if said(guess) == list(THREE)]
    match = seen.referee.match.played(true.actions)
    without = Referee.start(match)  # who was told the same and has not seen the turns since
    seen.referee = seen.referee.played(match)
    seen.look()
    assert seen.referee.position == seen.position
    assert seen.referee.standing is None
    for still_s in (2.0, 3.0, 4.0, 5.0, 6.0):
        without, _ = without.see(seen.scene.view(still_s))
    assert isinstance(without.standing, Desync)


def test_what_another_story_comes_near_is_asked_about_however_much_has_followed() -> None:
    seen = doubtful({3: 0.98, 4: 0.0196})
    go_on(seen, BLUE, *LATER)
    assert seen.final() == []
    assert len(seen.questions()) == 1


def test_a_question_about_what_was_final_has_answers_that_take_it_back() -> None:
    seen = doubtful({5: 0.99})
    go_on(seen, BLUE, *LATER)
    assert seen.final() == [*FIVE, *BLUE, *LATER[0], *LATER[1]]
    match = seen.referee.match
    seen.misread[seen.rolled(3)] = {3: 0.9995}
    question = next_question(seen)
    assert [said(guess) for guess in question.guesses[:2]] == [list(THREE), list(FIVE)]
    assert {guess.replaces for guess in question.guesses} == {match.length}
    assert seen.referee.match == match  # nothing is taken back before somebody says so
    start = Referee.start(START).match
    seen.referee = seen.referee.played(start.played(question.guesses[0].actions))
    seen.look()  # and what has been seen since is kept
    assert seen.referee.position == seen.position
    assert seen.referee.standing is None


# --- how long it stands -------------------------------------------------------------------


def asked_about_blue() -> Table:
    """Red's turn is final though its roll was misread; what blue rolled is asked."""
    seen = doubtful({5: 0.99})
    seen.act(*BLUE[:2])
    seen.misread[seen.rolled(2)] = {2: 0.5, 3: 0.499}
    seen.look()
    seen.act(BLUE[2])
    seen.look(3)
    go_on(seen, LATER[0])
    seen.act(*LATER[1][:2])
    seen.look()
    seen.act(LATER[1][2])  # so that it is urgent
    question = next_question(seen)
    assert {tuple(said(guess)) for guess in question.guesses} >= {BLUE, BLUE_TOO}
    return seen


def test_a_question_that_stands_is_not_asked_again() -> None:
    seen = asked_about_blue()
    question = seen.referee.standing
    seen.look(40, 20.0)
    assert seen.questions() == [question]
    assert seen.referee.standing == question


def test_a_question_is_asked_anew_when_something_else_is_asked_but_not_at_once() -> None:
    seen = asked_about_blue()
    red = next(key for key, faces in seen.misread.items() if faces == {5: 0.99})
    seen.misread[red] = {3: 0.9995}
    asked_s = seen.scene.time_s
    question = next_question(seen)
    assert seen.scene.time_s - asked_s == ASK_ANYWAY_S
    assert seen.referee.standing == question
    assert [said(guess) for guess in question.guesses[:2]] == [list(THREE), list(FIVE)]


def test_what_is_asked_goes_on_from_what_is_final_however_it_was_come_to() -> None:
    otherwise = ("boundary low", "rolled 3", "place 3 left")
    best = story(0.6, *THREE, *BLUE, *LATER[0])
    other = story(0.4, *THREE, *BLUE, *otherwise)
    # As two turns that were lost by different rolls, two ways can lead to one position.
    other = replace(other, steps=(*story(1.0, *FOUR).steps, *other.steps[3:]))
    before = best.steps[5][1]
    question = guesses(before, [best, other], sight_of(best.position), committed=2)
    assert question is not None
    assert [said(guess) for guess in question.guesses] == [list(LATER[0]), list(otherwise)]
    for guess in question.guesses:
        position = before
        for entry in guess.actions:
            position = position.apply(entry.action)  # each can be logged
