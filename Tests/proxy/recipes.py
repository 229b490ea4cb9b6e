"""The recipes of docs/proxies, each run as it is in the file, but with ports, paths and certificates of a test.

The name is play.example.org in all of them; clients dial 127.0.0.1 and ask for it.
"""
import contextlib
import http.client
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import time

from client import Client, Failure, check
from nginx import free_ports
from program import Program

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "proxies"
NAME = "play.example.org"
READY_WITHIN_S = 20


class Authority:
    """An authority of the test's own, which signs a certificate for NAME; `broken` ones are for other tests."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "authority.pem"
        self._openssl(
            "req", "-x509", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30",
            "-subj", "/CN=Authority of a test", "-keyout", folder / "authority.key", "-out", self.file,
        )

    def _openssl(self, *words):
        subprocess.run(["openssl", *words], check=True, stdin=subprocess.DEVNULL, capture_output=True)

    def sign(self, name=NAME, days=60, starts=None, ends=None):
        """The paths of a certificate with its chain, of its key, and of both in one file."""
        folder = self.folder / f"{name}-{days}-{ends}"
        folder.mkdir()
        request, chain, key, both = (folder / file for file in ("request", "chain.pem", "key.pem", "both.pem"))
        self._openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
            "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", request,
        )
        if ends:
            # `openssl x509` takes no dates, so the small book-keeping of `openssl ca` is made for this one.
            settings = folder / "ca.conf"
            settings.write_text(
                f"[ca]\ndefault_ca=own\n[own]\ndatabase={folder}/index\nnew_certs_dir={folder}\nrand_serial=yes\n"
                "default_md=sha256\npolicy=any\ncopy_extensions=copy\n[any]\ncommonName=supplied\n"
            )
            (folder / "index").touch()
            self._openssl(
                "ca", "-batch", "-config", settings, "-cert", self.file, "-keyfile", self.folder / "authority.key",
                "-startdate", starts, "-enddate", ends, "-in", request, "-out", chain, "-notext",
            )
        else:
            self._openssl(
                "x509", "-req", "-in", request, "-CA", self.file, "-CAkey", self.folder / "authority.key",
                "-CAcreateserial", "-days", str(days), "-copy_extensions", "copy", "-out", chain,
            )
        chain.write_text(chain.read_text() + self.file.read_text())
        both.write_text(chain.read_text() + key.read_text())
        return chain, key, both


class Recipe:
    """A proxy that runs a recipe. `port` is the outside one; `authorities` is the file of the authority to trust."""

    program = None
    # The outside name.
    host = NAME
    # What the server behind needs; {chain} and {key} are a certificate's files.
    server_options = ("--trusted-proxies", "127.0.0.1")
    # Whether a WebSocket outlives a reload.
    keeps_connections = True
    # Of tests that break something.
    changes = ()
    more_options = ()
    has_redirect = True

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        self.authority = Authority(folder / "authority")
        self.authorities = self.authority.file
        self.server_port, self.admin_port, self.plain_port, self.port, self.spare_port = free_ports(5)
        self.server = None
        self.log = folder / "proxy.log"
        self.process = None

    @contextlib.contextmanager
    def before_a_server(self, madang):
        """Runs the server that the recipe speaks of, and the proxy before it."""
        chain, key = "", ""
        if any("{chain}" in option for option in self.server_options):
            chain, key, _ = self.authority.sign()
        options = [
            option.format(chain=chain, key=key, port=self.port, admin_port=self.admin_port) for option in self.server_options
        ]
        self.server = Program(
            madang, self.folder / "data", self.folder / "server.log", "--conformance", *options, *self.more_options
        )
        self.server.port = self.server_port
        try:
            self.server.launch()
            with self.running():
                yield self
            check(self.server.is_running, f"the server died under the test, with {self.server.process.returncode}")
            self.server.shut_down()
        finally:
            self.server.destroy()

    # For each recipe.

    def configuration(self):
        """The text to run."""
        raise NotImplementedError

    def command(self, file):
        raise NotImplementedError

    def reload(self):
        raise NotImplementedError

    # For all.

    def is_well(self, answer):
        """Whether this is the server's answer for `/healthz`."""
        return answer.content == b"ok\n"

    def text(self, name, *changes):
        """The recipe with each change made, which must be possible once or more."""
        return self.changed((FOLDER / name).read_text(), *changes)

    def changed(self, text, *changes):
        for old, new in (*changes, *self.changes):
            check(old in text, f"there is no {old!r} in {text}")
            text = text.replace(old, new)
        return text

    @contextlib.contextmanager
    def running(self):
        file = self.folder / self.__class__.file
        file.write_text(self.configuration())
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command(file), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                env=os.environ | {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)},
            )
        try:
            self._await_port()
            yield self
        finally:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _await_port(self):
        deadline = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < deadline:
            check(self.process.poll() is None, f"{self.program} ended: {self.log.read_text()[-2000:]}")
            with contextlib.suppress(OSError):
                # An answer, and not only a listener: certificates and checks of the server take their time.
                if self.is_well(self.ask("GET", "/healthz")):
                    return
            time.sleep(0.1)
        raise Failure(f"{self.program} is not ready: {self.log.read_text()[-2000:]}")

    @contextlib.contextmanager
    def new_worker(self):
        """Waits until the proxy has a worker that it did not have before."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        before = set(children.read_text().split())
        yield
        deadline = time.monotonic() + READY_WITHIN_S
        while not set(children.read_text().split()) - before:
            check(time.monotonic() < deadline, f"{self.program} has not read its settings again")
            time.sleep(0.05)

    @property
    def base(self):
        return f"https://{self.host}:{self.port}"

    @property
    def redirect_base(self):
        """Where plain HTTP leads."""
        return self.base

    def trust(self):
        """A context of TLS that trusts the authority."""
        return ssl.create_default_context(cafile=self.authorities)

    def dial(self, source="127.0.0.1"):
        """A connection over TLS, which is checked as a browser checks it."""
        connection = socket.create_connection(("127.0.0.1", self.port), 20, (source, 0))
        return self.trust().wrap_socket(connection, server_hostname=self.host)

    def ask(self, method, path, source="127.0.0.1", headers=None, body=None):
        """One request; the answer has its body read, as `content`."""
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.sock = self.dial(source)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            answer.content = answer.read()
            return answer
        finally:
            connection.close()


class NginxRecipe(Recipe):
    program, file = "nginx", "nginx.conf"

    def configuration(self):
        chain, key, _ = self.authority.sign()
        site = self.text(
            "nginx.conf",
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"), ("listen [::]:80;", ""),
            ("$host:443", f"$host:{self.port}"),
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"), ("listen [::]:443 ssl;", ""),
            ("127.0.0.1:8080", f"127.0.0.1:{self.server_port}"),
            ("/etc/letsencrypt/live/play.example.org/fullchain.pem", str(chain)),
            ("/etc/letsencrypt/live/play.example.org/privkey.pem", str(key)),
        )
        return self.around(site)

    def around(self, site):
        """The whole of nginx's settings around a site."""
        folder = self.folder
        folders = "\n".join(
            f"{kind}_temp_path {folder}/{kind.split('_')[0]}{index};"
            for index, kind in enumerate(("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        )
        user = "user root;" if os.geteuid() == 0 else ""
        return f"{user}\ndaemon off;\npid {folder}/pid;\nerror_log {self.log} warn;\nevents {{}}\n" \
            f"http {{\naccess_log off;\n{folders}\n{site}\n}}\n"

    def command(self, file):
        return ["nginx", "-p", self.folder, "-e", self.log, "-c", file]

    def reload(self):
        with self.new_worker():
            subprocess.run([*self.command(self.folder / self.file), "-s", "reload"], check=True)


class HAProxyRecipe(Recipe):
    program, file = "haproxy", "haproxy.cfg"

    def configuration(self):
        _, _, both = self.authority.sign()
        return self.text(
            "haproxy.cfg",
            ("maxconn 50000", "maxconn 500"),
            ("bind :80\n", f"bind 127.0.0.1:{self.plain_port}\n"), ("bind :443 ", f"bind 127.0.0.1:{self.port} "),
            (":443%[pathq]", f":{self.port}%[pathq]"),
            ("/etc/haproxy/certs/play.example.org.pem", str(both)),
            ("127.0.0.1:8080", f"127.0.0.1:{self.server_port}"),
        )

    def command(self, file):
        # As Debian's unit does it: a master, which starts a new worker at each reload.
        return ["haproxy", "-W", "-db", "-f", file]

    def reload(self):
        with self.new_worker():
            self.process.send_signal(signal.SIGUSR2)


class HAProxyTCPRecipe(HAProxyRecipe):
    file = "haproxy-tcp.cfg"
    server_options = (
        "--trusted-proxies", "127.0.0.1", "--proxy-protocol", "--public-url", "https://play.example.org:{port}",
        "--tls-certificate", "{chain}", "--tls-key", "{key}",
    )
    has_redirect = False

    def configuration(self):
        return self.text(
            "haproxy-tcp.cfg",
            ("maxconn 50000", "maxconn 500"), ("bind :443\n", f"bind 127.0.0.1:{self.port}\n"),
            ("127.0.0.1:8080", f"127.0.0.1:{self.server_port}"),
        )


class CaddyRecipe(Recipe):
    program, file = "caddy", "Caddyfile"
    keeps_connections = False
    # Caddy's setting of another port is for a machine whose port 443 leads there, so its redirect names none.
    redirect_base = f"https://{NAME}"

    def configuration(self):
        return self.settings() + self.text("Caddyfile", ("127.0.0.1:8080", f"127.0.0.1:{self.server_port}"))

    def settings(self):
        self.authorities = self.folder / "data/pki/authorities/local/root.crt"
        # The global settings of a test: other ports, no privileged ones, and Caddy's own authority.
        return (
            f"{{\n  admin 127.0.0.1:{self.spare_port}\n  http_port {self.plain_port}\n  https_port {self.port}\n"
            f"  default_bind 127.0.0.1\n  storage file_system {self.folder}/data\n  local_certs\n"
            "  skip_install_trust\n}\n"
        )

    def command(self, file):
        return ["caddy", "run", "--config", file, "--adapter", "caddyfile"]

    def reload(self):
        subprocess.run(
            ["caddy", "reload", "--force", "--config", self.folder / self.file, "--adapter", "caddyfile",
             "--address", f"127.0.0.1:{self.spare_port}"],
            check=True, capture_output=True, env=os.environ | {"HOME": str(self.folder)},
        )


RECIPES = {"nginx": NginxRecipe, "haproxy": HAProxyRecipe, "haproxy-tcp": HAProxyTCPRecipe, "caddy": CaddyRecipe}


class OutsideClient(Client):
    """A player who comes through a recipe's proxy, over TLS and with compression."""

    compression = "deflate"

    def __init__(self, recipe, codec, name, source="127.0.0.1", **connecting):
        super().__init__(f"wss://{NAME}:{recipe.port}/v1/play", codec, name, **connecting)
        self.recipe = recipe
        self.source = source

    async def connect(self):
        self.connecting |= {
            "host": "127.0.0.1", "port": self.recipe.port, "local_addr": (self.source, 0), "ssl": self.recipe.trust(),
        }
        await super().connect()

    @property
    def compresses(self):
        return "permessage-deflate" in self.socket.response.headers.get("Sec-WebSocket-Extensions", "")


def modules(qr_svg):
    """The dark modules of a QR's picture, from its upper left one on."""
    dark = set()
    for column, row, count in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", qr_svg):
        dark |= {(int(row), int(column) + step) for step in range(int(count))}
    return shifted(dark)


def terminal_modules(text):
    """The same of a QR in a terminal, two rows of modules a line."""
    dark = set()
    for line, row in enumerate(re.findall(r"\x1b\[30;47m([█▀▄ ]+)\x1b\[0m", text)):
        for column, sign in enumerate(row):
            if sign in "█▀":
                dark.add((2 * line, column))
            if sign in "█▄":
                dark.add((2 * line + 1, column))
    return shifted(dark)


def shifted(dark):
    check(dark, "a QR has dark modules")
    top, left = min(row for row, _ in dark), min(column for _, column in dark)
    return {(row - top, column - left) for row, column in dark}
