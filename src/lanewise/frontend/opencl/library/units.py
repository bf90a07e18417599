# SPDX-License-Identifier: Apache-2.0
"""The built-in functions of OpenCL C 1.2 as a `Library`. Units are source files with macros; each symbol has one.

Clang calls a built-in function by its mangled name: `_Z5clampDv4_fff` is clamp(float4, float, float), defined by
common.cl compiled with -DELEMENT=float. Most units are the functions of a file for one type of components. A function
that the mathematical library computes is a unit of its own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lanewise.cache import Cache
from lanewise.linking import Library, LibraryUnit

_FOLDER: Final = Path(__file__).parent

_ARGUMENTS: Final = (
    "-x", "cl", "-cl-std=CL1.2", "-cl-no-stdinc", "-target", "nvptx64-nvidia-cuda", "-nogpulib", "-O2",
    "-Xclang", "-cl-ext=+cl_khr_fp16", "-Xclang", "-fno-convergent-functions", "-fno-strict-float-cast-overflow",
    "-fwrapv", "-fno-builtin", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-vectorize",
    "-fno-slp-vectorize", "-Wall", "-Wno-unused-function", "-Werror",
)  # fmt: skip

_KHRONOS: Final = ("int64_base_atomics", "int64_extended_atomics", "3d_image_writes", "depth_images")
FEATURES: Final = ",".join(f"+cl_khr_{name}" for name in _KHRONOS) + "".join(
    f",+__opencl_c_{name}"
    for name in (
        "generic_address_space",
        "program_scope_global_variables",
        "atomic_order_acq_rel",
        "atomic_order_seq_cst",
        "atomic_scope_device",
        "images",
        "3d_image_writes",
        "read_write_images",
        "atomic_scope_all_devices",
        "work_group_collective_functions",
    )
)
"""Extensions, and features of OpenCL C 3.0, that Lanewise has, and clang doesn't take a GPU to have."""

_WARPS: Final = ("-Xclang", "-target-feature", "-Xclang", "+ptx62")
"""Arguments of units with operations of the warp, which clang only knows for newer targets."""

_MANGLED: Final = re.compile(r"_Z(\d+)(\w+)").fullmatch
_COMPONENT: Final = re.compile(r"(?:P(?:U3AS\d)?[VK]*(?:U7_Atomic)?)?(?:Dv\d+_)?(Dh|[chstijlmfd])").match
"""The first parameter's type, or what it points to, without the width."""

_TYPES: Final = {
    "c": "char", "h": "uchar", "s": "short", "t": "ushort", "i": "int", "j": "uint", "l": "long", "m": "ulong",
    "Dh": "half", "f": "float", "d": "double",
}  # fmt: skip
_FLOATS: Final = frozenset({"half", "float", "double"})
_OF_CODE: Final = {"ushort": "half", "uint": "float", "ulong": "double"}
"""The result's type of nan() by its argument's; there is no other nan()."""

_CONVERT: Final = re.compile(r"convert_([a-z]+)\d*(?:_sat)?(?:_rt[ezpn])?").fullmatch
_VECTOR_DATA: Final = re.compile(r"v(?:load|store)\d+").fullmatch
_LOAD_HALF: Final = re.compile(r"vloada?_half\d*").fullmatch
_STORE_HALF: Final = re.compile(r"vstorea?_half\d*((?:_rt[ezpn])?)").fullmatch

