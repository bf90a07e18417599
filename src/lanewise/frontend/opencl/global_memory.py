# SPDX-License-Identifier: Apache-2.0
"""The size of a program's variables in global memory, as `clGetProgramBuildInfo` tells it.

Source: The OpenCL Specification 3.0, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE.
"""

from lanewise.ir.address_spaces import GLOBAL
from lanewise.ir.layout import size_of
from lanewise.ir.module import Module


def global_bytes(module: Module) -> int:
    """Bytes of the variables, constant ones too. `module` is as clang has made it: later it has tables of the library,
    and constant memory may have become global memory."""
    variables = (variable for variable in module.variables if variable.type.addrspace == GLOBAL)
    return sum(size_of(variable.value_type, module.types) for variable in variables)
