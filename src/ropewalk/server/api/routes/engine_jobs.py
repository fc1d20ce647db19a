"""Routes of remote engine workers: acquire a job, send heartbeats, return the result. They need an engine token.

Both sides must be the same version of this program (`docs/engine-workers.md`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response, Security, status
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from .... import __version__
from ....engine.fingerprint import compute_fingerprint
from ...engine_pool.engine_tokens import EngineTokenError
from ...engine_pool.leases import LEASE_SECONDS, PROTOCOL_VERSION, REMOTE_HEARTBEAT_SECONDS, JobLease
from ...errors import ApiError
from ..client_address import client_address
from ..dependencies import MAX_TOKEN_LENGTH, LimiterDep, ServicesDep
from ..disconnect import run_while_connected

MAX_GAMES = 100
log = logging.getLogger("ropewalk.engine_jobs")
ENGINE_SCHEME = HTTPBearer(scheme_name="engine-token", description="by `ropewalk engine-token`", auto_error=False)
router = APIRouter(prefix="/api/engine-jobs", tags=["engine workers"], dependencies=[Security(ENGINE_SCHEME)])
LeaseId = Annotated[str, Path(min_length=1, max_length=MAX_TOKEN_LENGTH)]


class AcquireRequest(BaseModel):
    """What a worker is: its version must be that of the server, and only jobs of its games are given to it."""

    model_config = ConfigDict(extra="forbid")
    protocol_version: int
    version: str = Field(max_length=100)
    fingerprint: str = Field(max_length=100)
    worker: str = Field(min_length=1, max_length=100, description="a name for the log, different for each engine")
    games: list[Annotated[str, Field(max_length=40)]] = Field(max_length=MAX_GAMES)


class EngineJobView(BaseModel):
    """A job that is leased to a worker."""

    id: str
    request: dict[str, Any]
    seconds: float
    lease_seconds: float
    heartbeat_seconds: float


class HeartbeatRequest(BaseModel):
    """A sign of life during a job, with the newest report of an analysis."""

    model_config = ConfigDict(extra="forbid")
    report: dict[str, Any] | None = None


class HeartbeatView(BaseModel):
    """Whether the worker must end the job early and send what it has found."""

    is_terminated: bool


class ResultRequest(BaseModel):
    """The final response of the engine."""

    model_config = ConfigDict(extra="forbid")
    response: dict[str, Any]


async def require_engine_token(request: Request, services: ServicesDep, limiter: LimiterDep) -> str:
    """Return the name of the engine token of a request. Raises ApiError `bad-engine-token`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    tokens = services.engine_tokens
    try:
        name = None if tokens is None or scheme.lower() != "bearer" else tokens.find_name(token.strip()[:MAX_TOKEN_LENGTH])
    except EngineTokenError as error:
        log.error("%s", error)
        raise ApiError("busy", "the server cannot read its engine tokens; its log says why") from None
    if name is None:
        limiter.consume("passwords", client_address(request.scope))
        message = "the engine token is missing or not valid; the operator creates one with 'ropewalk engine-token'"
        raise ApiError("bad-engine-token", message)
    return name


EngineTokenName = Annotated[str, Depends(require_engine_token)]


@router.post("/acquire", responses={status.HTTP_204_NO_CONTENT: {"description": "no job within 20 seconds"}})
async def acquire_job(
    acquire: AcquireRequest, request: Request, services: ServicesDep, token_name: EngineTokenName, response: Response
) -> EngineJobView | None:
    """Lease a job to a worker as soon as there is one; without one, respond with 204 after 20 seconds."""
    await asyncio.to_thread(compute_fingerprint)  # it reads many files, once
    require_same_version(acquire)
    waiting = services.remote_engines.acquire(f"{token_name}/{acquire.worker}", acquire.games)
    lease = await run_while_connected(request, waiting)
    if lease is None:
        response.status_code = status.HTTP_204_NO_CONTENT
        return None
    return build_job(lease)


@router.post("/{lease_id}/heartbeat", dependencies=[Depends(require_engine_token)])
async def beat(lease_id: LeaseId, heartbeat: HeartbeatRequest, services: ServicesDep) -> HeartbeatView:
    """Extend a lease."""
    return HeartbeatView(is_terminated=services.remote_engines.beat(lease_id, heartbeat.report))


@router.post("/{lease_id}/result", dependencies=[Depends(require_engine_token)], status_code=204)
async def finish_job(lease_id: LeaseId, result: ResultRequest, services: ServicesDep) -> None:
    """Deliver the result of a job."""
    await services.remote_engines.finish(lease_id, result.response)


@router.post("/{lease_id}/release", dependencies=[Depends(require_engine_token)], status_code=204)
async def release_job(lease_id: LeaseId, services: ServicesDep) -> None:
    """Hand a job back; it is queued again at once."""
    await services.remote_engines.release(lease_id)


def build_job(lease: JobLease) -> EngineJobView:
    """Return the view of a leased job."""
    return EngineJobView(
        id=lease.id,
        request=lease.job.request,
        seconds=lease.job.seconds,
        lease_seconds=LEASE_SECONDS,
        heartbeat_seconds=REMOTE_HEARTBEAT_SECONDS,
    )


def require_same_version(acquire: AcquireRequest) -> None:
    """Raise ApiError `engine-version` if a worker would play other moves than this server."""
    own = (PROTOCOL_VERSION, __version__, compute_fingerprint())
    theirs = (acquire.protocol_version, acquire.version, acquire.fingerprint)
    if theirs != own:
        raise ApiError(
            "engine-version",
            f"the worker has version {acquire.version} (protocol {acquire.protocol_version}, fingerprint "
            f"{acquire.fingerprint}), the server {__version__} (protocol {PROTOCOL_VERSION}, fingerprint {own[2]}); install "
            f"Ropewalk {__version__} with the same games on the worker",
            version=__version__,
            fingerprint=own[2],
        )
