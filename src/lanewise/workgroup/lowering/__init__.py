# SPDX-License-Identifier: Apache-2.0
"""Operations of the device in terms of the host.

lowering                        one instruction at a time
expansions, division            integer operations that hosts don't have
floats/                         floating point: directed rounding, half precision, bfloat16
runtime_calls, textures         calls of the runtime core
positions                       the thread's place in the source, for messages
memory_spaces                   queries about address spaces
library                         functions of the C library
dynamic_alloca                  private memory of a size that only the run knows
out_of_line_calls               calls of functions that can't be inlined
"""
