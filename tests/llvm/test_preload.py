# SPDX-License-Identifier: Apache-2.0
"""LLVM's library loaded ahead, in a new process: this one has it already."""

import subprocess
import sys

_PROGRAM = """
import sys
from pathlib import Path
from lanewise.llvm.preload import library_loading
{before}
with library_loading():
    pass
print("libllvmlite" in Path("/proc/self/maps").read_text(), "llvmlite.binding" in sys.modules)
"""


def _run(before: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(before=before)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_the_library_is_there_before_llvmlite_is_imported():
    assert _run("") == ["True", "False"]


def test_a_library_that_is_elsewhere_is_left_to_llvmlite():
    assert _run("import lanewise.llvm.preload as p; p.package_folder = lambda name: Path('/nowhere')")[0] == "False"
