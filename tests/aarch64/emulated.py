# SPDX-License-Identifier: Apache-2.0
"""A device with memory of its own: `runner.c` under an emulator, with machine code that is made here for 64-bit Arm."""

from __future__ import annotations

import base64
import os
import struct
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Final

import lanewise as lw
from lanewise.backend.host.compile import compile_shared_object
from lanewise.device.capabilities import Capabilities
from lanewise.device.launch import Extent, Launch
from lanewise.device.memory import Bytes, Span
from lanewise.device.program import Program
from lanewise.device.variable_images import images_from_json, images_json
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu
from lanewise.pipelines.out_of_line_functions import compile_out_of_line
from lanewise.pipelines.target import AARCH64
from lanewise.runtime import CORE
from lanewise.toolchain import zig
from lanewise.workgroup.launch_assumptions import LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi
from lanewise.workgroup.mapping import AUTO, mapping_of

RUNNER: Final = Path(__file__).with_name("runner.c")
_ASSUMPTIONS: Final = LaunchAssumptions(small_grid=True, apart=False)
_COMMAND: Final = struct.Struct("<6Q")
_WORD: Final = struct.Struct("<Q")
_REQUEST: Final = struct.Struct("<3Q8IQ")  # struct lw_request of lanewise_rt.h
_TEXT_BYTES: Final = 1024
_COOPERATIVE, _FLUSH_DENORMALS = 1, 2


def build_runner(folder: Path) -> Path:
    """Compile and link the runner. The first time, clang's driver builds a libc for the target, which takes a minute or
    more."""
    made = folder / "runner"
    options = ["-target", "aarch64-linux-musl", "-static", "-std=gnu11", "-O2", f"-I{CORE}"]
    subprocess.run([str(zig()), "cc", *options, str(RUNNER), str(CORE / "core.c"), "-o", str(made)], check=True)
    return made


