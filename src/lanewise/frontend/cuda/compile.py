# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ to kernel IR, by clang and the headers in include/."""

import functools
import re
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from lanewise.cache import Cache
from lanewise.errors import CompileError, Error
from lanewise.frontend.clang import (
    ClangOutput,
    PrecompiledHeader,
    find_toolchain,
    precompiled,
    require_arguments,
    require_levels,
    run_clang,
    wants_lines,
    wants_positions,
    with_form,
)
from lanewise.frontend.cuda import (
    device_launches,
    instances,
    limit_registers,
    macros,
    missing_headers,
    names,
    prologue,
    scope_atomics,
    static_variables,
)
from lanewise.frontend.cuda.architectures import ptx_version
from lanewise.frontend.cuda.launch_brackets import joined_launches
from lanewise.frontend.cuda.options import CudaOptions
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.frontend.cuda.tidying import tidied
from lanewise.frontend.kernel_names import KernelName, candidates
from lanewise.frontend.source import IN_MEMORY, Source
from lanewise.frontend.unreached import without_unreached
from lanewise.ir.debug_info import LINES_WANTED, POSITIONS_WANTED
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module

_PLACE_OF_ERROR = r"(.+?):\d+:\d+: (?:fatal )?error: "
_NAMES_NO_FILE = (
    r"-std=\S+|-O\w*|-g\w*|-w|-W(?![alp],)\S+|-D\w+(=.*)?|-pedantic\S*"
    r"|-f(?!plugin|pass-plugin|module|pch|include|profile|sanitize|implicit|prebuilt)\S+"
)
"""Options that can't change which files are read."""
_NO_CACHE = Cache(None)
RELOCATABLE = "-fgpu-rdc"
"""Clang's option for device code that other files may refer to."""

# Old spellings that clang takes for errors and nvcc does not: "%d"MACRO, `register`, int a[] = {0.0}, int a[n].
_AS_NVCC = (
    "-Wno-reserved-user-defined-literal", "-Wno-register", "-Wno-error=c++11-narrowing",
    "-Wno-vla-cxx-extension",
    # Conditions on template parameters are no part of a symbol, as g++ has it: how a header writes them differs.
    "-fclang-abi-compat=17",
    # What C++17 took out of the library and GNU's still has.
    *(f"-D_LIBCPP_ENABLE_CXX17_REMOVED_{name}" for name in ("AUTO_PTR", "BINDERS", "RANDOM_SHUFFLE",
      "UNARY_BINARY_FUNCTION")),
)  # fmt: skip


class KernelIR(NamedTuple):
    """A translation unit's device code: LLVM 22 IR for nvptx64, as text and read, before any optimisation.

    `dependencies` are the included files outside this package and its compiler, absolute, and `absent` those that
    would be included if they were there. `instances` maps each of `CudaOptions.names` to its symbol. `kernels` are all
    kernels, in the order of the module.
    """

    text: str
    module: Module
    dependencies: tuple[Path, ...]
    absent: tuple[str, ...]
    warnings: tuple[str, ...]
    instances: dict[str, str]
    kernels: tuple[KernelName, ...]

    def candidates(self, written: str) -> tuple[KernelName, ...]:
        """The kernels that `written` may mean (see `kernel_names.candidates`): none, the one, or several overloads."""
        return candidates(self.kernels, written)


