"""Jobs in a process of their own, which is renewed every few."""

import os
from concurrent.futures.process import BrokenProcessPool

import pytest

from datasets.fresh_process import FreshProcess


def test_the_process_is_renewed_every_few_jobs_and_never_waited_for() -> None:
    with FreshProcess(2) as process:
        ids = [process.do(os.getpid) for _ in range(5)]
    assert [ids[0] == ids[1], ids[1] == ids[2], ids[2] == ids[3], ids[3] == ids[4]] == [
        True,
        False,
        True,
        False,
    ]
    assert os.getpid() not in ids


def test_a_job_that_fails_says_why_and_the_next_one_is_done() -> None:
    with FreshProcess(9) as process:
        with pytest.raises(ZeroDivisionError):
            process.do(divmod, 1, 0)
        assert process.do(divmod, 7, 2) == (3, 1)


def test_a_process_ended_from_outside_is_told() -> None:
    with pytest.raises(BrokenProcessPool), FreshProcess(9) as process:
        process.do(os._exit, 9)
