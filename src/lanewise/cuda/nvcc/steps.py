# SPDX-License-Identifier: Apache-2.0
"""The steps of a command: compiling one file, and linking."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lanewise.cuda.libraries import library_folder
from lanewise.cuda.nvcc.architectures import gpu_architectures, source_architecture
from lanewise.cuda.nvcc.command import Input, InputKind, NvccCommand
from lanewise.cuda.objects.device_code import DeviceCode, codes_in, is_linked
from lanewise.cuda.objects.host_code import host_arguments
from lanewise.cuda.objects.host_compiler import HostCompiler
from lanewise.cuda.objects.object_file import ObjectFile, UnitOptions, compile_unit
from lanewise.cuda.objects.openmp import HOW_TO_GET_OPENMP, openmp_library
from lanewise.errors import CompileError, Error
from lanewise.frontend.cuda.nvcc_options import is_named, translated
from lanewise.frontend.cuda.prologue import HEADERS
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions
from lanewise.frontend.source import Source
from lanewise.session import Session
from lanewise.toolchain import clang_command

_OF_THE_DEVICE: Final = ("-fapprox-func", "-ffp-contract=", "-fgpu-", "-fno-gpu-", "-lineinfo", "--generate-line-info")
"""Options that the device's pass alone gets."""
_NOT_CLANGS: Final = frozenset({
    "-fno-strict-overflow", "-fno-tree-vectorize", "-fno-ipa-sra", "-rdynamic", "-pipe", "-fopenmp",
    "-fno-var-tracking",
})  # fmt: skip
"""Options of g++ that are dropped: clang has no such thing, or they belong to the link."""
_OF_GCC: Final = ("-Wno-unknown-warning-option",)
"""Options by which pragmas and options about warnings that only g++ has are passed over."""
_RUNTIME: Final = frozenset({"-lcudart", "-lcudart_static", "-lcudadevrt"})
"""Libraries of which one is linked as `-cudart` says, also if they are named."""
_REFUSED: Final = re.compile(
    r"unknown argument(?: ignored)?:? '(?P<whole>[^']+)'|argument[^']*'(?P<other>-[^']+)'"
    r"|unsupported option '(?P<letter>-\w)' for target"
)
"""Clang's error for an option that it doesn't know; it takes `-bogus` for an option `-b`."""
PER_THREAD: Final = "CUDA_API_PER_THREAD_DEFAULT_STREAM"
"""The macro by which `--default-stream per-thread` and programs ask for it."""
SYSTEM_LIBRARIES: Final = ("-lpthread", "-ldl", "-lrt", "-lm")


def source_of(path: str) -> Source:
    """The source in a file. CompileError if it can't be read."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        raise CompileError(f"{path}: no such file") from None
    except OSError as error:
        raise CompileError(f"{path}: can't be read: {error.strerror}") from None
    if "\0" in text:
        raise CompileError(f"{path}: can't be read: it holds null characters, so it is UTF-16 or no text at all")
    return Source(text, Path(path))


def compile_cuda_file(session: Session, command: NvccCommand, path: str, compiler: HostCompiler) -> ObjectFile:
    """The object file of a CUDA source. CompileError; Error for an unknown option."""
    source, options = source_of(path), unit_options(command)
    if wants_openmp(command) and "#pragma omp" in source.text and openmp_library() is None:
        print(f"{path}: note: OpenMP's pragmas are ignored: {HOW_TO_GET_OPENMP}", file=sys.stderr)
    dropped: set[str] = set()
    while True:
        try:
            return compile_unit(session, source, options, compiler)
        except CompileError as error:
            unknown = _unknown_option(error, options.host)
            if unknown is None or unknown in dropped:
                raise
            if unknown not in command.all("host_option") and not command.has("forward"):
                raise Error(f"nvcc fatal   : Unknown option '{unknown}'") from None
            dropped.add(unknown)
            print(f"nvcc warning : '{unknown}' is not known to clang and ignored", file=sys.stderr)
            options = _without(options, unknown)


def _unknown_option(error: CompileError, given: Sequence[str]) -> str | None:
    """The option that clang has refused, if one of `given` is."""
    for line in (str(error), *error.diagnostics):
        if (found := _REFUSED.search(line)) is not None:
            for word in given:
                if word in found.groups() or (found["letter"] and word.startswith(found["letter"])):
                    return word
    return None


def _without(options: UnitOptions, word: str) -> UnitOptions:
    device = options.device._replace(options=tuple(other for other in options.device.options if other != word))
    return options._replace(device=device, host=tuple(other for other in options.host if other != word))


def unit_options(command: NvccCommand) -> UnitOptions:
    """The options of the two passes of clang."""
    arch = source_architecture(command)
    defines = tuple(_macro(text) for text in command.all("define"))
    shared = list(_shared(command))
    words = tuple(word for word in command.device_options if _is_clangs(word))
    device = translated(words).arguments
    host = [word for word in device if not word.startswith(_OF_THE_DEVICE)]
    folders = _folders(command)
    given = GivenOptions(
        arch,
        defines,
        folders,
        (*shared, *(f"-U{name}" for name in command.all("undefine")), *words,
         *(["-G"] if command.has("device_debug") else []), *_OF_GCC),
    )  # fmt: skip
    host_words = [
        *(f"-I{folder}" for folder in folders),
        *(f"-D{text}" for text in command.all("define")),
        *(f"-U{name}" for name in command.all("undefine")),
        *shared,
        *host,
        *_optimisation(command),
        *(["-g"] if command.has("debug") else []),
        *(["-fopenmp"] if wants_openmp(command) and openmp_library() is not None else []),
        *(word for word in command.all("host_option") if _is_clangs(word)),
        *_OF_GCC, "-Wno-unused-command-line-argument",
    ]  # fmt: skip
    return UnitOptions(given, tuple(host_words), relocatable=command.is_relocatable, gpus=gpu_architectures(command))


def _is_clangs(word: str) -> bool:
    """True if an option is for a pass of clang's, and not for the link alone."""
    return word not in _NOT_CLANGS and not word.startswith("-Wl,")


