# SPDX-License-Identifier: Apache-2.0
"""Images as LLVM IR: the layout of their tables is that of the host runtime's header, and programs run by them."""

import ctypes
import re
from pathlib import Path

import pytest

from lanewise.cache import Cache
from lanewise.cuda.objects.assumed import Assumed
from lanewise.cuda.objects.device_objects import device_objects
from lanewise.cuda.objects.image import LOADED
from lanewise.cuda.objects.loaded_image import IMAGE_VERSION, NUMBERS, STRUCTS
from lanewise.cuda.objects.packed_ir import packed_ir
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.opencl.unit import opencl_unit
from lanewise.frontend.source import Source
from lanewise.program.source.translation import translate
from lanewise.runtime.build import HOST
from lanewise.toolchain import link_shared_object

HEADER = (HOST / "lanewise.h").read_text()
NUMBERS_OF_C = {"uint32_t": "i32", "uint64_t": "i64", "uint8_t": "i8"}
SOURCE = """
global int counts[3] = {5, 0, 7};
constant int squares[4] = {0, 1, 4, 9};
kernel void count(global int *out, const global float *in, int n) {
    size_t i = get_global_id(0);
    out[i] = atomic_add(&counts[i % 3], (int)in[i] + squares[n & 3]);
}
"""


def fields(struct: str) -> str:
    """The fields of a struct of the header, as `STRUCTS` has them."""
    (body,) = re.findall(rf"typedef struct {struct} {{(.*?)\n}} {struct};", HEADER, re.DOTALL)
    found: list[str] = []
    for declaration in re.sub(r"//.*", "", body).split(";"):
        words = declaration.strip()
        if not words:
            continue
        if "*" in words or words.startswith("lw_group_fn"):
            found.append("ptr")
            continue
        type_, name = words.split()
        length = re.search(r"\[(\w+)\]", name)
        extent = length and (length[1] if length[1].isdecimal() else enumerators()[length[1]])
        found.append(f"[{extent}x{NUMBERS_OF_C[type_]}]" if extent else NUMBERS_OF_C[type_])
    return " ".join(found)


def enumerators() -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(r"\b(LW_\w+) = (\d+)\b", HEADER)}


@pytest.mark.parametrize("struct", STRUCTS)
def test_structs_are_those_of_the_header(struct: str) -> None:
    assert STRUCTS[struct] == fields(struct)


def test_numbers_are_those_of_the_header() -> None:
    assert {name: enumerators()[name] for name in NUMBERS} == NUMBERS
    assert enumerators()["LW_IMAGE_VERSION"] == IMAGE_VERSION


def test_an_image_has_what_a_program_has(tmp_path: Path) -> None:
    class Image(ctypes.Structure):
        _fields_ = (
            *((name, ctypes.c_uint32) for name in ("version", "kernels", "variables", "references")),
            ("id", ctypes.c_uint8 * 16),
            ("source", ctypes.c_char_p),
            ("features", ctypes.c_char_p),
            ("kernel", ctypes.POINTER(ctypes.c_char_p)),
            ("variable", ctypes.c_void_p),
            ("reference", ctypes.c_void_p),
            ("ir", ctypes.c_void_p),
            ("ir_bytes", ctypes.c_uint64),
        )

    unit = opencl_unit(Source(SOURCE, None), GivenOptions(options="-cl-std=CL3.0"))
    made = translate(unit, {"mapping": "auto"}, Cache(tmp_path))
    objects = device_objects(made, "0123456789abcdef" * 2, 'a "name"', dict, (), loaded=True, assumed=Assumed.BOTH)
    library = tmp_path / "image.so"
    library.write_bytes(link_shared_object(objects, exported=f"{{ global: {LOADED}; local: *; }};\n"))
    image = ctypes.POINTER(Image).in_dll(ctypes.CDLL(str(library)), LOADED).contents
    assert (image.version, image.kernels, image.variables, image.references) == (IMAGE_VERSION, 1, 2, 0)
    assert bytes(image.id).hex() == "0123456789abcdef" * 2
    assert (image.source, image.kernel[0], image.kernel[1]) == (b'a "name"', b"count", b"count")
    assert image.kernel[2] is None
    assert ctypes.string_at(image.ir, image.ir_bytes) == packed_ir(made.program, made.info)
    rows = {
        ctypes.string_at(row[0]): ctypes.string_at(row[2], row[3])
        for row in ((ctypes.c_uint64 * 5).from_address(image.variable + 40 * number) for number in range(2))
    }
    assert rows[b"counts"] == bytes((ctypes.c_int32 * 3)(5, 0, 7))
    assert rows[b"squares"] == bytes((ctypes.c_int32 * 4)(0, 1, 4, 9))
