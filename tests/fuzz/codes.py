# SPDX-License-Identifier: Apache-2.0
"""Machine code of a random kernel by several mappings, without doing anything twice that comes to the same.

Compiling a kernel by ten mappings, one by one, spends a fifth of its time on steps that all of them share. Then half of
the mappings come to the same code: a group of 15 work-items fills no second vector of 16 lanes, and a warp has as many
lanes as it has. So a kernel is simplified once, mapped once for each plan of lanes that differs, and each module of
LLVM's is compiled once. The code goes into the cache of the devices, whence launches take it as they take any other:
code that isn't there is compiled by the launch. One kernel in ten is left to launches, as `opening.py`
says, which compile it as they do a user's.
"""

import functools
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.backend.host.compile import compile_shared_object
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.device.cpu.choices import mapping_called
from lanewise.device.cpu.machine_code import entry_of_code, mapping_wanted, store_code
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.ir.writer import write_module
from lanewise.pipelines.cpu import compile_for_cpu, simplified_for_cpu
from lanewise.pipelines.simplified_kernel import SimplifiedKernel
from lanewise.workgroup.lanes.analysis.plan import Plan, make_plan, make_plan_of_warps
from lanewise.workgroup.launch_assumptions import ALL
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.mapping import LANES, Mapping

_A_WARP: Final = "a warp at a time"
"""The remark on regions whose units are warps, for which a mapping has no say but the width."""

Plans = tuple[str | Plan, ...]
"""The plans of lanes that a mapping may give regions of a kernel, as far as they are known before it is compiled."""


class Code(NamedTuple):
    """A shared object, and what launches need to know of it."""

    shared_object: bytes
    facts: LaunchFacts


@functools.cache
def _made() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="random-kernels-")


def code_folder() -> Path:
    """The folder of the code that this process makes, which is removed when the process ends."""
    return Path(_made().name)


@functools.cache
def code_cache() -> Cache:
    """The cache of that code."""
    return Cache(code_folder())


class KernelCodes:
    """The code of one kernel for one local size."""

    def __init__(self, symbol: str, block: Extent) -> None:
        self._symbol: Final = symbol
        self._block: Final = block
        self._objects: Final[dict[str, bytes]] = {}
        """Shared objects by the text of their modules."""
        self._by_plans: Final[dict[Plans, Code]] = {}
        self.compiled = 0
        """Modules that were made of it."""
        self._has_warps = False
        self._simplified: SimplifiedKernel | None = None
        self._is_simplified = False

    def make(self, program: Program, *, also_other: bool = False) -> None:
        """Put the code by the mapping that the program wants into the cache; `also_other`: and by the other one that
        launches may try. Where there is none, the launch tells why."""
        try:
            code = self._stored(program, mapping_wanted(program))
            if also_other and code.facts.other_mapping:
                self._stored(program, mapping_called(code.facts.other_mapping))
        except CompileError:
            pass

    def _stored(self, program: Program, mapping: Mapping) -> Code:
        code = self._code(program, mapping)
        entry = entry_of_code(program, self._symbol, self._block, ALL, mapping)
        store_code(code_cache(), entry, code.shared_object, code.facts)
        return code

    def _code(self, program: Program, mapping: Mapping) -> Code:
        code = self._by_plans.get(self._plans(mapping))
        if code is None:
            fused = has_fused_multiply_add()
            source = self._shared_steps(program, fused) or program.reader(fused=fused)
            made = compile_for_cpu(source, self._symbol, self._block, fused=fused, mapping=mapping)
            self.compiled += 1
            text = write_module(made.module)
            if text not in self._objects:
                self._objects[text] = compile_shared_object(text)
            code = Code(self._objects[text], made.facts)
            self._has_warps |= any(_A_WARP in remark for remark in made.facts.remarks)
            self._by_plans[self._plans(mapping)] = code
        return code

    def _shared_steps(self, program: Program, fused: bool) -> SimplifiedKernel | None:
        """The kernel after the steps that all mappings share; None if they depend on its launches."""
        if not self._is_simplified:
            self._simplified = simplified_for_cpu(program.reader(fused=fused), self._symbol, fused)
            self._is_simplified = True
        return self._simplified

    def _plans(self, mapping: Mapping) -> Plans:
        """Values that two mappings to lanes share if they come to the same code."""
        width, chunks = mapping.width, mapping.chunks
        if mapping.kind != LANES or width is None or chunks is None:
            return (str(mapping),)
        if self._has_warps:
            return (str(width),)
        block, numbers = self._block, (1, chunks)
        return (
            *(make_plan(block, width, number, 0, axis) for number in numbers for axis in "xy"),
            *(make_plan_of_warps(block, width, number, whole=False) for number in numbers),
        )
