# SPDX-License-Identifier: Apache-2.0
"""Images as LLVM IR: the layout of their tables is that of the host runtime's header, and what is in them is what
images in C have."""

import ctypes
import re
from pathlib import Path
from typing import Any

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
TYPES_OF_C = {"ptr": ctypes.c_uint64, "i32": ctypes.c_uint32, "i64": ctypes.c_uint64, "i8": ctypes.c_uint8}
SOURCE = """
global int counts[3] = {5, 0, 7};
global float sums[2];
constant int squares[4] = {0, 1, 4, 9};
kernel void count(global int *out, const global float *in, int n) {
    size_t i = get_global_id(0);
    out[i] = atomic_add(&counts[i % 3], (int)in[i] + squares[n & 3]);
}
kernel __attribute__((reqd_work_group_size(32, 2, 1))) void reverse(global float *out, char sign, double by) {
    local float kept[64];
    size_t i = get_local_linear_id();
    kept[i] = out[i] + sign;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = kept[63 - i] * by;
    sums[i % 2] = by;
}
kernel void scale(global float *out, const global float *in, const global float *by) {
    for (int i = 0; i < 64; ++i)
        out[get_global_id(0) * 64 + i] = in[i] * by[get_global_id(0)];
}
kernel void nothing(void) {}
"""


def declared(struct: str) -> list[tuple[str, str]]:
    """The fields of a struct of the header: their names, and their types as `STRUCTS` has them."""
    (body,) = re.findall(rf"typedef struct {struct} {{(.*?)\n}} {struct};", HEADER, re.DOTALL)
    found: list[tuple[str, str]] = []
    for declaration in re.sub(r"//.*", "", body).split(";"):
        words = declaration.strip()
        if not words:
            continue
        name = re.findall(r"\w+", words.split("[")[0])[-1]
        if "*" in words or words.startswith("lw_group_fn"):
            found.append((name, "ptr"))
            continue
        length = re.search(r"\[(\w+)\]", words)
        extent = length and (length[1] if length[1].isdecimal() else enumerators()[length[1]])
        type_ = NUMBERS_OF_C[words.split()[0]]
        found.append((name, f"[{extent}x{type_}]" if extent else type_))
    return found


def enumerators() -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(r"\b(LW_\w+) = (\d+)\b", HEADER)}


@pytest.mark.parametrize("struct", STRUCTS)
def test_structs_are_those_of_the_header(struct: str) -> None:
    assert STRUCTS[struct] == " ".join(type_ for _, type_ in declared(struct))


def test_numbers_are_those_of_the_header() -> None:
    assert {name: enumerators()[name] for name in NUMBERS} == NUMBERS
    assert enumerators()["LW_IMAGE_VERSION"] == IMAGE_VERSION


Row = dict[str, Any]
"""A struct by the names of its fields, without `reserved` ones."""


def rows(struct: str, address: int, count: int) -> list[Row]:
    """A table in memory. Arrays are tuples."""
    places: list[tuple[str, Any]] = []
    for name, type_ in declared(struct):
        extent, _, element = type_.strip("[]").rpartition("x")
        places.append((name, TYPES_OF_C[element] * int(extent) if extent else TYPES_OF_C[type_]))
    layout: Any = type(struct, (ctypes.Structure,), {"_fields_": places})
    found: list[Row] = []
    for each in (layout * count).from_address(address) if count else ():
        values = {name: getattr(each, name) for name, _ in places}
        assert values.pop("reserved", 0) == 0
        found.append({n: tuple(v) if isinstance(v, ctypes.Array) else v for n, v in values.items()})
    return found


def with_texts(row: Row, *names: str) -> Row:
    """The row with texts in place of these pointers."""
    return {**row, **{name: ctypes.string_at(row[name]) if row[name] else None for name in names}}


def kernel(row: Row) -> Row:
    """A kernel with its tables in place of the pointers to them."""
    row = with_texts(row, "symbol", "name", "refusal")
    row["parameters"] = [
        with_texts(each, "name") for each in rows("lw_parameter", row["parameters"], row["num_parameters"])
    ]
    row["codes"] = rows("lw_code", row["codes"], row["num_codes"])
    for code in row["codes"]:
        assert code["function"]
        assert bool(code["apart"]) == bool(code["num_apart"])
        code["apart"] = list((ctypes.c_uint32 * code["num_apart"]).from_address(code["apart"] or 8))
    return row


