"""Many recordings reviewed at once: over processes of this machine, or on a Dask cluster.

Every review writes its own folder, so the results are the same whatever does the work. One that
fails is reported and stops nothing.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from engine.errors import JournalError, LawnError
from vision.film import Film
from vision.review import Review
from vision.review_folder import ReviewError, ReviewFolder, Wishes
from vision.review_looking import MakeEyes
from vision.sources import VIDEO_SUFFIXES

STARTING_S = 60.0
"""How long a cluster is waited for, s."""


@dataclass(frozen=True)
class Job:
    """One recording to review. paths: its files in order; folder: of the review; make_eyes: as of a Review."""

    paths: tuple[Path, ...]
    folder: Path
    wishes: Wishes
    make_eyes: MakeEyes | None = None
    explain_anew: bool = False
    """Whether a review that is done is explained anew from its views."""
    anew: bool = False
    """Whether it is begun again, also where it was cut off or done."""
    apart: bool = False
    """Whether a process of its own looks at it while this one referees: quicker where cores are free."""

    @property
    def name(self) -> str:
        return self.paths[0].name


@dataclass(frozen=True)
class Outcome:
    """What came of a job. says: why it failed, "" when it did not; spent: s by stage, and in all.

    kept: where the journal so far is set aside, "" when there was none.
    """

    job: Job
    says: str = ""
    spent: tuple[tuple[str, float], ...] = ()
    kept: str = ""

    def note(self) -> str:
        """What became of what a person had said to the review before, "" when that still counts."""
        if not self.kept:
            return ""
        return (
            f"{self.job.name}: the journal so far, with what was said to it, is kept as {self.kept}; "
            "it does not count in this review."
        )

    def transcript(self) -> dict[str, Any]:
        """Raises ReviewError when it failed."""
        return ReviewFolder(self.job.folder).read_transcript()


def reviewed(job: Job, tell: Callable[[float, float], None] | None = None) -> Outcome:
    """Do one job. tell: is called with the time in the recording that is reached and its length, s."""
    began = time.perf_counter()
    try:
        film = Film(job.paths)
        folder = ReviewFolder(job.folder)
        before = folder.set_aside()
        review = Review(film, folder, job.wishes, job.make_eyes, job.apart, job.anew)
        plan = None if job.anew else folder.plan()
        if job.explain_anew and plan is not None and plan.done:
            review.explain_anew()
        elif tell is None:
            review.run()
        else:
            say = tell
            review.run(lambda time_s: say(time_s, film.duration_s))
    except JournalError as error:
        return Outcome(job, with_advice(error))
    except (LawnError, ValueError) as error:
        return Outcome(job, str(error) or f"{job.name}: it cannot be reviewed.")
    except OSError as error:
        why = f"{job.name}: {error.strerror or error}; once that is mended, the same command goes on from here."
        return Outcome(job, why)
    except Exception as error:  # a fault of ours in one recording must not cost the others
        return Outcome(job, f"{job.name}: the program stumbled ({type(error).__name__}: {error}).")
    spent = (*review.spent.items(), ("all", time.perf_counter() - began))
    new = [each for each in folder.set_aside() if each not in before]
    return Outcome(job, "", tuple(spent), str(new[-1]) if new else "")


def with_advice(error: JournalError) -> str:
    """What is wrong with a review's journal, and what to do, in a sentence."""
    says = str(error)
    if ";" in says:
        return says
    return f"{says.removesuffix('.')}; --anew sets it aside and begins this review again."


def recordings_in(folder: Path) -> list[Path]:
    """The videos in a folder, by name; each is a game of its own. Raises ReviewError when there is none."""
    found = sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in VIDEO_SUFFIXES and path.is_file()
    )
    if not found:
        raise ReviewError(f"{folder}: there is no video in this folder.")
    return found


def over_processes(jobs: Sequence[Job], count: int) -> Iterator[Outcome]:
    """The outcomes as they come, from so many processes."""
    if count <= 1 or len(jobs) <= 1:
        yield from map(reviewed, jobs)
        return
    # A pool of one process each: when one is killed, the recordings of the others go on.
    count = min(count, len(jobs))
    pools: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
    for _ in range(count):
        pools.put(_pool())
    desks = ThreadPoolExecutor(count)
    try:
        waiting = [desks.submit(_in_a_process, job, pools) for job in jobs]
        for done in as_completed(waiting):
            yield done.result()
    finally:
        desks.shutdown(cancel_futures=True)
        while not pools.empty():
            pools.get().shutdown()


def _pool() -> ProcessPoolExecutor:
    # Threads of networks do not live through a fork.
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))


def _in_a_process(job: Job, pools: SimpleQueue[ProcessPoolExecutor]) -> Outcome:
    """Do one job in the process of one of the pools; one whose process was killed is replaced."""
    pool = pools.get()
    try:
        return pool.submit(reviewed, job).result()
    except Exception as error:
        pool.shutdown(wait=False)
        pool = _pool()
        return Outcome(job, f"{job.name}: its process ended ({error}).")
    finally:
        pools.put(pool)


def over_cluster(jobs: Sequence[Job], address: str) -> Iterator[Outcome]:
    """The outcomes as they come, from a Dask cluster that sees the same files. Raises ReviewError."""
    from distributed import Client
    from distributed import as_completed as completed

    try:
        client = Client(address, timeout=STARTING_S)
    except (OSError, ValueError) as error:
        raise ReviewError(
            f"{address}: no Dask scheduler answers there; start one with 'dask scheduler' and give its address."
        ) from error
    with client:
        # Pure: the same job is done once, wherever; a review goes on where it was cut off.
        waiting = {client.submit(reviewed, job, key=f"review-{job.folder}"): job for job in jobs}
        for done in completed(list(waiting)):
            if done.status == "finished":
                yield done.result()
            else:
                job = waiting[done]
                yield Outcome(
                    job, f"{job.name}: the cluster could not review it ({done.exception()})."
                )