_WORK_ITEMS: Final = (
    "get_work_dim", "get_global_size", "get_global_id", "get_local_size", "get_local_id", "get_num_groups",
    "get_group_id", "get_global_offset", "get_enqueued_local_size", "get_local_linear_id", "get_global_linear_id",
)  # fmt: skip
_SYNCHRONISATION: Final = (
    "barrier", "work_group_barrier", "mem_fence", "read_mem_fence", "write_mem_fence", "wait_group_events",
)  # fmt: skip
_UNARY: Final = (
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atanh", "atanpi", "cbrt", "cos", "cosh", "cospi",
    "erf", "erfc", "exp", "exp10", "exp2", "expm1", "lgamma", "log", "log10", "log1p", "log2", "logb", "round",
    "rsqrt", "sin", "sinh", "sinpi", "tan", "tanh", "tanpi", "tgamma",
)  # fmt: skip
_BINARY: Final = (
    "atan2", "atan2pi", "fdim", "fmod", "hypot", "maxmag", "minmag", "pow", "powr", "remainder",
)  # fmt: skip
_BASIC: Final = ("ceil", "copysign", "fabs", "floor", "fma", "mad", "nan", "rint", "sqrt", "trunc")
_TWO_RESULTS: Final = ("fract", "frexp", "lgamma_r", "modf", "remquo", "sincos")
_NATIVE: Final = (
    "cos", "divide", "exp", "exp10", "exp2", "log", "log10", "log2", "powr", "recip", "rsqrt", "sin", "sqrt", "tan",
)  # fmt: skip
_HALF_PRECISION: Final = ("cos", "exp", "exp10", "exp2", "log", "log10", "log2", "rsqrt", "sin", "tan")
_INTEGER: Final = (
    "abs", "abs_diff", "add_sat", "clz", "ctz", "hadd", "mad24", "mad_hi", "mad_sat", "mul24",
    "mul_hi", "popcount", "rhadd", "rotate", "sub_sat", "upsample",
)  # fmt: skip
_COMMON: Final = ("degrees", "mix", "radians", "sign", "smoothstep", "step")
_GEOMETRIC: Final = (
    "cross", "distance", "dot", "fast_distance", "fast_length", "fast_normalize", "length", "normalize",
)  # fmt: skip
_BIT_FIELDS: Final = ("bit_reverse", "bitfield_extract_signed", "bitfield_extract_unsigned", "bitfield_insert")
_INTEGER_DOT_PRODUCT: Final = (
    "dot_acc_sat",
    *(
        f"dot{sum_}_4x8packed_{types}"
        for sum_ in ("", "_acc_sat")
        for types in ("uu_uint", "ss_int", "us_int", "su_int")
    ),
)
_RELATIONAL: Final = (
    "isequal", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal", "islessgreater", "isnan",
    "isnormal", "isnotequal", "isordered", "isunordered", "signbit",
)  # fmt: skip
_ASYNC_COPY: Final = ("async_work_group_copy", "async_work_group_strided_copy", "prefetch")
_SUB_GROUPS: Final = (
    "get_sub_group_size", "get_max_sub_group_size", "get_num_sub_groups", "get_enqueued_num_sub_groups",
    "get_sub_group_id", "get_sub_group_local_id", "sub_group_barrier", "sub_group_all", "sub_group_any",
    "sub_group_non_uniform_all", "sub_group_non_uniform_any", "sub_group_elect",
)  # fmt: skip
_BALLOT: Final = (
    "sub_group_ballot", "sub_group_inverse_ballot",
    *(f"sub_group_ballot_{name}" for name in ("bit_extract", "bit_count", "find_lsb", "find_msb")),
    *(f"sub_group_ballot_{name}_scan" for name in ("inclusive", "exclusive")),
    *(f"get_sub_group_{relation}_mask" for relation in ("eq", "ge", "gt", "le", "lt")),
)  # fmt: skip
_SUB_GROUP_SHUFFLE: Final = (
    "broadcast", "non_uniform_broadcast", "broadcast_first", "non_uniform_all_equal", "rotate", "clustered_rotate",
    "shuffle", "shuffle_xor", "shuffle_up", "shuffle_down",
)  # fmt: skip
_INTEL_SHUFFLE: Final = ("shuffle", "shuffle_xor", "shuffle_up", "shuffle_down")
_INTEL_BLOCK: Final = re.compile(r"intel_sub_group_block_(?:read|write)[248]?").fullmatch
_SUB_GROUP_ARITHMETIC: Final = re.compile(
    r"sub_group_(?:(?:non_uniform_)?(?:reduce|scan_inclusive|scan_exclusive)|clustered_reduce)"
    r"_((logical_)?(add|mul|min|max|and|or|xor))"
).fullmatch
_IMAGE: Final = re.compile(r"\d\docl_(image[123]d(?:_array|_buffer)?(?:_depth)?)_([rw][ow])").match
"""The first parameter of a function of images: its type without `_t`, and the access to it."""
_ACCESSES: Final = {"ro": "read_only", "wo": "write_only", "rw": "read_write"}
_OF_IMAGES: Final = ("-Xclang", "-cl-ext=+cl_khr_fp16,+cl_khr_depth_images,+cl_khr_3d_image_writes")
_COMPONENTS: Final = {"f": "float", "h": "half", "i": "int", "ui": "uint"}
_SAMPLERS: Final = "__translate_sampler_initializer"
_WORK_GROUP_ARITHMETIC: Final = re.compile(
    r"work_group_(?:reduce|scan_inclusive|scan_exclusive)_(add|min|max)"
).fullmatch
_ORDERED_OPERATION: Final = re.compile(r"atomic_fetch_(add|sub|or|xor|and|min|max)(?:_explicit)?").fullmatch
_ORDERED: Final = {
    "ordered_accesses": ("init", "load", "store", "exchange"),
    "ordered_exchanges": ("compare_exchange_strong", "compare_exchange_weak"),
    "ordered_flags": ("flag_test_and_set", "flag_clear", "work_item_fence"),
}
_GENERIC: Final = frozenset({"__to_global", "__to_local", "__to_private"})
_ATOMIC: Final = ("add", "and", "cmpxchg", "dec", "inc", "max", "min", "or", "sub", "xchg", "xor")


