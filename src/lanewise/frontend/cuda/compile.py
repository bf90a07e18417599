# SPDX-License-Identifier: Apache-2.0
"""CUDA C++ to kernel IR, by clang and the headers in include/."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from lanewise.cache import Cache
from lanewise.errors import CompileError, Error
from lanewise.frontend.clang import (
    ClangOutput,
    Header,
    find_toolchain,
    precompiled,
    require_arguments,
    run_clang,
    wants_positions,
    with_form,
)
from lanewise.frontend.cuda import instances, missing_headers, names
from lanewise.frontend.cuda.architectures import ptx_version
from lanewise.frontend.cuda.launch_brackets import joined_launches
from lanewise.frontend.cuda.nvcc_options import as_clang_takes_them
from lanewise.frontend.cuda.scopes import scoped
from lanewise.frontend.cuda.tidying import tidied
from lanewise.frontend.unreached import without_unreached
from lanewise.ir.debug_info import POSITIONS_WANTED

HEADERS = Path(__file__).parent / "include"

# An include that may lead to the C++ standard library: one of its headers, or a file of the user's.
_STANDARD_INCLUDE = r"(?m)^\s*#\s*include\s*(<[a-z_/]+>|\")"
_MISSING_NAME = (
    r"error: (no (member|template|type) named|use of undeclared|unknown type name|implicit instantiation of"
    r"|unknown template name|invalid operands)"
)
_RARE_HEADERS = {
    "lanewise/dynamic_programming.h": re.compile(r"\b__v[a-z]+[a-z0-9_]*[2-4]\b|\b__vi[a-z]+\w*_[su]"),
    "lanewise/scoped_atomics.h": re.compile(r"\batomic[A-Z]\w+_(block|system)\b"),
    "lanewise/atomic_operations.h": re.compile(r"\b__(nv_atomic|NV_ATOMIC|NV_THREAD_SCOPE)_"),
}
"""Headers with hundreds of functions that few programs use, and how to tell that one does: SIMD within a word and DPX
(`__vadd4`, `__vimax3_s32`), atomics of other scopes."""

_LEAN = "-D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES"
_NAMES_NO_FILE = (
    r"-std=\S+|-O\w*|-g\w*|-w|-W(?![alp],)\S+|-D\w+(=.*)?|-pedantic\S*"
    r"|-f(?!plugin|pass-plugin|module|pch|include|profile|sanitize|implicit|prebuilt)\S+"
)
"""Options that can't change which files are read."""
_NO_CACHE = Cache(None)

# Old spellings that clang takes for errors and nvcc does not: "%d"MACRO, `register`, int a[] = {0.0}.
_AS_NVCC = (
    "-Wno-reserved-user-defined-literal", "-Wno-register", "-Wno-error=c++11-narrowing",
    # What C++17 took out of the library and GNU's still has.
    *(f"-D_LIBCPP_ENABLE_CXX17_REMOVED_{name}" for name in ("AUTO_PTR", "BINDERS", "RANDOM_SHUFFLE",
      "UNARY_BINARY_FUNCTION")),
)  # fmt: skip


class Source(NamedTuple):
    """A source text and the file that it was read from; without a path, diagnostics call it `<source>`."""

    text: str
    path: Path | None = None


