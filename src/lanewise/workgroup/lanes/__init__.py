# SPDX-License-Identifier: Apache-2.0
"""Work-items as lanes: explicit vector code for the code of one work-item in a region.

What is laid out how
    mapping, plan, choice       which vectors, how many of them, along which axis, or why none
    ids                         shapes of the work-items' ids
    units, checks               the loops over units of a group, and the versions of their code
    refusal, spinning           what becomes a loop over work-items instead
    budget, costs               a bound on the code of a kernel; remarks on what makes it slow
    walks, counted_loops        loops along rows, by several elements an iteration
Control flow
    agreement                   whether all work-items take one way, as the first and the last say
    control, order, arrivals    linearisation with masks: where control goes, in which order, and what it brings
    repair                      values that no longer dominate their uses
Values and instructions
    registers, code             what stands for a value; what all makers of code share
    instructions, operations    one instruction, and those that each work-item does for itself
    atomics, lane_by_lane       what no vector does
    warp_calls, warps           operations of a warp
Memory
    memory, runs, wrapping      loads and stores by what is known of their addresses
    opaque                      masks that LLVM must not compute
    streams, streaming, ahead   stores past the caches, and prefetches for what goes with them
    fields, strided, records    several fields at an address, by wide accesses and shuffles (record_layout)
    grouped, siblings           accesses that are such fields together
    elements, pending           what an access touches; accesses that are made elsewhere
    transposed, shuffles        columns; networks of shuffles
    private_arrays, copies      arrays of a work-item's own; copies of structs
"""
