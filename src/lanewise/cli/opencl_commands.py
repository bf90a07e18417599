# SPDX-License-Identifier: Apache-2.0
"""`lanewise opencl`: its three commands and their help texts."""

from __future__ import annotations

from typing import Annotated

import typer

from lanewise.cli.options import Command, CommandGroup, Json, terminal_of

opencl_commands = typer.Typer(
    name="opencl",
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Make Lanewise an OpenCL platform that programs find.",
)


@opencl_commands.command(name="install", cls=Command)
def _install(
    context: typer.Context,
    system: Annotated[
        bool, typer.Option("--system", help="For all programs of the machine: in [cyan]/etc/OpenCL/vendors[/].")
    ] = False,
) -> None:
    """Build the platform's library, and tell loaders of OpenCL where it is.

    It is for this environment: pyopencl finds it at once; other programs find it if OCL_ICD_VENDORS has the folder that
    is printed.

    Example:

      lanewise opencl install && clinfo
    """
    from lanewise.cli.opencl_platform import install_platform

    install_platform(system, terminal_of(context))


@opencl_commands.command(name="uninstall", cls=Command)
def _uninstall() -> None:
    """Remove what `install` has written."""
    from lanewise.cli.opencl_platform import uninstall_platform

    uninstall_platform()


@opencl_commands.command(name="info", cls=Command)
def _info(context: typer.Context, json: Json = False) -> None:
    """Show where the platform is installed, which loaders find it, and what its devices say."""
    from lanewise.cli.opencl_platform import show_platform

    show_platform(terminal_of(context))
