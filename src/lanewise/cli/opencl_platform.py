# SPDX-License-Identifier: Apache-2.0
"""The output of `lanewise opencl`."""

from __future__ import annotations

import typer

import lanewise
from lanewise.cache import Cache
from lanewise.cli.sizes import size
from lanewise.cli.terminal import Terminal
from lanewise.config import from_environment
from lanewise.opencl.description import DeviceDescription, devices_of
from lanewise.opencl.installed import install, library_path, loader_files, names_library, uninstall


def install_platform(system: bool, terminal: Terminal) -> None:
    """Install the platform, and print where, and how loaders find it."""
    wanted = loader_files(system=system)
    path = install(Cache(from_environment().cache_dir), lanewise.__version__, wanted)
    terminal.result(str(path))
    for place in wanted:
        terminal.say(f"{place.file}, for {place.loader}")
    if not system:
        terminal.say(f"other loaders find it by: export OCL_ICD_VENDORS={wanted[0].folder}")


def uninstall_platform() -> None:
    """Remove the platform, and print what was removed."""
    removed = uninstall()
    typer.echo("\n".join(f"removed {path}" for path in removed) or "it isn't installed")


def show_platform(terminal: Terminal) -> None:
    """Print where the platform is installed, and its devices' properties."""
    path = library_path()
    if not path.is_file():
        terminal.say(f"not installed: {path} isn't there; lanewise opencl install writes it")
        terminal.data({"library": None, "loaders": [], "devices": []})
        return
    found = [place for place in [*loader_files(), *loader_files(system=True)] if names_library(place, path)]
    terminal.say(f"library: {path}")
    for place in found:
        terminal.say(f"loader:  {place.file}, for {place.loader}")
    devices = devices_of(path)
    for device in devices:
        _show(device, terminal)
    rows = [device.texts | device.numbers for device in devices]
    loaders = [{"file": str(place.file), "loader": place.loader} for place in found]
    terminal.data({"library": str(path), "loaders": loaders, "devices": rows})


def _show(device: DeviceDescription, terminal: Terminal) -> None:
    numbers = {name: size(n) if name.startswith("bytes") else str(n) for name, n in device.numbers.items()}
    rows = device.texts | {name.removeprefix("bytes of "): shown for name, shown in numbers.items()}
    for name, shown in rows.items():
        terminal.say(f"  {name:22} {shown}")
