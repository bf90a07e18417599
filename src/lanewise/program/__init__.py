# SPDX-License-Identifier: Apache-2.0
"""Modules, kernels and variables: what `lw.compile` returns, and all that launches of them need.

module, kernel, variable   what the user has
source                     from a source to a program, and the forms that devices accept
arguments                  arguments and extents of a launch: checked and packed
memory                     buffers, copies, and devices with memory of their own
images                     images and samplers of OpenCL C
textures                   textures and surfaces, as objects and as variables of the file
profile                    counters of a launch, by line
saved                      modules in files
selection                  the device of a launch that names none
"""
