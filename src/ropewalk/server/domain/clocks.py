"""Clocks as a pure function of settings, what happened, and now. All times are whole milliseconds."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

SECOND = 1000
DAY = 24 * 3600 * SECOND
MOST_SECONDS = 24 * 3600


class Settings(BaseModel):
    """What all kinds of clocks share: nobody changes their settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoClock(Settings):
    """Nobody is in a hurry."""

    kind: Literal["none"] = "none"


class Fischer(Settings):
    """Time for the whole game, and some more after every turn."""

    kind: Literal["fischer"] = "fischer"
    initial: int = Field(ge=10, le=MOST_SECONDS, description="seconds at the start")
    increment: int = Field(default=0, ge=0, le=3600, description="seconds added after every turn")


class ByoYomi(Settings):
    """Main time, then periods: one that is not used up begins anew at the next turn."""

    kind: Literal["byo-yomi"] = "byo-yomi"
    main: int = Field(ge=0, le=MOST_SECONDS, description="seconds before the first period")
    periods: int = Field(ge=1, le=30)
    period: int = Field(ge=5, le=3600, description="seconds in a period")


class Days(Settings):
    """Correspondence: so many days for every turn."""

    kind: Literal["days"] = "days"
    days: int = Field(ge=1, le=30)


ClockSettings = Annotated[NoClock | Fischer | ByoYomi | Days, Field(discriminator="kind")]
CLOCK_SETTINGS: TypeAdapter[NoClock | Fischer | ByoYomi | Days] = TypeAdapter(ClockSettings)


class Left(NamedTuple):
    """What a seat has left: main time, periods, and how much of the period that runs."""

    main: int = 0
    periods: int = 0
    period: int = 0


class Clocks(NamedTuple):
    """Both seats' time when `seat` began to think at `since`; nobody thinks when it is None."""

    left: tuple[Left, Left]
    seat: int | None
    since: int


def full(settings: ClockSettings) -> Left:
    """What a seat has before its first turn."""
    match settings:
        case Fischer():
            return Left(main=settings.initial * SECOND)
        case ByoYomi():
            return Left(main=settings.main * SECOND, periods=settings.periods, period=settings.period * SECOND)
        case Days():
            return Left(main=settings.days * DAY)
    return Left()


def begun(settings: ClockSettings, seat: int | None, at: int) -> Clocks:
    """The clocks when a match begins."""
    return Clocks((full(settings), full(settings)), seat, at)


def allowance(settings: ClockSettings, left: Left) -> int | None:
    """How long a seat may think before its flag falls, None for ever."""
    match settings:
        case NoClock():
            return None
        case ByoYomi() if left.periods:
            return left.main + left.period + (left.periods - 1) * settings.period * SECOND
    return left.main


def after_thinking(settings: ClockSettings, left: Left, spent: int) -> Left:
    """What is left of a seat's time while it thinks."""
    if isinstance(settings, NoClock):
        return left
    if spent < left.main or not isinstance(settings, ByoYomi):
        return left._replace(main=max(0, left.main - spent))
    return in_periods(settings, left, spent - left.main)


def in_periods(settings: ByoYomi, left: Left, spent: int) -> Left:
    """What is left of the periods; the main time is gone."""
    length = settings.period * SECOND
    if spent < left.period:
        return Left(0, left.periods, left.period - spent)
    lost, into = divmod(spent - left.period, length)
    periods = left.periods - 1 - lost
    return Left(0, periods, length - into) if periods > 0 else Left()


def after_turn(settings: ClockSettings, left: Left) -> Left:
    """What a seat has once its turn is over: an increment, a fresh period, fresh days."""
    match settings:
        case Fischer():
            return left._replace(main=left.main + settings.increment * SECOND)
        case ByoYomi():
            return left._replace(period=settings.period * SECOND)
        case Days():
            return full(settings)
    return left


def read(settings: ClockSettings, clocks: Clocks, now: int) -> tuple[Left, Left]:
    """What both seats have left now."""
    if clocks.seat is None:
        return clocks.left
    thinking = after_thinking(settings, clocks.left[clocks.seat], max(0, now - clocks.since))
    return with_seat(clocks.left, clocks.seat, thinking)


def pressed(settings: ClockSettings, clocks: Clocks, now: int, seat: int | None) -> Clocks:
    """The clocks after a step, when `seat` is to move: a turn that goes on changes nothing."""
    if clocks.seat is None or clocks.seat == seat:
        return clocks
    left = read(settings, clocks, now)
    if seat is not None:
        left = with_seat(left, clocks.seat, after_turn(settings, left[clocks.seat]))
    return Clocks(left, seat, now)


def stopped(settings: ClockSettings, clocks: Clocks, now: int) -> Clocks:
    """The clocks when the match is over."""
    return Clocks(read(settings, clocks, now), None, now)


def resumed(clocks: Clocks, now: int) -> Clocks:
    """The clocks of an earlier moment, running on from now."""
    return clocks._replace(since=now)


def flag_falls(settings: ClockSettings, clocks: Clocks) -> int | None:
    """When the seat that thinks runs out of time, None if never."""
    if clocks.seat is None:
        return None
    longest = allowance(settings, clocks.left[clocks.seat])
    return None if longest is None else clocks.since + longest


def with_seat(left: tuple[Left, Left], seat: int, mine: Left) -> tuple[Left, Left]:
    """Both seats' time with one of them replaced."""
    return (mine, left[1]) if seat == 0 else (left[0], mine)
