"""Settings: arguments override the environment, the environment overrides defaults, invalid values are named."""

from __future__ import annotations

import pytest

from ropewalk.server.settings import SettingsError, load_settings


def test_arguments_override_the_environment_which_overrides_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_PORT", "9000")
    monkeypatch.setenv("ROPEWALK_WARM_UP", "false")
    monkeypatch.setenv("ROPEWALK_HOST", "")
    settings = load_settings(port=9001, host=None)
    assert (settings.port, settings.warm_up, settings.host) == (9001, False, "127.0.0.1")
    assert load_settings().port == 9000


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "99999"), ("ENGINE_WORKERS", "-1"), ("RATE_LIMIT_SCALE", "-1"), ("QUIET", "perhaps")]
)
def test_an_invalid_variable_is_named_with_its_value(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"ROPEWALK_{name}", value)
    with pytest.raises(SettingsError, match=f"invalid value '{value}' for ROPEWALK_{name}"):
        load_settings()
