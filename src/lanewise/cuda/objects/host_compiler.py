# SPDX-License-Identifier: Apache-2.0
"""The C++ compiler whose library and linker host code is built with: the system's g++, else the ziglang wheel's."""

import functools
import os
import re
import shutil
import subprocess
from typing import Final, NamedTuple

from lanewise.cuda.objects.wheel_library import NAME, build_wheel_library, wheel_command
from lanewise.errors import Error
from lanewise.frontend.clang import find_toolchain

OLDEST: Final = 9
"""The oldest version of GCC whose library clang 22 reads."""
_SEVERAL_LIBRARIES: Final = frozenset({"-s"})
"""Options of the link for each of which the wheel would build its library anew."""


class HostCompiler(NamedTuple):
    """A compiler: the words that its commands start with, and for g++ its version and the folder that its library is
    installed by."""

    command: tuple[str, ...]
    version: int | None = None
    install_folder: str | None = None

    @property
    def name(self) -> str:
        """The program."""
        return self.command[0] if self.install_folder is not None else "the wheel's"

    def library_arguments(self) -> list[str]:
        """Clang's arguments to read the headers of this compiler's C++ library."""
        if self.install_folder is not None:
            return [f"--gcc-install-dir={self.install_folder}"]
        return find_toolchain().library_arguments()

    def linking(self, words: list[str]) -> list[str]:
        """The command that links by `words`."""
        if self.install_folder is not None:
            return [*self.command, *words]
        # lld would drop the tables of kernels in objects with relocatable device code.
        return [*self.command, "-Wl,--no-gc-sections", *(word for word in words if word not in _SEVERAL_LIBRARIES)]

    def require_library(self) -> None:
        """Build the C++ library if it is there as source only. Error if it can't be built."""
        if self.install_folder is None:
            build_wheel_library(self.command)


@functools.cache
def host_compiler(chosen: str | None = None) -> HostCompiler:
    """The g++ called `chosen` (a program, or a folder that holds g++), or the wheel's compiler if that is `zig`. By
    default the system's g++, or the wheel's if there is none that can be used. Error if the chosen one can't be used.
    """
    if chosen == NAME:
        return HostCompiler(wheel_command())
    try:
        return _gnu_compiler(chosen or "g++")
    except Error:
        if chosen is not None:
            raise
        return HostCompiler(wheel_command())


def _gnu_compiler(name: str) -> HostCompiler:
    if os.path.isdir(name):
        name = os.path.join(name, "g++")
    program = shutil.which(name)
    if program is None:
        raise Error(f"{name}, the compiler of host code, is not installed; `-ccbin {NAME}` takes the wheel's")
    version = _said(program, "-dumpversion")
    found = re.match(r"\d+", version)
    libgcc = _said(program, "-print-libgcc-file-name")
    if found is None or not libgcc.endswith("libgcc.a"):
        raise Error(f"{program} is no g++: host code needs the C++ library of one; `-ccbin {NAME}` takes the wheel's")
    if int(found[0]) < OLDEST:
        raise Error(f"{program} is version {version}; host code needs g++ {OLDEST} or newer, or `-ccbin {NAME}`")
    return HostCompiler((program,), int(found[0]), os.path.dirname(os.path.realpath(libgcc)))


def _said(program: str, option: str) -> str:
    """Standard output of `program option`, "" if it can't be run."""
    try:
        done = subprocess.run(
            [program, option], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
