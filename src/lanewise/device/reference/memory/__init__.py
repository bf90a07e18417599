# SPDX-License-Identifier: Apache-2.0
"""Memory: objects, and what is loaded and stored.

objects               the memory that a launch can access
heap                  memory from malloc and new
accesses, atomics     typed loads and stores; read-modify-write
symbols, arguments    variables and constants of a module; kernel arguments
named_objects         arrays and variables, as reports of races name them
textures              fetches and surface accesses
"""
