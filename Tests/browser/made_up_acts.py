"""Operators' actions on a made-up server, as in the contract."""
import time


def now_ms():
    return round(time.time() * 1_000)


class Refused(Exception):
    """An action that can't be done, with the reason."""


def webhook(number):
    """A webhook: one that works, one that fails, and one that is switched off, with words that would be markup."""
    now = now_ms()
    state = (
        {}, {"failingSinceMs": now - 60_000, "failedAtMs": now - 1_000, "failure": "STATUS_500 <b>500</b>"},
        {"switchedOffAtMs": now, "switchedOff": "<i>410</i>"},
    )[number]
    return {
        "webhook": f"{number + 1:032x}", "url": f"https://example.org/<b>{number}</b>", "name": f"<i>hook</i> {number}",
        "events": ["fence", "gameEnded"], "createdAtMs": now - 86_400_000, "pending": 12 * number, "pendingBytes": 4_000,
        **({"oldestAtMs": now - 90_000} if number else {}), "delivered": 1_234, "dropped": 0, **state,
    }


class Acts:
    """The part of a `MadeUpServer` that actions change."""

    def act(self, name, wish, address):
        """Does an action; returns the text for the operator, or the reply's members. Raises `Refused`."""
        player, room = wish.get("player"), wish.get("room")
        if room is not None and self.room(room) is None:
            raise Refused("there is no such room")
        if player is not None and len(player) != 32:
            raise Refused("there is no such player")
        text = getattr(self, f"act_{name}")(wish)
        target = {key: value for key, value in (("player", player), ("room", room)) if value is not None}
        self.note(address, name, wish.get("reason") or wish.get("text") or str(text), **target)
        return text

    def put_out(self, player):
        return [(identifier, tick) for identifier, room in self.live.items() if (tick := room.remove(player))]

    def act_kick(self, wish):
        self.left = self.put_out(wish["player"])
        return "kicked"

    def act_ban(self, wish):
        self.left = self.put_out(wish["player"])
        return self.sanction("ban", wish)

    def network(self, player):
        """Where a connected player comes from; None for others."""
        row = next((row for row in self.connections if row.get("player") == player), None)
        if row is None:
            return None
        others = sum(1 for other in self.connections if other["address"] == row["address"]) - 1
        return {"address": row["address"], "players": others} | {key: row[key] for key in ("room", "code") if key in row}

    def act_mute(self, wish):
        self.set_muted(wish["player"], True)
        return self.sanction("mute", wish)

    def act_unban(self, wish):
        return self.lift("ban", wish)

    def act_unmute(self, wish):
        self.set_muted(wish["player"], False)
        return self.lift("mute", wish)

    def set_muted(self, player, is_muted):
        for room in self.live.values():
            for walker in room.walkers.values():
                if walker.id == player:
                    walker.muted = is_muted

    def sanction(self, kind, wish):
        until = {"endsAtMs": now_ms() + wish["minutes"] * 60_000} if "minutes" in wish else {}
        named = next((row["nickname"] for row in self.connections if row["player"] == wish["player"]), "made up")
        row = {"player": wish["player"], "nickname": named, "kind": kind, "startedAtMs": now_ms(), **until}
        self.sanctions[kind, wish["player"]] = row | ({"reason": wish["reason"]} if "reason" in wish else {})
        return f"{kind} put on {wish['player']}"

    def lift(self, kind, wish):
        if self.sanctions.pop((kind, wish["player"]), None) is None:
            raise Refused(f"there is no {kind} of this player")
        return f"{kind} lifted"

    def act_closeRoom(self, wish):
        self.closed[wish["room"]] = self.known_row(wish["room"])
        self.rooms = [row for row in self.rooms if row["id"] != wish["room"]]
        return "room closed"

    def act_announce(self, wish):
        if not 1 <= len(wish["text"]) <= 500:
            raise Refused("a text has 1 to 500 characters")
        return "told to 25 players"

    def act_drain(self, _):
        self.is_draining = True
        return "draining"

    def act_closeSeason(self, wish):
        if wish["season"] != self.season:
            raise Refused(f"season {self.season} runs, not {wish['season']}")
        self.season += 1
        for school in self.schools:
            school["count"] = 0
        return f"season {self.season - 1} closed"

    def act_acceptLand(self, wish):
        self.decide(wish)
        return "land added"

    def act_declineLand(self, wish):
        self.decide(wish)
        return "proposal declined"

    def decide(self, wish):
        if self.proposals.pop(wish["proposal"], None) is None:
            raise Refused("no such proposal waits")

    def act_addWebhook(self, wish):
        number = max((int(known, 16) for known in self.webhooks), default=0) + 1
        row = webhook(0) | {"webhook": f"{number:032x}", "url": wish["url"], "events": wish["events"]}
        self.webhooks[row["webhook"]] = row
        return {"text": f"webhook {row['webhook']}", "webhook": row["webhook"], "secret": "whsec_" + "a" * 43 + "="}

    def act_removeWebhook(self, wish):
        del self.webhooks[wish["webhook"]]
        return "the webhook is removed"

    def act_enableWebhook(self, wish):
        row = self.webhooks[wish["webhook"]]
        for name in ("switchedOff", "switchedOffAtMs", "failingSinceMs"):
            row.pop(name, None)
        return "the webhook is enabled"

    def act_testWebhook(self, wish):
        self.webhooks[wish["webhook"]]["pending"] += 1
        return "a test event waits"

    def act_hide(self, wish):
        return self.decide_report(wish, "hiddenByOperator")

    def act_restore(self, wish):
        return self.decide_report(wish, "restored")

    def decide_report(self, wish, state):
        row = self.reports.get((wish["kind"], wish["subject"]))
        if row is None:
            raise Refused("there is no such thing")
        row.update(state=state, waiting=False)
        return f"{wish['kind']} {state}"

    def act_warn(self, wish):
        return f"player {wish['player']} is warned"

    def act_voidTaps(self, wish):
        return f"voided 12,000 taps of {wish['player']}"
