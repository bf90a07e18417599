# SPDX-License-Identifier: Apache-2.0
"""Calls of Lanewise's own functions in a child process, for input that may crash LLVM.

LLVM ends the process on code that it can't select and on some broken modules. Output of our own front ends is compiled
in this process. IR from elsewhere is first compiled in a child, whose crash is an error here.
"""

from __future__ import annotations

import pickle
import re
import signal
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, TypeVar

from lanewise.config import without_log
from lanewise.errors import CompileError, Error
from lanewise.log import step

if TYPE_CHECKING:
    import socket

P = ParamSpec("P")
T = TypeVar("T")

TIME_LIMIT_S: Final = 120
"""Seconds of processor time after which a child is ended: far more than any module of sensible size takes. Time that
other processes take on a busy machine doesn't count."""
WAIT_LIMIT_S: Final = 1200.0
"""Seconds after which a child is ended that waits for something."""

_LENGTH: Final = struct.Struct("=Q")
"""The length of a request that a socket brings."""
_NICENESS: Final = 5
"""Priority of unseen children: busy processes of usual priority leave one a quarter of a processor."""

_STAGES: Final = {
    "__init__": "the parser",
    "verify": "the verifier",
    "run_passes": "inlining",
    "simplify": "simplification",
    "optimise": "optimisation",
    "_emit": "code generation",
}
"""Functions of lanewise.llvm, and the stage of LLVM that runs in them."""

_FRAME: Final = re.compile(r'  File ".*?lanewise/llvm/\w+\.py", line \d+ in (\w+)')


