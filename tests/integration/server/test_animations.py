"""What the page is told beside positions: options, whole lines, phases and hands, moving pictures."""

from __future__ import annotations

import io

from PIL import Image

from tests.support.server_process import Client, Server


def test_a_match_can_be_had_as_a_moving_picture(server: Server) -> None:
    client = Client(server)
    match = client.create_match("tether-3", "self")["match"]["id"]
    for move in ("a1", "b2", "c3"):
        client.play(match, move)
    answer = client.http.get(f"/api/matches/{match}/animation.gif")
    assert answer.headers["Content-Type"] == "image/gif"
    picture = Image.open(io.BytesIO(answer.content))
    assert (getattr(picture, "n_frames", 1), max(picture.size)) == (4, 480)
