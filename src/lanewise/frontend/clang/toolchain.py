# SPDX-License-Identifier: Apache-2.0
"""The ziglang wheel's clang and headers, and the check that its LLVM is llvmlite's."""

import functools
import importlib.util
import os
from pathlib import Path
from typing import NamedTuple

from lanewise.errors import Error

# Releases and the LLVM major version inside them. Textual IR is only sure to be understood by the same major version.
LLVM_OF_ZIGLANG = {"0.17": 22}
LLVM_OF_LLVMLITE = {"0.50": 22}

# What `zig c++` defines for its libc++ and glibc headers, so that they read right without `zig c++` around them.
LIBRARY_DEFINES = (
    "__GLIBC_MINOR__=36",
    "_LIBCPP_ABI_VERSION=1",
    "_LIBCPP_ABI_NAMESPACE=__1",
    "_LIBCPP_HAS_THREADS=1",
    "_LIBCPP_HAS_MONOTONIC_CLOCK",
    "_LIBCPP_HAS_TERMINAL",
    "_LIBCPP_HAS_MUSL_LIBC=0",
    "_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "_LIBCPP_HAS_VENDOR_AVAILABILITY_ANNOTATIONS=0",
    "_LIBCPP_HAS_FILESYSTEM=1",
    "_LIBCPP_HAS_RANDOM_DEVICE",
    "_LIBCPP_HAS_LOCALIZATION",
    "_LIBCPP_HAS_UNICODE",
    "_LIBCPP_HAS_WIDE_CHARACTERS",
    "_LIBCPP_HAS_NO_STD_MODULES",
    "_LIBCPP_HAS_TIME_ZONE_DATABASE",
    "_LIBCPP_PSTL_BACKEND_SERIAL",
    "_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
)


class Toolchain(NamedTuple):
    """The files of one ziglang wheel: `zig` is the binary, `library` the folder of headers beside it."""

    zig: Path
    library: Path

    @property
    def host_triple(self) -> str:
        return f"{os.uname().machine}-linux-gnu"

    def library_arguments(self) -> list[str]:
        """Arguments that let host code use the wheel's libc++ and glibc headers, and nothing of the machine's."""
        machine = os.uname().machine
        kernel_headers = {"x86_64": "x86"}.get(machine, machine)
        directories = (
            "libcxx/include",
            "libcxxabi/include",
            "include",
            f"libc/include/{kernel_headers}-linux-gnu",
            "libc/include/generic-glibc",
            f"libc/include/{kernel_headers}-linux-any",
            "libc/include/any-linux-any",
        )
        arguments = ["-nostdinc"]
        for directory in directories:
            arguments += ["-isystem", str(self.library / directory)]
        return arguments + [f"-D{define}" for define in LIBRARY_DEFINES]


@functools.cache
def find_toolchain() -> Toolchain:
    """The clang to use. Raises `Error` if the ziglang wheel is missing or its LLVM isn't llvmlite's."""
    clang = _llvm_major("ziglang", LLVM_OF_ZIGLANG)
    llvmlite = _llvm_major("llvmlite", LLVM_OF_LLVMLITE)
    if clang != llvmlite:
        raise Error(
            f"ziglang's clang is version {clang}, llvmlite's LLVM is version {llvmlite}: they must be the same; "
            "reinstall lanewise to get a pair that fits"
        )
    wheel = _package_folder("ziglang")
    return Toolchain(zig=wheel / "zig", library=wheel / "lib")


def _llvm_major(package: str, majors: dict[str, int]) -> int:
    """The major version of LLVM inside `package`, as the package's own version implies it."""
    wanted = " or ".join(f"{release}.*" for release in majors)
    version = installed_version(package)
    if version is None:
        raise Error(f"the package {package} is not installed: pip install '{package}=={wanted}'")
    release = ".".join(version.split(".")[:2])
    if release not in majors:
        raise Error(f"{package} {version} is installed, but lanewise works with {package} {wanted}")
    return majors[release]


def installed_version(package: str) -> str | None:
    """The version of an installed package by the name of its metadata folder; None if it isn't installed.

    Neither the package nor importlib.metadata is imported: they take longer than clang on a small kernel."""
    if importlib.util.find_spec(package) is None:
        return None
    for metadata in _package_folder(package).parent.glob(f"{package}-*.dist-info"):
        return metadata.name.removeprefix(f"{package}-").removesuffix(".dist-info")
    return None


def _package_folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Error(f"the package {package} is not installed")
    return Path(spec.origin).parent
