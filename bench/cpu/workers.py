# SPDX-License-Identifier: Apache-2.0
"""The driver's end of the peers' processes: one each, of which one at a time has something to do."""

from __future__ import annotations

import json
import os
import select
import subprocess
from pathlib import Path
from typing import Any, Final

from .environment import CPUS, ROOT, environ, python

_PATIENCE: Final = 300.0
"""Seconds after which a peer that doesn't answer is given up."""


class PeerError(Exception):
    """A peer can't do what it was asked for."""


class Worker:
    """A peer's process, started again where it has ended. Raises PeerError where the peer can't be had."""

    def __init__(
        self, peer: str, threads: int, cache: Path, cpu: str = "native", module: str = "bench.cpu.worker"
    ) -> None:
        """`module` is what the process runs, such as `bench.cpu.worker`, which says what it answers."""
        self.name = peer.partition(":")[0]
        self._peer = peer
        self._module = module
        self._environ = environ(peer, threads, cache) | CPUS[cpu]
        self._log = cache / f"{self.name}.log"
        cache.mkdir(parents=True, exist_ok=True)
        self._start()

    def load(self, *what: Path | str | int) -> Any:
        """The answer of the module to `load`: mostly the nanoseconds from source to the first result."""
        if self._process.poll() is not None:
            self._start()
        return self._ask(" ".join(map(str, ("load", *what))))

    def time(self, count: int) -> list[int]:
        """Nanoseconds of each of `count` warm launches."""
        return self._ask(f"time {count}")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                [str(python(self._peer)), "-m", self._module, self._peer],
                cwd=ROOT,
                env=self._environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        try:
            self.version: str = self._answer()
        except PeerError:
            self.close()
            raise

    def _ask(self, line: str) -> Any:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise PeerError("its process has ended") from error
        return self._answer()

    def _answer(self) -> Any:
        """Lines are read from the descriptor, as a buffer would hide from `select` what has come."""
        assert self._process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._process.stdout], [], [], _PATIENCE)[0]:
                self.close()
                raise PeerError(f"no answer in {_PATIENCE:.0f} s")
            part = os.read(self._process.stdout.fileno(), 1 << 16)
            if not part:
                raise PeerError(f"its process ended with status {self._process.wait()}")
            line += part
        answer = json.loads(line)
        if isinstance(answer, dict):
            raise PeerError(answer["error"])
        return answer
