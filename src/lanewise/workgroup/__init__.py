# SPDX-License-Identifier: Apache-2.0
"""From the kernel of one work-item to the function of a whole work-group, for CPUs.

barriers        barriers stand at the end of blocks
cuts            where regions begin
regions         the code between cuts, and where it leads
contexts        what lives from one region to another
abi, arena      what the work-group function is given, and the layout of its memory
lowering        device operations in terms of the host
work_item_loop  the mapping: a loop over the work-items around each region
"""
