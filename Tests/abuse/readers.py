"""Attacks by connections that request much and read little or nothing of it."""
import asyncio
import random

from field import LONG_CHAT
from peer import Refused, frame, message

# The kernel doubles it.
RECEIVE_BYTES = 2304
TAKEN_EACH_S = 9
# The number of chats in a room's state, which then has 100 KB.
CHATS = 200
# More of them than fit into what the kernel takes and the 1 MiB that may wait behind it, and half of what a player may ask for.
STATES = 15
# The server gives up a connection that does not read after 10 s; the client does not read that end either.
GIVEN_UP_AFTER_S = 12


async def fill_room(field, address, chats):
    """Makes a room for 200 with these chats; returns its code and host. A player may chat once a second, burst 5."""
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
    """Fills a room for each address; then the readers of each address join and leave it without end."""
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
    """Joins and leaves a full room this often; each time its whole state is sent, 100 KB."""
    for _ in range(count):
        peer.say("joinRoom", code=code)
        peer.say("leaveRoom")
        field.counts.done += 1
        await asyncio.sleep(each_s)
        if peer.ended.done():
            return


async def never_read(field):
    """Never reads; when the server ends the connection, another one begins."""
    async def read(field, address, _, code):
        peer = await state_asker(field, address)
        try:
            await ask_states(field, peer, code, STATES, 0.15)
            await asyncio.sleep(GIVEN_UP_AFTER_S)
        finally:
            peer.drop()

    await with_rooms(field, 40, read)


async def slow_read(field):
    """Reads a little every nine seconds, which counts as progress."""
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
    """Queries with long answers, at a player's limit, by connections that read no answer in time."""
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
                # A burst of 120 queries, then 2 a second.
                await asyncio.sleep(0.055 if asked < 120 else 0.5)
        finally:
            taking.cancel()
            peer.drop()

    await field.swarm(60, worker)