def variable(row: Row) -> Row:
    """A variable with its bytes in place of its address, which is the begin of a cache line."""
    assert row["address"] % 64 == 0
    return {**with_texts(row, "symbol", "name"), "address": ctypes.string_at(row["address"], row["bytes"])}


def content(library: Path) -> Row:
    """All that the image in a library has, with functions as their distances from the first one."""
    (image,) = rows("lw_image", ctypes.c_uint64.in_dll(ctypes.CDLL(str(library)), LOADED).value, 1)
    image = with_texts(image, "source", "features")
    kernels = [kernel(each) for each in rows("lw_kernel_image", image["kernels"], image["num_kernels"])]
    codes = [code for each in kernels for code in each["codes"]]
    first = min(code["function"] for code in codes)
    for code in codes:
        code["function"] -= first
    variables = [variable(each) for each in rows("lw_variable_image", image["variables"], image["num_variables"])]
    ir = ctypes.string_at(image["ir"], image["ir_bytes"])
    references = [each["variable"] for each in rows("lw_reference", image["references"], image["num_references"])]
    return {**image, "kernels": kernels, "variables": variables, "ir": ir, "references": references, "gpu_codes": None}


def test_an_image_has_what_one_in_c_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = opencl_unit(Source(SOURCE, None), GivenOptions(options="-cl-std=CL3.0 -cl-denorms-are-zero"))
    made = translate(unit, {"mapping": "auto"}, Cache(tmp_path))
    bounded = [each._replace(bounds=each.bounds._replace(max_work_items=77)) for each in made.info.kernels]
    made = made._replace(info=made.info._replace(kernels=tuple(bounded)))  # as PTX has them

    def library(name: str) -> Path:
        objects = device_objects(made, "0123456789abcdef" * 2, 'a "name"', dict, (), loaded=True, assumed=Assumed.BOTH)
        file = tmp_path / name
        file.write_bytes(link_shared_object(objects, exported=f"{{ global: {LOADED}; local: *; }};\n"))
        return file

    found = content(library("image.so"))
    monkeypatch.setattr("lanewise.cuda.objects.device_objects.is_plain", lambda *_: False)
    assert found == content(library("image_in_c.so"))
    assert (found["version"], found["num_kernels"], found["num_variables"]) == (IMAGE_VERSION, 4, 3)
    assert bytes(found["id"]).hex() == "0123456789abcdef" * 2
    assert found["source"] == b'a "name"'
    assert found["ir"] == packed_ir(made.program, made.info)
    reverse = next(each for each in found["kernels"] if each["name"] == b"reverse")
    assert (reverse["max_threads"], reverse["shared_bytes"], reverse["args_bytes"]) == (77, 256, 24)
    assert [(each["offset"], each["bytes"], each["kind"]) for each in reverse["parameters"]][:3] == [
        (0, 8, enumerators()["LW_POINTER"]),
        (8, 1, enumerators()["LW_VALUE"]),
        (16, 8, enumerators()["LW_VALUE"]),
    ]
    assert {code["block"] for code in reverse["codes"]} == {(32, 2, 1)}
    assert any(code["apart"] for each in found["kernels"] for code in each["codes"])
    assert set(found["references"]) == set(range(3))  # constants, too: their addresses are the same in all code
    flush = enumerators()["LW_CODE_FLUSH_DENORMALS"]
    assert {code["flags"] & flush for each in found["kernels"] for code in each["codes"]} == {0, flush}
    data = {each["symbol"]: each["address"] for each in found["variables"]}
    assert data[b"counts"] == bytes((ctypes.c_int32 * 3)(5, 0, 7))
    assert data[b"squares"] == bytes((ctypes.c_int32 * 4)(0, 1, 4, 9))
    assert {each["flags"] for each in found["variables"] if each["symbol"] == b"sums"} == {
        enumerators()["LW_VARIABLE_ZERO"]
    }
