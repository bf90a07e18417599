# SPDX-License-Identifier: Apache-2.0
"""What `lw.compile` returns: modules, their kernels and their variables.

compilation, language,      from source to a module: its front end, and the cache past that
  translation, products     what becomes of it: kernel IR, linked kernel IR, PTX
module, kernel, variable    what the user has
arguments, numbers,         what stands for a kernel's parameters, checked and packed
  structs, geometry,
  local_memory, ndrange
buffer, foreign_arrays,     memory: on a device, of other libraries
  dtypes, bfloat16
allocation, staging         devices with memory of their own: what is there, copies for a launch
texture, references         textures and surfaces, as objects and as variables of the file
transfers, selection        copies in streams; the device of a launch that names none
saved, saved_unit, lwo      modules in files, and the format of these
"""
