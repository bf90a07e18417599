# SPDX-License-Identifier: Apache-2.0
"""`lanewise run`: compile, launch once, show what came out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import typer
from numpy.typing import NDArray

import lanewise
from lanewise.cli.binding import bind, shown, split_name
from lanewise.cli.output import check_array_file, write_array
from lanewise.cli.summary import summary
from lanewise.cli.timing import launch_times, told
from lanewise.cli.values import Filler, read_value
from lanewise.config import default_device
from lanewise.errors import Error
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module


@dataclass(frozen=True)
class Request:
    """What to compile and how, as the command line says it; `defines` are NAME or NAME=VALUE."""

    file: Path
    defines: tuple[str, ...]
    include_dirs: tuple[str, ...]
    options: tuple[str, ...]
    arch: str
    mapping: str | None


def compiled(request: Request) -> Module:
    """The module, compiled or, from a saved one, loaded; its warnings go to standard error."""
    if request.file.suffix == ".lwo":
        return _loaded(request)
    module = lanewise.compile(
        request.file,
        arch=request.arch,
        defines=dict(_define(text) for text in request.defines),
        include_dirs=request.include_dirs,
        options=request.options,
        mapping=request.mapping,
    )
    for warning in module.warnings:
        if warning != module.main_warning:  # of no interest to those who want one kernel, or PTX
            typer.echo(warning, err=True)
    return module


def _loaded(request: Request) -> Module:
    given = {
        "--define": request.defines,
        "--include-dir": request.include_dirs,
        "--option": request.options,
        "--mapping": () if request.mapping is None else (request.mapping,),
    }
    for option, values in given.items():
        if values:
            raise Error(f"{request.file} is compiled already: {option} {values[0]} comes too late")
    return lanewise.load(request.file)


def the_kernel(module: Module, name: str | None) -> Kernel:
    """The kernel called `name`; the only one for None. Error names those that there are."""
    if name is not None:
        return module[name]
    if not module.kernels:
        raise Error(
            "the file has no kernel: mark one with __global__, or __kernel in OpenCL C, or launch a template from host "
            "code in it"
        )
    if len(module) != 1:
        raise Error(f"say which kernel with --kernel: {', '.join(module.kernels)}")
    return next(iter(module))


def run_kernel(
    request: Request,
    name: str | None,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    written: Sequence[str],
    outputs: Sequence[str],
    shared: int,
    device: str | None,
    filler: Filler,
    timeout: float | None = None,
    timed: bool = False,
    cooperative: bool = False,
) -> None:
    """Run one kernel; `timed`: and then again, on copies of its arrays, to say how long that takes.

    What can be checked before the launch is, so that no result is lost to a misspelt file.
    """
    chosen = lanewise.device(device or default_device())
    start = time.perf_counter()
    module = compiled(request)
    if module.kernels and module.main_warning is not None and name is None and not written:
        _say_that_main_is_not_run(request.file, module)
    kernel = the_kernel(module, name)
    compile_s = time.perf_counter() - start

    texts = bind(kernel.name, kernel.params, written)
    values = [read_value(text, parameter, filler) for text, parameter in zip(texts, kernel.params, strict=True)]
    given = list(zip(kernel.params, values, strict=True))
    arrays: dict[str, NDArray[Any]] = {p.name: v for p, v in given if isinstance(v, np.ndarray)}
    files = [_output(text, kernel, arrays) for text in outputs]

    again: list[object] = [arrays[p.name].copy() if p.name in arrays else v for p, v in given] if timed else []
    options: dict[str, Any] = {"device": chosen, "timeout": timeout, "cooperative": cooperative}
    start = time.perf_counter()
    kernel.launch(grid, block, values, shared=shared, **options)
    launch_s = time.perf_counter() - start

    geometry = f"[{_extent(grid)}; {_extent(block)}]"
    took = f"compiled in {1e3 * compile_s:.0f} ms, ran in {1e3 * launch_s:.1f} ms"
    typer.echo(f"{kernel.name}{geometry} on {chosen.name}: {took}")
    changeable = {p.name: arrays[p.name] for p in kernel.params if p.name in arrays and not p.const}
    for line in summary(changeable):
        typer.echo(f"  {line}")
    if timed:
        times = launch_times(lambda: kernel.launch(grid, block, again, shared=shared, **options))
        for line in told(compile_s, launch_s, times):
            typer.echo(f"  {line}")
    for array_name, path in files:
        write_array(path, arrays[array_name])
        typer.echo(f"wrote {array_name} to {path}")


def _say_that_main_is_not_run(file: Path, module: Module) -> None:
    """A note if the only kernel can run without `main`. Error with the kernels, and how to run one, if not."""
    kernels = list(module)
    if len(kernels) == 1 and not kernels[0].params:
        typer.echo(f"note: main() of {file} is not run, only kernel {kernels[0].name}", err=True)
        return
    lines = [f"{file} has a main(), which lanewise doesn't run yet: it runs one kernel, with arguments of yours"]
    lines += [f"  {kernel.name}({shown(kernel.params) if kernel.params else ''})" for kernel in kernels]
    first = kernels[0]
    arguments = " ".join(f"--arg {parameter.name}=..." for parameter in first.params)
    lines.append(f"for example: lanewise run {file} --kernel {first.name} --grid 4 --block 256 {arguments}".rstrip())
    lines.append("forms of --arg: lanewise run --help")
    raise Error("\n".join(lines))


def _output(text: str, kernel: Kernel, arrays: dict[str, NDArray[Any]]) -> tuple[str, Path]:
    """Which array goes to which file."""
    name, file = split_name(text)
    path = Path(file)
    name = path.stem if name is None else name
    if name not in arrays:
        raise Error(
            f"--out {text}: kernel {kernel.name} has no array '{name}'; write --out NAME={file} with one of: "
            f"{', '.join(arrays) or shown(kernel.params)}"
        )
    check_array_file(path, arrays[name])
    return name, path


def _define(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    return name, value if equals else None


def _extent(size: Sequence[int]) -> str:
    return "x".join(map(str, size))
