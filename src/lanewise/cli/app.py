# SPDX-License-Identifier: Apache-2.0
"""The commands, their options, and their help texts. A command loads its code when it is run."""

from __future__ import annotations

import copy
from enum import StrEnum
from typing import Annotated

import typer

from lanewise.cli.build_command import add_build_command
from lanewise.cli.cache_commands import cache_commands
from lanewise.cli.check_command import add_check_command
from lanewise.cli.explain_command import add_explain_command
from lanewise.cli.library_commands import add_library_commands
from lanewise.cli.opencl_commands import opencl_commands
from lanewise.cli.options import (
    Arch,
    Color,
    Colour,
    Command,
    CommandGroup,
    Defines,
    File,
    Includes,
    Json,
    Kernel,
    Language,
    Mapping,
    Math,
    More,
    Options,
    Quiet,
    Verbose,
    extent,
    terminal_of,
)
from lanewise.cli.profile_command import add_profile_command
from lanewise.cli.program_commands import RunCommand, add_program_commands
from lanewise.cli.ptx_commands import add_ptx_commands

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Compile GPU kernels in CUDA C++ and OpenCL C, and run them on the cores of a CPU or translate them to PTX.",
    epilog="Exit codes: 0 success, 1 error in the source, the launch or a file, 2 wrong usage, 130 interrupted.",
)


class Emit(StrEnum):
    """Formats that `lanewise compile` can write."""

    PTX = "ptx"
    IR = "ir"
    ASM = "asm"
    OBJ = "obj"
    LWO = "lwo"
    REMARKS = "remarks"


_LAUNCH = "Launch"
_RESULTS = "Results"
_PIPELINE = "Pipeline"


def _refuse_out(value: list[str] | None) -> list[str] | None:
    if value:
        raise typer.BadParameter("arrays are written with --save; -o belongs to lanewise compile")
    return value


