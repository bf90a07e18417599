# SPDX-License-Identifier: Apache-2.0
"""Numbers that are known to be multiples of others, in a form from which LLVM knows it, too."""

from lanewise.frontend.python.code import PythonCode
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i64


def multiple(code: PythonCode, number: IrValue, of: int) -> IrValue:
    """A number that is a multiple of a power of two. LLVM follows the zero bits into addresses, and finds the alignment
    of loads."""
    return code.build.binary("and", number, i64(-of))
