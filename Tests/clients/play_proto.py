"""The binary side of an outside client: `madang.v1.proto` with Google's Protocol Buffers.

The classes are generated from the project's schema once in a process, as a client's build would do it.
"""
import functools
import importlib
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf.descriptor import FieldDescriptor

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "Protocol"


@functools.cache
def load_schema():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["protoc", f"--proto_path={PROTOCOL}", f"--python_out={folder}", "madang.proto"], check=True)
        sys.path.insert(0, folder)
        try:
            return importlib.import_module("madang_pb2")
        finally:
            sys.path.remove(folder)


def fill(message, fields):
    """Sets a message's fields from a dictionary named as in JSON."""
    by_name = {field.json_name: field for field in message.DESCRIPTOR.fields}
    for name, value in fields.items():
        field = by_name[name]
        if field.message_type:
            fill(getattr(message, field.name), value)
        elif field.enum_type:
            setattr(message, field.name, field.enum_type.values_by_name[value].number)
        else:
            setattr(message, field.name, value)
    message.SetInParent()


def plain(message):
    """A message as a dictionary named as in JSON, with the set fields."""
    return {field.json_name: plain_value(field, value) for field, value in message.ListFields()}


def plain_value(field, value):
    if field.label == FieldDescriptor.LABEL_REPEATED:
        return [plain(item) if field.message_type else item for item in value]
    if field.message_type:
        return plain(value)
    if field.enum_type:
        return field.enum_type.values_by_number[value].name
    return value


class ProtoCodec:
    """Requests and messages as plain dictionaries, named as in JSON."""

    subprotocol = "madang.v1.proto"
    # Field 60 of ClientMessage, and a field that is cut off.
    unknown_body = b"\x08\x84\x07\xe2\x03\x00"
    malformed = b"\x08\x85\x07\x5a\x05\x0a"
    wrong_frame = '{"time":{}}'

    def __init__(self):
        self.schema = load_schema()

    def encode(self, request_id, body, fields):
        message = self.schema.ClientMessage()
        if request_id is not None:
            message.id = request_id
        fill(message, {body: fields})
        return message.SerializeToString()

    def decode(self, frame):
        """One message as (replyTo or None, body, fields)."""
        assert isinstance(frame, bytes), "binary messages come in binary frames"
        message = self.schema.ServerMessage.FromString(frame)
        reply_to = message.reply_to if message.HasField("reply_to") else None
        body = message.WhichOneof("body")
        field = message.DESCRIPTOR.fields_by_name[body]
        return reply_to, field.json_name, plain(getattr(message, body))