@app.command(name="run", cls=RunCommand)
def _run(
    context: typer.Context,
    file: File,
    more: More = None,
    kernel: Kernel = None,
    grid: Annotated[
        str,
        typer.Option("--grid", "-g", metavar="X,Y,Z", help="Number of blocks (work-groups).", rich_help_panel=_LAUNCH),
    ] = "1",
    block: Annotated[
        str,
        typer.Option(
            "--block",
            "-b",
            metavar="X,Y,Z",
            help="Threads per block, at most 1024 (work-items per work-group, 8192).",
            rich_help_panel=_LAUNCH,
        ),
    ] = "1",
    arg: Annotated[
        list[str] | None,
        typer.Option(
            "--arg",
            "-a",
            metavar="[NAME=]VALUE",
            help="A kernel argument, by name or in order. Give one per parameter; the forms are listed above.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    shared: Annotated[
        int,
        typer.Option(metavar="BYTES", help="Dynamic shared memory per block, in bytes.", rich_help_panel=_LAUNCH),
    ] = 0,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Device to run on; [cyan]lanewise devices[/] lists them.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="Stop the launch if it takes longer than this.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    cooperative: Annotated[
        bool,
        typer.Option(
            "--cooperative",
            help="Cooperative launch: blocks may synchronise across the grid.",
            rich_help_panel=_LAUNCH,
        ),
    ] = False,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="CHECKS",
            help="Check what the kernel does: [cyan]1[/] for all, or [cyan]memory[/], [cyan]values[/]. Faults are told "
            "with their place, block and thread.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="N", help="Seed of the random numbers in [cyan]rand[/].", rich_help_panel=_LAUNCH),
    ] = 0,
    printed: Annotated[
        list[str] | None,
        typer.Option(
            "--print",
            "-p",
            metavar="NAME",
            help="Print all elements of an array. Repeatable.",
            rich_help_panel=_RESULTS,
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        list[str] | None,
        typer.Option(
            "--save",
            "-s",
            metavar="[NAME=]FILE",
            help="Write an array to a .npy or .png file. Without NAME, the file name is the array's: y.npy. "
            "Repeatable.",
            rich_help_panel=_RESULTS,
            show_default=False,
        ),
    ] = None,
    timed: Annotated[
        bool,
        typer.Option(
            "--time",
            help="Benchmark: launch repeatedly for about a second, on copies of the arrays, and report the median.",
            rich_help_panel=_RESULTS,
        ),
    ] = False,
    out: Annotated[list[str] | None, typer.Option("--out", "-o", hidden=True, callback=_refuse_out)] = None,
    language: Language = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    arch: Arch = None,
    mapping: Mapping = None,
    math: Math = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: Color = Colour.AUTO,
) -> None:
    r"""Compile FILE, launch one of its kernels, and show the arrays that it may have written.

    Forms of [cyan]--arg[/] values:

      [cyan]2.0  1024  true[/]         number or bool

      [cyan]zeros:f32\[8,16][/]         array: zeros, ones, full(3.5), arange, rand

      [cyan]arange(5,2)  rand(0,9)[/]  first value and step; least and greatest value

      [cyan]zeros\[8,16][/]             array with the element type of the parameter

      [cyan]\[1,2,3][/]                 array of these numbers

      [cyan]@in.npy  @in.png:f32[/]    array from a file, as it is or converted

      [cyan]null[/]                    null pointer

      [cyan]f32:2.5[/]                 number of a type, for an integer of PTX, which is bits

      [cyan]local:256[/]               bytes for a __local pointer (OpenCL C)

      [cyan]1,2,3,4[/]                 struct, or a vector such as float4

    Element types: f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool.

    [cyan]rand[/] draws floats from 0 to 1, integers from 0 to 99.

    Example:

      lanewise run saxpy.cu -g 4 -b 256 -a y=ones\[1000] -a x=rand\[1000] -a a=2 -a n=1000
    """
    from lanewise.cli.request import Request
    from lanewise.cli.run import LaunchRequest, Wanted, run_kernel

    request = Request(
        file, language, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch, mapping,
        tuple(more or ()), math.value if math is not None else None, check,
    )  # fmt: skip
    launch = LaunchRequest(
        kernel, extent("--grid", grid), extent("--block", block), arg or [], shared, device, timeout, cooperative, seed
    )
    run_kernel(request, launch, Wanted(save or [], printed or [], timed), terminal_of(context))


