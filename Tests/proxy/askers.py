"""Clients that request pages over HTTP, each from its own address of the loopback."""
import contextlib
import http.client
import socket

from client import Failure, check

# A well-formed code with its check symbol; the chance that a room has it is one in 2^45.
CODE_WITHOUT_ROOM = "0000000000"
# The limit is 200 a minute for an address; the bucket fills up again while it is emptied.
WRONG_CODES_MAX = 600
TIMEOUT_S = 10


def statuses(server, source, requests, preface=b""):
    """The answers' status codes to (path, headers), from `source` over as few connections as the server allows.

    `preface` is sent before the first request of each connection.
    """
    host, port = server.rsplit(":", 1)
    connection = None
    for path, headers in requests:
        if connection is None:
            connection = http.client.HTTPConnection(host, int(port), TIMEOUT_S, source_address=(source, 0))
            connection.connect()
            connection.sock.sendall(preface)
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.read()
        yield response.status
        if response.will_close:
            connection.close()
            connection = None
    if connection is not None:
        connection.close()


def status(server, source, path, headers={}, preface=b""):
    [answer] = statuses(server, source, [(path, headers)], preface)
    return answer


def use_up_wrong_codes(server, source, headers_for=lambda number: {}, preface=b""):
    """Requests a code without a room until the server refuses; returns the number of requests before."""
    requests = ((f"/r/{CODE_WITHOUT_ROOM}", headers_for(number)) for number in range(WRONG_CODES_MAX))
    for number, answer in enumerate(statuses(server, source, requests, preface)):
        if answer == 429:
            check(number >= 200, f"{source} was refused after {number} wrong codes")
            return number
        check(answer == 404, f"a code without a room gave {source} a {answer}")
    raise Failure(f"{WRONG_CODES_MAX} wrong codes from {source} were not refused")


def may_ask(server, source, headers={}):
    """Checks that nobody has used up the wrong codes of `source`."""
    answer = status(server, source, f"/r/{CODE_WITHOUT_ROOM}", headers)
    check(answer == 404, f"{source}, who has guessed nothing, gets {answer}")


def is_turned_away(server, source, sent):
    """Checks that the server ends a connection that begins with these bytes, with 400 or without an answer."""
    host, port = server.rsplit(":", 1)
    answer = b""
    with contextlib.closing(socket.create_connection((host, int(port)), TIMEOUT_S, (source, 0))) as connection:
        connection.sendall(sent)
        # A reset is an end too.
        with contextlib.suppress(ConnectionResetError):
            while piece := connection.recv(4096):
                answer += piece
    check(not answer or answer.startswith(b"HTTP/1.1 400 "), f"{sent} from {source} was answered with {answer[:80]}")
