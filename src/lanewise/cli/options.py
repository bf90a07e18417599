# SPDX-License-Identifier: Apache-2.0
"""Options that several commands have, with their help texts, and the form of all commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from lanewise.cli.terminal import Terminal
from lanewise.frontend.table import FRONT_ENDS, either

SOURCE = "Source"
OUTPUT = "Output"

_ROWS: Final = tuple(row for row in FRONT_ENDS if row.takes_text)
_KINDS: Final = tuple(f"{row.title} ({', '.join(row.suffixes)})" for row in _ROWS)
LANGUAGES: Final = tuple(f"[cyan]{row.language}[/]" for row in _ROWS)
"""Names for `--language`, as help texts show them."""


class Command(TyperCommand):
    """A command whose help page shows no types of flags, and FILE for a required argument."""

    def get_params(self, ctx: Any) -> list[Any]:  # typer names these types in a private module
        return _without_types(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


class PassedOn(TyperCommand):
    """A command that passes all arguments to another program, --help included."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # typer names the type of ctx in a private module
        ctx.args = list(args)
        return args


class CommandGroup(TyperGroup):
    """A group of such commands."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types(super().get_params(ctx))


def _without_types(parameters: list[Any]) -> list[Any]:
    """The parameters. Flags show no type, since they take no value."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
    return parameters


def terminal_of(context: typer.Context) -> Terminal:
    """The terminal that the options of the command line have set up."""
    return context.ensure_object(Terminal)


class Mathematics(StrEnum):
    """Mathematics of PTX; see `program/source/mathematics.py`."""

    SAME_BITS = "same-bits"
    HARDWARE = "hardware"


class Colour(StrEnum):
    """When to colour diagnostics."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def _set_quiet(context: typer.Context, wanted: bool) -> bool:
    terminal_of(context).quiet |= wanted
    return wanted


def _set_verbose(context: typer.Context, wanted: bool) -> bool:
    terminal_of(context).verbose |= wanted
    return wanted


def _set_json(context: typer.Context, wanted: bool) -> bool:
    terminal_of(context).json |= wanted
    return wanted


def _set_colour(context: typer.Context, when: Colour) -> Colour:
    terminal_of(context).colour = {Colour.ALWAYS: True, Colour.NEVER: False}.get(when)
    return when


# These options take effect in their callbacks, before the command runs. The functions of commands only list them.

Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=_set_quiet,
        help="Print results and errors only.",
        rich_help_panel=OUTPUT,
    ),
]
Verbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        callback=_set_verbose,
        help="Report each step and the time it took on standard error.",
        rich_help_panel=OUTPUT,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        callback=_set_json,
        is_eager=True,
        help="Print the result as JSON.",
        rich_help_panel=OUTPUT,
    ),
]
Color = Annotated[
    Colour,
    typer.Option(
        "--color",
        callback=_set_colour,
        is_eager=True,
        metavar="WHEN",
        help="Colour diagnostics: [cyan]auto[/] (on a terminal), [cyan]always[/] or [cyan]never[/].",
        rich_help_panel=OUTPUT,
        show_default=False,
    ),
]

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help=f"{either((*_KINDS, 'a saved module (.lwo)'))}; [cyan]-[/] reads standard input.",
        show_default=False,
    ),
]
More = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PTX]...", help="More files of PTX, to be linked with FILE.", show_default=False),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-x",
        metavar="NAME",
        help=f"Language of FILE: {either(LANGUAGES)}. By default, the file name's ending decides.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]
Kernel = Annotated[
    str | None,
    typer.Option(
        "--kernel",
        "-k",
        metavar="NAME",
        help="The kernel, named as in the source. [cyan]'scale<float, 4>'[/] instantiates a template. Optional if "
        "there is only one.",
        show_default=False,
    ),
]
Defines = Annotated[
    list[str] | None,
    typer.Option(
        "--define",
        "-D",
        metavar="NAME[=VALUE]",
        help="Define a macro.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]
Includes = Annotated[
    list[str] | None,
    typer.Option(
        "--include-dir",
        "-I",
        metavar="DIR",
        help="Search DIR for included files.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="OPTION",
        help="Pass OPTION to the compiler, for example [cyan]--option=-std=c++20[/] or "
        "[cyan]--option=-cl-fast-relaxed-math[/].",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]
Arch = Annotated[
    str | None,
    typer.Option(
        metavar="sm_XX",
        help="GPU architecture, sm_80 by default: the target of PTX, and the value of __CUDA_ARCH__ on every device.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]
Mapping = Annotated[
    str | None,
    typer.Option(
        metavar="MAPPING",
        help="How the CPU runs the threads of a block. [cyan]auto[/], the default, decides per kernel. [cyan]loop[/] "
        "runs them one after another. [cyan]lanes[/] runs them in SIMD lanes: [cyan]lanes:8[/] in 8 lanes, "
        "[cyan]lanes:8x4[/] in 4 vectors of 8 lanes at a time.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]

Math = Annotated[
    Mathematics | None,
    typer.Option(
        help="Mathematical functions of PTX: [cyan]hardware[/], the default, by a GPU's approximate instructions, "
        "corrected to CUDA's errors; [cyan]same-bits[/], the default of the device simt, those of the CPU.",
        rich_help_panel=SOURCE,
        show_default=False,
    ),
]


def extent(option: str, text: str) -> tuple[int, ...]:
    """The numbers of `16,16` or `16x16`. The launch checks them against its limits."""
    parts = text.replace("x", ",").split(",")
    try:
        return tuple(int(part) for part in parts)
    except ValueError:
        raise typer.BadParameter(
            f"{text!r}: expected 1 to 3 whole numbers, such as 64 or 16,16", param_hint=option
        ) from None