class CudaOptions(NamedTuple):
    """How to compile.

    `arch` is the value of `__CUDA_ARCH__` as sm_XX. `defines` are macros with their values (None: defined as 1).
    `options` are further arguments of clang, such as `-std=c++20`, or of nvcc (`nvcc_options.py`). `names` are template
    instances to put into the module, as a program would write them: `scale<float, 4>`.
    """

    arch: str = "sm_80"
    defines: tuple[tuple[str, str | None], ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class KernelIR(NamedTuple):
    """A translation unit's device code: LLVM 22 textual IR for nvptx64, before any optimisation.

    `dependencies` are the included files outside this package and its compiler, absolute. `instances` maps each of
    `CudaOptions.names` to its symbol. `kernels` are all kernels, in the order of the module.
    """

    text: str
    dependencies: tuple[Path, ...]
    warnings: tuple[str, ...]
    instances: dict[str, str]
    kernels: tuple[names.KernelName, ...]

    def candidates(self, written: str) -> tuple[names.KernelName, ...]:
        """The kernels that `written` may mean (see `names.candidates`): none, the one, or several overloads."""
        return names.candidates(self.kernels, written)


_LAUNCH_FROM_DEVICE_CODE = (
    "kernel launch from __device__ or __global__ function requires relocatable device code (i.e. requires -fgpu-rdc)"
)


def _reworded(error: CompileError) -> CompileError:
    """`error` without clang's advice to use an option that would not help."""

    def plain(text: str) -> str:
        return text.replace(_LAUNCH_FROM_DEVICE_CODE, "kernels can't be launched from device code")

    return CompileError(plain(str(error)), tuple(plain(text) for text in error.diagnostics))


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
    text = joined_launches(source.text) + instances.appended(options.names)
    try:
        output = _run(text, source.path, options, meanwhile, cache)
    except CompileError as error:
        raise missing_headers.explained(_reworded(instances.explained(error, options.names))) from None
    written = output.text
    if "\ntarget triple = " not in written:
        raise CompileError(
            f"clang wrote no LLVM IR: one of the options {list(options.options)} asks for something else"
        )
    ir = scoped(tidied(without_unreached(written)))
    if "indirectbr" in ir or "blockaddress(" in ir:
        from lanewise.frontend.cuda.computed_goto import without_computed_goto  # it needs all of `ir`, and few have one

        ir = without_computed_goto(ir)
    ir, symbols = instances.extracted(ir, options.names)
    if wants_positions(options.options):
        ir += f"\n{POSITIONS_WANTED} = !{{}}\n"
    kernels = names.kernels(ir)
    instances.require_kernels(symbols, kernels)
    ours = (HEADERS, find_toolchain().library)
    return KernelIR(
        text=ir,
        dependencies=tuple(
            path for path in output.dependencies if not any(path.is_relative_to(folder) for folder in ours)
        ),
        warnings=tuple(str(warning) for warning in output.warnings),
        instances=symbols,
        kernels=kernels,
    )


def _run(
    text: str, path: Path | None, options: CudaOptions, meanwhile: Callable[[], None], cache: Cache
) -> ClangOutput:
    """Runs clang with lean standard headers first, where each includes only what it needs itself: <vector> is read in
    150 ms rather than 600. Programs that rely on what a header happens to include besides are compiled again with the
    full headers; so are those whose error could come from that. Rare headers are included where the text names what
    they have; where only a header of the program does, the second run has them."""
    rare = _rare_headers(text)
    arguments = _arguments(options)
    try:
        form = _precompiled(options, cache)
        if form is not None:
            chosen = with_form([_LEAN, *arguments, *_included(rare)], _prologue(), form)
            try:
                return run_clang(text, path, chosen, meanwhile=meanwhile)
            except Error as error:
                if str(form) not in str(error) and isinstance(error, CompileError):
                    raise
        return run_clang(text, path, [_LEAN, *arguments, *_included(rare)], meanwhile=meanwhile)
    except CompileError as error:
        lacks_name = any(re.search(_MISSING_NAME, diagnostic) for diagnostic in error.diagnostics)
        lacks_header = not _rare_headers("\n".join(error.diagnostics)) <= rare
        if not lacks_name or not (lacks_header or re.search(_STANDARD_INCLUDE, text)):
            raise
    return run_clang(text, path, [*arguments, *_included(_RARE_HEADERS)])


def _precompiled(options: CudaOptions, cache: Cache) -> Path | None:
    """What every program includes, precompiled, where the user's options allow it."""
    written = _checked(options.options)
    if not all(re.fullmatch(_NAMES_NO_FILE, word) for word in written):
        return None
    macros = [name for name, _ in options.defines] + [word[2:] for word in written if word.startswith("-D")]
    names = [re.split(r"[=(]", macro)[0] for macro in macros]
    general = options._replace(include_dirs=(), defines=(), options=tuple(w for w in written if not w.startswith("-D")))
    return precompiled(_prologue(), [_LEAN, *_arguments(general)], names, options.include_dirs, cache)


@functools.cache
def _prologue() -> Header:
    folders = [HEADERS, HEADERS / "standard"]
    words = find_toolchain().library_arguments()
    folders += [Path(folder) for flag, folder in pairwise(words) if flag == "-isystem"]
    return Header("cuda_runtime.h", tuple(folders))


def _rare_headers(text: str) -> set[str]:
    return {header for header, names in _RARE_HEADERS.items() if names.search(text)}


def _included(headers: Collection[str]) -> list[str]:
    return [argument for header in sorted(headers) for argument in ("-include", header)]


def _checked(options: tuple[str, ...]) -> tuple[str, ...]:
    """`options` as clang calls them, unless its own complaint about them would mislead."""
    for option in options:
        if option.startswith(("--cuda-gpu-arch", "--offload-arch")):
            raise CompileError(f"option '{option}': the architecture is chosen by `arch`, not by an option")
    require_arguments(options)
    return as_clang_takes_them(options)


def _arguments(options: CudaOptions) -> list[str]:
    """Clang's arguments. The user's come after what they may override and before what they may not."""
    toolchain = find_toolchain()
    version = ptx_version(options.arch)
    arguments = ["-x", "cuda", "-std=c++17", "-O2", "-fcheck-new", *_AS_NVCC]
    arguments += [f"-I{directory}" for directory in options.include_dirs]
    arguments += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in options.defines]
    arguments += _checked(options.options)
    arguments += ["-target", toolchain.host_triple, "--cuda-device-only", f"--cuda-gpu-arch={options.arch}"]
    arguments += ["-Xclang", "-target-feature", "-Xclang", f"+ptx{version}"]
    # An installed CUDA SDK would change the result.
    arguments += ["-nocudainc", "-nocudalib", f"--cuda-path={HEADERS.parent}"]
    arguments += ["-isystem", str(HEADERS), "-isystem", str(HEADERS / "standard"), *toolchain.library_arguments()]
    arguments += ["-include", "cuda_runtime.h"]
    arguments += ["-Xclang", "-debug-info-kind=limited", "-Xclang", "-disable-llvm-passes"]
    return [*arguments, "-fno-discard-value-names", "-emit-llvm", "-S"]
