# SPDX-License-Identifier: Apache-2.0
"""The devices by name: those here, and those that other packages add.

A package adds one by an entry point of the group `lanewise.devices`, whose name is the device's and whose value names
its `Opener`:

    [project.entry-points."lanewise.devices"]
    toy = "toy_device:open_device"
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, TypeAlias, cast

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.base import Device
from lanewise.errors import Error

Opener: TypeAlias = Callable[[Cache, Config], Device]
"""Makes a device, with the cache and the settings of a session. Called once per session."""

HERE: Final[Mapping[str, str]] = {
    "cpu": "lanewise.device.cpu:open_device",
    "reference": "lanewise.device.reference:open_device",
    "simt": "lanewise.device.simt:open_device",
    "cuda": "lanewise.device.cuda:open_device",
}
"""Name of each device here -> its opener."""

GROUP: Final = "lanewise.devices"
_NUMBERED: Final = re.compile(r"cuda:(\d{1,4})")


def names() -> list[str]:
    """All names, those of other packages last."""
    return [*HERE, *sorted(_added().keys() - HERE.keys())]


def names_on_this_machine() -> list[str]:
    """The same without the device cuda where there is no GPU, and with one name for each where there are several."""
    from lanewise.device.cuda import count  # few programs list devices

    gpus = [numbered(number) for number in range(count())]
    return [each for name in names() for each in (gpus if name == "cuda" else [name])]


def numbered(number: int) -> str:
    """Name of a GPU: cuda, cuda:1, cuda:2."""
    return f"cuda:{number}" if number else "cuda"


def canonical(name: str) -> str:
    """The one name of a device: cuda for cuda:0."""
    number = _NUMBERED.fullmatch(str(name))
    return name if number is None else numbered(int(number[1]))


def opener(name: str) -> Opener:
    """The opener of the device called `name`. Error, with the known names, if there is none; Error for a package that
    can't be imported."""
    number = _NUMBERED.fullmatch(str(name))
    if number is not None:
        from lanewise.device.cuda import open_device

        return functools.partial(open_device, number=int(number[1]))
    if name in HERE:
        module, _, function = HERE[name].partition(":")
        return cast("Opener", getattr(import_module(module), function))
    added = _added()
    if name not in added:
        raise Error(f"no device is called '{name}'; the devices are {', '.join(names())}")
    try:
        return cast("Opener", added[name].load())
    except Exception as error:  # of any kind: another package's code
        what = f"{type(error).__name__}: {error}"
        raise Error(f"device '{name}' can't be loaded from {added[name].value}: {what}") from error


def _added() -> dict[str, Any]:
    """The entry points of other packages, by name."""
    from importlib.metadata import entry_points  # 10 ms, needed by few programs

    return {point.name: point for point in entry_points(group=GROUP)}
