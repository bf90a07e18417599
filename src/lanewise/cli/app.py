# SPDX-License-Identifier: Apache-2.0
"""The commands, their options, and what `--help` says of them. What they do is loaded when one is run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from lanewise.cli.ptx_commands import add_ptx_commands

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="GPU kernels compiled and run anywhere: on the cores of a CPU, or as PTX for a GPU.",
    epilog="Exit codes: 0 done, 1 something in the source or the launch is wrong, 2 wrong usage.",
)


class Emit(StrEnum):
    """What `lanewise compile` can write."""

    PTX = "ptx"
    IR = "ir"
    ASM = "asm"
    OBJ = "obj"
    LWO = "lwo"
    REMARKS = "remarks"


class CacheAction(StrEnum):
    """What `lanewise cache` can do."""

    INFO = "info"
    CLEAR = "clear"


_SOURCE = "Source"
_LAUNCH = "Launch"
_RESULTS = "Results"

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="CUDA C++ (.cu), OpenCL C (.cl), kernel IR (.ll) or a saved module (.lwo).",
        show_default=False,
    ),
]
Kernel = Annotated[
    str | None,
    typer.Option(
        "--kernel",
        "-k",
        metavar="NAME",
        help="As the source has it; [cyan]scale<float, 4>[/] makes an instance of a template. "
        "May be left out where there is one kernel.",
        show_default=False,
    ),
]
Device = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="See [cyan]lanewise devices[/].", rich_help_panel=_LAUNCH, show_default=False),
]
Block = Annotated[
    str,
    typer.Option("--block", "-b", metavar="X,Y,Z", help="Work-items a group, at most 1024.", rich_help_panel=_LAUNCH),
]
Defines = Annotated[
    list[str] | None,
    typer.Option(
        "--define", "-D", metavar="NAME[=VALUE]", help="A macro.", rich_help_panel=_SOURCE, show_default=False
    ),
]
Includes = Annotated[
    list[str] | None,
    typer.Option(
        "--include-dir", "-I", metavar="DIR", help="Where #include looks.", rich_help_panel=_SOURCE, show_default=False
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="OPTION",
        help="Goes to clang, such as [cyan]--option=-std=c++20[/] or [cyan]--option=-cl-fast-relaxed-math[/].",
        rich_help_panel=_SOURCE,
        show_default=False,
    ),
]
Arch = Annotated[str, typer.Option(metavar="sm_XX", help="The GPU, as __CUDA_ARCH__ tells.", rich_help_panel=_SOURCE)]
Mapping = Annotated[
    str | None,
    typer.Option(
        metavar="HOW",
        help="Of work-items on the CPU: loop; lanes, side by side in vectors; lanes:8, in vectors of 8; lanes:8x4, in "
        "4 such vectors at once; auto, what suits, which it is without this option.",
        rich_help_panel=_SOURCE,
        show_default=False,
    ),
]


@app.command(name="run")
def _run(
    file: File,
    kernel: Kernel = None,
    grid: Annotated[
        str, typer.Option("--grid", "-g", metavar="X,Y,Z", help="Work-groups.", rich_help_panel=_LAUNCH)
    ] = "1",
    block: Block = "1",
    arg: Annotated[
        list[str] | None,
        typer.Option(
            "--arg",
            "-a",
            metavar="[NAME=]VALUE",
            help="One for each parameter, by name or in order; the forms are listed above.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    shared: Annotated[
        int, typer.Option(metavar="BYTES", help="Dynamic shared memory a group.", rich_help_panel=_LAUNCH)
    ] = 0,
    device: Device = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS", help="Give up a launch that takes longer.", rich_help_panel=_LAUNCH, show_default=False
        ),
    ] = None,
    cooperative: Annotated[
        bool,
        typer.Option("--cooperative", help="Work-groups may wait for one another.", rich_help_panel=_LAUNCH),
    ] = False,
    timed: Annotated[
        bool,
        typer.Option(
            "--time", help="Launch again for a second, on copies, and say how long it takes.", rich_help_panel=_RESULTS
        ),
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Of [cyan]rand[/].", rich_help_panel=_LAUNCH)] = 0,
    out: Annotated[
        list[str] | None,
        typer.Option(
            "--out",
            "-o",
            metavar="[NAME=]FILE",
            help="Write an array as .npy or .png. Without NAME the file is called like the parameter: y.npy.",
            rich_help_panel=_RESULTS,
            show_default=False,
        ),
    ] = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    arch: Arch = "sm_80",
    mapping: Mapping = None,
) -> None:
    """Compile FILE, launch one of its kernels, and show the arrays that it may have written.

    Values of [cyan]--arg[/]:

      2.0   1024   true          a number or bool

      zeros:f32[8,16]          an array: zeros, ones, rand, rand(0,9), arange, arange(5,2), full(3.5)

      zeros[8,16]              the same, with the element type of the kernel's parameter

      [1,2,3]                  an array of these numbers

      @in.npy   @in.png:f32      an array from a file, as it is or converted

      null                       no array

      local:256                  so many bytes of local memory, for a __local pointer of OpenCL C

      1,2,3,4                    a struct or a vector such as float4

    Types: f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool.
    rand gives floats from 0 to 1 and integers from 0 to 99.

    Example:

      lanewise run saxpy.cu --grid 4 --block 256 --arg y=ones[1000] --arg x=rand[1000] --arg a=2 --arg n=1000
    """
    from lanewise.cli.run import Request, run_kernel
    from lanewise.cli.values import Filler

    run_kernel(
        Request(file, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch, mapping),
        kernel,
        _extent("--grid", grid),
        _extent("--block", block),
        arg or [],
        out or [],
        shared,
        device,
        Filler(seed),
        timeout,
        timed,
        cooperative,
    )


@app.command(name="compile")
def _compile(
    file: File,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="OUT", help="The file to write; standard output without it.", show_default=False
        ),
    ] = None,
    emit: Annotated[
        Emit | None,
        typer.Option(
            help="ptx: for a GPU. ir: LLVM IR after a stage. asm, obj: a kernel's machine code for this processor, as "
            "text or as a shared object. lwo: a saved module, for later runs without a compiler. remarks: how a "
            "kernel's work-items are mapped on the CPU, and why. Without it the end of OUT's name decides: .ptx .ll .s "
            ".so .lwo; else ptx.",
            show_default=False,
        ),
    ] = None,
    arch: Arch = "sm_80",
    after: Annotated[
        str, typer.Option(metavar="STAGE", help="Of --emit ir: front-end, isolate, simplify or work-group.")
    ] = "front-end",
    kernel: Kernel = None,
    block: Annotated[
        str | None,
        typer.Option(
            "--block",
            "-b",
            metavar="X,Y,Z",
            help="Work-items a group that machine code is made for, 256 without it; of --emit lwo beside code for any "
            "number.",
            show_default=False,
        ),
    ] = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    mapping: Mapping = None,
) -> None:
    """Compile FILE to PTX, to the IR of a stage, to machine code of the CPU, or to a saved module."""
    from lanewise.cli.compile import write_compiled
    from lanewise.cli.run import Request

    request = Request(file, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch, mapping)
    size = _extent("--block", block) if block is not None else None
    write_compiled(request, out, emit.value if emit is not None else None, after, kernel, size)


add_ptx_commands(app)


@app.command(name="devices")
def _devices() -> None:
    """List the devices that kernels can run on, the default one first."""
    from lanewise.cli.inspect import list_devices

    list_devices()


@app.command(name="cache")
def _cache(
    action: Annotated[CacheAction, typer.Argument(help="What to do.", metavar="[info|clear]")] = CacheAction.INFO,
) -> None:
    """Say how much the compile cache holds, or clear it."""
    from lanewise.cli.inspect import clear_cache, show_cache

    if action is CacheAction.INFO:
        show_cache()
    else:
        clear_cache()


def _show_version(wanted: bool) -> None:
    if wanted:
        from lanewise import __version__

        print(f"lanewise {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            "-V",
            callback=_show_version,
            is_eager=True,
            metavar="",
            help="Show the version.",
            show_default=False,
        ),
    ] = False,
) -> None:
    """Options of `lanewise` itself."""


def _extent(option: str, text: str) -> tuple[int, ...]:
    """`16,16` or `16x16` as numbers; whether they are within the limits, the launch says."""
    parts = text.replace("x", ",").split(",")
    try:
        return tuple(int(part) for part in parts)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r}: expected 1 to 3 whole numbers, such as 64 or 16,16", param_hint=option
        ) from None
