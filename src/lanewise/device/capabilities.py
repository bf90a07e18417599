# SPDX-License-Identifier: Apache-2.0
"""Capabilities of a device, as data: code that serves all devices asks for these, never for a device's name."""

from typing import NamedTuple


class Capabilities(NamedTuple):
    """Capabilities of one device. The defaults are those of a device that runs kernels in this process."""

    own_memory: bool = False
    """True if kernels can't access the host's memory. Then addresses of the device mean nothing to the host, arrays of
    the host are copied for each launch that gets them, and `Device.memory` moves the bytes."""
    accepts: tuple[str, ...] = ("linked-ir",)
    """The forms of a program that the device takes, the preferred one first; see `Program.product`."""
    warp_size: int = 32
    """Work-items that run in lock-step."""
    max_shared_bytes: int = 227 << 10
    """Limit on static plus dynamic shared memory of a work-group, in bytes: the largest of any GPU (sm_90)."""
    textures: bool = True
    """True if kernels fetch from textures and surfaces whose description lies in memory (`device.texture_layout`)."""
    cooperative: bool = True
    """True if all work-groups of a launch can be resident at the same time, and so may wait for one another."""
    arch: str = ""
    """The architecture of PTX that the device takes, such as sm_80; empty if it takes none."""
    vector_bytes: int = 0
    """Size of a vector register, for devices whose work-items share such; 0 for others."""
    item_registers: int = 0
    """Registers of 32 bits that a work-item may have, for devices whose work-items have their own; 0 for others."""
    memory_bytes: int | None = None
    """Size of the device's own memory; None: it has none, or doesn't know."""
