# SPDX-License-Identifier: Apache-2.0
"""Serving of one program: a frame for each request and each answer, with 4 bytes of its number and 4 of its length.

While a request is worked on, an empty frame of number 0 tells each second that the service isn't stopped. The
service ends with the program, in the middle of a compilation, too, and when it has had nothing to do for a while. It
also ends after an answer, once it has grown much: LLVM loses 55 KB per run of passes over programs in which a pragma
asks something of a loop (`llvm/switches.py`). The program starts another one with its next request.
"""

import gc
import os
import select
import socket
import struct
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Final

from lanewise.garbage import THRESHOLD

_FRAME: Final = struct.Struct("=II")
_IDLE_S: Final = 10.0
_AT_WORK: Final = _FRAME.pack(0, 0)
_AT_WORK_S: Final = 1.0
"""Time between frames that tell of work; `runtime/host/compile_service.c` waits for twenty of them."""
_MOST_GROWTH: Final = 512 << 20
"""Bytes of memory that a service may take beyond those that it began with: 120 MB with the first program, and 0.22 MB
with each of some 1,700 more."""
_STATM: Final = "/proc/self/statm"
_POLITENESS: Final = 5
"""Niceness beyond the program's own of work that the program doesn't wait for: its threads come first."""


def serve_program(descriptor: int) -> None:
    """Be the service of the program at the other end of a socket."""
    gc.set_threshold(THRESHOLD)  # to load modules takes a fifth longer with searches, which find nothing
    connection = socket.socket(fileno=descriptor)
    threading.Thread(target=_end_with_program, args=(connection,), daemon=True).start()
    serve_requests(connection)


def serve_requests(connection: socket.socket) -> None:
    """Answer the requests that come through a socket, until there are no more, or the process has grown much."""
    at_first = _resident()
    while (frame := _receive(connection)) is not None:
        number, request = frame
        with _telling_of_work(connection):
            text = _answer(request)
        connection.sendall(_FRAME.pack(number, len(text)) + text)
        if _resident() - at_first > _MOST_GROWTH and not select.select([connection], [], [], 0)[0]:
            return


def _resident() -> int:
    """Bytes of memory that the process has in use; 0 where the system doesn't tell."""
    with suppress(OSError), open(_STATM) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


@contextmanager
def _telling_of_work(connection: socket.socket) -> Generator[None, None, None]:
    """Send a frame each second until the work is done. LLVM's work is without the lock of the interpreter."""
    done = threading.Event()

    def tell() -> None:
        while not done.wait(_AT_WORK_S):
            with suppress(OSError):  # the program has ended
                connection.sendall(_AT_WORK)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _answer(data: bytes) -> bytes:
    from lanewise.config import from_environment  # after the thread that watches has started
    from lanewise.cuda.service.answer import answer, declined
    from lanewise.cuda.service.request import ChoiceRequest, CompileRequest, read_request
    from lanewise.errors import Error
    from lanewise.session import Session

    try:
        request, cache = read_request(data), Session(from_environment()).cache
        has_code = isinstance(request, ChoiceRequest) or (isinstance(request, CompileRequest) and not request.checks)
        if has_code:  # the program doesn't wait
            return _politely(lambda: answer(request, cache))
        return answer(request, cache)
    except Error as error:
        return declined(error)


def _politely(work: Callable[[], bytes]) -> bytes:
    """The result of work, in a thread of lower priority: on Linux, niceness is a thread's own."""
    from concurrent.futures import ThreadPoolExecutor  # programs in OpenCL C start without

    with ThreadPoolExecutor(1, initializer=os.nice, initargs=(_POLITENESS,)) as pool:
        return pool.submit(work).result()


def _end_with_program(connection: socket.socket) -> None:
    watch = select.poll()
    watch.register(connection, select.POLLHUP | select.POLLRDHUP)
    watch.poll()
    os._exit(0)


def _receive(connection: socket.socket) -> tuple[int, bytes] | None:
    """The next request and its number; None if there is none any more."""
    connection.settimeout(_IDLE_S)
    try:
        head = _read(connection, _FRAME.size)
        if head is None:
            return None
        number, length = _FRAME.unpack(head)
        data = _read(connection, length)
    except TimeoutError:
        return None
    return None if data is None else (number, data)


def _read(connection: socket.socket, length: int) -> bytes | None:
    parts: list[bytes] = []
    while length > 0:
        part = connection.recv(min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
