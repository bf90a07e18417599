# SPDX-License-Identifier: Apache-2.0
"""OpenCL C to kernel IR: a run of clang, kernels in the form of kernel IR, built-in functions linked in."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from lanewise.cache import Cache
from lanewise.errors import CompileError
from lanewise.frontend.clang import (
    find_toolchain,
    require_arguments,
    require_levels,
    run_clang,
    wants_lines,
    wants_positions,
)
from lanewise.frontend.metadata_nodes import with_nodes_in_order
from lanewise.frontend.opencl import constant_memory, own_functions, relaxed_roots
from lanewise.frontend.opencl.cplusplus import is_cplusplus, require_constant_initialisers, with_smaller_groups
from lanewise.frontend.opencl.embedded_headers import embedded_headers
from lanewise.frontend.opencl.global_memory import global_bytes
from lanewise.frontend.opencl.held_files import HeldFiles, files_for_clang
from lanewise.frontend.opencl.kernels import form_kernels, read_registers
from lanewise.frontend.opencl.library import FEATURES, built_in_library, wide_library
from lanewise.frontend.opencl.options import OpenClOptions, OptionsError, is_of_options
from lanewise.frontend.opencl.refused_kernels import Refusal, drop_refused_kernels, may_have_refused_kernels
from lanewise.frontend.source import IN_MEMORY
from lanewise.frontend.unreached import without_unreached
from lanewise.ir.debug_info import LINES_WANTED, POSITIONS_WANTED
from lanewise.ir.module import Module
from lanewise.ir.reader import read_module
from lanewise.ir.writer import write_module
from lanewise.linking import link_libraries

HEADERS: Final = Path(__file__).parent / "include"
_HEADER: Final = HEADERS / "opencl-c-base.h"
_INTEL_HEADER: Final = HEADERS / "intel_sub_groups.h"
_MAY_NEED_INTEL: Final = re.compile(r"intel_sub_group|^\s*#\s*include", re.MULTILINE)
TARGET: Final = "nvptx64-nvidia-cuda"

_EXTENSIONS: Final = f"+cl_khr_fp16,{FEATURES}"
"""Extensions that the built-in library has, and clang doesn't take a GPU to have."""
_FROM_THIS_VERSION: Final = re.compile(
    r"OpenCL extension '(?:cl_khr_subgroup\w*|cl_khr_integer_dot_product|cl_khr_extended_bit_ops"
    r"|cl_intel_required_subgroup_size)' .*- ignoring"
)
"""Clang's warning of extensions that it knows only from OpenCL C 2.0 on, or not at all; here all versions have them."""
_IGNORED: Final = re.compile(r"-cl-opt-disable|-cl-kernel-arg-info|-cl-no-subgroup-ifp|-O[0-3s]")
"""Options that say nothing to a compiler that always optimises and describes kernels."""
_OF_OTHERS: Final = re.compile(r"-cl-(?:nv|intel|arm)-.*|-qcom-.*|-save-temps(?:=.*)?|-f(?:no-)?bin-.*|-s")
"""Options that other compilers have for themselves."""
_WITH_ARGUMENT: Final = re.compile(r"-s|-cl-nv-(?:arch|maxrregcount|opt-level)")
"""Options of `_OF_OTHERS` that the next word belongs to."""
_INSTEAD: Final = {"-cl-denorms-are-zero": ("-Xclang", "-fdenormal-fp-math-f32=preserve-sign,preserve-sign")}
"""Options that clang takes from OpenCL C for some GPUs only, and what they are there."""
_AS_IN_C99: Final = ("-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion")
"""Warnings of C99, on which OpenCL C is based, that clang has as errors since 16. Programs for drivers have them."""
_REFUSED: Final = re.compile(r"-x.*|-o.*|-[cES]|-M.*|-f?syntax-only|-emit-.*|--?target.*")
"""Options of clang that ask for another language or another result."""
_INLINE: Final = "\ndefine available_externally "
_SHARED_INLINE: Final = "\ndefine linkonce_odr "


