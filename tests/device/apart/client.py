# SPDX-License-Identifier: Apache-2.0
"""The device `apart`, which is in another process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections import deque
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

import numpy as np

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.capabilities import Capabilities
from lanewise.device.launch import Launch
from lanewise.device.memory import Bytes, Span
from lanewise.device.program import Program

from .messages import Reply, Request, SentLaunch, SentProgram

ROOT = Path(__file__).parents[3]


class Channel:
    """Calls of the server, each thread's over a connection of its own."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="lanewise-apart-")
        self._address = f"{self._folder.name}/socket"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.device.apart.server", self._address],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self._local = threading.local()
        self.freed: deque[int] = deque()

    def call(self, method: str, *arguments: Any) -> Any:
        while self.freed:
            self._call("free", self.freed.popleft())
        return self._call(method, *arguments)

    def _call(self, method: str, *arguments: Any) -> Any:
        connection: Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = Client(self._address)
        try:
            connection.send(Request(method, arguments))
            reply: Reply = connection.recv()
        except BaseException:
            self._local.connection = None  # whoever interrupts a call doesn't get its answer later
            raise
        if reply.output:
            sys.stdout.write(reply.output)
        if reply.failure is not None:
            raise reply.failure
        return reply.result

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()
        self._folder.cleanup()


class ApartMemory:
    """Memory of the other process. All that comes back is read over a connection."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        return self._channel.call("allocate", nbytes, zeroed)

    def free_bytes(self) -> int:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def free(self, address: int) -> None:
        self._channel.freed.append(address)

    def read(self, address: int, out: Bytes) -> None:
        out[:] = np.frombuffer(self._channel.call("read", address, out.nbytes), np.uint8)

    def write(self, address: int, data: Bytes) -> None:
        self._channel.call("write", address, data.tobytes())

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self._channel.call("copy", destination, source, nbytes)

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        self._channel.call("fill", address, nbytes, byte)


class ApartDevice:
    name = "apart"
    description = "the CPU of another process"
    capabilities = Capabilities(own_memory=True)
    is_built = True

    def __init__(self) -> None:
        self.channel = Channel()
        self.memory = ApartMemory(self.channel)

    def build(self) -> None:
        pass

    def open(self, program: Program) -> ApartProgram:
        return ApartProgram(self, program, None)


class ApartProgram:
    """A program over there, sent at the first use."""

    def __init__(self, device: ApartDevice, program: Program, older: ApartProgram | None) -> None:
        self.device = device
        self._program = program
        self._older = older
        self._lock = threading.Lock()
        self._number: int | None = None

    def prepare(self, launch: Launch) -> None:
        self.device.channel.call("prepare", self._opened(), _sent(launch))

    def launch(self, launch: Launch) -> None:
        self.device.channel.call("launch", self._opened(), _sent(launch))

    def reopen(self, program: Program) -> ApartProgram:
        return ApartProgram(self.device, program, self)

    def variable(self, symbol: str) -> Span:
        return self.device.channel.call("variable", self._opened(), symbol)

    def _opened(self) -> int:
        with self._lock:
            if self._number is None:
                given = self._program
                linked = given.linked(fused=has_fused_multiply_add())
                sent = SentProgram(given.key, given.name, linked, dict(given.names), given.foreign, dict(given.options))
                if self._older is None:
                    self._number = self.device.channel.call("open", sent)
                else:
                    self._number = self.device.channel.call("reopen", self._older._opened(), sent)
            assert self._number is not None
            return self._number


def _sent(launch: Launch) -> SentLaunch:
    names, const, packing = launch.arguments.parameters[:3]
    plain = launch.arguments._replace(parameters=None)  # pyright: ignore[reportArgumentType] : what can't be sent
    return SentLaunch(launch._replace(arguments=plain), names, const, packing.format)


def open_device(cache: Cache, config: Config) -> ApartDevice:
    """The entry point."""
    return ApartDevice()
