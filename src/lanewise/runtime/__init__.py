# SPDX-License-Identifier: Apache-2.0
"""The runtime core: pools of threads that run work-group functions over a grid.

pool              thread pools that run launches
served_queue      queues of work, which threads of Python serve
native_launch     launches that a queue makes without Python
trial             two codes of one kernel, of which the clock chooses
direct_call       calls of compiled loops that C makes (calls/)
build, library    the core and the queues, compiled at first use; shared objects, loaded
brought_libraries  shared objects that modules built ahead of time have with them
guarded_memory    arrays between pages that can't be accessed
status            the outcome of a launch
caches            sizes of the processor's caches
"""

from lanewise.runtime.build import CORE, core_library, is_core_built
from lanewise.runtime.caches import last_level_cache_bytes
from lanewise.runtime.library import address_of, load
from lanewise.runtime.native_launch import NativeLaunch
from lanewise.runtime.pool import CREW_BYTES, CREW_STACK_BYTES, Extent, Pool, packed_request
from lanewise.runtime.status import SUCCESS, Access, Failure, Known, Outcome
from lanewise.runtime.trial import Trial, TrialState, TrialTimes

__all__ = [
    "CORE",
    "CREW_BYTES",
    "CREW_STACK_BYTES",
    "SUCCESS",
    "Access",
    "Extent",
    "Failure",
    "Known",
    "NativeLaunch",
    "Outcome",
    "Pool",
    "Trial",
    "TrialState",
    "TrialTimes",
    "address_of",
    "core_library",
    "is_core_built",
    "last_level_cache_bytes",
    "load",
    "packed_request",
]
