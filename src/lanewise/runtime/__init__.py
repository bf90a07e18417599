# SPDX-License-Identifier: Apache-2.0
"""The runtime core: pools of threads that run work-group functions over a grid.

pool              thread pools that run launches
build, library    the core, compiled at first use; shared objects, loaded
guarded_memory    arrays between pages that can't be accessed
status            the outcome of a launch
caches            sizes of the processor's caches
"""

from lanewise.runtime.build import CORE, core_library, is_core_built
from lanewise.runtime.caches import last_level_cache_bytes
from lanewise.runtime.library import address_of, load
from lanewise.runtime.pool import CREW_BYTES, CREW_STACK_BYTES, Extent, Pool
from lanewise.runtime.status import SUCCESS, Access, Failure, Known, Outcome

__all__ = [
    "CORE",
    "CREW_BYTES",
    "CREW_STACK_BYTES",
    "SUCCESS",
    "Access",
    "Extent",
    "Failure",
    "Known",
    "Outcome",
    "Pool",
    "address_of",
    "core_library",
    "is_core_built",
    "last_level_cache_bytes",
    "load",
]
