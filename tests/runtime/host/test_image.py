# SPDX-License-Identifier: Apache-2.0
"""Images: python -m pytest tests/runtime/host/test_image.py"""

import ctypes
from pathlib import Path

from .driver import Host, Memory, Result
from .script import run

ID = b"a test's image.\0"
VERSION = 4


def test_an_image_is_found_by_its_id_and_kernels_by_their_symbols(host: Host):
    assert host.image_find(ID) == host.image
    assert host.image_find(bytes(16)) is None
    kernel = host.image_kernel(host.image, b"add")
    assert ctypes.cast(kernel, ctypes.POINTER(ctypes.c_char_p))[1] == b"ns::add"
    assert host.image_kernel(host.image, b"ns::add") is None
    assert host.image_variable(host.image, b"nowhere") is None


def test_variables_are_known_memory(host: Host):
    for name, nbytes, flags in ((b"variable", 32, 0), (b"constant", 4, 1)):
        variable = ctypes.cast(host.image_variable(host.image, name), ctypes.POINTER(ctypes.c_void_p))
        found = host.find((variable[2] or 0) + nbytes - 1)
        assert found is not None
        assert (found.address, found.bytes, found.kind, found.flags) == (variable[2], nbytes, Memory.VARIABLE, flags)


def test_an_image_can_be_removed_and_added_again(host: Host):
    variable = ctypes.cast(host.image_variable(host.image, b"variable"), ctypes.POINTER(ctypes.c_void_p))[2] or 0
    host.image_remove(host.image)
    assert host.image_find(ID) is None
    assert host.find(variable) is None
    assert host.image_add(host.image) == 0
    assert host.image_find(ID) == host.image
    assert host.find(variable) is not None


def test_a_managed_variable_moves_to_memory_of_the_host(library: Path):
    code = """
        memory = (ctypes.c_uint64 * 2)()
        before, address = host.where_managed_is(), ctypes.addressof(memory)
        for name, expected in ((b"variable", Result.INVALID), (b"managed", 0)):
            assert host.variable_move(host.image, name, address) == expected
        assert list(memory) == [5, 6]
        assert host.where_managed_is() == address
        assert host.find(before) is None
        assert host.find(address + 15).kind == Memory.VARIABLE
        host.image_remove(host.image)
        assert host.find(address) is None
        print("moved")
    """
    assert run(library, code) == "moved\n"


def test_an_image_of_another_version_is_refused(host: Host):
    other = host.other_image(VERSION - 1, b"")
    assert host.image_add(other) == Result.INVALID
    assert "other.c" in host.explanation
    assert host.image_find(b"another image..\0") is None


def test_an_image_for_another_processor_has_no_kernel_that_could_run(host: Host):
    other = host.other_image(VERSION, b"sse2,flux_capacitor")
    assert host.image_add(other) == 0
    assert host.image_find(b"another image..\0") == other
    assert host.launch(host.queue(), "one", image=other) == Result.NO_KERNEL
    assert "flux_capacitor" in host.explanation
    host.image_remove(other)


def test_an_image_for_this_processor_runs(host: Host):
    with open("/proc/cpuinfo") as file:
        told = dict(line.split(":", 1) for line in file.read().split("\n\n", 1)[0].splitlines() if ":" in line)
    flags = next(value for name, value in told.items() if name.strip() in ("flags", "Features")).split()
    features = ",".join(flags).encode()  # read again when the image is removed
    other = host.other_image(VERSION, features)
    assert host.image_add(other) == 0
    queue = host.queue()
    assert host.launch(queue, "one", image=other) == 0
    assert host.queue_synchronize(queue) == 0
    host.image_remove(other)
