# SPDX-License-Identifier: Apache-2.0
"""Target machines, for optimisation and code generation."""

import ctypes
import functools
import os
import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Self

from lanewise.config import CPU_LEVELS, cpu_level
from lanewise.llvm.binding import disposed, llvm, unlocked
from lanewise.llvm.errors import LlvmError
from lanewise.llvm.module import LlvmModule
from lanewise.llvm.switches import switches
from lanewise.llvm.tuning import tuning

NVPTX_TRIPLE = "nvptx64-nvidia-cuda"


class Machine(NamedTuple):
    """A target: a plain value, usable from any thread."""

    triple: str
    cpu: str
    """Name of a processor as LLVM knows it: `znver4`, `sm_80`."""
    features: str
    """LLVM's feature list: `+avx2,-avx512f`; for NVPTX the PTX version: `+ptx78`."""

    @classmethod
    def host(cls, prefer_512_bit: bool = True) -> Self:
        """The processor that this process runs on, with its actual features, or the level that `LANEWISE_CPU` names.

        With `prefer_512_bit`, functions without a `prefer-vector-width` attribute use 512-bit vectors if the processor
        has AVX-512, even if LLVM by default would stop at 256.
        """
        triple, cpu, features = _host()
        if prefer_512_bit and "+avx512f" in features.split(","):
            features += ",-prefer-256-bit"
        return cls(triple, cpu, features)

    @classmethod
    def nvptx(cls, arch: str, ptx: int) -> Self:
        """An NVIDIA GPU: `arch` as `sm_80`, `sm_90a`; `ptx` the version of the text, 78 for 7.8."""
        return cls(NVPTX_TRIPLE, arch, f"+ptx{ptx}")

    @property
    def is_gpu(self) -> bool:
        return self.triple == NVPTX_TRIPLE

    @property
    def architecture(self) -> str:
        """The first word of the triple: `x86_64`, `aarch64`."""
        return self.triple.partition("-")[0]

    def data_layout(self) -> str:
        """LLVM's data layout string of this target."""
        return _data_layout(self)

    def claim(self, module: LlvmModule) -> None:
        """Set the module's triple and data layout to this machine's."""
        module.handle.triple = self.triple
        module.handle.data_layout = self.data_layout()

    def optimise(
        self,
        module: LlvmModule,
        level: int = 3,
        vectorise: bool = True,
        slp: bool = True,
        unroll: bool = True,
        promotes: bool = True,
    ) -> None:
        """Run LLVM's own pipeline for optimisation level 0 to 3. `vectorise` applies to loops, and with `slp` also to
        straight-line code; `unroll` to loops; `promotes` as in `tuning`."""
        binding = llvm()
        machine = self.of_thread(level)
        with tuning(level, promotes=promotes) as options:
            options.loop_vectorization = vectorise
            options.slp_vectorization = vectorise and slp
            options.loop_interleaving = vectorise
            options.loop_unrolling = unroll
            with (
                binding.create_pass_builder(machine, options) as builder,
                disposed(builder.getModulePassManager()) as manager,
                switches(gpu=self.is_gpu, unwarned=module.has_forced_loops),
            ):
                unlocked().run_passes(manager, module.handle, builder)

    def simplify(
        self, module: LlvmModule, level: int = 2, only: frozenset[str] | None = None, promotes: bool = True
    ) -> None:
        """Run LLVM's function simplification on each definition: SROA, CSE, GVN, LICM, unrolling. `only`: the names of
        the functions to run it on, if not on all. `promotes`: as in `tuning`.

        Unlike `optimise` it neither inlines nor vectorises nor drops functions.
        """
        binding = llvm()
        machine = self.of_thread(level)
        with (
            tuning(level, promotes=promotes) as options,
            binding.create_pass_builder(machine, options) as builder,
            disposed(builder.getFunctionPassManager()) as manager,
            switches(gpu=False),
        ):
            for function in module.handle.functions:
                if not function.is_declaration and (only is None or function.name in only):
                    unlocked().run_function_passes(manager, function, builder)

    def assembly(self, module: LlvmModule, level: int = 3) -> str:
        """Assembly (or PTX) of the module, by code generation at `level` 0 to 3; consumes the module.

        Raises `LlvmError`. LLVM aborts the process on operations that it cannot select, so capabilities are checked
        earlier.
        """
        return self._emit(module, level, 0).decode()

    def object(self, module: LlvmModule, level: int = 3) -> bytes:
        """A relocatable object file of the module, position-independent; otherwise like `assembly`."""
        return self._emit(module, level, 1)

    def _emit(self, module: LlvmModule, level: int, kind: int) -> bytes:
        binding = llvm()
        machine = self.of_thread(level)
        with binding.ffi.OutputString() as error, switches(gpu=self.is_gpu):
            buffer = unlocked().emit(machine, module.handle, kind, error)
            if not buffer:
                raise LlvmError(str(error).strip())
        lib = binding.ffi.lib
        try:
            return ctypes.string_at(lib.LLVMPY_GetBufferStart(buffer), lib.LLVMPY_GetBufferSize(buffer))
        finally:
            lib.LLVMPY_DisposeMemoryBuffer(buffer)

    def of_thread(self, level: int) -> Any:
        """LLVM's machine object for code generation at `level`, as llvmlite has it; internal to this package.

        It has a cache and isn't shared: each thread makes its own, and keeps the last few (`MOST_KEPT`). To make one
        takes 0.3 ms, and to look up the target's features with it as much again. While it is in use, nothing else in
        the same thread may use it: no compilation runs inside another one. That of a GPU counts the calls that it has
        written, and the count is part of PTX: it is made anew, so that PTX doesn't depend on what came before.
        """
        if self.is_gpu:
            return self._create(level)
        kept = _OF_THREAD.kept.machines
        machine = kept.pop((self, level), None)
        if machine is None:
            machine = self._create(level)
        kept[self, level] = machine  # the last one, now
        if len(kept) > MOST_KEPT:
            del kept[next(iter(kept))]
        return machine

    def _create(self, level: int) -> Any:
        binding = llvm()
        try:
            return binding.Target.from_triple(self.triple).create_target_machine(
                cpu=self.cpu, features=self.features, opt=level, reloc="pic", codemodel="default"
            )
        except RuntimeError as error:
            raise LlvmError(str(error).strip()) from None