class OpenClIR(NamedTuple):
    """A program: LLVM 22 IR for nvptx64, as text and read, before any optimisation, in which only functions of the
    mathematical library are undefined. `dependencies` are the included files outside this package, absolute, and
    `absent` those that would be included if they were there. `refused`: the names of kernels that were left out, and
    why. `global_bytes`: of the variables in global memory."""

    text: str
    module: Module
    dependencies: tuple[Path, ...]
    absent: tuple[str, ...]
    warnings: tuple[str, ...]
    refused: Mapping[str, str]
    global_bytes: int


class ClangIR(NamedTuple):
    """A source as clang has compiled it, before anything of ours, with its dependencies and warnings. `absent`: files
    that would be included if they were there."""

    text: str
    dependencies: tuple[Path, ...] = ()
    absent: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def compile_opencl(
    text: str,
    path: Path | None,
    options: OpenClOptions,
    cache: Cache,
    meanwhile: Callable[[], None] = lambda: None,
    held: HeldFiles | None = None,
) -> OpenClIR:
    """Compile `text`, which is from the file `path` if that is known. `meanwhile` is called once, while clang runs.
    `held`: the files to include, instead of those that there are.

    Raises `CompileError` with clang's diagnostics, which are the build log; `OptionsError` for options.
    """
    compiled = clang_ir(text, path, options, meanwhile, held=held)
    return kernel_ir(compiled, IN_MEMORY if path is None else str(path), options, cache)


def clang_ir(
    text: str,
    path: Path | None,
    options: OpenClOptions,
    meanwhile: Callable[[], None] = lambda: None,
    headers: Mapping[str, str] = MappingProxyType({}),
    *,
    held: HeldFiles | None = None,
    is_part: bool = False,
) -> ClangIR:
    """Run clang on a source. `headers`: files to include, by name, which come before those of any folder. `held`: as
    in `compile_opencl`, without `headers`. `is_part`: of a program that is linked; its inline functions may have
    definitions in several parts. Raises as `compile_opencl`."""
    more = ("-include", str(_INTEL_HEADER)) if _MAY_NEED_INTEL.search(text) else ()
    words, ignored = _split(options.options)
    arguments = _arguments(options, words, more, is_part=is_part)
    own = (HEADERS, find_toolchain().library)
    try:
        with embedded_headers(headers) if held is None else files_for_clang(held, own) as embedded:
            arguments = [*embedded.arguments, *arguments]
            output = run_clang(text, path, arguments, meanwhile=meanwhile, descriptors=embedded.descriptors)
    except CompileError as error:
        if is_of_options(error):
            raise OptionsError(str(error), error.diagnostics) from None
        from lanewise.frontend.opencl.later_functions import explained

        raise explained(error) from None
    made = output.text
    if is_cplusplus(words):
        require_constant_initialisers(made, IN_MEMORY if path is None else str(path))
        made = with_smaller_groups(made, words)
    warnings = [w for w in map(str, output.warnings) if not _FROM_THIS_VERSION.search(w)]
    warnings += (f"warning: option '{word}' is for another compiler: ignored" for word in ignored)
    return ClangIR(
        made.replace(_INLINE, _SHARED_INLINE) if is_part else made,
        output.outside(own) if held is None else (),
        () if is_part or held is not None else output.absent(own),
        tuple(warnings),
    )


def require_options(options: OpenClOptions) -> None:
    """OptionsError for options that would be wrong for any source. Clang is asked, if there are any."""
    if not _split(options.options)[0]:
        return
    try:
        clang_ir("", None, options)
    except OptionsError:
        raise
    except CompileError:
        return  # -pedantic -Werror: of an empty source


