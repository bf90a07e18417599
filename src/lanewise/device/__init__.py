# SPDX-License-Identifier: Apache-2.0
"""Devices: what kernels run on.

base             the protocols: Device, OpenProgram, and what a device may offer besides
capabilities     what a device can do, as data
memory           the protocol of its memory, and the host's memory
program, launch  what it gets: a program in the forms that it accepts, a launch
race_log         races that a device finds by itself
variable_images  the initial values of a program's variables
gpus             GPUs by name, as their data sheets describe them
texture_layout   textures and surfaces as they lie in memory
table            the devices by name, those of other packages included
cpu, reference, simt, cuda    the devices here
"""
