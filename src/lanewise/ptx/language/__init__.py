# SPDX-License-Identifier: Apache-2.0
"""PTX as a language, from ISA 1.0 to 9.0: text to a model and back.

lexer                       text to tokens
operands, statements,
module                      the model
parser                      tokens to modules and functions; its base classes are, from the lowest, constant_parser,
                            operand_parser, declaration_parser, directive_parser and body_parser
printer                     the model as text
locations                   the line of the program that a statement comes from
opcodes                     the table of instructions: results, and effects on memory and control
"""