@functools.lru_cache(maxsize=4)
def built_in_library(cache: Cache) -> Library:
    """The library, of which units stay in `cache`; one for all programs of a session."""
    return Library("opencl", unit_of, _ARGUMENTS, cache)


@functools.lru_cache(maxsize=4)
def wide_library(cache: Cache) -> Library:
    """The functions that depend on sub-groups, for those of 64 work-items."""

    def wide_unit_of(symbol: str) -> LibraryUnit | None:
        return unit_of(symbol) if depends_on_sub_groups(symbol) else None

    return Library("opencl64", wide_unit_of, (*_ARGUMENTS, "-DSUB_GROUPS_OF_64"), cache)


def depends_on_sub_groups(symbol: str) -> bool:
    """Return whether a built-in function has work-items that form sub-groups."""
    unit = unit_of(symbol)
    return unit is not None and unit.arguments[: len(_WARPS)] == _WARPS


def unit_of(symbol: str) -> LibraryUnit | None:
    """The unit that defines the built-in function of this mangled name; None if no function has it."""
    if symbol == _SAMPLERS:
        return _unit("image_samplers")
    if symbol in _GENERIC:
        return _with_features("generic_pointers")
    mangled = _MANGLED(symbol)
    if mangled is None:
        return None
    name, parameters = mangled[2][: int(mangled[1])], mangled[2][int(mangled[1]) :]
    component = _COMPONENT(parameters)
    type_ = _TYPES[component[1]] if component is not None else ""
    if name in _FAMILIES:
        return _FAMILIES[name](name, type_)
    if match := _SUB_GROUP_ARITHMETIC(name):
        logical = {"LOGICAL": match[3]} if match[2] else {}
        return _with_warps("sub_group_arithmetic", NAME=match[1], ELEMENT=type_, **logical)
    if match := _WORK_GROUP_ARITHMETIC(name):
        return _with_warps("work_group_arithmetic", NAME=match[1], ELEMENT=type_)
    if match := _ORDERED_OPERATION(name):
        return _with_features("ordered_operations", NAME=match[1], ELEMENT=type_)
    if _INTEL_BLOCK(name):
        return _with_warps("sub_group_blocks")
    if image := _IMAGE(parameters):
        return _images(name, image[1], image[2])
    if match := _CONVERT(name):
        return _unit("convert", TO=match[1], FROM=type_)
    if _VECTOR_DATA(name):
        of_pointer = _COMPONENT(parameters.removeprefix("m"))
        return _unit("vector_data", ELEMENT=_TYPES[of_pointer[1]]) if of_pointer is not None else None
    if _LOAD_HALF(name):
        return _unit("vector_data_half")
    if match := _STORE_HALF(name):
        return _unit("vector_data_half", FROM=type_, MODE=match[1])
    return None


