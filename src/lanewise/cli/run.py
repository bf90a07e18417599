# SPDX-License-Identifier: Apache-2.0
"""`lanewise run`: compile, launch once, show what came out."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

import lanewise
from lanewise.cli.binding import bind, shown, split_name
from lanewise.cli.output import check_array_file, write_array
from lanewise.cli.request import Request, compiled, the_kernel
from lanewise.cli.summary import described, summary, whole
from lanewise.cli.terminal import Terminal
from lanewise.cli.timing import BytesMoved, launch_times, told, told_as_data
from lanewise.cli.values import Filler, read_value
from lanewise.config import default_device
from lanewise.device.base import Device
from lanewise.errors import Error
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module

T = TypeVar("T")
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class LaunchRequest:
    """A kernel to launch, and how. `arguments` are values as written, some with a parameter's name."""

    kernel: str | None
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Sequence[str]
    shared: int = 0
    device: str | None = None
    timeout: float | None = None
    cooperative: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Wanted:
    """Uses of the results: arrays to save ([NAME=]FILE) and to print (NAME). `timed`: also launch on copies, and report
    how long that takes."""

    saved: Sequence[str] = ()
    printed: Sequence[str] = ()
    timed: bool = False


class Seconds(NamedTuple):
    """Duration of each step."""

    front_end: float
    machine_code: float
    run: float


def run_kernel(request: Request, launch: LaunchRequest, wanted: Wanted, terminal: Terminal) -> None:
    """Run one kernel. All is checked before the launch that can be, so that no result is lost to a misspelt file."""
    device = lanewise.device(launch.device or default_device())
    module, front_end = _timed(lambda: compiled(request, terminal))
    if module.kernels and module.main_warning is not None and launch.kernel is None and not launch.arguments:
        _say_that_main_is_not_run(request.file, module, terminal)
    kernel = the_kernel(module, launch.kernel)
    values = _values(kernel, launch)
    arrays = _arrays(kernel, values)
    files = [_file(text, kernel, arrays) for text in wanted.saved]
    printed = [_array(name, kernel, arrays) for name in wanted.printed]

    _, machine_code = _timed(lambda: kernel.prepare(launch.grid, launch.block, values, device))
    terminal.detail(f"machine code: {1e3 * machine_code:.1f} ms")
    if terminal.verbose and device.name == "cpu":
        for remark in kernel.remarks(launch.block):
            terminal.detail(f"{kernel.name}: {remark}")
    _build(device, terminal)
    values = [_guarded(value, device) for value in values]
    arrays = _arrays(kernel, values)
    again = [_guarded(value, device) for value in values] if wanted.timed else []

    def run(arguments: list[object]) -> None:
        kernel.launch(
            launch.grid, launch.block, arguments, launch.shared,
            device=device, timeout=launch.timeout, cooperative=launch.cooperative,
        )  # fmt: skip

    output = StringIO()
    captured: AbstractContextManager[object] = redirect_stdout(output) if terminal.json else nullcontext()
    with captured:
        _, ran = _timed(lambda: run(values))
    seconds = Seconds(front_end, machine_code, ran)

    changeable = {p.name: arrays[p.name] for p in kernel.params if p.name in arrays and not p.const}
    terminal.say(_headline(kernel, launch, device, seconds))
    for line in summary(changeable):
        terminal.say(f"  {line}")
    times = launch_times(lambda: run(again)) if wanted.timed else []
    traffic = _traffic(kernel, launch, arrays, device) if wanted.timed else None
    for line in told(seconds, times, traffic) if wanted.timed else ():
        terminal.say(f"  {line}")
    for name in printed:
        if not terminal.json:
            terminal.result(whole(name, arrays[name]))
    for name, path in files:
        write_array(path, arrays[name])
        terminal.say(f"wrote {name} to {path}")
    terminal.data(
        {
            "kernel": kernel.name,
            "device": device.name,
            "grid": launch.grid,
            "block": launch.block,
            "seconds": seconds._asdict(),
            "arrays": {name: described(array, name in printed) for name, array in changeable.items()}
            | {name: described(arrays[name], True) for name in printed if name not in changeable},
            "output": output.getvalue(),
            "files": {name: str(path) for name, path in files},
            **({"timing": told_as_data(times, traffic)} if wanted.timed else {}),
        }
    )


