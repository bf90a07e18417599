# SPDX-License-Identifier: Apache-2.0
"""The environment of the peers, out/bench/venv, and what a process that uses them needs to know.

Numba pins a version of llvmlite, and Intel's runtime brings libraries that others have, too: so they live apart.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
FOLDER: Final = ROOT / "out" / "bench"
_VENV: Final = FOLDER / "venv"
_PACKAGES: Final = {  # of "platform", Lanewise's OpenCL, only the packages are used: it runs in our environment
    "intel": ("pyopencl", "intel-opencl-rt", "intel-cmplr-lib-rt"),
    "pocl": ("pyopencl", "pocl-binary-distribution"),
    "numba": ("numba",),
    "oclgrind": ("pyopencl",),
    "platform": ("pyopencl",),
}

CPUS: Final[dict[str, dict[str, str]]] = {
    "native": {},
    "x86-64-v3": {
        "LANEWISE_CPU": "x86-64-v3",
        "CL_CONFIG_CPU_TARGET_ARCH": "core-avx2",  # Intel's runtime
        "NUMBA_CPU_NAME": "x86-64-v3",
        "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi,+bmi2,+f16c,+lzcnt,+movbe,+popcnt",
    },
}
"""Environment variables that limit each peer to a level of x86-64. pocl 3.0 knows none."""


def python(peer: str) -> Path:
    """The interpreter of a peer's process."""
    return _VENV / "bin" / "python" if peer in _PACKAGES else Path(sys.executable)


def site_packages() -> Path:
    """The folder of the peers' packages. OSError if there is none."""
    for folder in _VENV.glob("lib/python3*/site-packages"):
        return folder
    raise OSError(f"{_VENV.relative_to(ROOT)} has no packages")


def environ(peer: str, threads: int, cache: Path) -> dict[str, str]:
    """The environment variables of a peer's process: what each library calls the number of threads, and its cache."""
    variables = os.environ | {
        "PYTHONPATH": str(ROOT),
        "LANEWISE_CACHE_DIR": str(cache),
        "LANEWISE_NUM_THREADS": str(threads),
        "NUMBA_NUM_THREADS": str(threads),
        "POCL_MAX_PTHREAD_COUNT": str(threads),
        "POCL_CACHE_DIR": str(cache / "pocl"),
        "PYOPENCL_NO_CACHE": "1",
        "OMP_WAIT_POLICY": "passive",
    }
    # Intel's runtime lies there.
    return variables | {"LD_LIBRARY_PATH": str(_VENV / "lib")} if peer in _PACKAGES else variables


def install(peers: list[str]) -> dict[str, str]:
    """Set up what the peers need, once. Those for which that fails, each with the reason."""
    try:
        if not python("numba").exists():
            venv.create(_VENV, with_pip=False)
        pip = _pip()
    except (OSError, subprocess.CalledProcessError) as error:
        return dict.fromkeys(peers, f"no environment: {error}")
    missing = {peer: why for peer in peers if (why := _install(pip, ("numpy", *_PACKAGES[peer])))}
    if "intel" in peers and "intel" not in missing:
        _register_intel()
    return missing


def _pip() -> list[str]:
    """A pip that installs into the environment: ours or, where our environment has none, that of Python itself."""
    for interpreter in (sys.executable, f"{sys.base_prefix}/bin/python{sys.version_info.major}"):
        command = [interpreter, "-m", "pip"]
        if subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0:
            return [*command, "--python", str(_VENV / "bin" / "python")]
    raise OSError("there is no pip")


def _install(pip: list[str], packages: tuple[str, ...]) -> str:
    """Why the packages are not there: the last line that pip says; empty where they are."""
    wanted = [package for package in packages if not _installed(package)]
    if not wanted:
        return ""
    print(f"installing {', '.join(wanted)} into {_VENV.relative_to(ROOT)}", flush=True)
    command = [*pip, "install", "--quiet", "--disable-pip-version-check", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stderr.strip().splitlines() or ["pip failed"])[-1] if done.returncode else ""


def _installed(package: str) -> bool:
    return any(_VENV.glob(f"lib/python3*/site-packages/{package.replace('-', '_')}-*.dist-info"))


def _register_intel() -> None:
    """The loader inside pyopencl's wheel looks for implementations in the wheel's own folder only."""
    for folder in _VENV.glob("lib/python3*/site-packages/pyopencl/.libs"):
        (folder / "intel.icd").write_text(f"{_VENV / 'lib' / 'libintelocl.so'}\n")
