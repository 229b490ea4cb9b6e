"""A server played on by outside clients, who know it by PROTOCOL.md and madang.proto alone."""
import pytest

from play_json import JSONCodec
from play_proto import ProtoCodec
from whole_game import end_badly, play, refuse_unknown_subprotocol


@pytest.mark.quick
async def test_two_clients_play_a_whole_game(server):
    """A room by its code, chat, a game with a lost connection, a forged fix, and parting, in JSON and in binary."""
    await play(server.url)


@pytest.mark.parametrize("codec", [JSONCodec, ProtoCodec])
async def test_connections_end_with_their_codes(server, codec):
    """Frames of the wrong kind, long messages, wrong tokens and too many messages have each their end or refusal."""
    await end_badly(server.url, codec())


async def test_an_unknown_subprotocol_is_refused(server):
    await refuse_unknown_subprotocol(server.url)
