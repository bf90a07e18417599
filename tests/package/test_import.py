# SPDX-License-Identifier: Apache-2.0
"""`import lanewise`, in child processes: where it works, and what it gives."""

import subprocess
import sys

import pytest


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("platform", "name"),
    [("darwin", "macOS"), ("win32", "Windows"), ("cygwin", "Cygwin"), ("freebsd14", "freebsd14")],
)
@pytest.mark.parametrize("module", ["lanewise", "lanewise.cli"])
def test_other_systems_are_refused_by_name(platform: str, name: str, module: str):
    done = python(f"import sys; sys.platform = {platform!r}; import {module}")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: lanewise runs on Linux on x86-64, and not on {name}; "
    )


def test_nothing_is_loaded_before_the_refusal():
    code = """
import sys
sys.platform = "win32"
try:
    import lanewise
except ImportError as error:
    print(error.name, [name for name in sys.modules if name.startswith("lanewise")])
"""
    assert python(code).stdout == "lanewise []\n"
