# SPDX-License-Identifier: Apache-2.0
"""The commands on PTX, their options, and what `--help` says of them."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

_SHUFFLES = "Shuffles"

PtxFile = Annotated[str, typer.Argument(metavar="FILE", help="PTX (.ptx); - is standard input.", show_default=False)]


def add_ptx_commands(app: typer.Typer) -> None:
    """Give `app` the commands emulate, opt and ptxas."""
    app.command(name="emulate")(_emulate)
    app.command(name="opt")(_opt)
    app.command(name="ptxas", cls=_PassedOn, add_help_option=False)(_ptxas)


def _emulate(
    file: PtxFile,
    kernel: Annotated[
        str | None, typer.Option("--kernel", "-k", metavar="NAME", help="Only this one.", show_default=False)
    ] = None,
    trace: Annotated[
        bool, typer.Option("--trace", help="Each load and store with its address, not only how many.")
    ] = False,
    extensions: Annotated[
        bool, typer.Option("--extensions", help="With sign and zero extensions in addresses.")
    ] = False,
) -> None:
    """Say what the kernels of a PTX file load and store, at which addresses."""
    from lanewise.cli.ptx import emulate

    emulate(file, kernel, trace or extensions, extensions)


def _opt(
    file: PtxFile,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="OUT", help="The file to write; standard output without it.", show_default=False
        ),
    ] = None,
    arch: Annotated[
        str | None,
        typer.Option(
            metavar="sm_XX",
            help="The GPU that decides whether a shuffle pays; the file's target without it.",
            rich_help_panel=_SHUFFLES,
            show_default=False,
        ),
    ] = None,
    always: Annotated[
        bool, typer.Option("--always", help="Also where it doesn't pay.", rich_help_panel=_SHUFFLES)
    ] = False,
    max_delta: Annotated[
        int,
        typer.Option(min=0, max=31, metavar="N", help="At most so many lanes away.", rich_help_panel=_SHUFFLES),
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
            help="Shuffles without the corner cases' loads: shows what these cost. Results are wrong.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = False,
    no_load: Annotated[
        bool,
        typer.Option(
            "--no-load",
            help="A move in place of load and shuffle: shows what both cost. Results are wrong.",
            rich_help_panel=_SHUFFLES,
        ),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say of each load what became of it and why. PTX goes only to OUT.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Counts as JSON. PTX goes only to OUT.")] = False,
) -> None:
    """Replace loads whose value another lane of the warp has loaded by warp shuffles."""
    from lanewise.cli.ptx import optimise

    if no_corner and no_load:
        raise typer.BadParameter("say either --no-corner or --no-load", param_hint="--no-load")
    options = {
        "always": always, "max_delta": max_delta, "corner": not no_corner, "load": not no_load,
        "uniform_branch": uniform_branch, "arch": arch,
    }  # fmt: skip
    optimise(file, out, explain, json, options)


class _PassedOn(TyperCommand):
    """A command whose arguments are another program's: none is looked at here, --help neither."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # typer names the type of ctx in a private module
        ctx.args = list(args)
        return args


def _ptxas(context: typer.Context) -> None:
    """Stand in the place of ptxas: loads become warp shuffles first. --lanewise-help tells more."""
    from lanewise.cli.ptxas import stand_in

    raise typer.Exit(stand_in(context.args))
