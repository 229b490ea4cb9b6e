"""Attacks by connections that ask for much and take little or nothing of it."""
import asyncio
import random

from field import LONG_CHAT
from peer import Refused, frame, message

# The kernel doubles it.
RECEIVE_BYTES = 2304
TAKEN_EACH_S = 9
# As many as a room's state tells: it has 100 KB then.
CHATS = 200
# More of them than fit into what the kernel takes and the 1 MiB that may wait behind it, and half of what a player may ask for.
STATES = 15
# Who does not read is given up after 10 s; the end of it is not read either.
GIVEN_UP_AFTER_S = 12


async def fill_room(field, address, chats):
    """A room for 200 with so many chats, whose code and host are returned. One player's chats are 1 a second, burst 5."""
    host = await field.guest(address)
    code = (await host.ask("createRoom", mode="FOOTPRINT", capacity=200))["code"]
    speakers = [host]
    while len(speakers) * 5 < chats:
        guest = await field.guest(address)
        await guest.ask("joinRoom", code=code)
        speakers.append(guest)
    said = [speaker.request("chat", text=LONG_CHAT) for speaker in speakers for _ in range(5)]
    await asyncio.wait(said)
    for answer in said:
        answer.exception()
    for guest in speakers[1:]:
        guest.drop()
    return host, code


async def with_rooms(field, per_address, read):
    """Fills a room for each address; then so many readers for each join and leave it without end."""
    async def of_address(address):
        while field.left_s > 0:
            try:
                host, code = await fill_room(field, address, CHATS)
                break
            except Refused as refused:
                await asyncio.sleep(refused.retry_ms / 1000 + 0.1)
        try:
            await field.of(address).swarm(per_address, lambda *worker: read(*worker, code))
        finally:
            host.drop()

    await asyncio.gather(*(of_address(address) for address in field.addresses))


async def state_asker(field, address):
    """Says hello with a small buffer, and stops reading."""
    peer = await field.guest(address, receive_bytes=RECEIVE_BYTES)
    peer.transport.pause_reading()
    return peer


async def ask_states(field, peer, code, count, each_s):
    """In and out of a full room so often; each time its whole state is told, 100 KB of it."""
    for _ in range(count):
        peer.say("joinRoom", code=code)
        peer.say("leaveRoom")
        field.counts.done += 1
        await asyncio.sleep(each_s)
        if peer.ended.done():
            return


async def never_read(field):
    """Nothing is ever taken; when the server ends the connection, another begins."""
    async def read(field, address, _, code):
        peer = await state_asker(field, address)
        try:
            await ask_states(field, peer, code, STATES, 0.15)
            await asyncio.sleep(GIVEN_UP_AFTER_S)
        finally:
            peer.drop()

    await with_rooms(field, 40, read)


async def slow_read(field):
    """A little is taken each nine seconds, which counts as progress."""
    async def read(field, address, _, code):
        peer = await state_asker(field, address)
        taking = asyncio.create_task(take_little(peer))
        try:
            await ask_states(field, peer, code, STATES, 0.15)
            await taking
        finally:
            taking.cancel()
            peer.drop()

    await with_rooms(field, 60, read)


async def take_little(peer):
    """Reads 24 KB at most, for less may move no window, and then nothing for nine seconds; until the server has ended it."""
    with peer.transport.get_extra_info("socket").dup() as taken:
        while True:
            await asyncio.sleep(TAKEN_EACH_S * random.uniform(0.9, 1.0) - 0.5)
            for _ in range(12):
                await asyncio.sleep(0.04)
                try:
                    if not taken.recv(2048):
                        return
                except BlockingIOError:
                    pass
                except OSError:
                    return


async def queries_while_behind(field):
    """Questions with long answers, at the rate that a player has, by who takes none of the answers in time."""
    questions = [
        frame(message("searchSchools", {"limit": 50}, 1)), frame(message("watchRanking", {"top": 100}, 2)),
        frame(message("searchSchools", {"limit": 50, "query": "초"}, 3)), frame(message("results", {"limit": 50}, 4)),
    ]

    async def worker(field, address, _):
        peer = await field.guest(address, receive_bytes=RECEIVE_BYTES)
        peer.transport.pause_reading()
        taking = asyncio.create_task(take_little(peer))
        try:
            asked = 0
            while not taking.done():
                peer.write(questions[asked % len(questions)])
                asked += 1
                field.counts.done += 1
                # A burst of 120 questions, then 2 a second.
                await asyncio.sleep(0.055 if asked < 120 else 0.5)
        finally:
            taking.cancel()
            peer.drop()

    await field.swarm(60, worker)
