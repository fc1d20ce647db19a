"""Game clocks as pure functions of their settings, their last state and the current time in whole milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SECOND_MS = 1000
DAY_MS = 24 * 3600 * SECOND_MS
MAX_SECONDS = 24 * 3600


def require_tag(name: str) -> Callable[[dict[str, Any]], None]:
    """Return a function that lists the tag of a union as required in a JSON schema: it has a default in Python only."""

    def require(schema: dict[str, Any]) -> None:
        schema["required"] = [*{name: None, **dict.fromkeys(schema.get("required", []))}]

    return require


class ClockModel(BaseModel):
    """Base class of clock settings, which are immutable."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=require_tag("kind"))


class NoClock(ClockModel):
    """No time limit: the match has no clocks."""

    kind: Literal["none"] = "none"


class Fischer(ClockModel):
    """Fischer clock: time for the whole game, with an increment after every turn."""

    kind: Literal["fischer"] = "fischer"
    initial_seconds: int = Field(ge=10, le=MAX_SECONDS, description="seconds at the start")
    increment_seconds: int = Field(default=0, ge=0, le=3600, description="seconds added after every turn")


class ByoYomi(ClockModel):
    """Byo-yomi: main time, then periods; a period that is not used up is restored after the turn."""

    kind: Literal["byo-yomi"] = "byo-yomi"
    main_seconds: int = Field(ge=0, le=MAX_SECONDS, description="seconds before the first period")
    periods: int = Field(ge=1, le=30)
    period_seconds: int = Field(ge=5, le=3600, description="seconds in a period")


class Days(ClockModel):
    """Correspondence clock: a number of days for every turn."""

    kind: Literal["days"] = "days"
    days: int = Field(ge=1, le=30)


ClockSettings = Annotated[NoClock | Fischer | ByoYomi | Days, Field(discriminator="kind")]
CLOCK_ADAPTER: TypeAdapter[NoClock | Fischer | ByoYomi | Days] = TypeAdapter(ClockSettings)


class TimeLeft(NamedTuple):
    """The time that a seat has left: main time, periods including the running one, and the rest of the running one."""

    main_ms: int = 0
    periods: int = 0
    period_ms: int = 0


class Clocks(NamedTuple):
    """The time of both seats at `since_ms`, when the clock of `seat` started; no clock runs if `seat` is None."""

    time_left: tuple[TimeLeft, TimeLeft]
    seat: int | None
    since_ms: int


def full_time(settings: ClockSettings) -> TimeLeft:
    """Return the time of a seat before its first turn."""
    match settings:
        case Fischer():
            return TimeLeft(main_ms=settings.initial_seconds * SECOND_MS)
        case ByoYomi():
            return TimeLeft(
                main_ms=settings.main_seconds * SECOND_MS,
                periods=settings.periods,
                period_ms=settings.period_seconds * SECOND_MS,
            )
        case Days():
            return TimeLeft(main_ms=settings.days * DAY_MS)
    return TimeLeft()


def start_clocks(settings: ClockSettings, seat: int | None, now: int) -> Clocks:
    """Return the clocks at the start of a match; that of `seat` runs."""
    return Clocks((full_time(settings), full_time(settings)), seat, now)


def time_until_timeout(settings: ClockSettings, left: TimeLeft) -> int | None:
    """Return the milliseconds until a seat runs out of time, None without a time limit."""
    match settings:
        case NoClock():
            return None
        case ByoYomi() if left.periods:
            return left.main_ms + left.period_ms + (left.periods - 1) * settings.period_seconds * SECOND_MS
    return left.main_ms


def subtract_time(settings: ClockSettings, left: TimeLeft, spent: int) -> TimeLeft:
    """Return the time that a seat has left after `spent` milliseconds of its turn."""
    if isinstance(settings, NoClock):
        return left
    if spent < left.main_ms or not isinstance(settings, ByoYomi):
        return left._replace(main_ms=max(0, left.main_ms - spent))
    return subtract_from_periods(settings, left, spent - left.main_ms)


def subtract_from_periods(settings: ByoYomi, left: TimeLeft, spent: int) -> TimeLeft:
    """Return the time that a seat has left after `spent` milliseconds of its periods; the main time is used up."""
    length = settings.period_seconds * SECOND_MS
    if spent < left.period_ms:
        return TimeLeft(0, left.periods, left.period_ms - spent)
    lost_periods, elapsed = divmod(spent - left.period_ms, length)
    periods = left.periods - 1 - lost_periods
    return TimeLeft(0, periods, length - elapsed) if periods > 0 else TimeLeft()


def add_increment(settings: ClockSettings, left: TimeLeft) -> TimeLeft:
    """Return the time of a seat after its turn: an increment is added, or the period or the days are restored."""
    match settings:
        case Fischer():
            return left._replace(main_ms=left.main_ms + settings.increment_seconds * SECOND_MS)
        case ByoYomi():
            return left._replace(period_ms=settings.period_seconds * SECOND_MS)
        case Days():
            return full_time(settings)
    return left


def read_clocks(settings: ClockSettings, clocks: Clocks, now: int) -> tuple[TimeLeft, TimeLeft]:
    """Return the time that both seats have left now."""
    if clocks.seat is None:
        return clocks.time_left
    running = subtract_time(settings, clocks.time_left[clocks.seat], max(0, now - clocks.since_ms))
    return replace_seat(clocks.time_left, clocks.seat, running)


def press_clock(settings: ClockSettings, clocks: Clocks, now: int, seat: int | None) -> Clocks:
    """Return the clocks after a move, when `seat` is to move; nothing changes while the turn goes on."""
    if clocks.seat is None or clocks.seat == seat:
        return clocks
    left = read_clocks(settings, clocks, now)
    if seat is not None:
        left = replace_seat(left, clocks.seat, add_increment(settings, left[clocks.seat]))
    return Clocks(left, seat, now)


def stop_clocks(settings: ClockSettings, clocks: Clocks, now: int) -> Clocks:
    """Return the clocks at the end of a match, both stopped."""
    return Clocks(read_clocks(settings, clocks, now), None, now)


def resume_clocks(clocks: Clocks, now: int) -> Clocks:
    """Return the clocks of an earlier position, running from now on."""
    return clocks._replace(since_ms=now)


def give_back_time(clocks: Clocks, milliseconds: int, now: int) -> Clocks:
    """Return the clocks as if the running one had started later, because time was lost that is not the player's."""
    return clocks._replace(since_ms=min(now, clocks.since_ms + milliseconds))


def timeout_at(settings: ClockSettings, clocks: Clocks) -> int | None:
    """Return when the running clock runs out of time, None if never."""
    if clocks.seat is None:
        return None
    remaining = time_until_timeout(settings, clocks.time_left[clocks.seat])
    return None if remaining is None else clocks.since_ms + remaining


def replace_seat(left: tuple[TimeLeft, TimeLeft], seat: int, new: TimeLeft) -> tuple[TimeLeft, TimeLeft]:
    """Return the time of both seats with that of one seat replaced."""
    return (new, left[1]) if seat == 0 else (left[0], new)