def _unit(file: str, **macros: str) -> LibraryUnit:
    name = ".".join((file, *(value for value in macros.values() if value)))
    return LibraryUnit(name, _FOLDER / f"{file}.cl", tuple(f"-D{macro}={value}" for macro, value in macros.items()))


def _with_warps(file: str, **macros: str) -> LibraryUnit:
    """A unit with operations of the warp."""
    name, source, arguments = _unit(file, **macros)
    return LibraryUnit(name, source, (*_WARPS, *arguments))


def _images(name: str, image: str, access: str) -> LibraryUnit | None:
    """The unit of a function of images."""
    macros = {
        "IMAGE": f"{image}_t",
        "ACCESS": _ACCESSES[access],
        "ACCESS_IS_READ_ONLY": str(int(access == "ro")),
        "IS_BUFFER": str(int(image.endswith("_buffer"))),
    }
    kind, _, letter = name.rpartition("_image")
    component = _COMPONENTS.get(letter)
    if name.startswith("get_image_"):
        file = "image_queries"
    elif component is not None and kind in ("read", "write"):
        file = f"image_{kind}s"
        role = "RESULT" if kind == "read" else "VALUE"
        macros |= {
            role: component,
            f"{role}_IS_{component}": "1",
            "IS_WHOLE": str(int("int" in component)),
            "LETTER": letter,
        }
    else:
        return None
    arguments = tuple(f"-D{macro}={value}" for macro, value in macros.items())
    standard = ("-cl-std=CL2.0",) if access == "rw" else ()
    return LibraryUnit(
        f"{file}.{image}.{access}.{letter}", _FOLDER / f"{file}.cl", (*_OF_IMAGES, *standard, *arguments)
    )


def _with_features(file: str, **macros: str) -> LibraryUnit:
    """A unit in OpenCL C 3.0, with its features."""
    name, source, arguments = _unit(file, **macros)
    extensions = f"-cl-ext=+cl_khr_fp16,{FEATURES}"
    return LibraryUnit(name, source, ("-cl-std=CL3.0", "-Xclang", extensions, *arguments))


_Family = Callable[[str, str], LibraryUnit]
"""The unit of a function, from its name and its type of components."""


def _whole(file: str) -> _Family:
    return lambda name, type_: _unit(file)


def _by_type(file: str) -> _Family:
    return lambda name, type_: _unit(file, ELEMENT=type_)


def _by_name(file: str) -> _Family:
    return lambda name, type_: _unit(file, NAME=name, ELEMENT=type_)


def _ldexp(name: str, type_: str) -> LibraryUnit:
    return _unit("math_with_exponent", NAME=name, ELEMENT=type_, WITH_SCALARS="1")


def _nan(name: str, type_: str) -> LibraryUnit:
    return _unit("math_basic", ELEMENT=_OF_CODE.get(type_, "float"))


def _half_precision(name: str, type_: str) -> LibraryUnit:
    return _unit("math_half", NAME=name, STANDARD=name.removeprefix("half_"), ELEMENT="float")


def _dot(name: str, type_: str) -> LibraryUnit:
    return _unit("geometric", ELEMENT=type_) if type_ in _FLOATS else _unit("integer_dot_product")


