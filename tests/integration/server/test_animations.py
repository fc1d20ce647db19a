"""Animations: a match is exported as a GIF by a separate process."""

from __future__ import annotations

import io

from PIL import Image

from tests.support.server_process import Client, Server


def test_a_match_is_exported_as_an_animation(server: Server) -> None:
    client = Client(server)
    match = client.create_match("tether-3", "self")["match"]["id"]
    for move in ("a1", "b2", "c3"):
        client.play(match, move)
    response = client.http.get(f"/api/matches/{match}/animation.gif")
    assert response.headers["Content-Type"] == "image/gif"
    picture = Image.open(io.BytesIO(response.content))
    assert (getattr(picture, "n_frames", 1), max(picture.size)) == (4, 480)