def _forwarded(command: NvccCommand) -> list[str]:
    """The options that nvcc doesn't know, if they are for the host compiler and its link."""
    if not command.has("forward"):
        return []
    return [word for word in command.device_options if word.startswith("-") and not is_named(word)]


def _optimisation(command: NvccCommand) -> list[str]:
    """Clang's level for host code. Without one, nvcc's host compiler doesn't optimise. Ours does, but integers wrap
    round as they do there, and as g++ mostly has them at any level, which programs rely on."""
    level = command.last("optimise") or "2"
    return [f"-O{min(int(level), 3) if level.isdecimal() else level}", "-fwrapv"]


def wants_own_streams(command: NvccCommand) -> bool:
    """True if stream 0 is to be the calling thread's own."""
    macros = [text.partition("=")[0] for text in command.all("define")]
    return command.last("default_stream") == "per-thread" or PER_THREAD in macros


def wants_openmp(command: NvccCommand) -> bool:
    """True if host code has OpenMP's pragmas."""
    return command.has("open_mp") or "-fopenmp" in command.all("host_option")


def _shared(command: NvccCommand) -> list[str]:
    """Options of both passes that come before all others."""
    words: list[str] = []
    if wants_own_streams(command):
        words += ["-Xclang", "-fgpu-default-stream=per-thread"]  # clang defines PER_THREAD then
    standard = command.last("standard")
    if standard is not None:
        words.append(f"-std={standard}")
    for folder in command.all("system_include"):
        words += [] if _is_toolkit(folder) else ["-isystem", folder]
    words += _toolkits(command)
    for header in command.all("pre_include"):
        words += ["-include", header]
    if command.has("no_warnings"):
        words.append("-w")
    if command.is_relocatable:
        words.append("-D__CUDACC_RDC__=1")
    return words


def _folders(command: NvccCommand) -> tuple[str, ...]:
    own = str(HEADERS)
    return tuple(
        folder for folder in command.all("include") if os.path.realpath(folder) != own and not _is_toolkit(folder)
    )


def _toolkits(command: NvccCommand) -> list[str]:
    """Words for the headers of NVIDIA's toolkit, which makefiles name: they come after ours."""
    named = (*command.all("include"), *command.all("system_include"))
    return [word for folder in named if _is_toolkit(folder) for word in ("-idirafter", folder)]


def _is_toolkit(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "crt", "host_config.h")) and os.path.realpath(folder) != str(HEADERS)


