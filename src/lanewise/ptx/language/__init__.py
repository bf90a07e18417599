# SPDX-License-Identifier: Apache-2.0
"""PTX as a language, from ISA 3.1 to 9.0: text to a model and back.

lexer                       text to tokens
operands, statements,
module                      the model
parser                      tokens to modules and functions; it builds, one upon the other, on constant_parser,
                            operand_parser, declaration_parser, directive_parser and body_parser
printer                     the model as text
locations                   which line of the program a statement comes from
opcodes                     the table of instructions: what each writes, and what it does to memory and to control
"""
