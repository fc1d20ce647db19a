"""HTTP/1.1 for uvicorn that notices a client's disconnection also when the client has sent more than one request.

uvicorn stops to read from a connection on which a second request arrives before the first is answered, and so would notice
only after the first response that the client has gone: an engine would search for nobody.
"""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_PIPELINED_BYTES = 64 * 1024  # of requests that wait for the response before them; a client that sends more is cut off


class EofAwareH11Protocol(H11Protocol):
    """Goes on reading, within a limit, while a complete request is being answered."""

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; those of further requests stay buffered until the response is complete."""
        super().data_received(data)
        if self.conn.their_state is not h11.DONE or self.transport.is_closing():
            return
        if len(self.conn.trailing_data[0]) > MAX_PIPELINED_BYTES:
            self.transport.abort()
        else:
            self.flow.resume_reading()
