"""A network between us and a real server, which can be slow, silent, cut in the middle, or closed."""

import contextlib
import selectors
import socket
import threading
from dataclasses import dataclass, field
from typing import Self

_PART = 1 << 16


@dataclass
class Network:
    """Passes bytes on between whoever connects and a server on loopback.

    Attributes:
        server_port: the real server.
        cut_after: the server's bytes, counted over a connection, after which it is cut; None for never.
        at_once: how many of the server's bytes go on at a time; a slow line passes few.
        pause_s: the pause after each of them.
        silent: the server's bytes are kept back; the connection stays open.
        closed: whoever connects is turned away.
        connections: how many came.
    """

    server_port: int
    cut_after: int | None = None
    at_once: int = _PART
    pause_s: float = 0.0
    silent: bool = False
    closed: bool = False
    connections: int = 0
    _open: list[socket.socket] = field(default_factory=list)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()
        for thread in list(self._threads):
            thread.join()

    def cut(self) -> None:
        """Cut every connection that is open."""
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._stopped.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            if self.closed:
                client.close()
                continue
            thread = threading.Thread(target=self._carry, args=(client,))
            self._threads.append(thread)
            thread.start()

    def _carry(self, client: socket.socket) -> None:
        with (
            client,
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.server_port)) as server,
            selectors.DefaultSelector() as ready,
        ):
            self._open += [client, server]
            ready.register(client, selectors.EVENT_READ, server)
            ready.register(server, selectors.EVENT_READ, client)
            self._between(ready, server)

    def _between(self, ready: selectors.BaseSelector, server: socket.socket) -> None:
        passed = 0
        while not self._stopped.is_set():
            for key, _ in ready.select(0.1):
                from_server = key.fileobj is server
                if from_server and self.silent:
                    self._stopped.wait(0.01)
                    continue
                part = key.fileobj.recv(self.at_once if from_server else _PART)  # type: ignore[union-attr]  # a socket
                if from_server:
                    part = part[: self._left(passed)]
                    passed += len(part)
                if not part:
                    return
                key.data.sendall(part)
                if from_server and not self._left(passed):
                    return
                if from_server and self.pause_s:
                    self._stopped.wait(self.pause_s)

    def _left(self, passed: int) -> int:
        return _PART if self.cut_after is None else max(self.cut_after - passed, 0)
