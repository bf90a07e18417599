# SPDX-License-Identifier: Apache-2.0
"""The kernel IR: our own SSA form of LLVM 22 IR, read from and written to its text.

types, layout            what values are, and how large
values, instruction,
function, module         what a program is made of
ops, intrinsics          the tables of what each operation does
reader, writer           text in and out
verifier                 the invariants
builder                  making new instructions
dominators, loops        facts about control flow
"""
