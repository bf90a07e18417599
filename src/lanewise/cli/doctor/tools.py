# SPDX-License-Identifier: Apache-2.0
"""Checks of the programs and packages: NumPy, LLVM, clang, the linker, C++, Z3, ptxas."""

from __future__ import annotations

import importlib
import re
import subprocess
from importlib import metadata
from pathlib import Path

from lanewise.cli.doctor.finding import Finding, absent, missing, ok
from lanewise.config import chosen_clang, ptxas_settings
from lanewise.cuda.objects.host_compiler import host_compiler
from lanewise.errors import Error
from lanewise.frontend.clang import find_toolchain
from lanewise.llvm.binding import llvm
from lanewise.ptx.assembler import find_ptxas
from lanewise.ptx.symbolic import z3_module
from lanewise.toolchain import CLANG_MAJOR, clang_command, run_zig, zig


def numpy() -> Finding:
    """NumPy, which holds the arrays."""
    try:
        importlib.import_module("numpy")
    except ImportError as error:
        return missing(f"can't be imported ({error}): pip install numpy")
    version = _version("numpy")
    return ok(str(version), version=version)


def llvmlite() -> Finding:
    """llvmlite and the LLVM in it."""
    package = _version("llvmlite")
    try:
        version = ".".join(map(str, llvm().llvm_version_info))
    except (ImportError, OSError) as error:
        return missing(f"can't be imported ({error}): pip install llvmlite", version=package)
    text, data = f"{package}, with LLVM {version}", {"version": package, "llvm": version}
    if not version.startswith(f"{CLANG_MAJOR}."):
        return missing(f"{text}; lanewise works with LLVM {CLANG_MAJOR}", **data)
    return ok(text, **data)


def clang() -> Finding:
    """The clang that compiles kernels and the runtime."""
    find_toolchain()
    command = clang_command()
    version = _found(r"clang version ([.\d]+)", _said([*command, "--version"]))
    chosen = chosen_clang() is not None
    source = "LANEWISE_CLANG" if chosen else f"ziglang {_version('ziglang')}"
    return ok(f"{version}, of {source}: {command[0]}", version=version, source=source, path=command[0])


def linker() -> Finding:
    """The linker of the ziglang wheel."""
    said = run_zig(["ld.lld", "--version"], "ld.lld can't be run").decode(errors="replace")
    version = _found(r"LLD ([.\d]+)", said)
    return ok(f"lld {version}, of ziglang {_version('ziglang')}: {zig()}", version=version, path=str(zig()))


def z3() -> Finding:
    """Z3, which proves warp shuffles."""
    if not z3_module.is_installed():
        return absent(f"not installed; only shuffles in PTX need it: {z3_module.HOW_TO_INSTALL}")
    try:
        version = str(z3_module.z3().get_version_string())
    except Exception as error:  # z3 has exceptions of its own for a library that can't be loaded
        return absent(f"installed, but can't be loaded: {error}")
    return ok(version, version=version)


def host_code() -> Finding:
    """The C++ compiler of whole CUDA programs: the system's g++, or the wheel's."""
    try:
        found = host_compiler()
    except Error as error:
        return absent(f"only whole CUDA programs need it: {error}")
    if found.version is None:
        return ok("the wheel's libc++, since there is no g++", version=None, path=str(zig()))
    return ok(f"g++ {found.version}, {found.name}", version=found.version, path=found.name)


def ptxas() -> Finding:
    """The ptxas of a CUDA toolkit, which `lanewise ptxas` runs."""
    try:
        path = find_ptxas(ptxas_settings())
        version = _found(r"release ([.\d]+)", _said([str(path), "--version"]))
    except Error as error:
        return absent(f"only `lanewise ptxas` needs one: {error}")
    return ok(f"{version}, {path}", version=version, path=str(path))


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _said(command: list[str]) -> str:
    """Standard output of a command. Error if it fails."""
    name = Path(command[0])
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Error(f"{name} can't be run: {error}") from None
    if done.returncode:
        raise Error(f"{name} ends with exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout.decode(errors="replace")


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    return "an unknown version" if match is None else match[1]
