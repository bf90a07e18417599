# SPDX-License-Identifier: Apache-2.0
"""PTX to kernel IR: text of any compiler becomes a module like that of the other front ends.

unit                a source and its options (see frontend/unit.py)
translate           modules as one, and the description of its kernels
linking             names that several modules share
symbols             the symbols that each module sees, translated when something names them
inline_assembly     statements of inline assembly as functions
variables           variables with their initialisers
kernels             facts of a kernel that launches need
function, code      the body of a function, and its code meanwhile: blocks, registers, operands
frame               the variables of a function: its parameters, and what its body declares
signatures          types of functions
lines               places in the source, as debug information
registers           registers as values in SSA form
targets             places that an instruction may branch to
counting            counters of what is executed, on request
special_registers   the place of a work-item in its launch, clocks and the like
address_spaces      pointers and their spaces
references          textures and surfaces by name
legacy              what PTX for the first GPUs leaves unsaid
flushing            denormals as zeros
ptx_types           types of PTX in terms of the kernel IR's
operands            numbers as constants
refusal             what can't be translated, named with its line
instructions        one function for each instruction, in tables by chapter of the manual

Source: PTX ISA 9.0.
"""
