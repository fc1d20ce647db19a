"""Clocks as a pure function of settings, what happened, and now. All times are whole milliseconds."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SECOND_MS = 1000
DAY_MS = 24 * 3600 * SECOND_MS
MAX_SECONDS = 24 * 3600


class ClockModel(BaseModel):
    """What all kinds of clocks share: nobody changes their settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoClock(ClockModel):
    """Nobody is in a hurry."""

    kind: Literal["none"] = "none"


class Fischer(ClockModel):
    """Time for the whole game, and some more after every turn."""

    kind: Literal["fischer"] = "fischer"
    initial_seconds: int = Field(ge=10, le=MAX_SECONDS, description="seconds at the start")
    increment_seconds: int = Field(default=0, ge=0, le=3600, description="seconds added after every turn")


class ByoYomi(ClockModel):
    """Main time, then periods: one that is not used up begins anew at the next turn."""

    kind: Literal["byo-yomi"] = "byo-yomi"
    main_seconds: int = Field(ge=0, le=MAX_SECONDS, description="seconds before the first period")
    periods: int = Field(ge=1, le=30)
    period_seconds: int = Field(ge=5, le=3600, description="seconds in a period")


class Days(ClockModel):
    """Correspondence: so many days for every turn."""

    kind: Literal["days"] = "days"
    days: int = Field(ge=1, le=30)


ClockSettings = Annotated[NoClock | Fischer | ByoYomi | Days, Field(discriminator="kind")]
CLOCK_ADAPTER: TypeAdapter[NoClock | Fischer | ByoYomi | Days] = TypeAdapter(ClockSettings)


class TimeLeft(NamedTuple):
    """What a seat has left: main time, periods, and how much of the period that runs."""

    main_ms: int = 0
    periods: int = 0
    period_ms: int = 0


class Clocks(NamedTuple):
    """Both seats' time when `seat` began to think at `since`; nobody thinks when it is None."""

    time_left: tuple[TimeLeft, TimeLeft]
    seat: int | None
    since_ms: int


def full_time(settings: ClockSettings) -> TimeLeft:
    """What a seat has before its first turn."""
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


def start_clocks(settings: ClockSettings, seat: int | None, at: int) -> Clocks:
    """The clocks when a match begins."""
    return Clocks((full_time(settings), full_time(settings)), seat, at)


def time_until_timeout(settings: ClockSettings, left: TimeLeft) -> int | None:
    """How long a seat may think before its flag falls, None for ever."""
    match settings:
        case NoClock():
            return None
        case ByoYomi() if left.periods:
            return left.main_ms + left.period_ms + (left.periods - 1) * settings.period_seconds * SECOND_MS
    return left.main_ms


def subtract_time(settings: ClockSettings, left: TimeLeft, spent: int) -> TimeLeft:
    """What is left of a seat's time while it thinks."""
    if isinstance(settings, NoClock):
        return left
    if spent < left.main_ms or not isinstance(settings, ByoYomi):
        return left._replace(main_ms=max(0, left.main_ms - spent))
    return subtract_from_periods(settings, left, spent - left.main_ms)


def subtract_from_periods(settings: ByoYomi, left: TimeLeft, spent: int) -> TimeLeft:
    """What is left of the periods; the main time is gone."""
    length = settings.period_seconds * SECOND_MS
    if spent < left.period_ms:
        return TimeLeft(0, left.periods, left.period_ms - spent)
    lost, into = divmod(spent - left.period_ms, length)
    periods = left.periods - 1 - lost
    return TimeLeft(0, periods, length - into) if periods > 0 else TimeLeft()


def add_increment(settings: ClockSettings, left: TimeLeft) -> TimeLeft:
    """What a seat has once its turn is over: an increment, a fresh period, fresh days."""
    match settings:
        case Fischer():
            return left._replace(main_ms=left.main_ms + settings.increment_seconds * SECOND_MS)
        case ByoYomi():
            return left._replace(period_ms=settings.period_seconds * SECOND_MS)
        case Days():
            return full_time(settings)
    return left


def read_clocks(settings: ClockSettings, clocks: Clocks, now: int) -> tuple[TimeLeft, TimeLeft]:
    """What both seats have left now."""
    if clocks.seat is None:
        return clocks.time_left
    thinking = subtract_time(settings, clocks.time_left[clocks.seat], max(0, now - clocks.since_ms))
    return replace_seat(clocks.time_left, clocks.seat, thinking)


def press_clock(settings: ClockSettings, clocks: Clocks, now: int, seat: int | None) -> Clocks:
    """The clocks after a step, when `seat` is to move: a turn that goes on changes nothing."""
    if clocks.seat is None or clocks.seat == seat:
        return clocks
    left = read_clocks(settings, clocks, now)
    if seat is not None:
        left = replace_seat(left, clocks.seat, add_increment(settings, left[clocks.seat]))
    return Clocks(left, seat, now)


def stop_clocks(settings: ClockSettings, clocks: Clocks, now: int) -> Clocks:
    """The clocks when the match is over."""
    return Clocks(read_clocks(settings, clocks, now), None, now)


def resume_clocks(clocks: Clocks, now: int) -> Clocks:
    """The clocks of an earlier moment, running on from now."""
    return clocks._replace(since_ms=now)


def timeout_at(settings: ClockSettings, clocks: Clocks) -> int | None:
    """When the seat that thinks runs out of time, None if never."""
    if clocks.seat is None:
        return None
    longest = time_until_timeout(settings, clocks.time_left[clocks.seat])
    return None if longest is None else clocks.since_ms + longest


def replace_seat(left: tuple[TimeLeft, TimeLeft], seat: int, mine: TimeLeft) -> tuple[TimeLeft, TimeLeft]:
    """Both seats' time with one of them replaced."""
    return (mine, left[1]) if seat == 0 else (left[0], mine)
