"""A WebSocket client with little work, on asyncio alone: thousands of messages a second of one process.

Masks are zero, which RFC 6455 lets a client draw, so nothing has to be masked. Answers differ from news in their first
bytes; news are read only for a callback. Used by attackers and by honest players.
"""
import asyncio
import json
import socket
import struct
import zlib

OPEN_WITHIN_S = 20
ANSWER_WITHIN_S = 30
# From <linux/in.h>: a port is taken when the connection's other end is known, so that each address has all of them.
IP_BIND_ADDRESS_NO_PORT = 24
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Gone(Exception):
    """The connection has ended, or was refused."""


class Refused(Exception):
    """An answer was an error."""

    def __init__(self, code, retry_ms):
        super().__init__(code)
        self.code = code
        self.retry_ms = retry_ms


class Counts:
    """The counts of a process: sent bytes, acts, refusals and ends."""

    def __init__(self):
        self.sent_bytes = 0
        self.done = 0
        self.refused = {}
        self.gone = 0


def frame(payload, opcode=TEXT):
    """One masked frame, whose mask is zero."""
    first, length = 0x80 | opcode, len(payload)
    if length < 126:
        return struct.pack("!BBI", first, 0x80 | length, 0) + payload
    return struct.pack("!BBHI", first, 0x80 | 126, length, 0) + payload


def message(body, fields, request_id=None):
    content = {} if request_id is None else {"id": request_id}
    content[body] = fields
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


async def dial(host, port, address, receive_bytes=None):
    """A connected socket from this address of the loopback, with a receive buffer of this size."""
    dialled = socket.socket()
    try:
        dialled.setblocking(False)
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        dialled.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        # The socket ends by a reset, so no port waits for a minute.
        dialled.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if receive_bytes:
            dialled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        dialled.bind((address, 0))
        async with asyncio.timeout(OPEN_WITHIN_S):
            await asyncio.get_running_loop().sock_connect(dialled, (host, port))
    except BaseException:
        dialled.close()
        raise
    return dialled


def upgrade(host, port, subprotocol, compresses):
    extension = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if compresses else ""
    return (
        f"GET /v1/play HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: {subprotocol}\r\n{extension}\r\n"
    ).encode()


class Peer(asyncio.Protocol):
    """One connection, from the handshake on."""

    def __init__(self, counts):
        self.counts = counts
        self.buffer = bytearray()
        self.is_open = False
        self.opened = asyncio.get_running_loop().create_future()
        self.ended = asyncio.get_running_loop().create_future()
        self.close_code = None
        self.transport = None
        self.next_id = 0
        self.waiting = {}
        # The callbacks for binary frames and for news; each gets the payload.
        self.on_binary = self.on_news = self.ignore

    @classmethod
    async def open(cls, counts, host, port, address, subprotocol="madang.v1.json", compresses=False, receive_bytes=None):
        dialled = await dial(host, port, address, receive_bytes)
        _, peer = await asyncio.get_running_loop().create_connection(lambda: cls(counts), sock=dialled)
        try:
            peer.write(upgrade(host, port, subprotocol, compresses))
            async with asyncio.timeout(OPEN_WITHIN_S):
                await peer.opened
        except BaseException:
            peer.drop()
            raise
        return peer

    # asyncio's side.

    def connection_made(self, transport):
        self.transport = transport
        transport.set_write_buffer_limits(1 << 16)

    def connection_lost(self, _):
        self.counts.gone += 1
        self.is_open = False
        for future in (self.opened, *self.waiting.values()):
            if not future.done():
                future.set_exception(Gone(self.close_code))
                # Marks the exception as retrieved, for a future that nobody awaits.
                future.exception()
        self.waiting = {}
        if not self.ended.done():
            self.ended.set_result(None)

    def data_received(self, data):
        self.buffer += data
        if not self.is_open and not self.take_head():
            return
        self.take_frames()

    def take_head(self):
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.buffer[:end])
        del self.buffer[:end + 4]
        if not head.startswith(b"HTTP/1.1 101"):
            self.close_code = int(head.split()[1])
            self.drop()
            return False
        self.is_open = True
        if not self.opened.done():
            self.opened.set_result(None)
        return True

    def take_frames(self):
        buffer, at = self.buffer, 0
        while len(buffer) - at >= 2:
            first, length, start = buffer[at], buffer[at + 1], at + 2
            if length == 126:
                start = at + 4
                if len(buffer) < start:
                    break
                length = int.from_bytes(buffer[at + 2:start], "big")
            elif length == 127:
                start = at + 10
                if len(buffer) < start:
                    break
                length = int.from_bytes(buffer[at + 2:start], "big")
            if len(buffer) < start + length:
                break
            self.take_frame(first, bytes(buffer[start:start + length]))
            at = start + length
        if at:
            del buffer[:at]

    def take_frame(self, first, payload):
        opcode = first & 0x0F
        if first & 0x40:
            payload = zlib.decompressobj(-15).decompress(payload + b"\x00\x00\xff\xff")
        if opcode == TEXT:
            if payload.startswith(b'{"replyTo"'):
                self.take_answer(payload)
            else:
                self.on_news(payload)
        elif opcode == BINARY:
            self.on_binary(payload)
        elif opcode == PING:
            self.write(frame(payload, PONG))
        elif opcode == CLOSE:
            self.close_code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else 1005
            self.drop()

    def ignore(self, payload):
        """Drops a payload."""

    def take_answer(self, payload):
        answer = json.loads(payload)
        waiting = self.waiting.pop(answer.pop("replyTo"), None)
        if waiting is None or waiting.done():
            return
        body, fields = next(iter(answer.items()))
        if body == "error":
            code = fields.get("code")
            self.counts.refused[code] = self.counts.refused.get(code, 0) + 1
            waiting.set_exception(Refused(code, fields.get("retryAfterMs", 0)))
            waiting.exception()
        else:
            waiting.set_result(fields)

    # The player's actions.

    def write(self, data):
        if self.transport.is_closing():
            raise Gone(self.close_code)
        self.counts.sent_bytes += len(data)
        self.transport.write(data)

    def say(self, body, /, **fields):
        """Sends without an id: no answer."""
        self.write(frame(message(body, fields)))

    def request(self, body, /, **fields):
        """Sends, and returns a future of the answer's fields, of Refused or of Gone."""
        self.next_id += 1
        answer = asyncio.get_running_loop().create_future()
        self.waiting[self.next_id] = answer
        self.write(frame(message(body, fields, self.next_id)))
        return answer

    async def ask(self, body, /, **fields):
        async with asyncio.timeout(ANSWER_WITHIN_S):
            return await self.request(body, **fields)

    def drop(self):
        """Ends the connection without a close frame."""
        if self.transport:
            self.transport.abort()
