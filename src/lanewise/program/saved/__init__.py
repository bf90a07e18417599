# SPDX-License-Identifier: Apache-2.0
"""Modules in files, which need no compiler.

files        saving and loading
saved_unit   what a loaded module has in place of a translation unit
lwo          the format
"""
