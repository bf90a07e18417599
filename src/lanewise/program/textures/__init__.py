# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces.

texture      Texture and Surface: objects over arrays
description  their form in memory, and that of images
references   variables of the file that textures are bound to
"""
