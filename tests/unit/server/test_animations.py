"""Animations: ranges of positions, limits with their numbers, one rendering for equal requests, and cancellation."""

from __future__ import annotations

import asyncio

import pytest

from ropewalk.server import animations
from ropewalk.server.animations import MAX_CLIENT_JOBS, MAX_FRAMES, MAX_JOBS, AnimationRenderer, FrameRange
from tests.support.match_log import expect_error

pytestmark = pytest.mark.anyio


class FakeProcess:
    """Renders when it is told to, and counts."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.running = 0
        self.is_allowed = asyncio.Event()

    async def render(self, request: str) -> bytes:
        """Return an animation."""
        self.requests.append(request)
        self.running += 1
        try:
            await self.is_allowed.wait()
        finally:
            self.running -= 1
        return b"GIF of " + request.encode()


@pytest.fixture
async def process(monkeypatch: pytest.MonkeyPatch) -> FakeProcess:
    fake = FakeProcess()
    monkeypatch.setattr(animations, "run_renderer", fake.render)
    return fake


def test_a_range_shows_every_step_and_the_last_position() -> None:
    assert FrameRange().list_counts(3) == [0, 1, 2, 3]
    assert FrameRange(2, 9, 3).list_counts(20) == [2, 5, 8, 9]
    assert FrameRange(4, 4).list_counts(4) == [4]
    assert len(FrameRange(step=10).list_counts(2000)) == 201


@pytest.mark.parametrize(("first", "last"), [(5, 4), (0, 11), (11, None)])
def test_a_range_outside_the_game_is_rejected(first: int, last: int | None) -> None:
    with expect_error("bad-request") as caught:
        FrameRange(first, last).list_counts(10)
    assert caught.value.details == {"limit": 10}


def test_too_many_frames_are_rejected_with_the_number_and_what_to_do() -> None:
    with expect_error("too-large") as caught:
        FrameRange().list_counts(MAX_FRAMES)
    assert caught.value.details == {"limit": MAX_FRAMES}
    assert "step" in str(caught.value)


async def test_equal_requests_are_rendered_once_and_cached(process: FakeProcess) -> None:
    renderer = AnimationRenderer()
    tasks = [asyncio.create_task(renderer.render_gif(client, "tether-5", None, ["c3"], FrameRange())) for client in "ab"]
    await asyncio.sleep(0.01)
    process.is_allowed.set()
    first, second = await asyncio.gather(*tasks)
    assert first == second == await renderer.render_gif("c", "tether-5", None, ["c3"], FrameRange())
    assert len(process.requests) == 1
    assert (renderer.job_count, renderer.client_jobs, renderer.locks) == (0, {}, {})


async def test_clients_and_the_queue_are_limited(process: FakeProcess) -> None:
    renderer = AnimationRenderer()
    specs = [(f"client {number // MAX_CLIENT_JOBS}", f"tether-{number}") for number in range(MAX_JOBS)]
    tasks = [asyncio.create_task(renderer.render_gif(*job, None, [], FrameRange())) for job in specs]
    await asyncio.sleep(0.01)
    assert process.running == animations.MAX_PROCESSES
    with expect_error("too-many") as caught:
        await renderer.render_gif("client 0", "tether-99", None, [], FrameRange())
    assert caught.value.details == {"limit": MAX_CLIENT_JOBS}
    with expect_error("busy") as caught:
        await renderer.render_gif("another", "tether-99", None, [], FrameRange())
    assert caught.value.details == {"limit": MAX_JOBS}
    tasks[0].cancel()
    await asyncio.gather(tasks[0], return_exceptions=True)
    await asyncio.sleep(0.01)
    assert len(process.requests) == animations.MAX_PROCESSES + 1, "the next one has started"
    process.is_allowed.set()
    await asyncio.gather(*tasks[1:])
    assert (renderer.job_count, renderer.client_jobs, renderer.locks) == (0, {}, {})
