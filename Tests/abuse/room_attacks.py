"""Attacks by rooms: many, large, abandoned, started again and again, full of chats, moves and comings and goings."""
import asyncio
import random

from field import LONG_CHAT, walk
from peer import Refused

ARENA = {"latE7": 370_000_000, "lngE7": 1_270_000_000, "cellM": 10, "cells": 400}


async def abandoned_rooms(field):
    """Guests make as many rooms for 200 as they may and leave each at once; then other guests follow."""
    async def worker(field, address, number):
        peer = await field.guest(address)
        try:
            for made in range(20):
                territory = {"mode": "TERRITORY", "arena": ARENA} if (made + number) % 2 else {"mode": "FOOTPRINT"}
                await peer.ask("createRoom", capacity=200, **territory)
                field.counts.done += 1
                await peer.ask("leaveRoom")
        except Refused as refused:
            # The ten a minute are used up, so another guest goes on. Where no guest may, it takes a while.
            if refused.retry_ms < 2000:
                await asyncio.sleep(refused.retry_ms / 1000)
        finally:
            peer.drop()

    await field.swarm(4, worker)


async def many_rooms(field):
    """Guests each make a room for 200 and stay in it."""
    async def worker(field, address, number):
        peer = await field.guest(address)
        try:
            territory = {"mode": "TERRITORY", "arena": ARENA} if number % 4 == 0 else {"mode": "FOOTPRINT"}
            await peer.ask("createRoom", capacity=200, tickHz=20, **territory)
            field.counts.done += 1
            await peer.ended
        finally:
            peer.drop()

    await field.swarm(250, worker, over_s=15)


async def solo_starts(field):
    """Solo rooms with more and more chats of long emoji; a new game of ten seconds follows each at once."""
    async def worker(field, address, _):
        peer = await field.guest(address)
        try:
            await peer.ask("createRoom", solo=True, durationS=10)
            chatting = asyncio.create_task(chat_on(field, peer, 1.0))
            try:
                while True:
                    # A little later than the last game's end.
                    await peer.ask("startGame")
                    field.counts.done += 1
                    await asyncio.sleep(10.2)
                    await peer.ask("playAgain")
            finally:
                chatting.cancel()
        finally:
            peer.drop()

    await field.swarm(25, worker)


async def chat_on(field, peer, each_s):
    while True:
        peer.say("chat", text=LONG_CHAT)
        field.counts.done += 1
        await asyncio.sleep(each_s)


async def chats(field):
    """Chats of long emoji at a player's limit, and as many again that are refused."""
    async def worker(field, address, number):
        peer = await field.guest(address)
        try:
            await peer.ask("createRoom", mode="FOOTPRINT", capacity=200)
            while True:
                chat = peer.request("chat", text=LONG_CHAT)
                refused = [peer.request("chat", text=LONG_CHAT) for _ in range(7 if number % 2 else 0)]
                await asyncio.wait([chat, *refused])
                for answer in (chat, *refused):
                    answer.exception()
                field.counts.done += 1
                await asyncio.sleep(0.95)
        finally:
            peer.drop()

    await field.swarm(25, worker)


async def moves(field):
    """Solo games of two hours, in which ten fixes a second are judged and persisted; other players jump about."""
    async def worker(field, address, number):
        peer = await field.guest(address)
        try:
            await peer.ask("createRoom", solo=True, durationS=7200)
            await peer.ask("startGame")
            if number % 2:
                await walk(peer, field.left_s, 10)
            while True:
                peer.say(
                    "move", latE7=random.randrange(370_000_000, 371_000_000), lngE7=1_270_000_000, accuracyM=50,
                )
                field.counts.done += 1
                await asyncio.sleep(0.055)
        finally:
            peer.drop()

    await field.swarm(20, worker)


async def join_leave(field):
    """Guests join and leave rooms for 200: as players before a game, and as spectators during it."""
    async def worker(field, address, _):
        host = await field.guest(address)
        guests = []
        try:
            code = (await host.ask("createRoom", mode="FOOTPRINT", capacity=200))["code"]
            guests = [await field.guest(address) for _ in range(8)]
            await asyncio.gather(*(go_in_and_out(field, guest, code) for guest in guests))
        finally:
            for peer in (host, *guests):
                peer.drop()

    await field.swarm(3, worker)


async def go_in_and_out(field, guest, code):
    while True:
        try:
            await guest.ask("joinRoom", code=code)
            await guest.ask("leaveRoom")
            field.counts.done += 1
        except Refused as refused:
            await asyncio.sleep(min(1.0, refused.retry_ms / 1000 + 0.01))