def compile_cuda(
    source: Source,
    options: CudaOptions,
    meanwhile: Callable[[], None] = lambda: None,
    cache: Cache = _NO_CACHE,
) -> KernelIR:
    """Compiles the device code of `source`; host code is only checked, for the kernel templates that it launches.

    `meanwhile` is called once, while clang runs in a process of its own. `cache` keeps our headers in precompiled form.

    Raises `CompileError` with clang's diagnostics, also for an unknown option or architecture and for a name that is
    no kernel; `Error` if clang crashes or takes too long.
    """
    lines_wanted = wants_lines(options.options)
    arguments, notes = _translated(options.options)
    options = options._replace(options=arguments)
    text = _with_percent_signs(joined_launches(source.text)) + instances.appended(options.names)
    try:
        output = _run_leniently(text, source.path, options, meanwhile, cache)
    except CompileError as error:
        raise missing_headers.explained(device_launches.explained(instances.explained(error, options.names))) from None
    warnings = output.warnings
    if warnings:
        from lanewise.frontend.cuda import host_misuse  # few programs have any

        warnings = host_misuse.checked(warnings, source.name, source.text)
    written = output.text
    if "\ntarget triple = " not in written:
        raise CompileError(
            f"clang wrote no LLVM IR: one of the options {list(options.options)} asks for something else"
        )
    is_relocatable = RELOCATABLE in options.options
    text = _relocatable(tidied(written), source) if is_relocatable else tidied(without_unreached(written))
    if "thread_local" in text:
        from lanewise.frontend.cuda import thread_locals  # few programs have any

        thread_locals.refused(text, source.name)
    module = read_module(text)
    changed = _transform(module, text)
    symbols = instances.extract(module, options.names)
    if wants_positions(options.options):
        module.metadata[POSITIONS_WANTED] = "!{}"
    if lines_wanted:
        module.metadata[LINES_WANTED] = "!{}"
    if changed or symbols or wants_positions(options.options) or lines_wanted:
        text = write_module(module)
    kernels = names.kernels(module)
    instances.require_kernels(symbols, kernels)
    own = (HEADERS, find_toolchain().library)
    return KernelIR(
        text=text,
        module=module,
        dependencies=output.outside(own),
        absent=output.absent(own),
        warnings=(*notes, *(str(warning) for warning in warnings)),
        instances=symbols,
        kernels=kernels,
    )


def _relocatable(text: str, source: Source) -> str:
    """`text` as code that other files may refer to. CompileError if it launches a kernel."""
    device_launches.refused(text, source.name)
    return static_variables.joined(text) if static_variables.MARK in text else text


def _transform(module: Module, text: str) -> bool:
    """Make kernel IR of what clang has made of a program, whose text is `text`; returns whether anything changed."""
    changed = scope_atomics.may_apply(text) and scope_atomics.run(module)
    if "indirectbr" in text or "blockaddress(" in text:
        from lanewise.passes import lower_computed_goto  # few programs have one

        changed |= lower_computed_goto.run(module)
    if limit_registers.may_apply(text):
        changed |= limit_registers.run(module)
    return changed


def _with_percent_signs(text: str) -> str:
    """`text` with the percent signs that clang wants in inline assembly."""
    if "asm" not in text:
        return text
    from lanewise.frontend.cuda.inline_assembly import escaped

    return escaped(text)


def _run_leniently(
    text: str, path: Path | None, options: CudaOptions, meanwhile: Callable[[], None], cache: Cache
) -> ClangOutput:
    """Run clang. If it refuses what nvcc takes, run it again on a mended text."""
    try:
        return _run(text, path, options, meanwhile, cache)
    except CompileError as error:
        from lanewise.frontend.cuda import leniency  # for errors alone

        mended = leniency.mended(text, str(path or IN_MEMORY), error.diagnostics)
        if mended is None or mended == text:
            raise
    return _run_leniently(mended, path, options, lambda: None, cache)


def _run(
    text: str, path: Path | None, options: CudaOptions, meanwhile: Callable[[], None], cache: Cache
) -> ClangOutput:
    """Run clang as nvcc with the lean prologue, and if a name is missing with the complete one. If there is an error in
    a header of a library, run it in clang's own mode. The error is that of nvcc's mode."""
    arguments = _arguments(options, macros.NVCC)
    try:
        return _run_lean(text, path, [*arguments, *prologue.lean(text)], _precompiled(options, cache), meanwhile)
    except CompileError as first:
        error = first
    if prologue.lacks_a_name(error.diagnostics):
        try:
            return run_clang(text, path, [*arguments, *prologue.complete()])
        except CompileError as second:
            error = second
    if _is_in_a_library(error, path):
        with suppress(CompileError):
            return run_clang(text, path, [*_arguments(options, macros.CLANG), *prologue.complete()])
    raise error


