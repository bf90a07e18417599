# SPDX-License-Identifier: Apache-2.0
"""The process of the device `apart`: python -m tests.device.apart.server SOCKET

It runs kernels on a CPU device of its own, in memory of its own. Each connection has a thread. It ends when standard
input does, so with its parent.
"""

import ctypes
import io
import os
import struct
import sys
import threading
from multiprocessing.connection import Connection, Listener
from typing import Any

import numpy as np
from tests.device.apart.messages import Reply, SentLaunch, SentProgram

import lanewise as lw
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.device.base import OpenProgram
from lanewise.device.cpu import CpuDevice
from lanewise.device.launch import Arguments, DeviceArray, Launch, Parameters
from lanewise.device.memory import Span


class Server:
    """The methods that clients call."""

    def __init__(self) -> None:
        self._device = CpuDevice(Cache(from_environment().cache_dir), 2)
        self._programs: list[OpenProgram] = []
        self._spans: dict[int, int] = {}  # address -> size of all that clients may access

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        address = self._device.memory.allocate(nbytes, zeroed)
        self._spans[address] = nbytes
        return address

    def free(self, address: int) -> None:
        del self._spans[address]
        self._device.memory.free(address)

    def read(self, address: int, nbytes: int) -> bytes:
        self._require(address, nbytes)
        out = np.empty(nbytes, np.uint8)
        self._device.memory.read(address, out)
        return out.tobytes()

    def write(self, address: int, data: bytes) -> None:
        self._require(address, len(data))
        self._device.memory.write(address, np.frombuffer(data, np.uint8))

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        self._require(destination, nbytes)
        self._require(source, nbytes)
        self._device.memory.copy(destination, source, nbytes)

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        self._require(address, nbytes)
        self._device.memory.fill(address, nbytes, byte)

    def open(self, program: SentProgram) -> int:
        return self._opened(self._device.open(program.program()))

    def reopen(self, number: int, program: SentProgram) -> int:
        return self._opened(self._programs[number].reopen(program.program()))

    def variable(self, number: int, symbol: str) -> Span:
        span = self._programs[number].variable(symbol)
        self._spans[span.address] = span.nbytes
        return span

    def prepare(self, number: int, launch: SentLaunch) -> None:
        self._programs[number].prepare(self._received(launch))

    def launch(self, number: int, launch: SentLaunch) -> None:
        self._programs[number].launch(self._received(launch))

    def _opened(self, program: OpenProgram) -> int:
        self._programs.append(program)
        return len(self._programs) - 1

    def _received(self, sent: SentLaunch) -> Launch:
        given = sent.launch.arguments
        arrays = tuple(self._array(each) if isinstance(each, DeviceArray) else None for each in given.arrays)
        parameters = Parameters(sent.names, sent.const, struct.Struct(sent.packing))
        return sent.launch._replace(arguments=Arguments(given.values, arrays, parameters, given.local_bytes))

    def _array(self, given: DeviceArray) -> Any:
        nbytes = int(np.prod(given.shape, dtype=np.int64)) * given.dtype.itemsize
        if nbytes:
            self._require(given.address, nbytes)
        memory = memoryview((ctypes.c_char * nbytes).from_address(given.address))
        array = np.frombuffer(memory, np.uint8).view(given.dtype).reshape(given.shape)
        array.flags.writeable = not given.const
        return array

    def _require(self, address: int, nbytes: int) -> None:
        """LaunchError for an address of the host, or any other that isn't the device's."""
        if not any(start <= address and address + nbytes <= start + size for start, size in self._spans.copy().items()):
            raise lw.LaunchError(f"address {address:#x} is not in the device's memory")


class Output(io.TextIOBase):
    """Standard output that keeps what each thread prints."""

    def __init__(self) -> None:
        self._local = threading.local()

    def write(self, text: str) -> int:
        self._local.text = getattr(self._local, "text", "") + text
        return len(text)

    def taken(self) -> str:
        text, self._local.text = getattr(self._local, "text", ""), ""
        return text


def serve(server: Server, connection: Connection, output: Output) -> None:
    while True:
        try:
            method, arguments = connection.recv()
        except EOFError:
            return
        result, failure = None, None
        try:
            result = getattr(server, method)(*arguments)
        except Exception as error:  # of any kind: the client raises it
            failure = error
        connection.send(Reply(result, failure, output.taken()))


def main(address: str) -> None:
    output, server = Output(), Server()
    with Listener(address) as listener:
        print("ready", flush=True)
        sys.stdout = output
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        while True:
            threading.Thread(target=serve, args=(server, listener.accept(), output), daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1])
