"""Attacks by guests: new guests, guests who choose schools, and guests who are deleted."""
import asyncio
import random
import time

from field import LONG_CHAT
from peer import Refused

# The protocol's limit for an address. A server that exempts the loopback gets no more either.
HELLOS_PER_S = 20
# The number of rooms that a guest visits before the deletion.
ROOMS = 12
# Nearly the limit of whole states for a player at once.
MANY_ROOMS = 28
# The limit of deletions for an address in a minute.
DELETIONS_OF_ADDRESS = 10


async def new_guests(field):
    """Hellos with new secrets, one after another, at the limit of an address."""
    async def worker(field, address, _):
        peer = await field.guest(address)
        field.counts.done += 1
        peer.drop()
        await asyncio.sleep(4 / HELLOS_PER_S * random.random() * 2)

    await field.swarm(4, worker)


async def school_guests(field):
    """New guests choose a school, tap once and never return."""
    schools = []

    async def worker(field, address, _):
        peer = await field.guest(address)
        try:
            if not schools:
                found = await peer.ask("searchSchools", limit=50)
                schools.extend(school["schoolId"] for school in found["schools"])
            await peer.ask("chooseSchool", schoolId=random.choice(schools))
            await peer.ask("tap", batch=1, count=1)
            field.counts.done += 1
        finally:
            peer.drop()
        await asyncio.sleep(4 / HELLOS_PER_S * random.random() * 2)

    await field.swarm(4, worker)


async def deletions(field):
    """Guests visit rooms, chat there and are deleted one after another, each by many requests."""
    codes = []

    async def worker(field, address, _):
        host = await field.guest(address)
        try:
            code = (await host.ask("createRoom", mode="FOOTPRINT", capacity=200))["code"]
            codes.append(code)
            while True:
                others = random.sample(codes, min(ROOMS, len(codes)))
                await come_and_be_deleted(field, address, [*others, code])
        finally:
            host.drop()

    await field.swarm(4, worker)


async def come_and_be_deleted(field, address, codes):
    """Leaves nothing but a nickname in all rooms but the last."""
    peer = await field.guest(address)
    try:
        for code in codes[:-1]:
            await peer.ask("joinRoom", code=code)
            await peer.ask("leaveRoom")
        await peer.ask("joinRoom", code=codes[-1])
        await asyncio.gather(*(peer.ask("chat", text=LONG_CHAT) for _ in range(5)))
        # All at once on one connection.
        asked = [peer.request("deleteAccount") for _ in range(20)]
        await asyncio.wait(asked, timeout=10)
        field.counts.done += 1
        refused = [answer.exception() for answer in asked if answer.done() and not answer.cancelled()]
        if any(isinstance(failure, Refused) for failure in refused):
            await asyncio.sleep(1)
    finally:
        peer.drop()


async def wide_deletions(field):
    """Guests visit as many rooms full of chats as they may, and are deleted in the attack's second half."""
    codes = []

    async def host(peer):
        codes.append((await peer.ask("createRoom", mode="FOOTPRINT", capacity=200))["code"])
        while True:
            await peer.ask("chat", text=LONG_CHAT)
            await asyncio.sleep(1)

    async def visit(peer):
        visited = set()
        leaves_at = max(field.ends_at - field.seconds / 2 * random.random(), time.monotonic() + field.seconds / 4)
        while time.monotonic() < leaves_at:
            new = [code for code in codes if code not in visited]
            if new and len(visited) < MANY_ROOMS:
                code = random.choice(new)
                visited.add(code)
                await peer.ask("joinRoom", code=code)
                await peer.ask("leaveRoom")
            else:
                await asyncio.sleep(0.2)
        field.counts.done += 1
        # Longer than it may wait for the deletions of others.
        await asyncio.wait([peer.request("deleteAccount")], timeout=field.seconds)

    async def worker(field, address, number):
        peer = await field.guest(address)
        try:
            await (visit if number < DELETIONS_OF_ADDRESS else host)(peer)
        finally:
            peer.drop()

    await field.swarm(DELETIONS_OF_ADDRESS + MANY_ROOMS * 2 // len(field.addresses), worker)
