# SPDX-License-Identifier: Apache-2.0
"""What `lw.compile` returns: modules, their kernels and their variables.

compilation, unit           from source to a module, through the cache (language: told by name or text)
description, info           what is known of a module without reading its IR
module, kernel, variable    what the user has
arguments, numbers,         what stands for a kernel's parameters, checked and packed
  structs, geometry,
  local_memory, ndrange
buffer, foreign_arrays,     memory: on a device, of other libraries
  dtypes, bfloat16
texture, references         textures and surfaces, as objects and as variables of the file
transfers, selection        copies in streams; the device of a launch that names none
saved, lwo                  modules in files, and the format of these
"""
