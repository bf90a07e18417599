# SPDX-License-Identifier: Apache-2.0
"""The built-in functions of OpenCL C, defined in OpenCL C.

units    the source files with their macros, and the symbols that each defines
"""

from lanewise.frontend.opencl.library.units import (
    FEATURES,
    built_in_library,
    depends_on_sub_groups,
    unit_of,
    wide_library,
)

__all__ = ["FEATURES", "built_in_library", "depends_on_sub_groups", "unit_of", "wide_library"]
