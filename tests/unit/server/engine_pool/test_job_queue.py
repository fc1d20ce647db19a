"""The order of engine jobs: moves by the time when they are due, then analyses in fair turns."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import pytest

from ropewalk.server.engine_pool.job_queue import MAX_QUEUE_LENGTH, EngineJob, JobQueue
from ropewalk.server.errors import ApiError

NUMBERS = count()


class NoRunner:
    """Runs nothing."""

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        raise AssertionError


def analysis(owner: str) -> EngineJob:
    number = next(NUMBERS)
    return EngineJob(f"{owner} {number}", number, owner, {"spec": "tether-5"}, 120, queued_at=float(number))


def move(seconds: float | None) -> EngineJob:
    number = next(NUMBERS)
    request = {"action": "choose_move", "spec": "tether-5"} | ({} if seconds is None else {"seconds": seconds})
    return EngineJob(f"move {seconds}", number, "match", request, 120, queued_at=0.0)


def fill(jobs: Iterable[EngineJob], max_analyses: int = 0) -> JobQueue:
    queue = JobQueue(max_analyses)
    for job in jobs:
        queue.add(job)
    return queue


def take(queue: JobQueue, *, starts: bool = False) -> EngineJob:
    job = queue.take(lambda job: True)
    assert job is not None
    if starts:
        queue.start(job, NoRunner())
    return job


def take_all(queue: JobQueue) -> list[EngineJob]:
    return [take(queue) for _ in range(len(queue))]


def owners(jobs: Iterable[EngineJob]) -> str:
    return "".join(job.owner for job in jobs)


def test_moves_come_first_by_the_time_when_they_are_due() -> None:
    queue = fill([analysis("a"), move(None), move(60.0), move(2.0), analysis("b"), move(10.0)])
    order = [job.request.get("seconds") if job.is_move else job.owner for job in take_all(queue)]
    assert order == [2.0, 10.0, None, 60.0, "a", "b"]


def test_every_owner_gets_a_turn_before_any_gets_a_second() -> None:
    assert owners(take_all(fill(map(analysis, "aaaabbc")))) == "abcabaa"


def test_an_owner_who_comes_later_is_next() -> None:
    queue = fill(map(analysis, "aaaa"))
    take(queue)
    queue.add(analysis("b"))
    assert owners(take_all(queue)) == "baaa"


def test_an_owner_with_running_analyses_comes_after_one_without() -> None:
    queue = fill(map(analysis, "aaab"))
    assert take(queue, starts=True).owner == "a"
    queue.add(analysis("c"))
    assert owners([take(queue, starts=True), take(queue, starts=True)]) == "bc"


def test_a_job_that_is_put_back_comes_after_moves_and_before_other_analyses() -> None:
    queue = fill(map(analysis, "ab"))
    job = take(queue, starts=True)
    queue.put_back(job)
    queue.add(move(5.0))
    assert owners(take_all(queue)) == "matchab"
    assert not queue.running


@pytest.mark.parametrize("owners_of_jobs", ["a", "ab", "aaaab", "abcabcaa", "aaabbbccc", "abbcdddda"])
@pytest.mark.parametrize("num_running", [0, 1, 2])
def test_the_position_is_the_number_of_jobs_that_are_taken_before(owners_of_jobs: str, num_running: int) -> None:
    queue = fill([*map(analysis, owners_of_jobs + owners_of_jobs[:num_running]), move(1.0)])
    for _ in range(num_running):
        take(queue)
    expected = {job.id: queue.count_before(job) for job in queue.waiting}
    assert {job.id: index for index, job in enumerate(take_all(queue))} == expected


def test_an_owner_has_a_limited_number_of_open_analyses() -> None:
    queue = fill(map(analysis, "aab"), max_analyses=2)
    with pytest.raises(ApiError, match="at most 2 analyses") as caught:
        queue.add(analysis("a"))
    assert (caught.value.code, caught.value.details["limit"]) == ("too-many", 2)
    job = take(queue, starts=True)
    with pytest.raises(ApiError, match="at most 2 analyses"):
        queue.add(analysis("a"))
    queue.stop(job)
    queue.add(analysis("a"))
    queue.add(move(1.0))


def test_the_queue_has_a_limited_length() -> None:
    queue = fill(analysis(f"{number}") for number in range(MAX_QUEUE_LENGTH))
    with pytest.raises(ApiError, match=f"full \\({MAX_QUEUE_LENGTH} requests\\)"):
        queue.add(analysis("another"))


def test_nothing_is_kept_of_owners_without_jobs() -> None:
    queue = fill(map(analysis, "abc"))
    job = take(queue, starts=True)
    queue.stop(job)
    for waiting in list(queue.waiting):
        queue.remove(waiting)
    assert (len(queue), queue.running, queue._last_turns) == (0, set(), {})
