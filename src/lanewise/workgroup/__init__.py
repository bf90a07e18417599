# SPDX-License-Identifier: Apache-2.0
"""From the kernel of one work-item to the function of a whole work-group, for CPUs.

function        the way through this package
global_ids      global ids don't overflow, where the launch allows it
barriers        barriers stand at the end of blocks
cuts            where regions begin
regions         the code between cuts, and where it leads
contexts        what lives from one region to another (sharing: in which places)
abi, arena      what the work-group function is given, and the layout of its memory (dynamic_shared: its end)
frame, storage  what its code has at hand, and where it keeps values
local_size      work-items of a group: constants, or what the launch says
processor       what of the processor decides how they are mapped
promise, launch_facts   what code may count on of its launches; what they must know of it
symbols         variables and constants as it reaches them
host_object     declarations, constants and the table of addresses of one object
outlined/       functions that can't be inlined: calls of them, and their own code
lowering        device operations in terms of the host, one at a time. Its tables:
  host_types, expansions, division      types, integers
  floats/                               floating point: directed rounding, half precision, bfloat16
  core_calls, textures, positions       what the runtime core does
  memory_spaces, shared_addresses       addresses
  library                               the C library
waiting_loops, waiting  loops that wait tell the core whether they get on
dynamic_alloca  private memory of a size that only the run knows
work_item_loop  the mapping: a loop over the work-items around each region (emission, region_code, item_code, onward,
                loop_nest, region_mapper)
lanes/          the other mapping: vector code for many work-items at once
in_step         regions whose warps run in step, since their work-items exchange values
iteration_order accesses of an iteration that LLVM's vectoriser must leave in order
expected        what hardly ever runs, for LLVM to know
blocks, narrow_indices                  what code must be like before and after, for LLVM
lines           places in the source of the work-group function
"""
