"""The JSON side of an outside client: `madang.v1.json` of PROTOCOL.md, with only Python's json."""
import json


class JSONCodec:
    """Requests and messages as plain dictionaries, named as in JSON."""

    subprotocol = "madang.v1.json"
    unknown_body = '{"id":900,"fly":{"up":true}}'
    malformed = '{"id":901,"chat":5}'
    wrong_frame = b"\x1a\x00"

    def encode(self, request_id, body, fields):
        message = {body: fields}
        if request_id is not None:
            message["id"] = request_id
        return json.dumps(message, ensure_ascii=False)

    def decode(self, frame):
        """One message as (replyTo or None, body, fields)."""
        assert isinstance(frame, str), "JSON comes in text frames"
        message = json.loads(frame)
        reply_to = message.pop("replyTo", None)
        [(body, fields)] = message.items()
        return reply_to, body, fields