MOST_KEPT: Final = 6
"""Machine objects of processors that a thread keeps: one kernel takes two. Each holds 0.7 MB once it has made
code, and as much again for each further set of features that functions have."""


class _Kept:
    """LLVM's machine objects of a thread, by target and level, the last used one last. They go with the thread, but
    not in a forked child: the thread isn't there, and may have held llvmlite's lock, which each disposal takes."""

    def __init__(self) -> None:
        self.machines: dict[tuple[Machine, int], Any] = {}
        self._process: Final = os.getpid()

    def __del__(self, process: Callable[[], int] = os.getpid) -> None:
        if process() != self._process:
            for machine in self.machines.values():
                machine.detach()


class _OfThread(threading.local):
    def __init__(self) -> None:
        self.kept: Final = _Kept()


_OF_THREAD: Final = _OfThread()


@functools.cache
def _data_layout(machine: Machine) -> str:
    """One string for each of the few machines of a process."""
    with machine.of_thread(2).target_data as layout:
        return str(layout)


@functools.cache
def _host() -> tuple[str, str, str]:
    binding = llvm()
    triple = str(binding.get_process_triple())
    if level := cpu_level():
        return triple, level, ",".join(f"+{_LINUX_TO_LLVM.get(name, name)}" for name in sorted(CPU_LEVELS[level]))
    features: str = binding.get_host_cpu_features().flatten()
    return triple, str(binding.get_host_cpu_name()), features


_LINUX_TO_LLVM = {
    "abm": "lzcnt", "bmi1": "bmi", "lahf_lm": "sahf", "pni": "sse3", "sse4_1": "sse4.1", "sse4_2": "sse4.2",
}  # fmt: skip
"""Extensions with different names in LLVM and Linux."""
