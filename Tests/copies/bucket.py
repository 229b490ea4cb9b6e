"""A bucket: a small S3-compatible store of the test's own, which checks the signature of each request by itself."""
import contextlib
import hashlib
import hmac
import http.server
import re
import threading
import urllib.parse
from xml.sax.saxutils import escape

KEY, SECRET, REGION = "TESTKEY", "secret/with+signs", "test-1"
PAGE = 7


class BucketServer(http.server.ThreadingHTTPServer):
    """A server whose clients may be killed in the middle of a request."""

    def handle_error(self, request, client_address):
        """Says nothing: the objects are looked at instead."""


class Bucket:
    """Objects in memory, at http://127.0.0.1:PORT/NAME."""

    def __init__(self, name):
        self.name = name
        self.objects = {}
        self.is_failing = False
        self.refusals = []
        self.lock = threading.Lock()
        bucket = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """One request."""
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with bucket.lock:
                    status, content = bucket.respond(self.command, self.path, self.headers, body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                """Says nothing."""

        self.server = BucketServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"

    def respond(self, method, target, headers, body):
        """The status and the body of the answer."""
        if self.is_failing:
            return 503, b"<Error><Code>SlowDown</Code></Error>"
        path, _, query = target.partition("?")
        why = fault(method, path, query, headers, body)
        if why:
            self.refusals.append(why)
            return 403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>"
        if path == f"/{self.name}":
            return 200, self.listing(dict(urllib.parse.parse_qsl(query, keep_blank_values=True)))
        key = urllib.parse.unquote(path).removeprefix(f"/{self.name}/")
        if method == "PUT":
            self.objects[key] = body
            return 200, b""
        if method == "DELETE":
            self.objects.pop(key, None)
            return 204, b""
        if key in self.objects:
            return 200, self.objects[key]
        return 404, b"<Error><Code>NoSuchKey</Code></Error>"

    def listing(self, query):
        assert query["list-type"] == "2" and query["delimiter"] == "/", query
        prefix = query["prefix"]
        names = sorted(key.removeprefix(prefix) for key in self.objects if key.startswith(prefix))
        entries = sorted({name.split("/")[0] + "/" if "/" in name else name for name in names})
        entries = [name for name in entries if name > query.get("continuation-token", "")]
        page, more = entries[:PAGE], entries[PAGE:]
        parts = [
            f"<CommonPrefixes><Prefix>{escape(prefix + name)}</Prefix></CommonPrefixes>" if name.endswith("/")
            else f"<Contents><Key>{escape(prefix + name)}</Key><Size>1</Size></Contents>" for name in page
        ]
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
        return (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Prefix>{escape(prefix)}</Prefix><IsTruncated>{str(bool(more)).lower()}</IsTruncated>{''.join(parts)}{token}"
            "</ListBucketResult>"
        ).encode()


def fault(method, path, query, headers, body):
    """The fault of a request's signature, or None."""
    found = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request,SignedHeaders=([^,]+),Signature=([0-9a-f]{64})",
        headers.get("Authorization", ""),
    )
    if not found:
        return f"no signature: {headers.get('Authorization')}"
    key, day, region, names, signature = found.groups()
    digest = hashlib.sha256(body).hexdigest()
    if (key, region, headers["x-amz-content-sha256"]) != (KEY, REGION, digest):
        return f"key, region or digest is wrong: {headers.items()}"
    if not {"host", "x-amz-content-sha256", "x-amz-date"} <= set(names.split(";")):
        return f"only {names} are signed"
    canonical = "\n".join([
        method, path, query, "".join(f"{name}:{headers[name].strip()}\n" for name in names.split(";")), names, digest,
    ])
    text = "\n".join([
        "AWS4-HMAC-SHA256", headers["x-amz-date"], f"{day}/{region}/s3/aws4_request",
        hashlib.sha256(canonical.encode()).hexdigest(),
    ])
    secret = f"AWS4{SECRET}".encode()
    for step in (day, region, "s3", "aws4_request", text):
        secret = hmac.new(secret, step.encode(), hashlib.sha256).digest()
    return None if hmac.compare_digest(secret.hex(), signature) else f"the signature of {method} {path}?{query} is wrong"


@contextlib.contextmanager
def serving(name):
    bucket = Bucket(name)
    thread = threading.Thread(target=bucket.server.serve_forever, daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        bucket.server.shutdown()
        bucket.server.server_close()
        thread.join()
