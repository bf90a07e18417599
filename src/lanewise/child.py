# SPDX-License-Identifier: Apache-2.0
"""Calls of Lanewise's own functions in a child process, for input that may crash LLVM.

LLVM ends the process on code that it can't select and on some broken modules. Output of our own front ends is compiled
in this process. IR from elsewhere is first compiled in a child, whose crash is an error here.
"""

from __future__ import annotations

import pickle
import re
import signal
import sys
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from lanewise.config import without_log
from lanewise.errors import CompileError, Error
from lanewise.log import step

P = ParamSpec("P")
T = TypeVar("T")

TIME_LIMIT_S: Final = 120
"""Seconds of processor time after which a child is ended: far more than any module of sensible size takes. Time that
other processes take on a busy machine doesn't count."""
WAIT_LIMIT_S: Final = 1200.0
"""Seconds after which a child is ended that waits for something."""

_PR_SET_PDEATHSIG: Final = 1
"""`prctl` of Linux: a signal for this process when the thread that made it ends."""
_NICENESS: Final = 5
"""Priority of idle children: busy processes of usual priority leave one a quarter of a processor."""

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
    It starts with `what` and names LLVM's last message and, after a crash, its stage. If this interpreter doesn't know
    its own program, which may happen when it is embedded, the function is called here.
    """
    if not sys.executable:
        return function(*arguments, **named)
    return _called(what, f"serve({TIME_LIMIT_S})", pickle.dumps((function, arguments, named)))


def in_idle_child(what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The same at a low priority, in a process that the system ends with the thread that calls this. Error if this
    interpreter doesn't know its own program."""
    import os

    if not sys.executable:
        raise Error(f"{what}: no child process, since the interpreter's own program isn't known")
    request = pickle.dumps((function, arguments, named))
    return _called(what, f"serve_idly({TIME_LIMIT_S}, {os.getpid()})", request)


def _called(what: str, service: str, request: bytes) -> Any:
    """The answer of a child that runs `service`, a call of one of this module's functions."""
    import subprocess  # 5 ms, and a warm start compiles nothing

    code = f"import sys; sys.path[:] = {sys.path!r}; import lanewise.child; lanewise.child.{service}"
    try:
        with step(f"{what}, in a child process"):
            done = subprocess.run(
                [sys.executable, "-X", "faulthandler", "-c", code],
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
        succeeded, result = pickle.loads(done.stdout)
        if succeeded:
            return result
        raise result
    raise CompileError(f"{what}: {_end(done.returncode, done.stderr.decode(errors='replace'))}")


def guarded(foreign: bool, what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of `function`: called in a child process if its IR is `foreign` and may take LLVM down, else here."""
    if foreign:
        return in_child(what, function, *arguments, **named)
    return function(*arguments, **named)


def serve(time_limit_s: int) -> None:
    """Run the child: read the call, and write its result or its exception. The system ends it by SIGXCPU after
    `time_limit_s` seconds of processor time."""
    import os
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    if most == resource.RLIM_INFINITY or most > time_limit_s:
        resource.setrlimit(resource.RLIMIT_CPU, (time_limit_s, most))

    # Output of a library must not get into the answer.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    function, arguments, named = pickle.load(sys.stdin.buffer)
    try:
        result: tuple[bool, Any] = True, function(*arguments, **named)
    except Error as error:
        result = False, error
    with answer:
        pickle.dump(result, answer)


def serve_idly(time_limit_s: int, parent: int) -> None:
    """Run the child at a low priority, as long as the process `parent` lives."""
    import ctypes
    import os

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it ended before
        os._exit(1)
    os.nice(_NICENESS)
    serve(time_limit_s)


def _end(code: int, told: str) -> str:
    """Description of the child's end, from its exit code and its output: LLVM's messages, then Python's stack."""
    messages, _, stack = told.partition("Fatal Python error:")
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    frames = [name for name in _FRAME.findall(stack) if name in _STAGES]
    stage = f" in {_STAGES[frames[0]]}" if frames else ""
    how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
    return f"LLVM {how}{stage}: {lines[-1] if lines else 'it said nothing'}"
