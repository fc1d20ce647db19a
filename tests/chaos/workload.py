"""The players of a fault test: they play one match after another, with chat, takebacks, resignations and short clocks."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from tests.support.cluster_load import choose_random_move
from tests.support.light_client import Endpoint
from tests.support.player_pair import PlayerPair, Statistics, arrange_match, create_account, create_guest
from tests.support.server_group import ServerGroup

SPECS = ("tether-5", "tether-7", "tether-9")
LONG_CLOCK = {"kind": "fischer", "initial_seconds": 3600, "increment_seconds": 2}
SHORT_CLOCK = {"kind": "fischer", "initial_seconds": 5, "increment_seconds": 0}  # runs out within a match
BYO_YOMI = {"kind": "byo-yomi", "main_seconds": 2, "periods": 3, "period_seconds": 3}
CLOCKS = (LONG_CLOCK, LONG_CLOCK, SHORT_CLOCK, BYO_YOMI, {"kind": "none"})
RATED_SHARE = 0.2  # of pairs; they are accounts
MATCHES_OF_A_PAIR = 4
MIN_THINK_SECONDS, MAX_THINK_SECONDS = 0.01, 0.3
CHAT_SHARE, TAKEBACK_SHARE, RESIGNATION_SHARE = 0.03, 0.03, 0.005


def choose_action(state: dict[str, Any], rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Return a seat and its action: nearly always a move."""
    takeback, chance = state["takeback"], rng.random()
    if takeback is not None:
        answer = {"type": "answer-takeback", "event_seq": takeback["event_seq"], "accept": rng.random() < 0.5}
        return 1 - takeback["seat"], answer
    if chance < CHAT_SHARE:
        return rng.randrange(2), {"type": "chat", "text": f"message {rng.random()}"}
    if chance < CHAT_SHARE + RESIGNATION_SHARE:
        return state["seat"], {"type": "resign"}
    if chance < CHAT_SHARE + RESIGNATION_SHARE + TAKEBACK_SHARE and state["move_count"] and is_last_event_move(state):
        return 1 - state["seat"], {"type": "request-takeback", "event_seq": state["position_version"]}
    return choose_random_move(state, rng)


def is_last_event_move(state: dict[str, Any]) -> bool:
    """Return whether the last event was a move, which its player can ask to take back."""
    return bool(state["position_version"] == state["seq"])


class Workload:
    """Players who play until they are stopped; every one of `slots` has one match at a time."""

    def __init__(self, group: ServerGroup, slots: int, seed: int) -> None:
        self.group = group
        self.slots = slots
        self.rng = random.Random(seed)
        self.statistics = Statistics()
        self.pairs: list[PlayerPair] = []  # all of them, also those that have ended
        self.current: dict[int, PlayerPair] = {}
        self.is_stopping = False
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start all players."""
        self.tasks = [
            asyncio.create_task(self.run_slot(slot, random.Random(self.rng.random()))) for slot in range(self.slots)
        ]

    async def run_slot(self, slot: int, rng: random.Random) -> None:
        """Play matches with new players now and then, until the workload is stopped."""
        endpoints = (self.group.endpoint(2 * slot), self.group.endpoint(2 * slot + 1))
        while not self.is_stopping:
            is_rated = rng.random() < RATED_SHARE
            tokens = (
                await self.create_user(endpoints[0], is_rated, rng),
                await self.create_user(endpoints[1], is_rated, rng),
            )
            for _ in range(MATCHES_OF_A_PAIR):
                settings = {"spec": rng.choice(SPECS), "clock": rng.choice(CLOCKS), "rated": is_rated}
                match_id = None if self.is_stopping else await arrange_match(endpoints, tokens, settings)
                if match_id is None:
                    break  # the users are gone after a restore, or the workload is stopped
                await self.play(slot, match_id, endpoints, tokens, rng)

    async def create_user(self, endpoint: Endpoint, is_rated: bool, rng: random.Random) -> str:
        """Create a guest, or an account for rated matches, and return the session token."""
        return await (create_account(endpoint, rng) if is_rated else create_guest(endpoint))

    async def play(
        self, slot: int, match_id: str, endpoints: tuple[Endpoint, Endpoint], tokens: tuple[str, str], rng: random.Random
    ) -> None:
        """Play a match to its end, or until the workload is stopped."""

        def think() -> float:
            return rng.uniform(MIN_THINK_SECONDS, MAX_THINK_SECONDS)

        pair = PlayerPair(match_id, endpoints, tokens, self.statistics, choose_action, think, rng)
        self.current[slot] = pair
        self.pairs.append(pair)
        await pair.open()
        await pair.done.wait()
        del self.current[slot]

    def choose_match(self) -> str | None:
        """Return a match that is played now, None if there is none."""
        return next((pair.match_id for pair in self.current.values()), None)

    async def stop(self) -> None:
        """Stop as soon as everything that was sent is acknowledged."""
        self.is_stopping = True
        for pair in list(self.current.values()):
            pair.stop()
        await asyncio.gather(*self.tasks)
