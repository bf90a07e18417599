# SPDX-License-Identifier: Apache-2.0
"""Modules of Python before they run: `lanewise build`, the same as a step of building a wheel, and `lanewise explain`.

build               a module's functions, compiled into the file beside its source
targets             several processors' code in one file
user_module         the module, imported for being built
function_types      the types of a function's regions, before it is called
driver              the driver, followed statement by statement
samples             its expressions, evaluated for small values of the types that are known
explanation         a function's report beside its source
wheel_files         what build hooks put into a wheel
hatch_hook          the hook for hatchling
setuptools_commands the commands for setuptools
"""
