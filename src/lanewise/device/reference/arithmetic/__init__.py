# SPDX-License-Identifier: Apache-2.0
"""Runtime values, and the semantics of the operations on them.

indeterminate               undef and poison
formats, encoding           floating-point formats; values as bits
integers, floats, casts     operations on scalars
flushing                    denormals as zeros
directed_rounding           arithmetic with a stated rounding
elements                    vectors and aggregates
intrinsics                  pure intrinsics; math_intrinsics has those in floating point, c_library the host's functions
operations                  from an operation to its function
"""