class Runner:
    """The process of the runner, and its commands."""

    def __init__(self, emulator: str, program: Path) -> None:
        self._process: Final = subprocess.Popen([emulator, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.freed: Final[deque[int]] = deque()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()

    def command(self, letter: str, first: int, second: int = 0, data: bytes = b"") -> int:
        """Send a command; the word of its answer."""
        while letter != "F" and self.freed:
            self.command("F", self.freed.popleft())
        assert self._process.stdin is not None
        self._process.stdin.write(_COMMAND.pack(ord(letter), first, second, 0, 0, 0) + data)
        self._process.stdin.flush()
        return self.word()

    def word(self) -> int:
        return _WORD.unpack(self.bytes(8))[0]

    def bytes(self, count: int) -> bytes:
        """The next bytes of the answer."""
        assert self._process.stdout is not None
        data = self._process.stdout.read(count)
        assert len(data) == count, "the runner has ended"
        return data

    def load(self, shared_object: bytes) -> tuple[int, int, int]:
        """Load machine code; the addresses of its work-group function and of its two tables, 0 if there is none."""
        assert self.command("L", len(shared_object), 0, shared_object) == 1
        return self.word(), self.word(), self.word()


class EmulatedMemory:
    """Memory of the runner."""

    def __init__(self, runner: Runner) -> None:
        self._runner: Final = runner

    def allocate(self, nbytes: int, zeroed: bool) -> int:
        return self._runner.command("A", nbytes)

    def free_bytes(self) -> int:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def free(self, address: int) -> None:
        self._runner.freed.append(address)

    def read(self, address: int, out: Bytes) -> None:
        assert self._runner.command("R", address, out.nbytes) == 0
        out[:] = bytearray(self._runner.bytes(out.nbytes))

    def write(self, address: int, data: Bytes) -> None:
        self.put(address, data.tobytes())

    def put(self, address: int, data: bytes) -> None:
        assert self._runner.command("W", address, len(data), data) == 0

    def words(self, address: int, count: int) -> tuple[int, ...]:
        assert self._runner.command("R", address, 8 * count) == 0
        return struct.unpack(f"<{count}Q", self._runner.bytes(8 * count))

    def copy(self, destination: int, source: int, nbytes: int) -> None:
        assert self._runner.command("R", source, nbytes) == 0
        self.put(destination, self._runner.bytes(nbytes))

    def fill(self, address: int, nbytes: int, byte: int) -> None:
        self.put(address, bytes([byte]) * nbytes)


class EmulatedDevice:
    """64-bit Arm under an emulator. `any_size`: code for any local size, rather than for that of each launch."""

    description = "64-bit Arm, emulated"
    capabilities = Capabilities(own_memory=True)
    is_built = True

    def __init__(self, runner: Runner, any_size: bool) -> None:
        self.name: Final = "aarch64-any-size" if any_size else "aarch64"
        self.runner: Final = runner
        self.any_size: Final = any_size
        self.memory: Final = EmulatedMemory(runner)

    def build(self) -> None:
        pass

    def open(self, program: Program) -> EmulatedProgram:
        return EmulatedProgram(self, program)


class EmulatedProgram:
    """A program with its variables, and its kernels as they are asked for."""

    def __init__(self, device: EmulatedDevice, program: Program) -> None:
        self.device: Final = device
        self._program: Final = program
        self._text: Final = program.linked(fused=True)
        self._kernels: Final[dict[tuple[str, Extent | None], tuple[int, LaunchFacts]]] = {}
        self._addresses: Final[dict[str, int]] = {}
        self._spans: Final[dict[str, Span]] = {}
        self._functions_wanted: Final[list[tuple[int, str]]] = []
        self._place_variables()
        if self._functions_wanted:
            self._load_functions()

    def _place_variables(self) -> None:
        memory, images = self.device.memory, images_from_json(images_json(self._program))
        for image in images:
            data = base64.b64decode(image.data)
            address = memory.allocate(len(data), zeroed=True)
            memory.put(address, data)
            self._addresses[image.symbol] = address
            self._spans[image.symbol] = Span(address, len(data))
        for image in images:
            for offset, symbol, addend in image.pointers:
                place = self._addresses[image.symbol] + offset
                if symbol in self._spans:
                    memory.put(place, _WORD.pack(self._addresses[symbol] + addend))
                else:
                    self._functions_wanted.append((place, symbol))

    def _load_functions(self) -> None:
        """Load the functions that kernels call rather than contain."""
        made = compile_out_of_line(self._text, target=AARCH64)
        machine_code = compile_shared_object(write_module(made.module), AARCH64.machine)
        _, variables, functions = self.device.runner.load(machine_code)
        addresses = self.device.memory.words(functions, len(made.functions)) if functions else ()
        self._addresses.update(zip(made.functions, addresses, strict=True))
        self._fill(variables, made.variables)
        for place, symbol in self._functions_wanted:
            self.device.memory.put(place, _WORD.pack(self._addresses.get(symbol, 0)))

    def _fill(self, table: int, symbols: tuple[str, ...]) -> None:
        if symbols:
            self.device.memory.put(table, struct.pack(f"<{len(symbols)}Q", *(self._addresses[s] for s in symbols)))

    def _loaded(self, kernel: str, size: Extent | None) -> tuple[int, LaunchFacts]:
        found = self._kernels.get((kernel, size))
        if found is None:
            mapping = mapping_of(self._program.options["mapping"]) if "mapping" in self._program.options else AUTO
            made = compile_for_cpu(self._text, kernel, size, assumptions=_ASSUMPTIONS, mapping=mapping, target=AARCH64)
            machine_code = compile_shared_object(write_module(made.module), AARCH64.machine)
            function, variables, _ = self.device.runner.load(machine_code)
            if not self._addresses.keys() >= set(made.facts.variables):
                self._load_functions()
            self._fill(variables, made.facts.variables)
            found = self._kernels[kernel, size] = function, made.facts
        return found

    def prepare(self, launch: Launch) -> None:
        self._loaded(launch.kernel, None if self.device.any_size else launch.block)

    def launch(self, launch: Launch) -> None:
        function, facts = self._loaded(launch.kernel, None if self.device.any_size else launch.block)
        x, y, z = launch.block
        arena = abi.arena_bytes(facts.arena_bytes, facts.item_bytes, x * y * z)
        shared, packed = launch.dynamic_bytes, launch.arguments.packed()
        flags = launch.cooperative * _COOPERATIVE | facts.flush_denormals * _FLUSH_DENORMALS
        request = _REQUEST.pack(function, arena + shared, len(packed), *launch.grid, *launch.block, shared, flags, 0)
        data = request + packed
        runner = self.device.runner
        kind = runner.command("X", len(data), 0, data)
        message = runner.bytes(_TEXT_BYTES).partition(b"\0")[0].decode()
        sys.stdout.write(runner.bytes(runner.word()).decode())
        if kind:
            raise lw.LaunchError(f"kernel {launch.kernel}: outcome {kind}: {message}")

    def reopen(self, program: Program) -> EmulatedProgram:
        return EmulatedProgram(self.device, program)

    def variable(self, symbol: str) -> Span:
        return self._spans[symbol]
