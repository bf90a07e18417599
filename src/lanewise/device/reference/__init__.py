# SPDX-License-Identifier: Apache-2.0
"""The reference device: interprets kernel IR from the front end, unoptimised, and judges every other device.

Each folder knows only those below it in this list, and the modules at its end.

module, device    ReferenceModule: launch a kernel, reach a variable; the same behind the protocols of a device
execution         one launch: all work-groups in order, and the report of a fault
translate         a kernel becomes Python source
run               work-items, barriers and other meetings, services, races
memory            objects, loads and stores, variables, arguments, textures
arithmetic        runtime values, and the semantics of each operation
address_windows   addresses of shared and private memory, functions and the heap
faults            ends of a work-item or a launch
"""

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.reference.device import ReferenceDevice
from lanewise.device.reference.memory.arguments import ArgumentValue
from lanewise.device.reference.module import ReferenceModule


def open_device(cache: Cache, config: Config) -> ReferenceDevice:
    """The interpreter; it keeps nothing and has no settings."""
    return ReferenceDevice()


__all__ = ["ArgumentValue", "ReferenceDevice", "ReferenceModule", "open_device"]
