# SPDX-License-Identifier: Apache-2.0
"""The reference device: runs kernel IR as it comes from the front end, plainly, and judges every other device.

module                              ReferenceModule: launch a kernel, reach a variable
launch, group, warp, grid           work-groups, work-items as coroutines, what waits for what
function_translator, calls          instructions as lines of Python
program, reach, variables           what a kernel's program is made of
textures                            fetches and surface accesses
operations                          from an operation to its function
integers, floats, formats, casts,   what each operation means
  elements, intrinsics, math_intrinsics, directed_rounding, atomics, c_library
indeterminate                       undef and poison
memory, heap, accesses, encoding    objects, loads and stores, values as bits
symbols, arguments, machine         variables and constants, kernel arguments, what a launch provides
printing, locations, faults,        printf, lines of the source, how a work-item stops, or all of them
  time_limit
progress, stuck                     who goes on first, and an end to waiting for nothing
races                               unordered accesses to the same shared memory
"""

from lanewise.device.reference.arguments import ArgumentValue
from lanewise.device.reference.device import ReferenceDevice
from lanewise.device.reference.module import ReferenceModule

__all__ = ["ArgumentValue", "ReferenceDevice", "ReferenceModule"]
