"""Many recordings at once: over processes, over a local Dask cluster, and with one that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vision.reviews import WISHES, job_of, killed_eyes, steps, write_film
from vision.review_folder import ReviewError
from vision.review_many import (
    Job,
    Outcome,
    over_cluster,
    over_processes,
    recordings_in,
)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    write_film(folder / "b.mp4", 9.0)
    (folder / "a.mp4").write_bytes(b"this is no film")
    (folder / "notes.txt").write_text("not looked at")
    return folder


def jobs(films: Path, keep: Path) -> list[Job]:
    return [job_of(keep / path.stem, path) for path in recordings_in(films)]


def told(outcomes: list[Outcome]) -> dict[str, object]:
    """What came of each recording, by its name: the reason of the failure, or what happened."""
    return {
        each.job.name: each.says.replace(str(each.job.paths[0]), "FILE") or steps(each.transcript())
        for each in outcomes
    }


@pytest.fixture(scope="module")
def alone(films: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return told(list(over_processes(jobs(films, tmp_path_factory.mktemp("alone")), 1)))


def test_one_that_fails_is_reported_and_stops_nothing(alone: dict[str, object]) -> None:
    assert list(alone) == ["a.mp4", "b.mp4"]
    assert "FILE" in str(alone["a.mp4"])
    (turn,) = alone["b.mp4"]  # type: ignore[misc]
    assert turn["player"] == "blue"
    assert turn["pushed"] == "red"


@pytest.mark.slow
def test_a_process_that_is_killed_takes_no_other_recording_with_it(
    films: Path, alone: dict[str, object], tmp_path: Path
) -> None:
    good = films / "b.mp4"
    killed = Job((good,), tmp_path / "killed", WISHES, killed_eyes)
    rest = [job_of(tmp_path / name, good) for name in ("one", "two", "three")]
    found = {each.job.folder.name: each for each in over_processes([killed, *rest], 2)}
    assert found["killed"].says.startswith("b.mp4: its process ended")
    for name in ("one", "two", "three"):
        assert not found[name].says
        assert steps(found[name].transcript()) == alone["b.mp4"]


@pytest.mark.slow
def test_two_processes_come_to_the_same(
    films: Path, alone: dict[str, object], tmp_path: Path
) -> None:
    assert told(list(over_processes(jobs(films, tmp_path), 2))) == alone


@pytest.mark.slow
def test_a_cluster_of_two_workers_comes_to_the_same(
    films: Path, alone: dict[str, object], tmp_path: Path
) -> None:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        found = list(over_cluster(jobs(films, tmp_path), cluster.scheduler_address))
    assert told(found) == alone


def test_a_folder_without_films_says_so(tmp_path: Path) -> None:
    with pytest.raises(ReviewError, match="no video in this folder"):
        recordings_in(tmp_path)
