# SPDX-License-Identifier: Apache-2.0
"""The third mapping: each work-item runs the kernel from start to end on a stack of its own.

needs_threads    tells kernels that the other mappings get wrong
parting          those whose lanes may meet at different instructions
waiting_threads  those whose threads may wait in a loop for what others of their warp or block are yet to write
wait_decision    the answer of those
lane_levels      the groups of lanes that stay together, for that
linear_values    values whose low bits are the lane's number
single_threads   code that one thread of a warp, or of a block, executes
lane_exchanges   operations of the warp, whose lanes meet in the runtime core

`items/own_thread.py` has the code of the work-item that a call of the function is for. This mapping is right for every
kernel that CUDA allows, and slow: nothing is a vector.
"""
