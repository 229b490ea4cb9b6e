"""A TCP proxy to the server whose open connections can be cut, or die in silence. It can also let nobody through."""
import socket
import threading


class Cutter:
    def __init__(self, host, port):
        self.target = (host, port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = []
        self.dead = set()
        self.accepted = 0
        self.is_refusing = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.is_refusing:
                client.close()
                continue
            server = socket.create_connection(self.target)
            self.open += [client, server]
            self.accepted += 1
            for source, sink in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(65_536):
                if source not in self.dead:
                    sink.sendall(data)
        except OSError:
            pass
        if source in self.dead:
            return
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        """Breaks all open connections; new ones are let through."""
        broken, self.open = self.open, []
        for end in broken:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def refuse(self):
        """Breaks all open connections, and lets no new ones through until `admit`."""
        self.is_refusing = True
        self.cut()

    def admit(self):
        self.is_refusing = False

    def swallow(self):
        """Drops all bytes of the open connections, and closes neither side; new ones are let through."""
        self.dead.update(self.open)
        self.open = []
