# SPDX-License-Identifier: Apache-2.0
"""Machine code for the processor that this process runs on: host IR in, a shared object out."""

from lanewise.backend.host.compile import assembly, compile_shared_object
from lanewise.backend.host.features import features

__all__ = ["assembly", "compile_shared_object", "features"]
