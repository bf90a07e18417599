# SPDX-License-Identifier: Apache-2.0
"""The output of `lanewise devices` and `lanewise cache`."""

from __future__ import annotations

import typer

import lanewise
from lanewise.cache import Cache
from lanewise.cli.sizes import counted, size
from lanewise.cli.terminal import Terminal
from lanewise.config import from_environment


def list_devices(terminal: Terminal) -> None:
    """Print one line per device, the default one first."""
    devices = lanewise.devices()
    width = max(len(device.name) for device in devices)
    for device in devices:
        terminal.say(f"{device.name:{width}}  {device.description}{'  (default)' if device is devices[0] else ''}")
    terminal.data([{"name": d.name, "description": d.description, "default": d is devices[0]} for d in devices])


def show_cache(terminal: Terminal) -> None:
    """Print the folder of the cache, its number of entries and its size."""
    entries, used, path = _cache().info()
    if path is None:
        terminal.say("the cache is off (LANEWISE_CACHE=0)")
    else:
        terminal.say(f"{path.parent}: {counted(entries)}, {size(used)}")
    terminal.data({"folder": None if path is None else str(path.parent), "entries": entries, "bytes": used})


def clear_cache() -> None:
    """Remove all entries."""
    removed = _cache().clear()
    typer.echo(f"removed {counted(removed.entries)}, {size(removed.bytes)}")


def _cache() -> Cache:
    return Cache(from_environment().cache_dir)
