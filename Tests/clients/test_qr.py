"""The QR of a room in the terminal: its link is the one that the running server shows."""
import secrets

import pytest

from client import Client
from play_json import JSONCodec
from program import Program

PUBLIC = "https://play.example.org"


@pytest.fixture
def program(madang, tmp_path):
    program = Program(madang, tmp_path / "data", tmp_path / "log", "--admin-port", "0", "--public-url", PUBLIC)
    yield program
    program.destroy()


async def link(program, *arguments):
    """The link below a QR, and the errors."""
    status, output, errors = await program.command("qr", *arguments)
    assert status == 0, f"madang qr {arguments}: {status}: {errors}"
    lines = output.splitlines()
    assert len(lines) > 10 and "█" in output, f"no QR: {output}"
    return lines[-1], errors


async def test_the_link_is_that_of_the_running_server(program):
    await program.start()
    client = Client(program.url, JSONCodec(), "가람")
    await client.connect()
    await client.hello("가람", secrets.token_hex(16))
    await client.expect("room", "createRoom", mode="FOOTPRINT")
    code = client.room.code
    symbols = code.replace("-", "")
    shown = f"{PUBLIC.upper()}/J/{symbols}"
    # Bare, and pasted from a page of a browser on the server's machine.
    for text in (code, code.lower(), f"http://127.0.0.1:{program.port}/j/{symbols}", f"http://localhost:8080/J/{symbols}?x",
                 f"http://[::1]:8080/j/{symbols}"):
        assert await link(program, text) == (shown, ""), text
    # A link by which phones come already stays as it is; what the command is told goes first.
    assert await link(program, f"http://192.0.2.7:8080/j/{symbols}") == (f"HTTP://192.0.2.7:8080/J/{symbols}", "")
    told = await link(program, code, "--public-url", "https://other.example.org")
    assert told == (f"HTTPS://OTHER.EXAMPLE.ORG/J/{symbols}", "")
    # A server that was killed leaves its address.
    await program.kill()
    found, errors = await link(program, code)
    assert found == f"HTTP://127.0.0.1:8080/J/{symbols}" and "does not say how phones reach it" in errors, errors
    status, _, errors = await program.command("qr", "7K3F9-QXA52")
    assert status == 64 and "is no room code" in errors, errors
