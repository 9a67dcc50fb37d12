"""Messages reach the server whole, however the network cuts them up."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.uri import parse_uri

from support.clients import ServerThread, people

TEXT, CONTINUED, PING, LAST = 0x01, 0x00, 0x09, 0x80


class RawSocket:
    """A socket whose bytes are written by hand."""

    def __init__(self, line: socket.socket, protocol: ClientProtocol) -> None:
        self._line, self._protocol = line, protocol
        self._texts: list[str] = []

    def send(self, *pieces: bytes) -> None:
        """Send pieces, each by itself."""
        for piece in pieces:
            self._line.sendall(piece)
            if len(pieces) > 1:
                time.sleep(0.02)

    def answers(self, n: int) -> list[int]:
        """The references of the next answers to pings."""
        found: list[int] = []
        while len(found) < n:
            self._protocol.receive_data(self._line.recv(1 << 16))
            for event in self._protocol.events_received():
                if isinstance(event, Frame) and event.opcode == TEXT:
                    message = json.loads(bytes(event.data))
                    found += [message["ref"]] if message["t"] == "pong" else []
        return found


def frame(text: bytes, mask: bytes = b"\x01\x02\x03\x04", first: int = LAST | TEXT) -> bytes:
    """A masked frame of less than 126 bytes."""
    masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(text))
    return bytes((first, 0x80 | len(text))) + mask + masked


def ping(ref: int) -> bytes:
    return b'{"t":"ping","ref":%d}' % ref


@pytest.fixture
def raw(server: ServerThread) -> Iterator[RawSocket]:
    client = people(server.url, "usa", 2)[0]
    with _raw(server.url, client.table) as made:
        made.send(frame(json.dumps({"t": "hello", "key": client.key}).encode()))
        yield made


@contextmanager
def _raw(url: str, table: str) -> Iterator[RawSocket]:
    address = parse_uri(f"{url.replace('http', 'ws', 1)}/api/tables/{table}/live")
    with socket.create_connection((address.host, address.port), timeout=60) as line:
        protocol = ClientProtocol(address)
        protocol.send_request(protocol.connect())
        line.sendall(b"".join(protocol.data_to_send()))
        while not protocol.events_received():
            protocol.receive_data(line.recv(1 << 16))
        yield RawSocket(line, protocol)


def test_messages_arrive_whole_however_they_are_cut(raw: RawSocket) -> None:
    raw.send(frame(ping(1)))
    raw.send(frame(ping(2)) + frame(ping(3)))
    raw.send(*(bytes([byte]) for byte in frame(ping(4))))
    raw.send(frame(ping(5)) + frame(ping(6))[:9], frame(ping(6))[9:])
    raw.send(frame(ping(7)))
    assert raw.answers(7) == [1, 2, 3, 4, 5, 6, 7]


def test_the_rest_of_a_message_is_not_taken_for_a_message(raw: RawSocket) -> None:
    """A header alone, then a rest that looks like a whole message of its own."""
    text = ping(8)
    whole = frame(text, bytes((LAST | TEXT, 0x80 | (len(text) - 2), 3, 4)))
    assert whole[2] == LAST | TEXT
    assert whole[3] == 0x80 | (len(whole[2:]) - 6)
    raw.send(whole[:2], whole[2:])
    raw.send(frame(ping(9)))
    assert raw.answers(2) == [8, 9]


def test_a_message_in_parts_with_a_ping_between_them(raw: RawSocket) -> None:
    text = ping(10)
    raw.send(frame(text[:5], first=TEXT), frame(b"", first=LAST | PING), frame(text[5:], first=LAST | CONTINUED))
    raw.send(frame(ping(11)))
    assert raw.answers(2) == [10, 11]
