# SPDX-License-Identifier: Apache-2.0
"""The command `lanewise profile`, its options and help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lanewise.cli.options import (
    Arch,
    Color,
    Colour,
    Command,
    Defines,
    File,
    Includes,
    Json,
    Kernel,
    Language,
    Options,
    Quiet,
    Verbose,
    extent,
    terminal_of,
)

_LAUNCH = "Launch"


def add_profile_command(app: typer.Typer) -> None:
    """Give `app` the command profile."""
    app.command(name="profile", cls=Command)(_profile)


def _profile(
    context: typer.Context,
    file: File,
    kernel: Kernel = None,
    grid: Annotated[
        str, typer.Option("--grid", "-g", metavar="X,Y,Z", help="Number of blocks.", rich_help_panel=_LAUNCH)
    ] = "1",
    block: Annotated[
        str, typer.Option("--block", "-b", metavar="X,Y,Z", help="Threads per block.", rich_help_panel=_LAUNCH)
    ] = "1",
    arg: Annotated[
        list[str] | None,
        typer.Option(
            "--arg",
            "-a",
            metavar="[NAME=]VALUE",
            help="A kernel argument, by name or in order; [cyan]lanewise run --help[/] lists the forms.",
            rich_help_panel=_LAUNCH,
            show_default=False,
        ),
    ] = None,
    shared: Annotated[
        int,
        typer.Option(metavar="BYTES", help="Dynamic shared memory per block, in bytes.", rich_help_panel=_LAUNCH),
    ] = 0,
    gpu: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The GPU that occupancy and limits are those of: A100, H100, RTX 4090 or T4.",
            rich_help_panel=_LAUNCH,
        ),
    ] = "A100",
    chart: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the profile as a picture, too: FILE ends in .png, .svg or .pdf. Needs the extra [cyan]plot[/].",
            show_default=False,
            dir_okay=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="N", help="Seed of the random numbers in [cyan]rand[/].", rich_help_panel=_LAUNCH),
    ] = 0,
    language: Language = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    arch: Arch = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: Color = Colour.AUTO,
) -> None:
    r"""Launch a kernel once, and show what a GPU would have to do: the costliest lines first, each with a remedy.

    Counted are warp instructions and their active lanes, sectors of global memory, wavefronts of shared memory,
    divergent branches and atomic operations, as the kernel's PTX has them. No GPU is needed.

    Example:

      lanewise profile transpose.cu -g 8,8 -b 32,32 -a out=zeros\[256,256] -a in=rand\[256,256] -a n=256
    """
    from lanewise.cli.profile import profile_kernel
    from lanewise.cli.request import Request
    from lanewise.cli.run import LaunchRequest

    request = Request(file, language, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch)
    launch = LaunchRequest(
        kernel, extent("--grid", grid), extent("--block", block), arg or [], shared, "cpu", seed=seed
    )
    profile_kernel(request, launch, gpu, chart, terminal_of(context))
