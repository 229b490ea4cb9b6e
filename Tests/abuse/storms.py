"""Storms: 500 players resume at once, in rooms for 200 that are full of long chats."""
import asyncio
import itertools
import time

from field import LONG_CHAT
from peer import BINARY, Gone, Refused, frame

PLAYERS = 500
STORM_EACH_S = 3
STORM_WITHIN_S = 20
# The players' protocols: JSON, compressed JSON, and binary.
WAYS = [("madang.v1.json", False), ("madang.v1.json", True), ("madang.v1.proto", False)]


def resume_frame(token, is_binary):
    if not is_binary:
        return frame(b'{"id":1,"resume":{"sessionToken":"%s","afterEvent":0}}' % token.encode())
    # Fields of ClientMessage: id 1, resume 3; of Resume: session_token 1, after_event 2.
    resume = b"\x0a" + bytes([len(token)]) + token.encode() + b"\x10\x00"
    return frame(b"\x08\x01\x1a" + bytes([len(resume)]) + resume, BINARY)


async def resume_storms(field):
    """Each process has its share of the players; all storms begin at the same clock times."""
    tokens = await fill(field)
    peers = []
    while field.left_s > 0:
        await asyncio.sleep(min(field.left_s, STORM_EACH_S - time.monotonic() % STORM_EACH_S))
        for peer in peers:
            peer.drop()
        tasks = [asyncio.create_task(resume(field, number, *token)) for number, token in enumerate(tokens)]
        await asyncio.wait(tasks, timeout=min(field.left_s, STORM_WITHIN_S))
        peers = [task.result() for task in tasks if task.done() and not task.exception() and task.result()]
        for task in tasks:
            task.cancel()


async def resume(field, number, address, token):
    subprotocol, compresses = WAYS[number % len(WAYS)]
    try:
        peer = await field.open(address, subprotocol=subprotocol, compresses=compresses)
        answered = asyncio.get_running_loop().create_future()
        peer.on_binary = lambda _: answered.done() or answered.set_result(None)
        if number % len(WAYS) < 2:
            peer.waiting[1] = answered
        peer.write(resume_frame(token, number % len(WAYS) == 2))
        async with asyncio.timeout(STORM_WITHIN_S):
            await answered
        field.counts.done += 1
        return peer
    except (Gone, Refused, OSError, TimeoutError):
        return None


async def fill(field):
    """Fills rooms for 200 with players and long chats; returns the players' addresses and tokens."""
    tokens, hosts = [], {}
    addresses = itertools.cycle(field.addresses)

    async def enter(room, address):
        while field.left_s > 0:
            try:
                peer = await field.guest(address)
                await peer.ask("joinRoom", code=hosts[room])
                tokens.append((address, peer.token))
                # Two chats each, because a room keeps more chats than it has players.
                peer.say("chat", text=LONG_CHAT)
                peer.say("chat", text=LONG_CHAT)
                return
            except Refused as refused:
                await asyncio.sleep(min(1, refused.retry_ms / 1000 + 0.1))

    share = PLAYERS // 2
    for room in range((share + 198) // 199):
        host = await field.guest(next(addresses))
        hosts[room] = (await host.ask("createRoom", mode="FOOTPRINT", capacity=200))["code"]
    await asyncio.gather(*(enter(number // 199, next(addresses)) for number in range(share)))
    return tokens
