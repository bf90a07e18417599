# SPDX-License-Identifier: Apache-2.0
"""The kernel IR: our own SSA form of LLVM 22 IR, read from and written to its text.

types, layout                 what values are, and how large
values, instruction,
function, module              what a program is made of
names, symbol_words           how it is spelled
ops, intrinsics               the tables of what each operation does
effects                       what an instruction may do, out of these tables
predicates, address_spaces    comparisons and kinds of memory, by name
reader, writer                text in and out (lexer, cursor, function_reader,
                              instruction_reader and plain_lines are the reader's)
module_text                   a module's text, cut into functions
verifier, type_rules          the invariants
builder                       making new instructions
retype                        other types throughout a module
unused                        instructions whose results nobody uses, removed
dominators, loops             facts about control flow
denormals                     functions that count denormals as zeros
dyadic                        exact sums and products of floating-point numbers
preheaders                    the block before a loop
remarks                       what passes left alone, for whoever asks
reached_blocks, copied_blocks  blocks that paths lead to; copies of blocks
debug_info, strip_debug       what the source called it, read and taken out
line_nodes                    debug information for line tables, made
parameters, initializer       arguments and variables as bytes
check_report                  what checked kernels tell, and where
counters                      what profiles count, and the calls that do
matrix_products, matrix_rows  products of matrices that a warp holds; their rows in memory
sub_groups                    sizes of OpenCL C's sub-groups
texture_functions             functions for textures, which every device provides
written_names                 symbols as programs write them, for messages
reference                     docs/ir.md, made from the tables
"""