def _run_lean(
    text: str, path: Path | None, arguments: list[str], form: Path | None, meanwhile: Callable[[], None]
) -> ClangOutput:
    """Runs clang with the precompiled form of the prologue, if there is one and clang takes it."""
    if form is not None:
        try:
            return run_clang(text, path, with_form(arguments, _prologue(), form), meanwhile=meanwhile)
        except Error as error:
            if str(form) not in str(error) and isinstance(error, CompileError):
                raise
    return run_clang(text, path, arguments, meanwhile=meanwhile)


def _is_in_a_library(error: CompileError, path: Path | None) -> bool:
    """True if some error lies in a file that isn't beside the program's own."""
    own = path.resolve().parent if path is not None else Path.cwd()
    found = [match[1] for line in error.diagnostics if (match := re.match(_PLACE_OF_ERROR, line))]
    return any(file != IN_MEMORY and not Path(file).resolve().is_relative_to(own) for file in found)


def _precompiled(options: CudaOptions, cache: Cache) -> Path | None:
    """The prologue in precompiled form, if the user's options allow it."""
    written = options.options
    if not all(re.fullmatch(_NAMES_NO_FILE, word) for word in written):
        return None
    defined = [name for name, _ in options.defines] + [word[2:] for word in written if word.startswith("-D")]
    names = [re.split(r"[=(]", macro)[0] for macro in defined]
    general = options._replace(include_dirs=(), defines=(), options=tuple(w for w in written if not w.startswith("-D")))
    return precompiled(
        _prologue(), [*_arguments(general, macros.NVCC), prologue.LEAN], names, options.include_dirs, cache
    )


@functools.cache
def _prologue() -> PrecompiledHeader:
    folders = [HEADERS, HEADERS / "standard"]
    words = find_toolchain().library_arguments()
    folders += [Path(folder) for flag, folder in pairwise(words) if flag == "-isystem"]
    return PrecompiledHeader(prologue.ALWAYS, tuple(folders))


def _translated(options: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`options` as clang calls them, unless its own complaint about them would mislead, and notes on those that are
    ignored."""
    if not options:
        return (), ()
    from lanewise.frontend.cuda.nvcc_options import translated

    for option in options:
        if option.startswith(("--cuda-gpu-arch", "--offload-arch")):
            raise CompileError(f"option '{option}': the architecture is chosen by `arch`, not by an option")
    require_arguments(options)
    found = translated(options)
    require_levels(found[0])
    return found


def _arguments(options: CudaOptions, mode: tuple[macros.Macro, ...]) -> list[str]:
    """Clang's arguments. The user's, in clang's words, come after what they may override and before what they may
    not."""
    toolchain = find_toolchain()
    version = ptx_version(options.arch)
    arguments = ["-x", "cuda", "-std=c++17", "-O2", "-fcheck-new", *_AS_NVCC, *macros.defined(mode)]
    arguments += [f"-I{directory}" for directory in options.include_dirs]
    arguments += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in options.defines]
    arguments += options.options
    arguments += ["-target", toolchain.host_triple, "--cuda-device-only", f"--cuda-gpu-arch={options.arch}"]
    arguments += ["-Xclang", "-target-feature", "-Xclang", f"+ptx{version}"]
    # An installed CUDA SDK would change the result.
    arguments += ["-nocudainc", "-nocudalib", f"--cuda-path={HEADERS.parent}"]
    arguments += ["-isystem", str(HEADERS), "-isystem", str(HEADERS / "standard"), *toolchain.library_arguments()]
    arguments += ["-include", prologue.ALWAYS, "-Wno-error=user-defined-warnings"]
    arguments += ["-Xclang", "-debug-info-kind=limited", "-Xclang", "-disable-llvm-passes"]
    return [*arguments, "-fno-discard-value-names", "-emit-llvm", "-S"]
