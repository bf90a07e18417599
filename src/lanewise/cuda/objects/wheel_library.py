# SPDX-License-Identifier: Apache-2.0
"""C++ library of the ziglang wheel, for machines without g++: `zig c++` compiles and links host code with libc++.

The wheel has the library's source. It is built when it is first needed, in the cache, which takes a minute or two.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.errors import Error
from lanewise.toolchain import zig

NAME = "zig"
"""The name of this compiler for `-ccbin`."""
_BUILT = "built"
"""The file that is made last."""
_PROGRAM = "#include <iostream>\nint main() { std::cout << std::endl; }\n"


def wheel_command() -> tuple[str, ...]:
    """The words that a command of the wheel's C++ compiler starts with. Error if there is no cache for its library."""
    folder = _folder()
    caches = [f"{name}={folder}" for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")]
    # Without these, undefined behaviour of host code ends the program, as no other compiler has it.
    return ("env", *caches, str(zig()), "c++", "-O2", "-fno-sanitize=undefined")


def is_built() -> bool:
    """True if the library is in the cache. Error as in `wheel_command`."""
    return (_folder() / _BUILT).exists()


def build_wheel_library(command: Sequence[str]) -> None:
    """Build the library, unless that was done before; says so on standard error. Error if it can't be built."""
    if is_built():
        return
    print("lanewise: building the wheel's C++ library, once; this takes a minute or two", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="lanewise-") as folder:
        source = Path(folder, "program.cpp")
        source.write_text(_PROGRAM)
        words = [*command, str(source), "-o", os.path.join(folder, "program")]
        made = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Error(f"the wheel's C++ library could not be built: {made.stderr.strip()}; or install g++")
    with contextlib.suppress(OSError):
        (_folder() / _BUILT).touch()


def _folder() -> Path:
    base = Cache(from_environment().cache_dir).base
    if base is None:
        raise Error(
            "there is no g++, and the wheel's C++ library is kept in the cache, which is turned off; install g++"
        )
    return base / "libcxx"
