# SPDX-License-Identifier: Apache-2.0
"""Programs that run while a test reads their log, and their compile services."""

import os
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

NEW_CODE = "code for this block size from now on"
SECONDS = 60


class Running:
    """A program that runs in a session and with a cache of its own; both tell which compile services are its."""

    def __init__(self, program: Path, words: list[str], environment: dict[str, str], stdin: int | None) -> None:
        self.cache = environment["LANEWISE_CACHE_DIR"]
        self.process = subprocess.Popen(
            [program, *words], env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.told: list[str] = []

    def wait_for_new_code(self, stop: Path | None = None) -> None:
        """Read the log until code has changed, then let the program go on."""
        self.wait_for(NEW_CODE)
        if stop is not None:
            stop.touch()

    def wait_for(self, words: str) -> None:
        errors: IO[str] | None = self.process.stderr
        assert errors is not None
        for line in errors:
            self.told.append(line)
            if words in line:
                return
        pytest.fail(f"the log has no {words!r}: {self.told}")

    def end(self) -> str:
        """Standard output, once the program has ended well and no service is left."""
        output, errors = self.process.communicate(timeout=SECONDS)
        assert self.process.returncode == 0, (output, self.told, errors)
        self.wait_for_no_service()
        return output

    def services(self) -> list[int]:
        return [pid for pid in map(int, filter(str.isdecimal, os.listdir("/proc"))) if self._is_service(pid)]

    def _is_service(self, pid: int) -> bool:
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
            variables = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        return b"lanewise.cuda.service" in words and self.cache.encode() in variables

    def wait_for_no_service(self) -> None:
        until = time.monotonic() + 5
        while self.services():
            assert time.monotonic() < until, "a compile service outlives its program"
            time.sleep(0.02)


Start = Callable[..., Running]
"""Starts a program, by its words and further variables of its environment."""


@contextmanager
def starter(program: Path, cache: Path) -> Generator[Start]:
    """A function that starts a program, each time with one cache; at the end, what it has started is gone."""
    started: list[Running] = []

    def start(*words: object, program: Path = program, stdin: int | None = subprocess.DEVNULL, **more: str) -> Running:
        environment = {"LANEWISE_CACHE_DIR": str(cache), "LANEWISE_LOG": "1", **more}
        started.append(Running(program, list(map(str, words)), environment, stdin))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.communicate()
        each.wait_for_no_service()
