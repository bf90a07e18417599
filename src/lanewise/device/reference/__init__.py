# SPDX-License-Identifier: Apache-2.0
"""The reference device: interprets kernel IR from the front end, unoptimised, and judges every other device.

module                              ReferenceModule: launch a kernel, reach a variable
launch, group, warp, grid           work-groups, work-items as coroutines, barriers and other meetings
function_translator, calls          instructions as lines of Python
program, reach, variables           the parts of a kernel's program
textures                            fetches and surface accesses
operations                          from an operation to its function
integers, floats, formats, casts,   the semantics of each operation
  elements, intrinsics, math_intrinsics, directed_rounding, atomics, c_library
indeterminate                       undef and poison
memory, heap, accesses, encoding    objects, loads and stores, values as bits
symbols, arguments, machine         variables and constants, kernel arguments, services of a launch
printing, locations, faults,        printf, lines of the source, ends of a work-item or a launch
  time_limit
progress, stuck                     order of divergent work-items, detection of endless waiting
races                               unordered accesses to the same shared memory
"""

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.reference.arguments import ArgumentValue
from lanewise.device.reference.device import ReferenceDevice
from lanewise.device.reference.module import ReferenceModule


def open_device(cache: Cache, config: Config) -> ReferenceDevice:
    """The interpreter; it keeps nothing and has no settings."""
    return ReferenceDevice()


__all__ = ["ArgumentValue", "ReferenceDevice", "ReferenceModule", "open_device"]
