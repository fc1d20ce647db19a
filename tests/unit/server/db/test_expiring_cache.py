"""What is cached of users is bounded, expires, and is never older than what was discarded."""

from __future__ import annotations

import asyncio
import time

from ropewalk.server.db.database import Database, parse_url
from ropewalk.server.db.expiring_cache import ExpiringCache
from ropewalk.server.db.migrate import migrate
from ropewalk.server.db.user_repository import USER_CACHE_SECONDS, UserRepository
from tests.support.postgres import Cluster


def test_a_value_expires_after_its_age_whether_it_is_read_or_not() -> None:
    now = 0.0
    cache: ExpiringCache[str, int] = ExpiringCache(10, 5.0, clock=lambda: now)
    cache.set("a", 1)
    now = 4.9
    assert cache.get("a") == 1
    now = 5.0
    assert cache.get("a") is None
    cache.set("a", 2)
    assert cache.get("a") == 2


def test_a_full_cache_evicts_what_was_least_recently_used() -> None:
    cache: ExpiringCache[str, int] = ExpiringCache(3, 5.0)
    for key in "abc":
        cache.set(key, 0)
    cache.get("a")
    cache.set("b", 1)
    cache.set("d", 0)
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "b", "d"]
    assert len(cache) == 3


def test_a_value_that_was_read_before_something_was_discarded_is_not_cached() -> None:
    cache: ExpiringCache[str, int] = ExpiringCache(10, 5.0)
    generation = cache.generation
    cache.set("a", 1, generation)
    assert cache.get("a") == 1
    cache.discard("a")
    cache.set("a", 1, generation)
    assert cache.get("a") is None
    cache.set("a", 2, cache.generation)
    cache.set("b", 3)
    cache.discard_where(lambda value: value == 2)
    assert (cache.get("a"), cache.get("b")) == (None, 3)


def test_users_and_mutes_expire_although_no_notification_comes(cluster: Cluster) -> None:
    async def run(url: str) -> None:
        here, there = Database(parse_url(url)), Database(parse_url(url))
        await migrate(here)
        users, other_users = UserRepository(here), UserRepository(there)
        try:
            guest = await users.add_guest()
            assert await other_users.find(guest.id) == guest
            assert await other_users.load_mutes(guest.id) == frozenset()
            member = await users.upgrade_guest(guest, "Renamed", "a hash")
            await users.set_mute(guest.id, "somebody", muted=True)
            for cache in (other_users.user_cache, other_users.mute_cache):
                cache.clock = lambda: time.monotonic() + USER_CACHE_SECONDS
            assert await other_users.find(guest.id) == member
            assert await other_users.load_mutes(guest.id) == {"somebody"}
        finally:
            await here.close()
            await there.close()

    asyncio.run(run(cluster.new_database()))
