"""Players who write what must last, and know when each of it was acknowledged."""
import asyncio
import secrets
import time

from client import Client
from play_json import JSONCodec


class Writer:
    """A player who chats in a room of their own, a numbered text a second."""

    def __init__(self, url, number):
        self.client = Client(url, JSONCodec(), f"writer {number}")
        self.number = number
        # The wall clock's time of each acknowledgement, by the number of the text.
        self.acknowledged = []
        self.writing = None

    async def begin(self):
        await self.client.connect()
        await self.client.hello(f"writer {self.number}", secrets.token_hex(16))
        await self.client.expect("room", "createRoom", mode="FOOTPRINT", capacity=2)
        self.writing = asyncio.create_task(self.write())

    async def write(self):
        while True:
            # The rate of chats is of real time.
            await asyncio.sleep(1.05)
            await self.client.expect("ok", "chat", text=f"text {len(self.acknowledged)}")
            self.acknowledged.append(time.time())

    async def end(self):
        self.writing.cancel()
        await asyncio.gather(self.writing, return_exceptions=True)

    async def come_back(self, url):
        """Resumes at a server with older data; returns the texts that are there, in order."""
        back = Client(url, JSONCodec(), f"writer {self.number} again")
        back.token = self.client.token
        await back.connect()
        await back.resume()
        texts = [chat["chat"]["text"] for chat in back.room.chats]
        await back.close()
        return texts
