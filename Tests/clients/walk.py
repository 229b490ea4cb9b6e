"""A walk due north, and its points in footprint mode by a small calculation apart from the server's."""
import asyncio
import math

from client import own_ms

EARTH_RADIUS_M = 6_371_008.8
APART_M = 5
# The tolerance between an arrival and the sender's time, within which a judgement may fall either way.
JITTER_S = 0.05


class Walk:
    """The fixes of one player in one game."""

    def __init__(self, client, speed_m_s, lat_e7, lng_e7):
        self.client = client
        self.speed_m_s = speed_m_s
        self.lat_e7 = lat_e7
        self.lng_e7 = lng_e7
        # (when it was sent, in own seconds; latitude in 1e-7 degree)
        self.fixes = []

    async def run(self, begun_ms, until_s):
        """Sends a fix, another 0.1 s later, and then five a second until this time after the start.

        A fix is judged once a second on average, twice at once; with this rhythm the moment at which the next may be
        judged lies in the middle between two fixes.
        """
        def elapsed_s():
            return (own_ms() - begun_ms) / 1000

        moment, pause = elapsed_s(), 0.1
        while moment < until_s:
            await asyncio.sleep(max(0, moment - elapsed_s()))
            await self.step(elapsed_s())
            moment, pause = moment + pause, 0.2

    async def step(self, elapsed_s):
        metres = self.speed_m_s * elapsed_s
        lat_e7 = self.lat_e7 + round(math.degrees(metres / EARTH_RADIUS_M) * 1e7)
        self.fixes.append((own_ms() / 1000, lat_e7))
        await self.client.send(
            "move", latE7=lat_e7, lngE7=self.lng_e7, accuracyM=APART_M, timeMs=self.client.server_ms()
        )

    def distance_m(self):
        return metres_between(self.fixes[0][1], self.fixes[-1][1])

    def points(self):
        """Every number of points that the rule of footprints allows for these fixes: nearly always one."""
        # (the tokens of the bucket of judgements, their time, the places of the footprints)
        states = {(2.0, self.fixes[0][0], ())}
        for now, lat_e7 in self.fixes:
            following = set()
            for level, then, footprints in states:
                level = min(2.0, level + now - then)
                if level > 1 - JITTER_S:
                    apart = all(metres_between(lat_e7, other) >= APART_M for other in footprints)
                    following.add((max(0.0, level - 1), now, footprints + (lat_e7,) if apart else footprints))
                if level < 1 + JITTER_S:
                    following.add((level, now, footprints))
            states = following
        return {len(footprints) for _, _, footprints in states}


def metres_between(lat_a_e7, lat_b_e7):
    return math.radians(abs(lat_a_e7 - lat_b_e7) / 1e7) * EARTH_RADIUS_M
