"""A connection that is closed just as it begins is closed: whoever closes it does not wait for ever."""

import threading

import pytest
from slack_sdk.socket_mode.interval_runner import IntervalRunner

from bot.connection import SocketClient, web_client

PATIENCE_S = 20.0


@pytest.fixture
def client() -> SocketClient:
    """A client that never connected; nothing listens at its address."""
    return SocketClient("xapp-1", web_client(None, "http://127.0.0.1:1/"), 3.0)


def test_a_reader_that_takes_the_mark_of_the_end_back_as_it_begins_is_ended_all_the_same(
    client: SocketClient,
) -> None:
    state, begins, marked = client.current_session_state, threading.Event(), threading.Event()

    def reads() -> (
        None
    ):  # as the library's does: it saw a live session, marks it, and reads until the mark is set
        begins.set()
        marked.wait(PATIENCE_S)
        state.terminated = False
        while not state.terminated:
            threading.Event().wait(0.01)

    client.current_session_runner = IntervalRunner(reads).start()
    assert begins.wait(PATIENCE_S)
    closing = threading.Thread(target=client.close, daemon=True)
    closing.start()
    while not state.terminated:
        threading.Event().wait(0.01)
    marked.set()
    closing.join(PATIENCE_S)
    ended = not closing.is_alive()
    state.terminated = True  # lets the threads of a failed test go
    assert ended
