# SPDX-License-Identifier: Apache-2.0
"""The platform in a process that has functions of its names: a preloaded layer, a program with its own loader."""

import os
import subprocess
import sys
from pathlib import Path

from lanewise.runtime.build import compile_object
from lanewise.toolchain import link_shared_object

_LAYER = '__attribute__((visibility("default"))) int clGetDeviceIDs(void *platform) { return -4242; }'
_PROGRAM = """
import ctypes, sys
layer, platform = ctypes.CDLL(None), ctypes.CDLL(sys.argv[1])
found, count = ctypes.c_void_p(), ctypes.c_uint()
assert layer.clGetDeviceIDs(None) == -4242
find = platform.clGetExtensionFunctionAddress
find.restype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)
assert find(b"clIcdGetPlatformIDsKHR")(1, ctypes.byref(found), None) == 0
# A handle points to the loader's table of functions, the third of which is clGetDeviceIDs.
table = ctypes.cast(found, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
get_devices = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint, ctypes.c_void_p,
                               ctypes.POINTER(ctypes.c_uint))(table[2])
assert get_devices(found, 0xFFFFFFFF, 0, None, ctypes.byref(count)) == 0
assert count.value > 0
"""


def test_the_loaders_table_has_the_platforms_own_functions(library: Path, tmp_path: Path) -> None:
    source, layer = tmp_path / "layer.c", tmp_path / "layer.so"
    source.write_text(_LAYER)
    layer.write_bytes(link_shared_object([compile_object(source)]))
    words = [sys.executable, "-c", _PROGRAM, str(library)]
    subprocess.run(words, env={**os.environ, "LD_PRELOAD": str(layer)}, check=True, timeout=60)
