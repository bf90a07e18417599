# SPDX-License-Identifier: Apache-2.0
"""The device of a launch that names none: that of `with lw.on(device):`, else the session's default."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from lanewise.device.base import Device

_CHOSEN: ContextVar[Device | None] = ContextVar("lanewise device", default=None)
"""A context variable, so that threads and tasks that choose different devices don't meet."""


def chosen_device() -> Device | None:
    """The device of the innermost `on` around the caller, in its thread or task; None outside of any."""
    return _CHOSEN.get()


@contextmanager
def on(device: Device) -> Generator[Device]:
    """Within the `with` block, launches, copies and variables that name no device are on `device`."""
    token = _CHOSEN.set(device)
    try:
        yield device
    finally:
        _CHOSEN.reset(token)
