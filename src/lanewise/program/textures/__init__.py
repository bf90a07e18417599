# SPDX-License-Identifier: Apache-2.0
"""Textures and surfaces.

texture      Texture and Surface: objects over arrays
references   variables of the file that textures are bound to
"""
