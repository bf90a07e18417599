# SPDX-License-Identifier: Apache-2.0
"""The program's side of the compile service: how long it waits for one that is stopped, and for one that works.

In the service's place there is a small program, whose answers name its process.
"""

import ctypes
import os
import sys
import time
from pathlib import Path

import pytest

from lanewise.runtime.build import HOST, compile_object
from lanewise.toolchain import link_shared_object

SILENCE_S = 1.2
STOPPED_SERVICE = """#!{python} -I
import os, signal, socket, struct, time
connection = socket.socket(fileno=3)
while head := connection.recv(8, socket.MSG_WAITALL):
    number, length = struct.unpack("=II", head)
    words = connection.recv(length, socket.MSG_WAITALL)[:4]
    with open("{log}", "a") as log:
        print(os.getpid(), words.decode(), file=log)
    if words == b"stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    for _ in range(16 if words == b"work" else 0):
        time.sleep({silence} / 8)
        connection.sendall(struct.pack("=II", 0, 0))
    text = str(os.getpid()).encode()
    connection.sendall(struct.pack("=II", number, len(text)) + text)
    if words == b"last":
        os.kill(os.getpid(), signal.SIGSTOP)
"""


class Asking:
    """The runtime, and the requests that services have seen."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        service = folder / "service"
        service.write_text(STOPPED_SERVICE.format(python=sys.executable, log=self.log, silence=SILENCE_S))
        service.chmod(0o755)
        options = (f'-DLW_PYTHON="{service}"', '-DLW_BUILD="1"', f"-DLW_SILENCE_MS={int(SILENCE_S * 1000)}")
        compiled = compile_object(Path(__file__).with_name("asking.c"), *options, f"-I{HOST}")
        library = folder / "asking.so"
        library.write_bytes(link_shared_object([compiled]))
        self._ask = ctypes.CDLL(str(library)).ask
        self._ask.restype = ctypes.c_char_p
        self._ask.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)

    def __call__(self, words: str, more: bytes = b"") -> str | None:
        """The process that answers; None if none does."""
        answer: bytes | None = self._ask(words.encode(), more, len(more))
        return None if answer is None else answer.decode()

    def seen(self) -> list[tuple[int, str]]:
        lines = (line.split() for line in self.log.read_text().splitlines())
        return [(int(process), words) for process, words in lines]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Asking:
    return Asking(tmp_path_factory.mktemp("asking"))


def is_gone(process: int) -> bool:
    """True once a process has ended; whoever is its parent may not have looked yet."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_a_service_that_works_is_waited_for(ask: Asking):
    start = time.monotonic()
    assert ask("work") is not None
    assert time.monotonic() - start > 1.5 * SILENCE_S


def test_a_stopped_service_is_given_up_and_ended(ask: Asking):
    assert ask("okay") is not None
    start = time.monotonic()
    assert ask("stop") is None
    assert time.monotonic() - start < 6 * SILENCE_S
    tried = [process for process, words in ask.seen() if words == "stop"]
    assert len(set(tried)) == 2
    assert all(map(is_gone, tried))
    assert ask("okay") is not None


def test_a_large_request_to_a_stopped_service_goes_to_another(ask: Asking):
    stopped = ask("last")
    assert stopped is not None
    other = ask("okay", bytes(4 << 20))
    assert other not in (None, stopped)
    assert is_gone(int(stopped))


def test_descriptors_do_not_pile_up(ask: Asking):
    assert ask("okay") is not None
    before = os.listdir("/proc/self/fd")
    assert ask("last") is not None
    assert ask("okay") is not None
    assert len(os.listdir("/proc/self/fd")) == len(before)
