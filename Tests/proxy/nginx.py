"""An nginx of our own: one process with a generated configuration, in a folder that is thrown away."""
import contextlib
import os
import pathlib
import pwd
import socket
import subprocess
import tempfile
import time

from client import Failure, check

MODULE_FOLDERS = ("/usr/lib/nginx/modules", "/usr/lib64/nginx/modules")
READY_WITHIN_S = 10

# All other settings are nginx's defaults, time-outs above all. The first location is nginx's own recipe for
# WebSockets (nginx.org/en/docs/http/websocket.html); the others speak HTTP/1.0 to the server, as nginx does by default.
CONFIGURATION = """
{preamble}
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{}}

http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;

  map $http_upgrade $connection_upgrade {{
    default upgrade;
    '' close;
  }}
  server {{
    listen 127.0.0.1:{http_port};
    location / {{
      proxy_pass http://{forwarded_server};
      proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
    location = /healthz {{
      proxy_pass http://{forwarded_server};
    }}
    location /j/ {{
      proxy_pass http://{forwarded_server};
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }}
  }}
}}

stream {{
  server {{
    listen 127.0.0.1:{stream_port};
    proxy_pass {proxy_protocol_server};
    proxy_protocol on;
  }}
}}
"""


class Nginx:
    """Its addresses: `http` writes X-Forwarded-For, `stream` the PROXY protocol. Both are HOST:PORT."""

    def __init__(self, http, stream):
        self.http = http
        self.stream = stream


def preamble():
    """The settings of this machine: the stream module where it is not built in, and the workers' user."""
    lines = []
    for folder in MODULE_FOLDERS:
        module = pathlib.Path(folder, "ngx_stream_module.so")
        if module.exists():
            lines.append(f"load_module {module};")
            break
    if os.geteuid() == 0:
        # Workers of another user could not enter the folder.
        lines.append(f"user {pwd.getpwuid(0).pw_name};")
    return "\n".join(lines)


def free_ports(count):
    """Ports that are free now. All are taken at once, so that all differ."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait_until_it_accepts(process, port):
    for _ in range(READY_WITHIN_S * 20):
        check(process.poll() is None, f"nginx ended with {process.returncode} before it was ready")
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise Failure(f"nginx was not ready within {READY_WITHIN_S} s")


@contextlib.contextmanager
def running(forwarded_server, proxy_protocol_server):
    """Runs it before two servers, each HOST:PORT. Prints its log at the end, for the search of a failure."""
    with tempfile.TemporaryDirectory() as folder:
        http_port, stream_port = free_ports(2)
        configuration = pathlib.Path(folder, "nginx.conf")
        configuration.write_text(CONFIGURATION.format(
            preamble=preamble(), folder=folder, http_port=http_port, stream_port=stream_port,
            forwarded_server=forwarded_server, proxy_protocol_server=proxy_protocol_server,
        ))
        log = pathlib.Path(folder, "error.log")
        process = subprocess.Popen(["nginx", "-p", folder, "-e", log, "-c", configuration], stdin=subprocess.DEVNULL)
        try:
            wait_until_it_accepts(process, stream_port)
            yield Nginx(f"127.0.0.1:{http_port}", f"127.0.0.1:{stream_port}")
            check(process.poll() is None, f"nginx ended with {process.returncode} meanwhile")
        finally:
            process.terminate()
            process.wait(10)
            if log.exists():
                print(f"nginx said last:\n{log.read_text()[-4000:]}", flush=True)
