# SPDX-License-Identifier: Apache-2.0
"""Images: the C source of a unit's tables."""

import base64
import ctypes
from pathlib import Path

import pytest

from lanewise.cuda.objects.image import compile_image, image_source
from lanewise.cuda.objects.variable_kinds import VariableKinds
from lanewise.device.variable_images import VariableImage
from lanewise.errors import CompileError
from lanewise.toolchain import link_shared_object

UNIT = "00112233445566778899aabbccddeeff"


def variable(symbol: str, data: bytes, *pointers: tuple[int, str, int], align: int = 4) -> VariableImage:
    return VariableImage(symbol, base64.b64encode(data).decode(), align, pointers)


def loaded(tmp_path: Path, *variables: VariableImage) -> ctypes.CDLL:
    """The image of a unit of variables, loaded, without the constructors, which call the host runtime."""
    source = image_source(UNIT, "test.cu", [], variables, VariableKinds(), None).partition(
        "__attribute__((constructor"
    )[0]
    exported = "\n".join(f"void *address{n}(void) {{ return &var{n}; }}" for n in range(len(variables)))
    path = tmp_path / "image.so"
    path.write_bytes(link_shared_object([compile_image(source + exported, b"IR")]))
    return ctypes.CDLL(str(path))


def content(library: ctypes.CDLL, number: int, size: int) -> bytes:
    address = library[f"address{number}"]
    address.restype = ctypes.c_void_p
    return ctypes.string_at(address(), size)


def test_initial_values_of_variables(tmp_path: Path) -> None:
    library = loaded(
        tmp_path,
        variable("numbers", bytes([1, 2, 3, 255])),
        variable("zeros", bytes(1 << 20)),
        variable("ends_in_zeros", b"\1" + bytes(99)),
    )
    assert content(library, 0, 4) == bytes([1, 2, 3, 255])
    assert content(library, 1, 1 << 20) == bytes(1 << 20)
    assert content(library, 2, 100) == b"\1" + bytes(99)


def test_a_variable_that_points_into_another(tmp_path: Path) -> None:
    pointing = variable("pointing", b"\7" * 4 + bytes(8) + b"\11" * 3, (4, "target", 2))
    library = loaded(tmp_path, variable("target", b"\5" * 8), pointing)
    data = content(library, 1, 15)
    assert (data[:4], data[12:]) == (b"\7" * 4, b"\11" * 3)
    library.address0.restype = ctypes.c_void_p
    assert int.from_bytes(data[4:12], "little") == library.address0() + 2


def test_variables_start_at_cache_lines_or_at_what_they_ask_for(tmp_path: Path) -> None:
    library = loaded(tmp_path, variable("a", b"\1"), variable("b", b"\1", align=4096))
    for number, align in ((0, 64), (1, 4096)):
        library[f"address{number}"].restype = ctypes.c_void_p
        assert library[f"address{number}"]() % align == 0


def test_an_undefined_symbol_is_an_error() -> None:
    with pytest.raises(
        CompileError, match="elsewhere is declared and not defined in this file; compile with -rdc=true"
    ):
        image_source(UNIT, "test.cu", [], [variable("v", bytes(8), (0, "elsewhere", 0))], VariableKinds(), None)
