# SPDX-License-Identifier: Apache-2.0
"""Compiled modules."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar, final

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import key
from lanewise.device.base import Bytes, Device, Extent, OpenProgram, Program
from lanewise.errors import CompileError, Error, hidden_by_pytest
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.garbage import with_rare_searches
from lanewise.ir.debug_info import LINES_WANTED, directives_only
from lanewise.log import looked_up
from lanewise.program.geometry import DEFAULT_BLOCK, Size
from lanewise.program.selection import chosen_device
from lanewise.program.translation import read_text, translate
from lanewise.tracebacks import trims_traceback
from lanewise.wording import worded
from lanewise.workgroup.mapping import AUTO
from lanewise.workgroup.mapping import Mapping as WorkItemMapping

if TYPE_CHECKING:  # arguments and variables need NumPy, and compiling doesn't
    from lanewise.frontend.unit import Unit
    from lanewise.pipelines.drive import Stage
    from lanewise.pipelines.report import KernelReport
    from lanewise.program.kernel import Kernel
    from lanewise.program.references import References, TextureReference
    from lanewise.program.variable import Variable
    from lanewise.session import Session

__tracebackhide__ = hidden_by_pytest

P = ParamSpec("P")
T = TypeVar("T")

_PTX: Final = "kernel.ptx"


@final
class Module:
    """What `lw.compile` returns: the kernels and variables of one translation unit.

    mod["saxpy"]                    a kernel by its written name, with or without namespaces
    mod["scale<float, 4>"]          an instance of a template, made now if the source has not
    mod.kernels                     names of all kernels in it
    mod.variable("counter")         a __device__ or __constant__ variable
    mod.texture("tex").bind(image)  a texture reference; mod.surface("surf") a surface reference
    mod.ptx(arch="sm_80"), mod.ir(after="simplify"), mod.asm()
    mod.save("kernels.lwo")         for lw.load, which needs no compiler
    """

    def __init__(
        self,
        unit: Unit,
        session: Session,
        mapping: WorkItemMapping = AUTO,
        compiled: tuple[Program, ProgramInfo] | None = None,
    ) -> None:
        """`mapping`: how the CPU device is to map work-items. `compiled`: what the front end would make of the unit,
        if that is known."""
        self._session: Final = session
        self._lock: Final = threading.RLock()
        self._mapping: Final = mapping
        self._unit = unit
        self._program, self._info = compiled or translate(unit, mapping, session.cache)
        self._open: dict[str, OpenProgram] = {}
        self._kernels: dict[str, Kernel] = {}
        self._general: Module | None = None

    def __repr__(self) -> str:
        return f"<module {self._unit.name}: {', '.join(self.kernels) or 'no kernels'}>"

    def __iter__(self) -> Iterator[Kernel]:
        return iter([self[kernel.signature.symbol] for kernel in self._info.kernels])

    def __len__(self) -> int:
        return len(self._info.kernels)

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the kernels, in the order of the source."""
        return tuple(kernel.qualified for kernel in self._info.kernels)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The compiler's warnings, each with file, line and column, and one that `main` isn't run if there is one."""
        return self._info.warnings if self.main_warning is None else (*self._info.warnings, self.main_warning)

    @functools.cached_property
    def main_warning(self) -> str | None:
        """The warning that the file's `main` isn't run; None for a file without one."""
        line = self._unit.main_line
        if line is None:
            return None
        example = f', as in mod["{self.kernels[0]}"][grid, block](...)' if self.kernels else ""
        return (
            f"{self._unit.name}:{line}: warning: main() is host code, which Lanewise checks and doesn't run yet; "
            f"launch the kernels instead{example}; kernels: {', '.join(self.kernels) or 'none'}"
        )

    # -- kernels -----------------------------------------------------------------------------------------------

    @trims_traceback
    def __getitem__(self, name: str) -> Kernel:
        """The kernel called `name`. CompileError names those that there are."""
        kernel = self._kernels.get(name)
        if kernel is None:
            from lanewise.program.kernel import Kernel

            with self._lock:
                found = self._find(name)
                symbol = found.signature.symbol
                kernel = self._kernels.get(symbol) or Kernel(
                    self._opener(found),
                    found.qualified,
                    found.signature,
                    found.shared_bytes,
                    found.bounds,
                    functools.partial(self._examine, found),
                    functools.partial(self._remarks, symbol),
                    self._general_form(symbol),
                    found.asks_dimensions,
                    self._unit.terms,
                )
                self._kernels[name] = self._kernels[symbol] = kernel
        return kernel

    def _general_form(self, symbol: str) -> Callable[[], Kernel] | None:
        """The kernel for launches with any global offset and size, once asked for: the same source is compiled once
        more. None if the language has no such form."""
        unit = self._unit.in_general_form()
        return None if unit is None else lambda: self._module_in_general_form(unit)[symbol]

    def _module_in_general_form(self, unit: Unit) -> Module:
        with self._lock:
            if self._general is None:
                self._general = Module(unit, self._session, self._mapping)
            return self._general

    def _opener(self, kernel: KernelInfo) -> Callable[[Device | str | None], OpenProgram]:
        """How a launch of `kernel` comes by this module on a device."""
        if not kernel.textures:
            return self.opened
        return self._references.given_to(self.opened, self._info.textures, kernel.qualified, kernel.textures)

    def _examine(self, kernel: KernelInfo, block: Extent) -> KernelReport:
        from lanewise.pipelines.report import examine

        symbol, fused = kernel.signature.symbol, has_fused_multiply_add()
        return examine(self._linked(), symbol, kernel.qualified, block, fused, self._program.mapping, self._unit.terms)

    def _remarks(self, symbol: str, block: Extent | None) -> tuple[str, ...]:
        from lanewise.device.cpu.machine_code import machine_code, size_of_code
        from lanewise.workgroup.promise import ALL

        size = None if block is None else size_of_code(self._program, symbol, block)
        remarks = machine_code(self._program, symbol, size, ALL, self._session.cache).facts.remarks
        return tuple(worded(remark, self._unit.terms) for remark in remarks)

    @functools.cached_property
    def _references(self) -> References:
        from lanewise.program.references import References  # few modules have any

        return References(self._unit.name)

    def _find(self, name: str) -> KernelInfo:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise Error(f"a kernel's name is a string, not {name!r}")
        found = candidates(self._info, name)
        if not found and (unit := self._unit.with_instance(name)) is not None:
            self._instantiate(unit)
        if not found and name in self._info.instances:
            found = [k for k in self._info.kernels if k.signature.symbol == self._info.instances[name]]
        if len(found) == 1:
            return found[0]
        if found:
            listed = "\n".join(f"  {k.written}" for k in found)
            raise CompileError(f"kernel name '{name}' is ambiguous in {self._unit.name}; write one of\n{listed}")
        if name in self._info.refused:
            raise CompileError(self._info.refused[name])
        if name == "main" and self.main_warning is not None:
            raise CompileError(self.main_warning.replace(": warning: ", ": error: ", 1))
        there = ", ".join(self.kernels) or "none"
        raise CompileError(f"{self._unit.name} has no kernel '{name}'; its kernels: {there}{self._unit.hint(name)}")

    def _instantiate(self, unit: Unit) -> None:
        """Compile again, as the unit with one more template instance; variables keep their values."""
        program, info = translate(unit, self._mapping, self._session.cache)
        opened = {device: old.reopen(program) for device, old in self._open.items()}
        self._unit, self._program, self._info, self._open = unit, program, info, opened

    # -- devices -----------------------------------------------------------------------------------------------

    def opened(self, device: Device | str | None) -> OpenProgram:
        """This module on a device, the default one for None."""
        if device is not None and not isinstance(device, str) and not hasattr(device, "open"):
            raise Error(f'a device is a name or what lw.device("cpu") gives, not {device!r}')
        if device is None:
            device = chosen_device() or self._session.default_device
        name = device if isinstance(device, str) else device.name
        opened = self._open.get(name)
        if opened is None:
            with self._lock:
                opened = self._open.get(name)
                if opened is None:
                    chosen = self._session.device(name) if isinstance(device, str) else device
                    opened = self._open[name] = chosen.open(self._program)
        return opened

    @trims_traceback
    def variable(self, name: str, device: Device | str | None = None) -> Variable:
        """The variable called `name`, on `device` (the default one for None)."""
        from lanewise.frontend.dtypes import numpy_dtype
        from lanewise.program.variable import Variable

        plain = str(name).strip()
        for declared in self._info.variables:
            if plain in (declared.name, declared.symbol):
                dtype = numpy_dtype(declared.dtype)
                return Variable(plain, dtype, declared.shape, self._memory_of(declared.symbol, device))
        there = ", ".join(v.name for v in self._info.variables) or "none"
        raise CompileError(
            f"{self._unit.name} has no __device__ or __constant__ variable '{name}' that device code uses; "
            f"it has: {there}"
        )

    @trims_traceback
    def texture(self, name: str) -> TextureReference:
        """The texture reference called `name`, to `bind` a texture to."""
        return self._references.named(self._info.textures, name, "texture")

    @trims_traceback
    def surface(self, name: str) -> TextureReference:
        """The surface reference called `name`, to `bind` a surface to."""
        return self._references.named(self._info.textures, name, "surface")

    def _memory_of(self, symbol: str, device: Device | str | None) -> Callable[[], Bytes]:
        return lambda: self.opened(device).variable(symbol)

    # -- text at any stage -------------------------------------------------------------------------------------

    @trims_traceback
    def ptx(self, arch: str | None = None, ptx_version: int | None = None, kernel: str | None = None) -> str:
        """PTX of all kernels, or of the one called `kernel`, for `arch` (sm_50 to sm_121; None: the
        module's own). `ptx_version` is 78 for PTX 7.8; None: the least that the target takes, and at least 7.8.
        CompileError names what PTX has no instruction for."""
        if not isinstance(arch, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise Error(f"arch must be a name such as 'sm_80', not {arch!r}")
        arch = arch or self._unit.arch
        symbol = None if kernel is None else self[kernel].symbol  # which makes the instance of a template
        program = self._program_for(arch)
        cache = self._session.cache
        entry = key("ptx", program.key, arch, str(ptx_version), str(symbol))
        stored = read_text(cache.get(entry, _PTX))
        looked_up(f"PTX of {self._unit.name} for {arch}", found=stored is not None)
        if stored is not None:
            return stored
        from lanewise.program.libraries import link_for_gpus

        whole = link_for_gpus(program.text(), cache)
        text = self._guarded("PTX", _ptx, whole, arch, ptx_version, symbol)
        cache.put(entry, {_PTX: text.encode()})
        return text

    @trims_traceback
    def ir(self, after: str = "front-end", kernel: str | None = None, block: Size | None = DEFAULT_BLOCK) -> str:
        """Kernel IR of the front end, which has the whole module; or of one kernel and local size (None: for any) after
        a step of the CPU's pipeline, such as "isolate", "simplify" and "work-group"."""
        if after == "front-end":
            return self._program.text()
        from lanewise.pipelines.cpu import steps

        if after not in steps():
            raise Error(f"no step is called '{after}'; the steps are 'front-end', {', '.join(map(repr, steps()))}")
        return self.stages(kernel, block, texts=(after,), stop_after=after)[-1].text or ""

    def stages(
        self,
        kernel: str | None = None,
        block: Size | None = DEFAULT_BLOCK,
        *,
        target: str = "cpu",
        texts: Sequence[str] | None = None,
        stop_after: str = "",
        disable: Sequence[str] = (),
        most_changes: int | None = None,
    ) -> list[Stage]:
        """The steps of a pipeline in order: name, whether it changed the IR, seconds, and the IR after it.

        `target`: "cpu", for one kernel and local size (None: for any), or "ptx", for the module's own architecture and
        all kernels unless one is named. `texts`: the steps whose IR is wanted; None: all. `stop_after`: the last step.
        `disable`: steps to leave out. `most_changes`: after this many passes have changed the IR, no further one may
        that isn't required, so that the first wrong one can be found by bisection. Error for a name that is no step.
        """
        from lanewise.pipelines.drive import View

        view = View(stop_after, frozenset(disable), most_changes, None if texts is None else frozenset(texts))
        if target == "ptx":
            from lanewise.pipelines.gpu import stages as stages_of_ptx
            from lanewise.program.libraries import link_for_gpus

            symbol = None if kernel is None else self[kernel].symbol
            whole = link_for_gpus(self._program.text(), self._session.cache)
            return self._guarded("PTX", stages_of_ptx, whole, self._unit.arch, None, symbol, view)
        if target != "cpu":
            raise Error(f"target must be 'cpu' or 'ptx', not {target!r}")
        from lanewise.pipelines.cpu import stages

        chosen = self._one_kernel(kernel)
        symbol, size = chosen.symbol, None if block is None else chosen.block_extent(block)
        fused, mapping = has_fused_multiply_add(), self._program.mapping
        return self._guarded(f"kernel {symbol}", stages, self._linked(), symbol, size, fused, mapping, view)

    @trims_traceback
    def asm(self, kernel: str | None = None, block: Size | None = DEFAULT_BLOCK) -> str:
        """Assembly of a kernel's work-group function for the host, at one local size (None: for any)."""
        from lanewise.backend.host.compile import assembly

        if LINES_WANTED not in self._program.text():
            return self._guarded("machine code", assembly, self.ir("work-group", kernel, block))
        from lanewise.pipelines.cpu import ir_with_lines

        chosen = self._one_kernel(kernel)
        symbol, size = chosen.symbol, None if block is None else chosen.block_extent(block)
        fused, mapping = has_fused_multiply_add(), self._program.mapping
        text = self._guarded(f"kernel {symbol}", ir_with_lines, self._linked(), symbol, size, fused, mapping)
        return self._guarded("machine code", assembly, directives_only(text))

    # -- ahead of time -----------------------------------------------------------------------------------------

    @trims_traceback
    def save(
        self, path: str | os.PathLike[str], *, blocks: Mapping[str, Sequence[Size]] | None = None, ir: bool = True
    ) -> None:
        """Write the module to a file for `lw.load`, which needs no compiler, here or on a machine like this one.

        The file holds machine code of each kernel for any local size, and for those in `blocks`, such as
        {"saxpy": [256, (16, 16)]}; variables have their initial values. `ir`: it holds the kernel IR, too, for PTX,
        other devices and further local sizes. Raises Error where the file can't be written.
        """
        from lanewise.program.saved import save

        sizes = {self[name].symbol: _sizes(self[name], wanted) for name, wanted in (blocks or {}).items()}
        with self._lock:
            program, info = self._program, self._info
        save(path, program, info, self._unit.arch, sizes, ir, self._session.cache)

    def _linked(self) -> str:
        """The kernel IR with all that it calls, as this machine runs it."""
        return self._program.linked(fused=has_fused_multiply_add())

    def _guarded(self, what: str, function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What `function` gives, called in a child process where the IR is of others and may take LLVM down."""
        if not self._program.foreign:
            return function(*arguments, **named)
        from lanewise.child import in_child

        return in_child(f"{self._unit.name}: {what}", function, *arguments, **named)

    def _program_for(self, arch: str) -> Program:
        unit = self._unit.for_arch(arch)
        return self._program if unit == self._unit else translate(unit, self._mapping, self._session.cache)[0]

    def _one_kernel(self, name: str | None) -> Kernel:
        if name is not None:
            return self[name]
        if len(self) != 1:
            raise Error(f"{self._unit.name} has {len(self)} kernels; say which: {', '.join(self.kernels)}")
        return next(iter(self))


@with_rare_searches
def _ptx(text: str, arch: str, ptx_version: int | None, kernel: str | None) -> str:
    """PTX of kernel IR that has all it calls."""
    from lanewise.pipelines.gpu import compile_ptx

    return compile_ptx(text, arch, ptx_version, kernel)


def _sizes(kernel: Kernel, written: Sequence[Size]) -> list[Extent]:
    if not isinstance(written, list):
        raise Error(f"blocks: give a list of local sizes for {kernel.name}, such as [256, (16, 16)], not {written!r}")
    return [kernel.block_extent(size) for size in written]


def candidates(info: ProgramInfo, written: str) -> list[KernelInfo]:
    """The kernels that `written` may mean."""
    for place in range(3):
        if found := [k for k in info.kernels if (k.signature.symbol, k.written, k.qualified)[place] == written]:
            return found
    from lanewise.frontend.kernel_names import KernelName, candidates  # most names are found by now

    names = [KernelName(k.signature.symbol, k.qualified, k.written) for k in info.kernels]
    chosen = {name.symbol for name in candidates(names, written)}
    return [k for k in info.kernels if k.signature.symbol in chosen]