def in_child(what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call `function`, one of Lanewise's own, in a new process, which takes 0.2 s more, and return its result. An
    `Error` from it is raised here. If the process crashes or passes `TIME_LIMIT_S`, raises a CompileError.
    It starts with `what` and names LLVM's last message and, after a crash, its stage. Where no program is known that
    is this interpreter, the function is called here.
    """
    if not _has_program():
        return function(*arguments, **named)
    return _called(what, f"serve({TIME_LIMIT_S})", pickle.dumps((function, arguments, named)))


class Starter(Protocol):
    """A function that starts a program that works for this process unseen: `runtime.Pool.start_detached`."""

    def __call__(self, words: Sequence[str], variables: Mapping[str, str], connection: int) -> bool:
        """Start the program words[0], with a socket as its descriptor 3. False if it can't be started."""
        ...


def in_unseen_child(
    start: Starter, what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs
) -> T:  # fmt: skip
    """Call `function` as `in_child` does, but at a low priority, in a process that no wait of this one's program
    returns, and that ends with it. Error if there can be no such process."""
    import os
    import socket

    if not _has_program():
        raise Error(f"{what}: no child process, since the interpreter's own program isn't known")
    request = pickle.dumps((function, arguments, named))
    service = f"serve_unseen(3, {TIME_LIMIT_S}, {os.getpid()}, {os.getcwd()!r})"
    path = [os.path.abspath(folder) for folder in sys.path]
    ours, theirs = socket.socketpair()
    with ours, step(f"{what}, in a child process"):
        with theirs:
            started = start([sys.executable, "-c", _code(path, service)], without_log(), theirs.fileno())
        if not started:
            raise Error(f"{what}: no child process can be started")
        ours.settimeout(WAIT_LIMIT_S)
        try:
            ours.sendall(_LENGTH.pack(len(request)) + request)
            answer = b"".join(iter(lambda: ours.recv(1 << 20), b""))
        except OSError:
            answer = b""  # it has ended, or is stopped
    if not answer:
        raise CompileError(f"{what}: the child process has ended without an answer")
    return _result(answer)


def _has_program() -> bool:
    """Return whether `sys.executable` is an interpreter: an embedded one may know none, and of a frozen application it
    is the application."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _called(what: str, service: str, request: bytes) -> Any:
    """The answer of a child that runs `service`, a call of one of this module's functions."""
    import subprocess  # 5 ms, and a warm start compiles nothing

    try:
        with step(f"{what}, in a child process"):
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", "-c", _code(sys.path, service)],
                input=request,
                capture_output=True,
                env=without_log(),
                timeout=WAIT_LIMIT_S,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise CompileError(f"{what}: LLVM has not finished after {WAIT_LIMIT_S:.0f} s") from None
    if done.returncode == -signal.SIGXCPU:
        raise CompileError(f"{what}: LLVM has not finished after {TIME_LIMIT_S} s of processor time")
    if done.returncode == 0:
        return _result(done.stdout)
    raise CompileError(f"{what}: {_end(done.returncode, done.stderr.decode(errors='replace'))}")


def _code(path: Sequence[str], service: str) -> str:
    """The program of a child that runs `service`."""
    return f"import sys; sys.path[:] = {path!r}; import lanewise.child; lanewise.child.{service}"


def _result(answer: bytes) -> Any:
    """The result that a child has answered with; its exception is raised."""
    succeeded, result = pickle.loads(answer)
    if succeeded:
        return result
    raise result


def guarded(foreign: bool, what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of `function`: called in a child process if its IR is `foreign` and may take LLVM down, else here."""
    if foreign:
        return in_child(what, function, *arguments, **named)
    return function(*arguments, **named)


def serve(time_limit_s: int) -> None:
    """Run the child: read the call, and write its result or its exception. The system ends it by SIGXCPU after
    `time_limit_s` seconds of processor time."""
    import os

    _limit(time_limit_s)
    # Output of a library must not get into the answer.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with answer:
        answer.write(_answered(sys.stdin.buffer.read()))


def serve_unseen(descriptor: int, time_limit_s: int, parent: int, folder: str) -> None:
    """Run a child that has a socket in place of input and output, at a low priority, in the working folder `folder`, as
    long as the process `parent` lives."""
    import contextlib
    import os
    import socket
    import threading

    os.nice(_NICENESS)
    _limit(time_limit_s)
    with contextlib.suppress(OSError):
        os.chdir(folder)
    with socket.socket(fileno=descriptor) as connection:
        (length,) = _LENGTH.unpack(_received(connection, _LENGTH.size))
        request = _received(connection, length)
        threading.Thread(target=_end_with, args=(connection, parent), daemon=True).start()
        connection.sendall(_answered(request))


def _limit(time_limit_s: int) -> None:
    """Have the system end this process by SIGXCPU after so much processor time."""
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    if most == resource.RLIM_INFINITY or most > time_limit_s:
        resource.setrlimit(resource.RLIMIT_CPU, (time_limit_s, most))


def _answered(request: bytes) -> bytes:
    """The result of a call, or its exception, as `_result` reads it."""
    function, arguments, named = pickle.loads(request)
    try:
        result: tuple[bool, Any] = True, function(*arguments, **named)
    except Error as error:
        result = False, error
    return pickle.dumps(result)


def _received(connection: socket.socket, length: int) -> bytes:
    """Bytes that a socket brings, `length` of them. The process ends if there are none any more."""
    parts: list[bytes] = []
    while length > 0:
        part = connection.recv(min(length, 1 << 20))
        if not part:
            raise SystemExit(1)
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _end_with(connection: socket.socket, parent: int) -> None:
    """End this process when `parent` does, or gives the socket up: a fork of it may have the socket, too."""
    import contextlib
    import os
    import select

    watch = select.poll()
    watch.register(connection, select.POLLHUP | select.POLLRDHUP)
    with contextlib.suppress(OSError):  # there are kernels without such descriptors; or the parent has ended
        watch.register(os.pidfd_open(parent), select.POLLIN)
    watch.poll()
    os._exit(0)


def _end(code: int, told: str) -> str:
    """Description of the child's end, from its exit code and its output: LLVM's messages, then Python's stack."""
    messages, _, stack = told.partition("Fatal Python error:")
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    frames = [name for name in _FRAME.findall(stack) if name in _STAGES]
    stage = f" in {_STAGES[frames[0]]}" if frames else ""
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return f"LLVM {how}{stage}: {lines[-1] if lines else 'it said nothing'}"
