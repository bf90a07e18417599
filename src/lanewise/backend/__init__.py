# SPDX-License-Identifier: Apache-2.0
"""Back ends: from IR that a pipeline has made to what a target takes.

host     machine code for the processor of this process
nvptx    PTX
"""