@app.command(name="compile", cls=Command)
def _compile(
    context: typer.Context,
    file: File,
    more: More = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help="Output file. Its ending selects the format: .ptx .ll .s .so .lwo. Default: standard output.",
            show_default=False,
        ),
    ] = None,
    emit: Annotated[
        Emit | None,
        typer.Option(
            metavar="FORMAT",
            help="Output format. [cyan]ptx[/]: PTX of all kernels, or of one. [cyan]ir[/]: LLVM IR after a stage. "
            "[cyan]asm[/], [cyan]obj[/]: one kernel's machine code for this CPU, as text or as a shared object. "
            "[cyan]lwo[/]: a saved module, which runs without a compiler. [cyan]remarks[/]: how one kernel is mapped "
            "to the CPU, and why.",
            show_default=False,
        ),
    ] = None,
    after: Annotated[
        str,
        typer.Option(
            metavar="STAGE",
            help="Stage for --emit ir: [cyan]front-end[/], or a step of the CPU's pipeline such as [cyan]isolate[/], "
            "[cyan]simplify[/] or [cyan]work-group[/].",
        ),
    ] = "front-end",
    print_after: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP",
            help="Print the IR after a step, or after each for [cyan]all[/]. With --emit ptx the steps are those to "
            "PTX, otherwise those to the CPU. Repeatable.",
            show_default=False,
            rich_help_panel=_PIPELINE,
        ),
    ] = None,
    stop_after: Annotated[
        str,
        typer.Option(
            metavar="STEP", help="Run no further step, and print the IR.", show_default=False, rich_help_panel=_PIPELINE
        ),
    ] = "",
    disable: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP",
            help="Skip a step, and print the IR. Repeatable.",
            show_default=False,
            rich_help_panel=_PIPELINE,
        ),
    ] = None,
    enable: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP",
            help="Run a step that otherwise isn't, and print the IR. Repeatable.",
            show_default=False,
            rich_help_panel=_PIPELINE,
        ),
    ] = None,
    most_changes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Let at most N optional passes change the IR, to find a wrong one by bisection.",
            min=0,
            show_default=False,
            rich_help_panel=_PIPELINE,
        ),
    ] = None,
    time_passes: Annotated[
        bool,
        typer.Option("--time-passes", help="Show how long each step takes.", rich_help_panel=_PIPELINE),
    ] = False,
    explain_passes: Annotated[
        bool,
        typer.Option(
            "--explain-passes",
            help="Show what each step changes, with lines of the source, and why.",
            rich_help_panel=_PIPELINE,
        ),
    ] = False,
    kernel: Kernel = None,
    block: Annotated[
        str | None,
        typer.Option(
            "--block",
            "-b",
            metavar="X,Y,Z",
            help="Threads per block that machine code is specialised for; 256 by default. A saved module also runs "
            "with any other block.",
            show_default=False,
        ),
    ] = None,
    language: Language = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    arch: Arch = None,
    mapping: Mapping = None,
    math: Math = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: Color = Colour.AUTO,
) -> None:
    """Compile FILE to PTX, LLVM IR, machine code for this CPU, or a saved module."""
    from lanewise.cli.compile import write_compiled
    from lanewise.cli.passes import Look
    from lanewise.cli.request import Request

    request = Request(
        file, language, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch, mapping,
        tuple(more or ()), math.value if math is not None else None,
    )  # fmt: skip
    size = extent("--block", block) if block is not None else None
    wanted = emit.value if emit is not None else None
    look = Look(
        tuple(print_after or ()), stop_after, tuple(disable or ()), most_changes, time_passes, tuple(enable or ()),
        explain_passes,
    )  # fmt: skip
    write_compiled(request, out, wanted, after, kernel, size, terminal_of(context), look)


add_profile_command(app)
add_check_command(app)
add_ptx_commands(app)
add_program_commands(app)
add_library_commands(app)
add_build_command(app)
add_explain_command(app)


@app.command(name="devices", cls=Command)
def _devices(context: typer.Context, json: Json = False) -> None:
    """List the devices that can run kernels, the default one first."""
    from lanewise.cli.inspect import list_devices

    list_devices(terminal_of(context))


app.add_typer(cache_commands)
app.add_typer(opencl_commands)


@app.command(name="doctor", cls=Command)
def _doctor(context: typer.Context, json: Json = False) -> None:
    """Check the installation: what is found, built and cached, and what is missing. Exit code 1 if it is needed."""
    from lanewise.cli.doctor.report import report

    if not report(terminal_of(context)):
        raise typer.Exit(1)


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
            help="Show the version.",
            show_default=False,
        ),
    ] = False,
) -> None:
    """Options of `lanewise` itself."""


_WITH_ANOTHER = {"check": ("run",)}
"""Command -> those that it hands its words to."""


def app_for(words: list[str]) -> typer.Typer:
    """The application for one command line: with no more than the command that its first word names, since Typer makes
    all anew each time, 2 ms per command. With all of them if it names none."""
    asked = {*words[:1], *_WITH_ANOTHER.get(words[0], ())} if words else set[str]()
    commands = [each for each in app.registered_commands if each.name in asked]
    groups = [each for each in app.registered_groups if each.typer_instance and each.typer_instance.info.name in asked]
    if not commands and not groups:
        return app
    chosen = copy.copy(app)
    chosen.registered_commands, chosen.registered_groups = commands, groups
    return chosen
