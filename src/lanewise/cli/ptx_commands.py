# SPDX-License-Identifier: Apache-2.0
"""The commands on PTX, their options and help texts."""

from __future__ import annotations

from typing import Annotated

import typer

from lanewise.cli.options import (
    LANGUAGES,
    OUTPUT,
    SOURCE,
    Color,
    Colour,
    Command,
    Defines,
    Includes,
    Options,
    PassedOn,
    Quiet,
    terminal_of,
)
from lanewise.frontend.table import either

_SHUFFLES = "Shuffles"

PtxFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="PTX (.ptx) of any compiler, or CUDA C++ or OpenCL C, which is compiled to PTX first; [cyan]-[/] reads "
        "standard input.",
        show_default=False,
    ),
]
PtxLanguage = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-x",
        metavar="NAME",
        help=f"Language of FILE: {either(('[cyan]ptx[/]', *LANGUAGES))}. By default, the file name's ending decides; "
        "standard input is PTX.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]


def add_ptx_commands(app: typer.Typer) -> None:
    """Give `app` the commands emulate, opt and ptxas."""
    app.command(name="emulate", cls=Command)(_emulate)
    app.command(name="opt", cls=Command)(_opt)
    app.command(name="ptxas", cls=PassedOn, add_help_option=False)(_ptxas)


def _emulate(
    context: typer.Context,
    file: PtxFile,
    kernel: Annotated[
        str | None, typer.Option("--kernel", "-k", metavar="NAME", help="Only this kernel.", show_default=False)
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="List each load and store with its address.")] = False,
    extensions: Annotated[
        bool, typer.Option("--extensions", help="As --trace, with sign and zero extensions in addresses.")
    ] = False,
    arch: Annotated[
        str,
        typer.Option(metavar="sm_XX", help="GPU architecture that a source is compiled for.", rich_help_panel=SOURCE),
    ] = "sm_80",
    language: PtxLanguage = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    quiet: Quiet = False,
    color: Color = Colour.AUTO,
) -> None:
    """Show what the kernels of a PTX file load and store, and at which addresses."""
    from lanewise.cli.ptx import emulate, read_module
    from lanewise.cli.request import Request

    request = Request(file, language, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch)
    emulate(read_module(request, terminal_of(context)), kernel, trace or extensions, extensions)


def _opt(
    context: typer.Context,
    file: PtxFile,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="OUT", help="Output file. Default: standard output.", show_default=False),
    ] = None,
    arch: Annotated[
        str | None,
        typer.Option(
            metavar="sm_XX",
            help="GPU architecture that decides whether a shuffle is faster than a load. Default: the file's .target, "
            "or sm_80 for a source.",
            rich_help_panel=_SHUFFLES,
            show_default=False,
        ),
    ] = None,
    always: Annotated[
        bool, typer.Option("--always", help="Replace loads even where that is slower.", rich_help_panel=_SHUFFLES)
    ] = False,
    max_delta: Annotated[
        int,
        typer.Option(
            min=0,
            max=31,
            metavar="N",
            help="Shuffle across at most N lanes.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = 31,
    uniform_branch: Annotated[
        bool,
        typer.Option(
            "--uniform-branch",
            help="Shuffle only where the whole warp is active.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = False,
    no_corner: Annotated[
        bool,
        typer.Option(
            "--no-corner",
            help="For measurements: leave out the loads at the warp's edges. The results are wrong.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = False,
    no_load: Annotated[
        bool,
        typer.Option(
            "--no-load",
            help="For measurements: leave out loads and shuffles. The results are wrong.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = False,
    language: PtxLanguage = None,
    define: Defines = None,
    include_dir: Includes = None,
    option: Options = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Explain for each load why it was replaced, with the proof, or why not. The PTX goes to OUT only.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="Print the counts as JSON. The PTX goes to OUT only.", rich_help_panel=OUTPUT),
    ] = False,
    quiet: Quiet = False,
    color: Color = Colour.AUTO,
) -> None:
    """Replace loads by warp shuffles where another lane of the warp has loaded the same value."""
    from lanewise.cli.ptx import optimise, read_module
    from lanewise.cli.request import Request

    if no_corner and no_load:
        raise typer.BadParameter("say either --no-corner or --no-load", param_hint="--no-load")
    options = {
        "always": always, "max_delta": max_delta, "corner": not no_corner, "load": not no_load,
        "uniform_branch": uniform_branch, "arch": arch,
    }  # fmt: skip
    request = Request(file, language, tuple(define or ()), tuple(include_dir or ()), tuple(option or ()), arch)
    terminal = terminal_of(context)
    optimise(lambda: read_module(request, terminal), out, explain, json, options, terminal)


def _ptxas(context: typer.Context) -> None:
    """Drop-in replacement for ptxas: optimise PTX as `opt` does, then assemble it. See --lanewise-help."""
    from lanewise.cli.ptxas import stand_in

    raise typer.Exit(stand_in(context.args))
