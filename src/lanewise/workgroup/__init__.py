# SPDX-License-Identifier: Apache-2.0
"""From the kernel of one work-item to the function of a whole work-group, for CPUs.

function            builds the work-group function, by the steps of this package in order
regions/            the code between barriers, and the values that live from one region to another
layout/             the function's parameters, the memory of a work-group, host types and symbols
lowering/           device operations in terms of the host, one at a time
items/              the code of one work-item in each region, and loops of it over all work-items
lanes/              the other mapping: vector code for many work-items at once
threads/            the third: each work-item on a stack of its own, for kernels that lanes in lock-step get wrong
waiting/            spin loops that tell the runtime core whether they make progress
lines               places in the source of the work-group function
out_of_line_object  the object of functions that can't be inlined
mapping, processor  the mapping that the user asks for, and facts about the processor that decide it
alternatives        kernels that may run by either of two mappings
launch_assumptions, launch_facts    assumptions of code about its launches; facts that launches must know
"""
