# SPDX-License-Identifier: Apache-2.0
"""The system's C++ compiler, whose library and linker host code is built with."""

import functools
import os
import re
import shutil
import subprocess
from typing import Final, NamedTuple

from lanewise.errors import Error

OLDEST: Final = 9
"""The oldest version of GCC whose library clang 22 reads."""


class HostCompiler(NamedTuple):
    """A g++: the program, its major version, and the folder that its library is installed by."""

    program: str
    major: int
    install_folder: str


@functools.cache
def host_compiler(chosen: str | None = None) -> HostCompiler:
    """The system's g++, or the one called `chosen` (a program, or a folder that holds g++). Error if there is none, or
    one that is too old."""
    name = chosen or "g++"
    if os.path.isdir(name):
        name = os.path.join(name, "g++")
    program = shutil.which(name)
    if program is None:
        raise Error(
            f"host code needs g++, version {OLDEST} or newer, for its C++ library and linker, and {name} is not "
            "installed"
        )
    version = _said(program, "-dumpversion")
    found = re.match(r"\d+", version)
    libgcc = _said(program, "-print-libgcc-file-name")
    if found is None or not libgcc.endswith("libgcc.a"):
        raise Error(f"{program} is no g++: host code needs the C++ library of one")
    if int(found[0]) < OLDEST:
        raise Error(f"{program} is version {version}; host code needs g++ {OLDEST} or newer")
    return HostCompiler(program, int(found[0]), os.path.dirname(os.path.realpath(libgcc)))


def _said(program: str, option: str) -> str:
    """Standard output of `program option`, "" if it can't be run."""
    try:
        done = subprocess.run(
            [program, option], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
