"""Ctrl-C that is heard while compiled code runs."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 2.0
"""Seconds that Python gets to act upon Ctrl-C by itself, which tells more and tidies up."""


@contextmanager
def interruptible(text: str, patience: float = PATIENCE) -> Iterator[None]:
    """Let Ctrl-C end the process, with 130 and a line of `text`, when Python does not come to hear it.

    Python acts upon signals between its own instructions, so never in a compiled kernel: neither in a long chunk nor in
    rules that do not end. But the system writes the signal into a socket at once, and a thread waits there. What
    is committed is kept; a chunk under way is played again by the same command.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = threading.Event()
    reader, writer = socket.socketpair()
    writer.setblocking(False)

    def hear(number: int, frame: FrameType | None) -> None:
        heard.set()
        raise KeyboardInterrupt

    def watch() -> None:
        while came := reader.recv(1):
            if came[0] == signal.SIGINT and not heard.wait(patience):
                os.write(2, f"{text}\n".encode())
                os._exit(130)
            heard.clear()

    before = signal.signal(signal.SIGINT, hear)
    wakeup = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGINT, before)
        writer.close()
        thread.join()
        reader.close()
