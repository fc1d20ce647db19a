"""Routes of notifications: push subscriptions of browsers, and e-mail addresses with their confirmation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field

from ...db.notification_repository import Language, PushSubscription
from ...db.tables import email_addresses
from ...errors import ApiError
from ...notifications.mailer import MAX_ADDRESS_LENGTH, check_address
from ...notifications.push_endpoint import MAX_ENDPOINT_LENGTH, parse_endpoint
from ...notifications.web_push import check_keys
from ...services import AppServices
from ..dependencies import CurrentSession, CurrentUser, LimiterDep, OptionalSession, ServicesDep
from .account import require_account

MAX_KEY_LENGTH, MAX_AUTH_LENGTH = 100, 40
EmailToken = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[0-9A-Za-z_-]+$")]
router = APIRouter(prefix="/api", tags=["notifications"])


class PushKeys(BaseModel):
    """The keys of a push subscription, as browsers give them."""

    model_config = ConfigDict(extra="forbid")
    p256dh: str = Field(min_length=1, max_length=MAX_KEY_LENGTH, pattern=r"^[0-9A-Za-z_=-]+$")
    auth: str = Field(min_length=1, max_length=MAX_AUTH_LENGTH, pattern=r"^[0-9A-Za-z_=-]+$")


class SubscribeRequest(BaseModel):
    """The push subscription of a browser, and the language of its messages."""

    model_config = ConfigDict(extra="forbid")
    endpoint: str = Field(min_length=1, max_length=MAX_ENDPOINT_LENGTH)
    keys: PushKeys
    language: Language = "en"


class EmailRequest(BaseModel):
    """An e-mail address, and the language of messages to it."""

    model_config = ConfigDict(extra="forbid")
    address: str = Field(min_length=3, max_length=MAX_ADDRESS_LENGTH)
    language: Language = "en"


class EmailView(BaseModel):
    """Your e-mail address."""

    address: str
    confirmed: bool = Field(description="messages are sent only to a confirmed address")


class NotificationsView(BaseModel):
    """How you are told that it is your turn in a correspondence match; everything is off by default."""

    push_key: str = Field(description="the server's public key, with which a browser subscribes")
    push: bool = Field(description="whether this session has a push subscription")
    email_available: bool = Field(description="whether this server sends e-mail")
    email: EmailView | None


class EmailLinkResponse(BaseModel):
    """What a link of an e-mail has done."""

    done: bool


@router.get("/notifications")
async def show_notifications(session: OptionalSession, services: ServicesDep) -> NotificationsView:
    """Return how you are told that it is your turn."""
    repository = services.notifications.repository
    subscription = None if session is None else await repository.find_subscription(session.id)
    email = None if session is None else await repository.find_email(session.user.id)
    return NotificationsView(
        push_key=await services.notifications.load_public_key(),
        push=subscription is not None,
        email_available=services.notifications.mailer is not None,
        email=None if email is None else EmailView(address=email.address, confirmed=email.is_confirmed),
    )


@router.put("/me/push")
async def subscribe(
    request: SubscribeRequest, session: CurrentSession, services: ServicesDep, limiter: LimiterDep
) -> NotificationsView:
    """Store the push subscription of this session; it ends with the session."""
    limiter.consume("notifications", session.user.id)
    if session.user.is_bot:
        raise ApiError("not-yours", "a bot has a stream of events; people have notifications")
    parse_endpoint(request.endpoint, allows_private=services.notifications.allows_private_endpoints)
    check_keys(request.keys.p256dh, request.keys.auth)
    keys = (request.keys.p256dh.rstrip("="), request.keys.auth.rstrip("="))
    subscription = PushSubscription(session.id, request.endpoint, *keys, request.language)
    await services.notifications.repository.save_subscription(session.user.id, subscription)
    return await show_notifications(session, services)


@router.delete("/me/push")
async def unsubscribe(session: CurrentSession, services: ServicesDep) -> NotificationsView:
    """Delete the push subscription of this session."""
    await services.notifications.repository.delete_subscription(session.id)
    return await show_notifications(session, services)


@router.put("/me/email")
async def set_email(
    request: EmailRequest, session: CurrentSession, services: ServicesDep, limiter: LimiterDep
) -> NotificationsView:
    """Set your e-mail address; nothing but a link that confirms it is sent there before you have opened that."""
    services.notifications.require_mailer()
    require_account(session.user)
    address = check_address(request.address)
    limiter.consume("e-mails", session.user.id)
    limiter.consume("e-mails", f"to {address.lower()}")
    email = await services.notifications.repository.save_email(session.user.id, address, request.language)
    await services.notifications.request_confirmation(email, session.user.name)
    return await show_notifications(session, services)


@router.delete("/me/email")
async def delete_email(user: CurrentUser, session: CurrentSession, services: ServicesDep) -> NotificationsView:
    """Delete your e-mail address."""
    await services.notifications.repository.delete_email(email_addresses.c.user_id == user.id)
    return await show_notifications(session, services)


@router.post("/email/confirm/{token}")
async def confirm_email(token: EmailToken, services: ServicesDep) -> EmailLinkResponse:
    """Confirm an e-mail address by the link that was sent there."""
    return require_link(done=await services.notifications.repository.confirm_email(token))


@router.post("/email/unsubscribe/{token}")
async def unsubscribe_email(token: EmailToken, services: ServicesDep) -> EmailLinkResponse:
    """Delete an e-mail address by the link of a message; mail programs call this too (RFC 8058)."""
    return require_link(done=await delete_by_token(services, token))


async def delete_by_token(services: AppServices, token: str) -> bool:
    """Delete the address of a link. Returns whether there was one."""
    return await services.notifications.repository.delete_email(email_addresses.c.token == token)


def require_link(*, done: bool) -> EmailLinkResponse:
    """Return the response of a link. Raises ApiError `not-found` if the link is outdated."""
    if not done:
        raise ApiError("not-found", "this link is outdated: the address was changed or deleted")
    return EmailLinkResponse(done=done)
