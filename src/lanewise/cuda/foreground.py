# SPDX-License-Identifier: Apache-2.0
"""Programs in the foreground: they get the signals of the terminal, and this process waits for them."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

_GRACE_S: Final = 5.0
"""Seconds that a program has to end in after SIGTERM, when this process is to end."""


def run_in_foreground(
    words: Sequence[str],
    output: int | None = None,
    executable: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Run a command. Returns its exit status, as a shell has it: 128 and its number for a signal. `output`: the
    descriptor that its standard output goes to; None: this process's. An exception meanwhile, such as that of a handler
    of SIGTERM, ends the program, too. OSError if it can't be run."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program gets it, too
    try:
        running = subprocess.Popen(
            words, executable=executable, preexec_fn=_take_interrupts, stdout=output, env=environment
        )
        try:
            status = running.wait()
        except BaseException:  # the exit that a handler of SIGTERM asks for, too
            _end(running)
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    return status if status >= 0 else 128 - status


def _take_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _end(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
