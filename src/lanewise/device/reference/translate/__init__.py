# SPDX-License-Identifier: Apache-2.0
"""Translation of a kernel into Python source.

function_translator       instructions as lines of Python
calls, translation        calls, and what they see of the translation of their function
program, reach            the source with all that it refers to; the functions that a kernel may call
variables                 private variables that are Python's
race_notes                lines that tell of accesses, where races are looked for
locations                 lines and names of the user's source
"""