def kernel_ir(compiled: ClangIR, file: str, options: OpenClOptions, cache: Cache) -> OpenClIR:
    """A whole program, as clang has compiled it, as kernel IR. `file` is what its source is called. Raises
    `CompileError` for what it refuses."""
    words, _ = _split(options.options)
    text, refused = _without_refused_kernels(compiled.text, file)
    module = read_module(with_nodes_in_order(without_unreached(text)))
    own_global_bytes = global_bytes(module)
    _transform(module, options, cache)
    if any(function.is_declaration and function.symbol.startswith("_Z") for function in module.functions):
        from lanewise.frontend.opencl.later_functions import require_built_in_functions  # few kernels get this far

        require_built_in_functions(module, file)
    if wants_positions(words):
        module.metadata[POSITIONS_WANTED] = "!{}"
    if wants_lines(words):
        module.metadata[LINES_WANTED] = "!{}"
    return OpenClIR(
        text=write_module(module),
        module=module,
        dependencies=compiled.dependencies,
        absent=compiled.absent,
        warnings=(*compiled.warnings, *(refusal.as_warning() for refusal in refused)),
        refused={refusal.kernel: refusal.as_error() for refusal in refused},
        global_bytes=own_global_bytes,
    )


def _without_refused_kernels(text: str, file: str) -> tuple[str, tuple[Refusal, ...]]:
    """The text of a module without the kernels that are refused, and why they are."""
    if not may_have_refused_kernels(text):
        return text, ()
    module = read_module(text)
    refused = drop_refused_kernels(module, file)
    return write_module(module) if refused else text, refused


def _transform(module: Module, options: OpenClOptions, cache: Cache) -> None:
    """Make kernel IR of what clang has made of a program, complete but for the mathematical library."""
    own_functions.run(module)
    if "printf" in module.symbols:
        from lanewise.frontend.opencl import printf  # few kernels print

        printf.run(module)
    relaxed_roots.run(module)
    wide = form_kernels(module, general=options.general)
    libraries = [built_in_library(cache)]
    link_libraries(module, [wide_library(cache), *libraries] if wide else libraries)
    read_registers(module)
    constant_memory.run(module)


def _arguments(options: OpenClOptions, words: Sequence[str], more: Sequence[str], *, is_part: bool) -> list[str]:
    """Clang's arguments. The user's, `words` among them, come before what they may not override."""
    arguments = ["-x", "cl", "-cl-std=CL1.2", "-O2", "-fno-strict-float-cast-overflow"]
    if "-Werror" not in words:
        arguments += _AS_IN_C99
    # By its path: a header that clang reads of its own accord, it looks for in the current directory first.
    arguments += ["-cl-no-stdinc", "-include", str(_HEADER), *more]
    if not is_part and not is_cplusplus(words):
        arguments.append("-fgnu89-inline")  # C99 would not have an inline kernel emitted
    arguments += [f"-I{directory}" for directory in options.include_dirs]
    arguments += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in options.defines]
    for option in words:
        if not _IGNORED.fullmatch(option):
            arguments += _INSTEAD.get(option, (option,))
    arguments += ["-target", TARGET, "-nogpulib", "-nostdinc"]
    arguments += ["-Xclang", "-fdeclare-opencl-builtins", "-Xclang", f"-cl-ext={_EXTENSIONS}", "-cl-kernel-arg-info"]
    arguments += ["-Xclang", "-debug-info-kind=limited", "-Xclang", "-disable-llvm-passes"]
    # The same text from any current directory, so that it is translated once.
    return [*arguments, "-fdebug-compilation-dir=.", "-fno-discard-value-names", "-emit-llvm", "-S"]


def _split(options: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options one by one, since `-D N=4` is one string to clBuildProgram, and those to ignore with a warning."""
    try:
        words = [word for option in options for word in shlex.split(option)]
    except ValueError as error:
        raise OptionsError(f"options {list(options)}: {error}") from None
    words, ignored = _without_those_of_others(words)
    for word in words:
        if _REFUSED.fullmatch(word):
            raise OptionsError(f"option '{word}': the compiler makes kernel IR of OpenCL C, and nothing else")
    try:
        require_arguments(words)
        require_levels(words)
    except CompileError as error:
        raise OptionsError(str(error)) from None
    return words, ignored


def _without_those_of_others(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options that are for us, and those for other compilers."""
    own: list[str] = []
    ignored: list[str] = []
    rest = iter(words)
    for word in rest:
        if not _OF_OTHERS.fullmatch(word):
            own.append(word)
        else:
            ignored.append(f"{word} {next(rest, '')}".rstrip() if _WITH_ARGUMENT.fullmatch(word) else word)
    return own, ignored
