#!/usr/bin/env python3
"""Writes the binary form of every golden message from its JSON form, with Google's own Protocol Buffers.

So the Swift code is held to bytes that it had no part in. Nothing is written unless each JSON file is exactly what
Google's JSON says of the same message, and each alternative decodes to the message that it is an alternative of.

Needs protoc and Python's protobuf of the same generation (protoc 3.21: pip install 'protobuf>=4.21,<5').
"""
import importlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from google.protobuf import json_format

FOLDER = pathlib.Path(__file__).resolve().parent
ENVELOPES = {"client": "ClientMessage", "server": "ServerMessage"}


def load_schema():
    with tempfile.TemporaryDirectory() as folder:
        source = FOLDER.parent
        subprocess.run(["protoc", f"--proto_path={source}", f"--python_out={folder}", "madang.proto"], check=True)
        sys.path.insert(0, folder)
        return importlib.import_module("madang_pb2")


def canonical_json(message):
    """JSON without white space; DEL and C1 controls escaped as swift-protobuf does, hex digits in upper case."""
    text = json.dumps(json_format.MessageToDict(message), ensure_ascii=False, separators=(",", ":"))
    text = re.sub(r"\\u([0-9a-f]{4})", lambda match: "\\u" + match[1].upper(), text)
    return re.sub("[\x7f-\x9f]", lambda match: f"\\u{ord(match[0]):04X}", text).encode()


def read(path, envelope):
    if path.suffix == ".json":
        return json_format.Parse(path.read_bytes(), envelope(), ignore_unknown_fields=True)
    message = envelope.FromString(path.read_bytes())
    message.DiscardUnknownFields()
    return message


def main():
    schema = load_schema()
    binaries = {}
    for side, name in ENVELOPES.items():
        envelope = getattr(schema, name)
        messages = {path.stem: read(path, envelope) for path in sorted((FOLDER / side).glob("*.json"))}
        for stem, message in messages.items():
            path = FOLDER / side / f"{stem}.json"
            if canonical_json(message) != path.read_bytes():
                sys.exit(f"{path}: should be {canonical_json(message).decode()}")
            binaries[path.with_suffix(".binpb")] = message.SerializeToString(deterministic=True)
        for path in sorted((FOLDER / "alternatives" / side).iterdir()):
            if read(path, envelope) != messages[path.stem.partition("--")[0]]:
                sys.exit(f"{path}: decodes to something else than what it is an alternative of")
    for path, content in binaries.items():
        path.write_bytes(content)
    print(f"{len(binaries)} messages")


main()
