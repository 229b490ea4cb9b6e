"""A backup that is taken under load: whole, with all earlier data, and fit for a server."""
import shutil

import aftermath
from client import check
from program import Program

REPLAYS_MAX = 5


class Backup:
    def __init__(self, program, ledger, players):
        self.program = program
        self.ledger = ledger
        self.players = players
        self.data = program.data.parent / "backup"
        # The required contents: games by their names, and identities with an account.
        self.games = {}
        self.members = []

    async def take(self):
        self.data.mkdir()
        self.games = self.ledger.games()
        self.members = aftermath.members(self.players)
        status, output, errors = await self.program.command("backup", self.data / "madang.sqlite")
        check((status, output, errors) == (0, "", ""), f"madang backup: {status}: {output}{errors}")
        there = [file.name for file in self.data.iterdir()]
        check(there == ["madang.sqlite"], f"madang backup left {there}")

    async def check(self, rng):
        """Checks the backup; returns its number of games."""
        await self.program.check_is_whole(self.data)
        listed = await aftermath.list_games(self.program, self.data)
        missing = set(self.games) - set(listed)
        check(not missing, f"the backup has not {missing}")
        for game in rng.sample(sorted(self.games), min(REPLAYS_MAX, len(self.games))):
            await aftermath.check_replay(self.program, self.ledger, self.games, game, self.data)
        await self.restore()
        await self.serve()
        return len(listed)

    async def restore(self):
        """Takes the data folder away, and makes another one of the copy."""
        copy = self.data.parent / "copy.sqlite"
        status, output, errors = await self.program.command("backup", copy, data=self.data)
        check(status == 0, f"madang backup: {status}: {output}{errors}")
        shutil.rmtree(self.data)
        status, output, errors = await self.program.command("verify", copy, data=False)
        check((status, output) == (0, "whole\n"), f"madang verify: {status}: {output}{errors}")
        status, output, errors = await self.program.command("restore", copy, data=self.data)
        check(status == 0, f"madang restore: {status}: {output}{errors}")
        copy.unlink()

    async def serve(self):
        """Starts a server from the backup, in a folder with nothing else."""
        server = Program(self.program.program, self.data, self.data.parent / "backup.log", *self.program.options)
        try:
            await server.start()
            complaints = server.said('"level":"error"')
            check(not complaints, f"a server of the backup complains: {complaints}")
            await aftermath.check_logins(server.url, self.members)
            await server.end()
            await self.program.check_is_whole(self.data)
        finally:
            server.destroy()
        shutil.rmtree(self.data)
