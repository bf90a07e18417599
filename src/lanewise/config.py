# SPDX-License-Identifier: Apache-2.0
"""The environment: the one place that reads it.

| variable               | meaning                                             | default                     |
| ---------------------- | --------------------------------------------------- | --------------------------- |
| `LANEWISE_CACHE_DIR`   | folder of the compile cache                         | `$XDG_CACHE_HOME/lanewise`, |
|                        |                                                     | else `~/.cache/lanewise`    |
| `LANEWISE_CACHE`       | `0` turns the compile cache off                     | on                          |
| `LANEWISE_NUM_THREADS` | threads that run work-groups, the caller's included | the processors that this    |
|                        |                                                     | process may run on          |
| `LANEWISE_DEVICE`      | device of a launch that names none; of CUDA         | `cpu`                       |
|                        | programs, `cpu` or `cuda`                           |                             |
| `LANEWISE_MAPPING`     | `mapping` of a compilation that names none          | `auto`                      |
| `LANEWISE_CHECK`       | checks of a compilation that names none: `1` for    | off                         |
|                        | all, or names with commas between                   |                             |
| `LANEWISE_CHECK_EXIT_CODE` | whole programs: the exit code of one in which | 66                          |
|                        | checks found something; `0` leaves its own          |                             |
| `LANEWISE_CHECK_LIMIT` | faults that a process describes; it counts others  | 10 of each launch           |
| `LANEWISE_CHECK_SUPPRESS` | a file with places whose faults are not told     | none                        |
| `LANEWISE_CHECK_REPORT` | a file to which each fault is added as a line of   | none                        |
|                        | JSON                                                |                             |
| `LANEWISE_CPU`         | processor that machine code is made for: `native`,  | `native`                    |
|                        | or a level that it has (`CPU_LEVELS`)               |                             |
| `LANEWISE_WATCHDOG`    | seconds that a launch may wait for what nobody in   | 5                           |
|                        | this process changes, or `off`                      |                             |
| `LANEWISE_CLANG`       | a clang 22, as a path or a name in `PATH`, in place | clang of the `ziglang`      |
|                        | of that of the wheel                                | wheel                       |
| `LANEWISE_LOG`         | `1` writes cache hits, misses and times to standard | off                         |
|                        | error                                               |                             |
| `LANEWISE_VERIFY`      | `1` verifies the IR after each step of a pipeline   | off                         |
| `LANEWISE_PTXAS`       | the ptxas that `lanewise ptxas` runs                | the first one of `PATH`,    |
|                        |                                                     | `CUDA_HOME`, `CUDA_PATH`    |
| `LANEWISE_PTXAS_OPTIONS` | options of `lanewise ptxas`, as in a shell        | none                        |
| `LANEWISE_TRACEBACKS`  | `full`: errors keep the frames inside Lanewise      | they end at the user's call |
| `LANEWISE_GPU`         | CUDA programs: the GPU that the device is described | `A100`                      |
|                        | as                                                  |                             |
| `LANEWISE_HOST_POINTERS` | CUDA programs: `1` lets kernels use the host's    | off                         |
|                        | memory                                              |                             |
| `LANEWISE_STRICT_BOUNDS` | CUDA programs: `1` makes all accesses beside      | off                         |
|                        | arrays errors                                       |                             |
| `LANEWISE_PROFILE`     | CUDA programs: `1` writes a summary of kernels,     | off                         |
|                        | copies and calls to standard error                  |                             |
| `LANEWISE_SPECIALISE`  | CUDA programs: `0` compiles no kernel for its block | on                          |
|                        | size while the program runs                         |                             |
| `NO_COLOR`, `FORCE_COLOR` | the command line's colours off, or on            | on where a person reads     |

An empty value counts as unset.

`Config` and `PtxasSettings` are read once and handed on. A function reads what is to hold from one launch, compilation
or line to the next, since test suites and notebooks set it when Lanewise has long been imported.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from lanewise.errors import Error

MAX_THREADS = 1024
"""Most threads that a pool may have: the size of the runtime core's table of workers."""


MAX_WATCHDOG = 1e9
"""Seconds: the runtime core counts nanoseconds in 64 bits."""

