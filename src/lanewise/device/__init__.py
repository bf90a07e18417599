# SPDX-License-Identifier: Apache-2.0
"""Devices, which run kernels.

base             the protocols of a device and of a program that it has opened
cpu              machine code on all cores of the host
reference        an interpreter that judges all other devices
texture_layout   a texture as kernels find it in memory
"""