def _say_that_main_is_not_run(file: str, module: Module, terminal: Terminal) -> None:
    """Note that `main` is not run, if the only kernel can run without it. Otherwise an Error names the kernels, and how
    to run one."""
    kernels = list(module)
    if len(kernels) == 1 and not kernels[0].params:
        terminal.note(f"note: main() of {file} is not run, only kernel {kernels[0].name}")
        return
    lines = [
        f"{file} has a main(), and whole programs are run from .cu files alone; this runs one kernel, with arguments"
    ]
    lines += [f"  {kernel.name}({shown(kernel.params) if kernel.params else ''})" for kernel in kernels]
    first = kernels[0]
    arguments = " ".join(f"--arg {parameter.name}=..." for parameter in first.params)
    lines.append(f"for example: lanewise run {file} --kernel {first.name} --grid 4 --block 256 {arguments}".rstrip())
    lines.append("forms of --arg: lanewise run --help")
    raise Error("\n".join(lines))


def _traffic(kernel: Kernel, launch: LaunchRequest, arrays: Arrays, device: Device) -> BytesMoved | None:
    """The memory that a launch moves, as far as its arguments tell. None for devices other than the CPU."""
    from lanewise.cache import Cache
    from lanewise.config import from_environment
    from lanewise.device.cpu import CpuDevice
    from lanewise.device.cpu.bandwidth import fits_the_caches, memory_bandwidth

    if not isinstance(device, CpuDevice):
        return None
    info = kernel.info(launch.block)
    read, written = (
        sum(arrays[name].nbytes for name in names if name in arrays) for names in (info.reads, info.writes)
    )
    used = sum(arrays[name].nbytes for name in {*info.reads, *info.writes} if name in arrays)
    machine = None
    if not fits_the_caches(used):
        machine = memory_bandwidth(Cache(from_environment().cache_dir), device.num_threads)
    return BytesMoved(read, written, machine)


def _timed(step: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = step()
    return result, time.perf_counter() - start


def _build(device: Device, terminal: Terminal) -> None:
    """Compile what the device itself needs, if no launch on this machine has done so yet. That takes seconds, so a note
    says it."""
    if not device.is_built:
        terminal.note("lanewise: building the runtime for this machine, which is done once")
    _, took = _timed(device.build)
    terminal.detail(f"runtime: {1e3 * took:.1f} ms")


def _values(kernel: Kernel, launch: LaunchRequest) -> list[object]:
    filler = Filler(launch.seed)
    texts = bind(kernel.name, kernel.params, launch.arguments)
    return [read_value(text, parameter, filler) for text, parameter in zip(texts, kernel.params, strict=True)]


def guarded_values(kernel: Kernel, launch: LaunchRequest) -> list[object]:
    """The arguments of a launch on the CPU, arrays as copies that begin a cache line."""
    device = lanewise.device("cpu")
    return [_guarded(value, device) for value in _values(kernel, launch)]


def _arrays(kernel: Kernel, values: list[object]) -> Arrays:
    return {p.name: v for p, v in zip(kernel.params, values, strict=True) if isinstance(v, np.ndarray)}


def _guarded(value: object, device: Device) -> object:
    """A copy of an array, in memory where the device notices accesses outside of it. Other values stay as they are."""
    if device.capabilities.own_memory or not isinstance(value, np.ndarray):
        return value
    return lanewise.to_device(cast("NDArray[Any]", value), device).array


def _file(text: str, kernel: Kernel, arrays: Arrays) -> tuple[str, Path]:
    """The name of an array, and the file that it goes to, from [NAME=]FILE."""
    name, file = split_name(text)
    path = Path(file)
    name = path.stem if name is None else name
    if name not in arrays:
        raise Error(
            f"--save {text}: kernel {kernel.name} has no array '{name}'; write --save NAME={file} with one of: "
            f"{', '.join(arrays) or shown(kernel.params)}"
        )
    check_array_file(path, arrays[name])
    return name, path


def _array(name: str, kernel: Kernel, arrays: Arrays) -> str:
    """The checked name of an array that is to be printed."""
    if name not in arrays:
        raise Error(
            f"--print {name}: kernel {kernel.name} has no array '{name}'; it has: {', '.join(arrays) or 'none'}"
        )
    return name


def _headline(kernel: Kernel, launch: LaunchRequest, device: Device, seconds: Seconds) -> str:
    geometry = f"[{_extent(launch.grid)}; {_extent(launch.block)}]"
    compiled_s = seconds.front_end + seconds.machine_code
    return (
        f"{kernel.name}{geometry} on {device.name}: compiled in {1e3 * compiled_s:.0f} ms, "
        f"ran in {1e3 * seconds.run:.1f} ms"
    )


def _extent(size: Sequence[int]) -> str:
    return "x".join(map(str, size))
