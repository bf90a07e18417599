# SPDX-License-Identifier: Apache-2.0
"""Compiled modules."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast, final

from lanewise import locks
from lanewise.checks.parts import RACES, STRICT_RACES
from lanewise.checks.unit import CheckedUnit
from lanewise.device.base import Device, OpenProgram
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.errors import CompileError, Error, UnknownKernelError, hidden_by_pytest
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.source import Source
from lanewise.program.arguments.geometry import DEFAULT_BLOCK, Size
from lanewise.program.selection import chosen_device
from lanewise.program.source.translation import TranslatedUnit, translate
from lanewise.tracebacks import trims_traceback
from lanewise.wording import worded

if TYPE_CHECKING:  # arguments and variables need NumPy, and compiling doesn't
    from lanewise.device.base import Inspectable, Inspection
    from lanewise.device.memory import DeviceMemory, Span
    from lanewise.frontend.unit import Unit
    from lanewise.pipelines.drive import Stage
    from lanewise.pipelines.report import KernelReport
    from lanewise.program.kernel import Kernel
    from lanewise.program.profile.counting import CountingKernel
    from lanewise.program.saved.files import Contents
    from lanewise.program.textures.references import References, TextureReference
    from lanewise.program.variable import Variable
    from lanewise.session import Session

__tracebackhide__ = hidden_by_pytest


@final
class Module:
    """The kernels and variables of one translation unit: the result of `lw.compile`.

    mod["saxpy"]                    a kernel by its written name, with or without namespaces
    mod["scale<float, 4>"]          an instance of a template, made now unless the source has it
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
        options: Mapping[str, str],
        translation: TranslatedUnit | None = None,
    ) -> None:
        """`options`: wishes for devices; see `Program.options`. `translation`: what the front end would make of the
        unit, if that is known."""
        self._session: Final = session
        self._lock: Final = locks.reentrant_lock()
        self._options: Final = options
        self._unit = unit
        made = translation or translate(unit, options, session.cache)
        self._program, self._info, self._products = made.program, made.info, made.products
        self._open: dict[Device, OpenProgram] = {}
        self._kernels: dict[str, Kernel] = {}
        self._general: Module | None = None

    def __repr__(self) -> str:
        return f"<module {self._unit.name}: {', '.join(self.kernels) or 'no kernels'}>"

    def __iter__(self) -> Iterator[Kernel]:
        return iter([self[kernel.signature.symbol] for kernel in self._info.kernels])

    def __len__(self) -> int:
        return len(self._info.kernels)

    @property
    def unit(self) -> Unit:
        """The source and the options that it was compiled with."""
        return self._unit

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of the kernels, in the order of the source."""
        return tuple(kernel.qualified for kernel in self._info.kernels)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The compiler's warnings, each with file, line and column, and one on a `main`, which it leaves out."""
        return self._info.warnings if self.main_warning is None else (*self._info.warnings, self.main_warning)

    @functools.cached_property
    def main_warning(self) -> str | None:
        """The warning that the file's `main` is no part of the module; None for a file without one."""
        line = self._unit.main_line
        if line is None:
            return None
        example = f', as in mod["{self.kernels[0]}"][grid, block](...)' if self.kernels else ""
        return (
            f"{self._unit.name}:{line}: warning: main() is host code, of which a module has nothing: `lanewise run` "
            f"runs whole programs; here, launch the kernels{example}; kernels: {', '.join(self.kernels) or 'none'}"
        )

    # -- kernels -----------------------------------------------------------------------------------------------

    @trims_traceback
    def __getitem__(self, name: str) -> Kernel:
        """The kernel called `name`. The CompileError for another name lists all kernels."""
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
                    functools.partial(self._examine, symbol),
                    functools.partial(self._remarks, symbol),
                    self._general_form(symbol),
                    functools.partial(self._counting, symbol),
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
                self._general = Module(unit, self._session, self._options)
            return self._general

    def _counting(self, symbol: str) -> CountingKernel:
        """The kernel of that symbol, made of PTX with counters."""
        if self._info.checks is not None:
            raise CompileError(
                f"{self._unit.name}: its checks would be counted, too: compile it without, to profile it"
            )
        from lanewise.frontend.ptx.unit import counting_unit
        from lanewise.program.profile.counting import OPTIONS, CountingKernel  # few programs profile

        ptx = self._unit.ptx()
        if not ptx:
            made = self._products.ptx(self._unit.arch, None, symbol, lines=True)
            ptx = (Source(made, Path(f"{symbol}.ptx")),)
        texts = {self._unit.name: self._unit.text or ""}
        counting = Module(counting_unit(ptx), self._session, {**self._options, **OPTIONS})
        return CountingKernel(counting, ptx, symbol, texts)

    def _opener(self, kernel: KernelInfo) -> Callable[[Device | str | None], OpenProgram]:
        """A function that opens this module on a device, for launches of `kernel`."""
        if not kernel.textures:
            return self.opened
        return self._references.given_to(self.opened, self._info.textures, kernel.qualified, kernel.textures)

    def _examine(self, symbol: str, block: Extent) -> KernelReport:
        return self._inspection.report(self._program, symbol, block, self._unit.terms)

    def _remarks(self, symbol: str, block: Extent | None) -> tuple[str, ...]:
        remarks = self._inspection.remarks(self._program, symbol, block)
        return tuple(worded(remark, self._unit.terms) for remark in remarks)

    @property
    def _inspection(self) -> Inspection:
        return _inspectable(self._session).inspection

    @functools.cached_property
    def _references(self) -> References:
        from lanewise.program.textures.references import References  # few modules have any

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
        raise UnknownKernelError(
            f"{self._unit.name} has no kernel '{name}'; its kernels: {there}{self._unit.hint(name)}"
        )

    def _instantiate(self, unit: Unit) -> None:
        """Compile again, as the unit with one more template instance; variables keep their values."""
        made = translate(unit, self._options, self._session.cache)
        opened = {
            device: old.reopen(self._program_for(device, unit, made.program)) for device, old in self._open.items()
        }
        self._unit = unit
        self._program, self._info, self._products = made.program, made.info, made.products
        self._open = {device: self._checking(program) for device, program in opened.items()}

    # -- devices -----------------------------------------------------------------------------------------------

    def opened(self, device: Device | str | None) -> OpenProgram:
        """This module on a device, the default one for None."""
        if device is not None and not isinstance(device, str) and not hasattr(device, "open"):
            raise Error(f'a device is a name or what lw.device("cpu") gives, not {device!r}')
        if device is None:
            device = chosen_device() or self._session.default_device
        chosen = self._session.device(device) if isinstance(device, str) else device
        opened = self._open.get(chosen)
        if opened is None:
            with self._lock:
                opened = self._open.get(chosen)
                if opened is None:
                    opened = _opened(chosen, self._program_for(chosen, self._unit, self._program))
                    opened = self._open[chosen] = self._checking(opened)
        return opened

    def _checking(self, opened: OpenProgram) -> OpenProgram:
        """An open program whose launches tell what its checks find, if it has any."""
        if self._info.checks is None:
            return opened
        from lanewise.program.checked.messages import Messages  # few programs are checked
        from lanewise.program.checked.opened import CheckedProgram

        names = {kernel.signature.symbol: kernel.qualified for kernel in self._info.kernels}
        messages = Messages(names, self._unit.name, self._unit.text)
        checks = self._unit.parts if isinstance(self._unit, CheckedUnit) else ()
        for_races = RACES in checks or STRICT_RACES in checks
        return CheckedProgram(opened, self._info.checks, messages, self._unit.terms, for_races=for_races)

    def _program_for(self, device: Device, unit: Unit, program: Program) -> Program:
        """The program as a device takes it."""
        accepts = device.capabilities.accepts
        if "linked-ir" in accepts:
            return program
        from lanewise.program.source.through_ptx import as_ptx, through_ptx  # few devices take PTX

        if "ptx-ir" in accepts:
            return through_ptx(program, unit, device.capabilities.arch, self._session.cache)
        return as_ptx(program, unit)

    @trims_traceback
    def variable(self, name: str, device: Device | str | None = None) -> Variable:
        """The variable called `name`, on `device` (the default one for None)."""
        from lanewise.frontend.dtypes import numpy_dtype
        from lanewise.program.variable import Variable

        plain = str(name).strip()
        for declared in self._info.variables:
            if plain in (declared.name, declared.symbol):
                dtype = numpy_dtype(declared.dtype)
                return Variable(plain, dtype, declared.shape, self._place_of(declared.symbol, device))
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

    def _place_of(self, symbol: str, device: Device | str | None) -> Callable[[], tuple[DeviceMemory, Span]]:
        def place() -> tuple[DeviceMemory, Span]:
            opened = self.opened(device)
            return opened.device.memory, opened.variable(symbol)

        return place

    # -- text at any stage -------------------------------------------------------------------------------------

    @trims_traceback
    def ptx(self, arch: str | None = None, ptx_version: int | None = None, kernel: str | None = None) -> str:
        """PTX of all kernels, or of the one called `kernel`, for `arch` (sm_50 to sm_121; None: the
        module's own). `ptx_version` is 78 for PTX 7.8; None: the least that the target takes, and at least 7.8.
        CompileError names what PTX has no instruction for."""
        if not isinstance(arch, str | None):  # pyright: ignore[reportUnnecessaryIsInstance] : what users write is not type-checked
            raise Error(f"arch must be a name such as 'sm_80', not {arch!r}")
        symbol = None if kernel is None else self[kernel].symbol  # which makes the instance of a template
        return self._products.ptx(arch or self._unit.arch, ptx_version, symbol)

    @trims_traceback
    def ir(self, after: str = "front-end", kernel: str | None = None, block: Size | None = DEFAULT_BLOCK) -> str:
        """Kernel IR of the front end, which has the whole module; or of one kernel and local size (None: for any) after
        a step of the CPU's pipeline, such as "isolate", "simplify" and "work-group"."""
        if after == "front-end":
            return self._program.ir()
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
        enable: Sequence[str] = (),
        effects: bool = False,
    ) -> list[Stage]:
        """The steps of a pipeline in order: name, whether it changed the IR, seconds, and the IR after it.

        `target`: "cpu", for one kernel and local size (None: for any), or "ptx", for the module's own architecture and
        all kernels unless one is named. `texts`: the steps whose IR is wanted; None: all. `stop_after`: the last step.
        `disable`: steps to leave out; `enable`: steps to run that otherwise don't. `most_changes`: after this many
        passes have changed the IR, no further one may that isn't required, so that the first wrong one can be found by
        bisection. `effects`: count the instructions before and after each step that changes some, and name the lines
        that it touches. Error for a name that is no step.
        """
        from lanewise.pipelines.drive import View

        wanted = None if texts is None else frozenset(texts)
        view = View(stop_after, frozenset(disable), most_changes, wanted, frozenset(enable), effects)
        if target == "ptx":
            from lanewise.child import guarded
            from lanewise.pipelines.gpu import stages

            symbol = None if kernel is None else self[kernel].symbol
            source, what = self._products.source_for_gpus(lines=effects), f"{self._unit.name}: PTX"
            return guarded(self._program.foreign, what, stages, source, self._unit.arch, None, symbol, view)
        if target != "cpu":
            raise Error(f"target must be 'cpu' or 'ptx', not {target!r}")
        return self._inspection.stages(self._program, *self._chosen(kernel, block), view)

    @trims_traceback
    def asm(self, kernel: str | None = None, block: Size | None = DEFAULT_BLOCK) -> str:
        """Assembly of a kernel's work-group function for the host, at one local size (None: for any)."""
        return self._inspection.assembly(self._program, *self._chosen(kernel, block))

    # -- ahead of time -----------------------------------------------------------------------------------------

    @trims_traceback
    def save(
        self, path: str | os.PathLike[str], *, blocks: Mapping[str, Sequence[Size]] | None = None, ir: bool = True
    ) -> None:
        """Write the module to a file for `lw.load`, which needs no compiler, here or on a machine like this one.

        The file holds machine code of each kernel for any local size, and for those in `blocks`, such as
        {"saxpy": [256, (16, 16)]}; variables have their initial values. `ir`: it holds the kernel IR, too, for PTX,
        other devices and further local sizes. Raises Error if the file can't be written.
        """
        from lanewise.program.saved.files import save

        sizes = {self[name].symbol: _sizes(self[name], wanted) for name, wanted in (blocks or {}).items()}
        with self._lock:
            program, info = self._program, self._info
        save(path, program, info, self._unit.arch, sizes, ir, _inspectable(self._session).saving)

    def contents(self, sizes: Mapping[str, Sequence[Extent | None]]) -> Contents:
        """The module as files hold it, with its kernel IR, and code of kernels, by symbol, for these local sizes only
        (None: for any); `restored` makes a module of it."""
        from lanewise.program.saved.files import contents

        with self._lock:
            program, info = self._program, self._info
        return contents(program, info, self._unit.arch, sizes, True, _inspectable(self._session).saving)

    def _chosen(self, kernel: str | None, block: Size | None) -> tuple[str, Extent | None]:
        """The symbol of a kernel, and a local size."""
        chosen = self._one_kernel(kernel)
        return chosen.symbol, None if block is None else chosen.block_extent(block)

    def _one_kernel(self, name: str | None) -> Kernel:
        if name is not None:
            return self[name]
        if len(self) != 1:
            raise Error(f"{self._unit.name} has {len(self)} kernels; say which: {', '.join(self.kernels)}")
        return next(iter(self))


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


def _opened(device: Device, program: Program) -> OpenProgram:
    """A program on a device: one with memory of its own gets arrays of the host by copies."""
    opened = device.open(program)
    if not device.capabilities.own_memory:
        return opened
    from lanewise.program.memory.staging import StagedProgram  # such a device is rare

    return StagedProgram(opened)


def loaded(session: Session, path: str | os.PathLike[str], specialise: bool) -> Module:
    """See `lanewise.load`."""
    from lanewise.program.saved.files import load

    unit, translation, options = load(path, specialise, session.cache, _inspectable(session).saving)
    return Module(unit, session, options, translation)


def restored(session: Session, path: str, contents: Contents, digest: str) -> Module:
    """The module that has these contents, which stand in the file `path`. Errors as `lanewise.load`."""
    from lanewise.program.saved.files import restored

    saving = _inspectable(session).saving
    unit, translation, options = restored(path, contents, digest, False, session.cache, saving)
    return Module(unit, session, options, translation)


def _inspectable(session: Session) -> Inspectable:
    """The device whose code is shown and saved."""
    return cast("Inspectable", session.device("cpu"))
