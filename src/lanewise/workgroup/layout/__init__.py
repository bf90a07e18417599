# SPDX-License-Identifier: Apache-2.0
"""The surroundings of the code: parameters, memory, types and symbols.

abi, frame              the parameters of a work-group function; values that its code loads once
warp_meetings           waits of a warp for others of its group
arena, dynamic_shared   the memory of a work-group; its end, of a size that the launch gives
shared_addresses        addresses of shared memory as numbers
interleaved_arrays      private arrays of neighbouring work-items, element by element
local_size              the local size: constants, or values from the launch
host_types              types of the device as types of the host
own_counters            counters of one call of the function, for profiles
symbols, host_object    variables and constants as code reaches them; the object that they are in
out_of_line             calls of functions that can't be inlined
"""
