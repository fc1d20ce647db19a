"""Quotas: stored bytes by user, by address and of all guests, and passwords, each refused with its number."""

from __future__ import annotations

import pytest

from ropewalk.server.api.quotas import STORAGE_QUOTAS, SharedQuotas
from ropewalk.server.api.rate_limit import RATE_LIMITS
from ropewalk.server.db.usage_repository import UsageRepository
from ropewalk.server.db.user_repository import User
from ropewalk.server.services import AppServices
from tests.support.match_log import expect_error

pytestmark = pytest.mark.anyio
NOW = 1_000_000.0 * 86_400


@pytest.fixture
def quotas(services: AppServices) -> SharedQuotas:
    return SharedQuotas(UsageRepository(services.database, lambda: NOW), 1.0)


async def test_a_user_an_address_and_all_guests_store_a_limited_number_of_bytes(quotas: SharedQuotas) -> None:
    by_user, by_address, by_guests = (STORAGE_QUOTAS[owner].per_hour for owner in ("user", "address", "guests"))
    guests = [User(f"guest-{number}", f"Guest {number}", "guest") for number in range(by_guests // by_user + 1)]
    await quotas.charge_storage(guests[0], "10.0.0.0", by_user)
    with expect_error("too-many") as caught:
        await quotas.charge_storage(guests[0], "10.0.0.0", 1)
    assert caught.value.details == {"limit": by_user, "retry_after": 3600.0}
    for guest in guests[1 : by_address // by_user]:
        await quotas.charge_storage(guest, "10.0.0.0", by_user)
    with expect_error("too-many") as caught:
        await quotas.charge_storage(guests[-1], "10.0.0.0", 1)
    assert caught.value.details["limit"] == by_address
    for number, guest in enumerate(guests[by_address // by_user : -1]):
        await quotas.charge_storage(guest, f"10.0.1.{number}", by_user)
    with expect_error("too-many") as caught:
        await quotas.charge_storage(guests[-1], "10.0.2.0", 1)
    assert caught.value.details["limit"] == by_guests
    assert "all guests" in str(caught.value)
    await quotas.charge_storage(User("a", "An account", "account"), "10.0.2.0", by_user)


async def test_passwords_are_counted_in_the_database(quotas: SharedQuotas, services: AppServices) -> None:
    other = SharedQuotas(UsageRepository(services.database, lambda: NOW), 1.0)
    limit = RATE_LIMITS["passwords"].per_minute
    for number in range(limit):
        await (quotas, other)[number % 2].charge_password("10.0.0.1")
    with expect_error("too-many") as caught:
        await other.charge_password("10.0.0.1")
    assert caught.value.details == {"limit": limit, "retry_after": 60.0}
    await other.charge_password("10.0.0.2")


async def test_a_scale_of_zero_disables_the_quotas(services: AppServices) -> None:
    quotas = SharedQuotas(UsageRepository(services.database), 0)
    await quotas.charge_storage(User("a", "A guest", "guest"), "10.0.0.1", 10**12)
