# SPDX-License-Identifier: Apache-2.0
"""Images and samplers of OpenCL C over arrays.

image     arrays as images, the arguments for image2d_t and the like
sampler   arguments for sampler_t
formats   orders and types of channels, and how they lie in memory
"""