def _atomic(name: str, type_: str) -> LibraryUnit:
    return _unit("atomics", ELEMENT="int" if type_ == "float" else type_)


def _sub_groups(name: str, type_: str) -> LibraryUnit:
    return _with_warps("sub_groups")


def _sub_group_ballot(name: str, type_: str) -> LibraryUnit:
    return _with_warps("sub_group_ballot")


def _sub_group_shuffle(name: str, type_: str) -> LibraryUnit:
    return _with_warps("sub_group_shuffle", ELEMENT=type_)


def _ordered(file: str) -> _Family:
    return lambda name, type_: _with_features(file, **({} if file == "ordered_flags" else {"ELEMENT": type_}))


def _get_fence(name: str, type_: str) -> LibraryUnit:
    return _with_features("generic_pointers")


def _of_integer_or_float(name: str, type_: str) -> LibraryUnit:
    return _unit("common" if type_ in _FLOATS else "integer", ELEMENT=type_)


_FAMILIES: Final[dict[str, _Family]] = {
    **dict.fromkeys(_WORK_ITEMS, _whole("work_items")),
    **dict.fromkeys(_SYNCHRONISATION, _whole("synchronisation")),
    **dict.fromkeys(_UNARY, _by_name("math_unary")),
    **dict.fromkeys(_BINARY, _by_name("math_binary")),
    **dict.fromkeys(("fmax", "fmin"), _by_name("math_extreme")),
    **dict.fromkeys(("pown", "rootn"), _by_name("math_with_exponent")),
    **dict.fromkeys(_BASIC, _by_type("math_basic")),
    **{name: _by_type(f"math_{name}") for name in _TWO_RESULTS},
    **{f"native_{name}": _whole("math_native") for name in _NATIVE},
    **{f"half_{name}": _half_precision for name in _HALF_PRECISION},
    **{f"half_{name}": _by_type("math_half") for name in ("divide", "powr", "recip", "sqrt")},
    "ilogb": _by_type("math_exponent"),
    "ldexp": _ldexp,
    "nan": _nan,
    "nextafter": _by_type("math_nextafter"),
    **dict.fromkeys(_INTEGER, _by_type("integer")),
    **dict.fromkeys(_COMMON, _by_type("common")),
    **dict.fromkeys(("clamp", "max", "min"), _of_integer_or_float),
    **dict.fromkeys(_GEOMETRIC, _by_type("geometric")),
    "dot": _dot,
    **dict.fromkeys(_INTEGER_DOT_PRODUCT, _whole("integer_dot_product")),
    **dict.fromkeys(_BIT_FIELDS, _by_type("bit_fields")),
    **dict.fromkeys(_RELATIONAL, _by_type("relational")),
    **dict.fromkeys(("all", "any"), _by_type("any_all")),
    **dict.fromkeys(("bitselect", "select"), _by_type("select")),
    **dict.fromkeys(("shuffle", "shuffle2"), _by_type("shuffle")),
    **dict.fromkeys(_ASYNC_COPY, _by_type("async_copy")),
    **dict.fromkeys(_SUB_GROUPS, _sub_groups),
    **dict.fromkeys(_BALLOT, _sub_group_ballot),
    **{f"sub_group_{name}": _sub_group_shuffle for name in _SUB_GROUP_SHUFFLE},
    **{f"intel_sub_group_{name}": _sub_group_shuffle for name in _INTEL_SHUFFLE},
    **dict.fromkeys(("work_group_all", "work_group_any"), _whole("work_groups")),
    "work_group_broadcast": _by_type("work_group_broadcast"),
    "get_fence": _get_fence,
    **{
        f"atomic_{name}{suffix}": _ordered(file)
        for file, names in _ORDERED.items()
        for name in names
        for suffix in ("", "_explicit")
    },
    **{f"{prefix}_{name}": _atomic for prefix in ("atomic", "atom") for name in _ATOMIC},
}
