# SPDX-License-Identifier: Apache-2.0
"""Host code of a CUDA program: clang's second pass over a file, for the processor (gpucc, section 2.1).

Clang makes a stub of each kernel, calls of the runtime for each launch, and a constructor that registers the stubs by
the symbols of their kernels. The constructor hands over a fat binary.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.cuda.objects.fat_binary import fat_binary
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.errors import CompileError
from lanewise.frontend.clang import find_toolchain, run_clang
from lanewise.frontend.cuda import device_launches, host_misuse, leniency, macros, missing_headers, prologue
from lanewise.frontend.cuda.launch_brackets import joined_launches
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.frontend.source import IN_MEMORY, Source
from lanewise.toolchain import memory_file, run_zig

_SDK: Final = "12.8"
"""The version of CUDA whose launches clang is to make: by cudaLaunchKernel."""
_STANDARD: Final = "lanewise/host_standard_library.h"
_AS_NVCC: Final = (
    "-Wno-reserved-user-defined-literal", "-Wno-register", "-Wno-error=c++11-narrowing", "-Wno-vla-cxx-extension",
    "-Wno-error=user-defined-warnings", "-Wno-unknown-pragmas",
    "-fclang-abi-compat=17",  # as in the device's pass: symbols are the same
)  # fmt: skip


_OF_CODE_GENERATION: Final = (
    "-O", "-g", "-m", "-f", "-W",
)  # fmt: skip
"""Beginnings of the options that code generation takes, too."""


class HostCode(NamedTuple):
    """Optimised LLVM IR of host code, the files that its source included, the compiler's warnings, and files that would
    be included if they were there."""

    ir: bytes
    dependencies: tuple[Path, ...]
    warnings: tuple[str, ...]
    absent: tuple[str, ...]


def compile_host_code(source: Source, unit: str, arch: str, options: Sequence[str], compiler: HostCompiler) -> HostCode:
    """The host code of `source`, called `unit`. `options` are clang's. CompileError with clang's diagnostics."""
    text = joined_launches(source.text)
    with memory_file(fat_binary(unit)) as binary:
        arguments = [*host_arguments(arch, compiler), *options, "-S", "-emit-llvm"]
        arguments += ["-Xclang", "-fcuda-include-gpubinary", "-Xclang", f"/dev/fd/{binary}"]
        rare = [word for header in sorted(prologue.rare_headers(source.text)) for word in ("-include", header)]
        try:
            return _run(text, source.path, [*arguments, *rare], binary)
        except CompileError as error:
            if not prologue.lacks_a_name(error.diagnostics):
                raise
        complete = [word for header in (_STANDARD, *sorted(prologue.RARE)) for word in ("-include", header)]
        return _run(text, source.path, [*arguments, *complete], binary)


def _run(text: str, path: Path | None, arguments: Sequence[str], binary: int) -> HostCode:
    """Run clang. If it refuses what nvcc takes, run it again on a mended text."""
    try:
        output = run_clang(text, path, arguments, purpose=f"{path or IN_MEMORY}, host code", descriptors=[binary])
    except CompileError as error:
        mended = leniency.mended(text, str(path or IN_MEMORY), error.diagnostics)
        if mended is None or mended == text:
            raise missing_headers.explained(device_launches.explained(error)) from None
        return _run(mended, path, arguments, binary)
    own = (HEADERS, find_toolchain().library)
    warnings = tuple(map(str, host_misuse.unchecked(output.warnings)))
    return HostCode(output.data, output.outside(own), warnings, output.absent(own))


def host_object(ir: bytes, options: Sequence[str]) -> bytes:
    """The object file of host code. `options` are those of `compile_host_code`."""
    kept = [word for word in options if word.startswith(_OF_CODE_GENERATION)]
    with memory_file(ir) as text:
        arguments = ["clang", "-x", "ir", "-c", "-fPIC", *kept, "-Wno-override-module"]
        arguments += ["-Xclang", "-disable-llvm-passes"]
        return run_zig([*arguments, f"/dev/fd/{text}", "-o", "-"], "host code could not be compiled", [text])


def host_arguments(arch: str, compiler: HostCompiler) -> list[str]:
    """Clang's arguments for a pass over host code."""
    toolchain = find_toolchain()
    return [
        *("-x", "cuda", "-std=c++17", "-fPIC", "-fcheck-new", *_AS_NVCC, *macros.defined(macros.NVCC)),
        *("-target", toolchain.host_triple),
        *("--cuda-host-only", f"--cuda-gpu-arch={arch}", "-Xclang", f"-target-sdk-version={_SDK}"),
        *("-nocudainc", "-nocudalib", f"--cuda-path={HEADERS.parent}", "-resource-dir", str(toolchain.library)),
        *("-isystem", str(HEADERS), *compiler.library_arguments(), "-include", prologue.ALWAYS),
    ]