_LEVEL_2 = frozenset({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"})
_LEVEL_3 = _LEVEL_2 | {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}
CPU_LEVELS = {
    "x86-64-v2": _LEVEL_2,
    "x86-64-v3": _LEVEL_3,
    "x86-64-v4": _LEVEL_3 | {"avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl"},
}
"""The microarchitecture levels of the System V ABI for x86-64 (1.0, table 3.1) that a session may be limited to, each
with its extensions beside those of all processors, as Linux calls them."""

_ASSEMBLING = "_LANEWISE_PTXAS_RUNS"

WATCHDOG_SECONDS = 5.0
"""Time for the host to change what all threads of a launch wait for: more than it takes to copy or compute what a
flag stands for, and not yet long for somebody who waits for an error."""


VARIABLES: Final = (
    "LANEWISE_CACHE_DIR", "LANEWISE_CACHE", "LANEWISE_NUM_THREADS", "LANEWISE_DEVICE", "LANEWISE_MAPPING",
    "LANEWISE_CHECK", "LANEWISE_CHECK_EXIT_CODE", "LANEWISE_CHECK_LIMIT", "LANEWISE_CHECK_SUPPRESS",
    "LANEWISE_CHECK_REPORT", "LANEWISE_CPU", "LANEWISE_WATCHDOG", "LANEWISE_CLANG", "LANEWISE_LOG", "LANEWISE_VERIFY",
    "LANEWISE_PTXAS", "LANEWISE_PTXAS_OPTIONS", "LANEWISE_TRACEBACKS", "LANEWISE_GPU", "LANEWISE_HOST_POINTERS",
    "LANEWISE_STRICT_BOUNDS", "LANEWISE_PROFILE", "LANEWISE_SPECIALISE",
)  # fmt: skip
"""Every variable of Lanewise's own, as in the table above. The last five, LANEWISE_CHECK_EXIT_CODE and LANEWISE_DEVICE
are read by CUDA's runtime library and the host runtime, which are not Python (`cuda/runtime/`, `runtime/host/`)."""

_PREFIX: Final = "LANEWISE_"

_OBSERVERS: Final = (
    "LD_PRELOAD", "LD_AUDIT", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "LLVM_PROFILE_FILE", "GCOV_PREFIX",
    "GMON_OUT_PREFIX", "ASAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
)  # fmt: skip
"""Variables of `is_observed`."""


class Config(NamedTuple):
    """The settings of one session; a plain value, handed to whoever needs one of them."""

    cache_dir: Path | None
    """Folder of the compile cache; None where caching is off or no home folder is known."""
    num_threads: int
    """Threads that run work-groups, the calling one included; 1 to `MAX_THREADS`."""
    device: str | None = None
    """Name of the default device; None: what the environment says when it is asked for."""


class PtxasSettings(NamedTuple):
    """The environment's settings for `lanewise ptxas`: a plain value, handed on to the code that runs the real one."""

    program: Path | None
    """The ptxas that is named; None: the first one that is found."""
    folders: tuple[Path, ...]
    """Folders that may hold programs of a CUDA toolkit: those of `PATH`, then of `CUDA_HOME` and `CUDA_PATH`."""
    options: str
    """Options that compilers, which run `lanewise ptxas`, don't give."""
    is_assembling: bool
    """`lanewise ptxas` has run what calls it now: it would go round for ever."""
    child_environment: dict[str, str]
    """The environment of the ptxas that is run, in which `is_assembling` is true."""


def from_environment(environ: Mapping[str, str] = os.environ) -> Config:
    """The settings that `environ` asks for. Raises `Error` for a thread count that is no count."""
    return Config(
        cache_dir=_cache_dir(environ),
        num_threads=_num_threads(environ.get("LANEWISE_NUM_THREADS", "")),
    )


def check(environ: Mapping[str, str] = os.environ) -> None:
    """Raise `Error` for the first variable whose value is refused where it is used."""
    from_environment(environ)
    cpu_level(environ)
    watchdog(environ)


def in_force(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that are set and not empty, those included that only look like ours."""
    return {name: environ[name] for name in sorted(environ) if name.startswith(_PREFIX) and environ[name].strip()}


def search_path(environ: Mapping[str, str] = os.environ) -> str:
    """The folders that programs are looked for in, as `PATH` has them."""
    return environ.get("PATH", "")


def environment_with_libraries(folder: str, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a child process that finds shared libraries in `folder` first. On a GPU it is as it was, since
    the driver's library is NVIDIA's there."""
    if default_device(environ) == "cuda":
        return dict(environ)
    before = environ.get("LD_LIBRARY_PATH", "")
    return {**environ, "LD_LIBRARY_PATH": f"{folder}:{before}" if before else folder}


def nvcc_flags(environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """Options of nvcc that stand before and after those of its command line, as text."""
    return environ.get("NVCC_PREPEND_FLAGS", "").strip(), environ.get("NVCC_APPEND_FLAGS", "").strip()


def default_device(environ: Mapping[str, str] = os.environ) -> str:
    """Name of the device that the environment asks for. It is read at each launch, since test suites and notebooks
    set it when Lanewise has long been imported."""
    return environ.get("LANEWISE_DEVICE", "").strip() or "cpu"


def device_setting(environ: Mapping[str, str] = os.environ) -> bytes | None:
    """LANEWISE_DEVICE as C reads it; None if it isn't set."""
    value = environ.get("LANEWISE_DEVICE")
    return None if value is None else os.fsencode(value)


def is_observed(environ: Mapping[str, str] = os.environ) -> bool:
    """True if a variable loads libraries into each process that may write results at its end, or says where: those of
    the dynamic linker, of CUDA's profilers, and of clang's and gcc's instrumented code."""
    return any(environ.get(name) for name in _OBSERVERS)


def default_mapping(environ: Mapping[str, str] = os.environ) -> str:
    """The mapping that the environment asks for, as text. It is read at each compilation, as `default_device` is."""
    return environ.get("LANEWISE_MAPPING", "").strip() or "auto"


def default_checks(environ: Mapping[str, str] = os.environ) -> bool | tuple[str, ...]:
    """The checks that the environment asks for: none, all, or those that it names. It is read at each compilation, as
    `default_device` is. Error for an empty name."""
    return checks_named(environ.get("LANEWISE_CHECK", ""))


def checks_named(text: str) -> bool | tuple[str, ...]:
    """The checks that a text names, separated by commas: all for "1", none for nothing or "0". With further names, "1"
    stays among them. Error for a name that is empty, as in "races,"."""
    if text.strip() in ("", "0"):
        return False
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise Error(f"an empty name among the checks {text.strip()!r}")
    return True if names == ("1",) else names


class CheckSettings(NamedTuple):
    """Settings of what becomes of faults. `limit`: faults that a process describes; None: 10 of a launch.
    `suppressions`: a file of places that are not told. `report`: a file that faults are added to, for other
    programs."""

    limit: int | None
    suppressions: str
    report: str


def check_settings(environ: Mapping[str, str] = os.environ) -> CheckSettings:
    """The settings of faults. Error for a limit that is no number."""
    limit = environ.get("LANEWISE_CHECK_LIMIT", "").strip()
    if limit and not limit.isdecimal():
        raise Error(f"LANEWISE_CHECK_LIMIT must be a number of faults, not {limit!r}")
    suppressions, report = environ.get("LANEWISE_CHECK_SUPPRESS", ""), environ.get("LANEWISE_CHECK_REPORT", "")
    return CheckSettings(int(limit) if limit else None, suppressions, report)


def ask_for_checks(text: str) -> Callable[[], None]:
    """Set LANEWISE_CHECK for this process and its children. Returns what restores it."""
    return set_variables({"LANEWISE_CHECK": text})


def set_variables(wanted: Mapping[str, str]) -> Callable[[], None]:
    """Set variables of the environment for this process and its children. Returns what restores them."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)

    def restore() -> None:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value

    return restore


def cpu_level(environ: Mapping[str, str] = os.environ) -> str | None:
    """The level of x86-64 that machine code is limited to; None: all that the processor has. Raises `Error` for a level
    that there isn't."""
    text = environ.get("LANEWISE_CPU", "").strip()
    if text in ("", "native"):
        return None
    if text not in CPU_LEVELS:
        *first, last = CPU_LEVELS
        raise Error(f"LANEWISE_CPU must be native, {', '.join(first)} or {last}, not {text!r}")
    return text


def environment_for_cpu(level: str, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a child process that makes machine code for a level, or for "native"."""
    return {**environ, "LANEWISE_CPU": level}


def watchdog(environ: Mapping[str, str] = os.environ) -> float | None:
    """Seconds after which a launch ends that waits for what nobody in this process changes; None: never. It is read at
    each launch, as `default_device` is. Raises `Error` for what is neither a positive number nor `off`."""
    text = environ.get("LANEWISE_WATCHDOG", "").strip()
    if not text:
        return WATCHDOG_SECONDS
    if text == "off":
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < MAX_WATCHDOG:
        raise Error(f"LANEWISE_WATCHDOG must be a number of seconds above 0, or off, not {text!r}")
    return seconds


def wants_colour(is_terminal: bool, environ: Mapping[str, str] = os.environ) -> bool:
    """Decide as other tools do if diagnostics are coloured: `NO_COLOR` and `TERM=dumb` say no, `FORCE_COLOR` says yes,
    else it depends on where they go."""
    if environ.get("NO_COLOR"):
        return False
    return bool(environ.get("FORCE_COLOR")) or (is_terminal and environ.get("TERM") != "dumb")


def wants_full_tracebacks(environ: Mapping[str, str] = os.environ) -> bool:
    """Errors are to keep the frames of Lanewise, for those who work on it."""
    return environ.get("LANEWISE_TRACEBACKS", "").strip() == "full"


def wants_log(environ: Mapping[str, str] = os.environ) -> bool:
    """True if the log of `log.py` is to be written. It is read at each line, as `default_device` is."""
    return environ.get("LANEWISE_LOG", "").strip() not in ("", "0")


def verifies_passes(environ: Mapping[str, str] = os.environ) -> bool:
    """True if the IR is to be verified after each step of a pipeline."""
    return environ.get("LANEWISE_VERIFY", "").strip() not in ("", "0")


def without_log(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a child process whose standard error is read."""
    return {name: value for name, value in environ.items() if name != "LANEWISE_LOG"}


def chosen_clang(environ: Mapping[str, str] = os.environ) -> str | None:
    """The clang that the environment names, as a path or a name; None: the wheel's."""
    return environ.get("LANEWISE_CLANG", "").strip() or None


def ptxas_settings(environ: Mapping[str, str] = os.environ) -> PtxasSettings:
    """Read all settings of `lanewise ptxas` from the environment at once."""
    chosen = environ.get("LANEWISE_PTXAS", "").strip()
    folders = [Path(folder) for folder in environ.get("PATH", "").split(os.pathsep) if folder]
    toolkits = [environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    return PtxasSettings(
        program=Path(chosen) if chosen else None,
        folders=(*folders, *(Path(toolkit, "bin") for toolkit in toolkits if toolkit)),
        options=environ.get("LANEWISE_PTXAS_OPTIONS", ""),
        is_assembling=bool(environ.get(_ASSEMBLING)),
        child_environment={**environ, _ASSEMBLING: "1"},
    )


def _cache_dir(environ: Mapping[str, str]) -> Path | None:
    if environ.get("LANEWISE_CACHE", "").strip() == "0":
        return None
    if chosen := environ.get("LANEWISE_CACHE_DIR", ""):
        return Path(chosen)
    # The XDG base directory specification: a relative XDG_CACHE_HOME is to be ignored.
    if os.path.isabs(base := environ.get("XDG_CACHE_HOME", "")):
        return Path(base, "lanewise")
    home = environ.get("HOME", "") or os.path.expanduser("~")
    return Path(home, ".cache", "lanewise") if os.path.isabs(home) else None


def data_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The user's folder for data of programs, by the XDG base directory specification."""
    base = environ.get("XDG_DATA_HOME", "")
    home = environ.get("HOME", "") or os.path.expanduser("~")
    return Path(base) if os.path.isabs(base) else Path(home, ".local", "share")


def _num_threads(text: str) -> int:
    if not text.strip():
        return min(len(os.sched_getaffinity(0)), MAX_THREADS)
    if not text.strip().isdecimal() or not 1 <= int(text) <= MAX_THREADS:
        raise Error(f"LANEWISE_NUM_THREADS must be a whole number from 1 to {MAX_THREADS}, not {text!r}")
    return int(text)
