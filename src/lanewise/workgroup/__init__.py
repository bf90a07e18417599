# SPDX-License-Identifier: Apache-2.0
"""From the kernel of one work-item to the function of a whole work-group, for CPUs.

function        the way through this package
global_ids      global ids don't overflow, where the launch allows it
barriers        barriers stand at the end of blocks
cuts            where regions begin
regions         the code between cuts, and where it leads
contexts        what lives from one region to another
abi, arena      what the work-group function is given, and the layout of its memory
frame, storage  what its code has at hand, and where it keeps values
symbols         variables and constants as it reaches them
lowering        device operations in terms of the host; host_types and expansions are its tables
work_item_loop  the mapping: a loop over the work-items around each region (group, region_code, loop_nest)
"""
