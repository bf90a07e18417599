# SPDX-License-Identifier: Apache-2.0
"""The runtime core: pools of threads that run work-group functions over a grid."""

from lanewise.runtime.build import CORE, core_library
from lanewise.runtime.library import address_of, load
from lanewise.runtime.pool import Extent, Pool
from lanewise.runtime.status import SUCCESS, Failure, Outcome

__all__ = ["CORE", "SUCCESS", "Extent", "Failure", "Outcome", "Pool", "address_of", "core_library", "load"]
