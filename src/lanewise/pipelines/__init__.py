# SPDX-License-Identifier: Apache-2.0
"""Pipelines: for each target one literal table of steps, and what runs them.

cpu, gpu, reference     the tables
source                  kernel IR on its way into a table
step, order, drive      what a step is, which must come before which and why, how a table is run
effect                  what a step has changed: instructions, lines of the source
out_of_line_functions   what runs the tables of functions that are not inlined
split_program           a large program's kernels, and the functions that they call again and again
simplified_kernel       what code for several local sizes shares
kernel_compilation      what the steps of the CPU's table are asked for, and tell each other
group_function          the function of a work-group, in the form that its mapping asks for
isolate, positions, lines, counters, open_cl_limits    steps of the CPU's table that know work-groups
flags                   what decides whether jumps are threaded
check_faults            what checked kernels tell the runtime core
target                  the processor that kernels are compiled for
report                  what became of a kernel on the CPU, for people to read
"""