def _macro(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else None


def host_command(command: NvccCommand, given: Input, output: str, compiler: HostCompiler) -> list[str]:
    """The command that compiles a file without device code."""
    return [*_host_words(command, given, compiler), "-c", given.path, "-o", output]


def _host_words(command: NvccCommand, given: Input, compiler: HostCompiler) -> list[str]:
    standard = command.last("standard")
    words = [*compiler.command, "-x", "c" if given.kind is InputKind.C else "c++"]
    if standard is not None and given.kind is InputKind.HOST:
        words.append(f"-std={standard}")
    words += [f"-I{folder}" for folder in _folders(command)]
    words += [f"-D{text}" for text in command.all("define")]
    words += [f"-U{name}" for name in command.all("undefine")]
    words += [f"-D{PER_THREAD}=1"] * wants_own_streams(command)
    for folder in (*command.all("system_include"), str(HEADERS)):
        words += [] if _is_toolkit(folder) else ["-isystem", folder]
    words += _toolkits(command)
    for header in command.all("pre_include"):
        words += ["-include", header]
    words += [f"-O{level}" for level in command.all("optimise")[-1:]]
    words += ["-g"] * command.has("debug") + ["-w"] * command.has("no_warnings")
    words += ["-fPIC"] * command.has("position_independent") + ["-fopenmp"] * command.has("open_mp")
    return [*words, *command.all("host_option"), *_forwarded(command)]


def preprocess_command(command: NvccCommand, given: Input, compiler: HostCompiler) -> list[str]:
    """The command that preprocesses a file, as host code sees it."""
    if given.kind is not InputKind.CUDA:
        return [*_host_words(command, given, compiler), "-E", given.path]
    return [*clang_command(), *host_arguments(DEFAULT_ARCH, compiler), *unit_options(command).host, "-E", given.path]


def device_codes(command: NvccCommand, inputs: Sequence[str]) -> list[DeviceCode]:
    """The relocatable device code in objects and libraries, of which `inputs` are files and `-lNAME`; none if one of
    them has it linked already."""
    found: list[DeviceCode] = []
    for word in inputs:
        path = _library(command, word[2:]) if word.startswith("-l") else Path(word)
        if path is not None and path.suffix != ".so" and path.is_file():
            if is_linked(path):
                return []
            found += codes_in(path)
    return found


def linked_device_code(session: Session, command: NvccCommand, inputs: Sequence[str], folder: str) -> list[str]:
    """The object file, in `folder`, of the kernels in relocatable device code, if `inputs` have any. CompileError."""
    codes = device_codes(command, inputs)
    if not codes:
        return []
    from lanewise.cuda.objects.device_link import link_device_code  # few programs need it

    path = Path(folder, "a_dlink.o")
    path.write_bytes(link_device_code(session, command.last("output") or "a.out", codes, gpu_architectures(command)))
    return [str(path)]


def _library(command: NvccCommand, name: str) -> Path | None:
    """The static library of a name in the folders of the command line."""
    places = [Path(folder, f"lib{name}.a") for folder in command.all("library_folder")]
    return next((path for path in places if path.is_file()), None)


def link_command(
    session: Session, command: NvccCommand, inputs: Sequence[str], output: str, compiler: HostCompiler
) -> list[str]:
    """The command that links `inputs`, objects and libraries in order, into a program or a shared library."""
    # The runtime's threads run code of a library that has the runtime in it: it stays when a program closes it.
    words = ["-o", output, *(["-shared", "-Wl,-z,nodelete"] if command.has("shared") else [])]
    words += [
        word
        for word in (*command.all("host_option"), *_forwarded(command))
        if word != "-fopenmp" and (not word.startswith(("-W", "-std")) or word.startswith("-Wl,"))
    ]
    words += ["-g"] * command.has("debug")
    runtime = command.last("runtime") or "static"
    ours = library_folder(session.cache)
    words += [word for word in inputs if runtime == "none" or word not in _RUNTIME]
    words += [f"-L{folder}" for folder in (ours, *command.all("library_folder"))]  # an SDK's libraries come later
    words += [f"-Wl,{option}" for option in command.all("link_option")]
    if wants_openmp(command):
        library = openmp_library()
        # GCC's runtime has the functions that programs call themselves.
        words += ["-fopenmp"] if library is None else [str(library), f"-Wl,-rpath,{library.parent}"]
    linked = {
        "none": (),
        "shared": (f"-Wl,-rpath,{ours}", "-lcudart"),
        "static": ("-lcudadevrt", "-lcudart_static"),
    }
    return compiler.linking([*words, *linked[runtime], *SYSTEM_LIBRARIES])


def run(words: Sequence[str]) -> int:
    """Run a command of the system's; its exit status."""
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode
    except OSError as error:
        raise Error(f"{words[0]} could not be run: {error.strerror}") from None
