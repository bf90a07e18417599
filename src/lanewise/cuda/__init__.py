# SPDX-License-Identifier: Apache-2.0
"""CUDA's own interfaces for programs that are not Python.

libraries    builds libcudart from runtime/, NVIDIA's runtime API in C++ over the host runtime
"""
