# SPDX-License-Identifier: Apache-2.0
"""Expectations of vector types, structs, variables of the module, and shared memory's declarations."""

from typing import Any

import numpy as np

from ..case import Arguments, Array, Launch, Table
from .cases_floats import floats, ints, to_each
from .cases_integers import columns, numbers

TABLE = Table(__file__)

# align=True: NumPy then places members as C does.
BODY = np.dtype([("position", "f4", 3), ("mass", "f8"), ("name", "i1"), ("spin", "i2")], align=True)
SETTINGS = np.dtype(
    [
        ("offset", "i4"),
        ("factor", "f4"),
        ("limits", np.dtype([("low", "u1"), ("high", "u1")])),
        ("exponents", "f8", 2),
    ],
    align=True,
)
COMPLEX = np.dtype([("re", "f4"), ("im", "f4")])


def small(launch: Launch, rng: np.random.Generator) -> Array:
    """Whole numbers as floats, so that sums are exact."""
    return rng.integers(-100, 100, launch.size).astype(np.float32)


def _index(launch: Launch) -> Array:
    return np.arange(launch.size)


# --- vector types ---


def _vectors(count: int, dtype: Any) -> Any:
    return lambda launch, rng: rng.integers(-100, 100, (launch.size, count)).astype(dtype)


@TABLE.case("vectors.cu", to_each({"out": ("f4", 4)}, **{"in": _vectors(4, np.float32)}))
def float4_load_store(launch: Launch, given: Arguments):
    return {"out": given["in"] * [1, 2, 1, 1] + [1, 2, 3, 4]}


@TABLE.case("vectors.cu", to_each({"out": ("f4", 3)}, **{"in": _vectors(3, np.float32)}))
def float3_is_packed(launch: Launch, given: Arguments):
    return {"out": given["in"][:, ::-1]}


@TABLE.case("vectors.cu", to_each({"out": ("i4", 4)}, **{"in": _vectors(4, np.int32)}))
def array_as_vectors(launch: Launch, given: Arguments):
    return {"out": given["in"][:, ::-1]}


@TABLE.case("vectors.cu", to_each({"bytes": ("u1", 4), "shorts": ("i2", 2)}, **{"in": ints("u4")}))
def bytes_and_shorts(launch: Launch, given: Arguments):
    return {"bytes": given["in"].view(np.uint8), "shorts": given["in"].view(np.int16)}


@TABLE.case(
    "vectors.cu",
    to_each(
        {"doubles": ("f8", 2), "longs": ("i8", 2), "more": ("u8", 2)},
        **{"in": lambda launch, rng: rng.uniform(0, 1e10, (launch.size, 2))},
    ),
)
def doubles_and_longs(launch: Launch, given: Arguments):
    x, y = given["in"].T
    whole = np.trunc(x)
    return {
        "doubles": columns(y, x + 0.5),
        "longs": columns(whole, -np.trunc(y)),
        "more": columns(whole, 7),
    }


@TABLE.case(
    "vectors.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.float32),
        "factor": (2.0, 3.0, 4.0, 5.0),
        "offset": (-6, 7),
        "small": (1, 255, 9),
    },
)
def by_value(launch: Launch, given: Arguments):
    return {"out": 2 * _index(launch) + 3 - 24 + 35 + 1 + 510 + 27}


@TABLE.case("vectors.cu", to_each({"out": ("u4", 1)}, **{"in": _vectors(4, np.uint32)}))
def component_by_index(launch: Launch, given: Arguments):
    i = _index(launch)
    return {"out": given["in"][i, i % 4]}


@TABLE.case("vectors.cu", lambda launch, rng: {"out": np.zeros(11, np.int32)})
def sizes_and_alignments(launch: Launch, given: Arguments):
    return {"out": [3, 6, 12, 16, 24, 8, 12, 8, 16, 16, 4]}


@TABLE.case("vectors.cu", to_each({"out": ("u4", 1)}))
def dim3_counts(launch: Launch, given: Arguments):
    return {"out": np.full(launch.size, 12 + 500 + 10000 * launch.block[0])}


# --- structs ---


def _bodies(launch: Launch, rng: np.random.Generator) -> Arguments:
    bodies = np.zeros(launch.size, BODY)
    bodies["position"] = rng.integers(-9, 9, (launch.size, 3))
    bodies["mass"] = rng.uniform(1, 2, launch.size)
    bodies["name"] = numbers(rng, launch.size, np.int8)
    bodies["spin"] = rng.integers(-300, 300, launch.size)
    return {"bodies": bodies, "energy": np.zeros(launch.size)}


@TABLE.case("structs.cu", _bodies, tolerance=1e-14)
def array_of_structs(launch: Launch, given: Arguments):
    bodies, i = given["bodies"], _index(launch)
    energy = bodies["mass"] * bodies["spin"] + bodies["name"]
    bodies["position"][:, 0] += 1
    bodies["position"][i, i % 3] *= 2
    bodies["spin"] *= -1
    return {"bodies": bodies, "energy": energy}


def _settings() -> Any:
    return np.array((4, 2.5, (20, 200), (3.0, 0.25)), SETTINGS)[()]


@TABLE.case(
    "structs.cu",
    lambda launch, rng: {"out": np.zeros(launch.size), "settings": _settings(), "last": 9},
)
def struct_by_value(launch: Launch, given: Arguments):
    return {"out": np.clip((_index(launch) + 4) * 2.5, 20, 200) * 3.0 + 0.25 + 9}


@TABLE.case(
    "structs.cu",
    lambda launch, rng: {"out": np.zeros(launch.size, np.int32), "settings": _settings()},
)
def parameter_is_changed(launch: Launch, given: Arguments):
    last = _index(launch) % 4
    return {"out": 4 + last * (last + 1) // 2}


def _complex_numbers(launch: Launch, rng: np.random.Generator) -> Array:
    values = np.zeros(launch.size, COMPLEX)
    values["re"], values["im"] = rng.integers(-20, 20, (2, launch.size))
    return values


@TABLE.case("structs.cu", to_each({"out": (COMPLEX, 1)}, **{"in": _complex_numbers}))
def complex_numbers(launch: Launch, given: Arguments):
    v = given["in"]["re"] + 1j * given["in"]["im"].astype(float)
    out, result = np.zeros(launch.size, COMPLEX), v**3 + v
    out["re"], out["im"] = np.rint(result.real), np.rint(result.imag)
    return {"out": out}


@TABLE.case("structs.cu", to_each({"out": ("u4", 1)}, **{"in": ints("u4")}))
def bit_fields(launch: Launch, given: Arguments):
    v = given["in"].astype(np.int64)
    middle = ((v >> 5) % 128 + 64) % 128 - 64
    return {"out": (v + 3) % 32 + 100 * (middle + 64) + 100000 * ((v >> 12) % 1000)}


@TABLE.case("structs.cu", to_each({"out": ("u4", 1)}, **{"in": floats("f4", -1e6, 1e6)}))
def union_of_bytes(launch: Launch, given: Arguments):
    weighted = given["in"].view(np.uint8).reshape(-1, 4) @ np.array([1, 2, 3, 4])
    return {"out": (-given["in"]).view(np.uint32) + weighted}


@TABLE.case(
    "structs.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.int32),
        "shades": rng.choice(np.array([3, 200], np.uint8), launch.size),
        "colour": 6,
    },
)
def enumerations(launch: Launch, given: Arguments):
    colour = np.where(_index(launch) % 2, 5, 6)
    return {"out": colour * 1000 + np.where(given["shades"] == 200, 1, 2) * 100 + 1}


def _plain_ints(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.integers(-1000, 1000, launch.size, np.int32)


@TABLE.case("structs.cu", to_each({"out": ("i4", 1)}, **{"in": _plain_ints}))
def large_struct_returned(launch: Launch, given: Arguments):
    v = given["in"]
    return {"out": 20 * v + 190 - 2 * (v + _index(launch) % 20)}


def _square(launch: Launch, rng: np.random.Generator) -> Arguments:
    side = 12
    square = rng.integers(-50, 50, side * side).astype(np.float32)
    return {"out": np.zeros(launch.size, np.float32), "in": square, "side": side}


@TABLE.case("structs.cu", _square)
def pointer_in_struct(launch: Launch, given: Arguments):
    square = given["in"].reshape(12, 12)
    return {"out": np.trace(square) + square[_index(launch) % 12, 0]}


# --- variables ---

PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19])


@TABLE.case("variables.cu", to_each({"out": ("f8", 1)}))
def constants(launch: Launch, given: Arguments):
    i = _index(launch)
    matrix = np.arange(1, 7).reshape(2, 3)
    return {"out": PRIMES[i % 8] + 100 * matrix[i % 2, i % 3] + 3.5 + i * i * 3.25}


@TABLE.case("variables.cu", to_each({"out": ("i4", 1)}))
def device_variables(launch: Launch, given: Arguments):
    i = _index(launch)
    text = np.frombuffer(b"barrier\0", np.int8)
    return {"out": (16 << i % 4) + text[i % 8] - 5 + 40 + 2}


@TABLE.case("variables.cu", to_each({"out": ("i4", 1)}, **{"in": _plain_ints}))
def address_of_constant(launch: Launch, given: Arguments):
    i, v = _index(launch), given["in"]
    sums = np.concatenate([[0], np.cumsum(PRIMES)])
    return {"out": sums[i % 8] + v[:3].sum() + np.where(i % 2, sums[2], v[:2].sum())}


@TABLE.case("variables.cu", to_each({"out": ("i4", 1)}))
def static_members(launch: Launch, given: Arguments):
    i = _index(launch)
    return {"out": 24 + 6 + (i % 4 + 1) ** 2 + i // 2}


# --- declarations of shared memory ---


def _wide_ints(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.integers(-(1 << 60), 1 << 60, launch.size)


@TABLE.case("shared.cu", to_each({"out": ("f4", 1)}, **{"in": small}), kernel="of_template<float, 24>")
def shared_of_template(launch: Launch, given: Arguments):
    return {"out": _of_template(launch, given, 24)}


@TABLE.case("shared.cu", to_each({"out": ("i8", 1)}, **{"in": _wide_ints}), kernel="of_template<long long, 7>")
def shared_of_other_instance(launch: Launch, given: Arguments):
    return {"out": _of_template(launch, given, 7)}


def _of_template(launch: Launch, given: Arguments, count: int) -> Array:
    starts = np.arange(launch.groups)[:, None] * launch.items
    rows = given["in"][(starts + np.arange(count)) % launch.size]
    return np.repeat(rows.sum(axis=1, dtype=rows.dtype), launch.items)


@TABLE.case("shared.cu", to_each({"out": ("i4", 1)}, **{"in": _plain_ints}), launches=(Launch((5,), (64,)),))
def address_from_function(launch: Launch, given: Arguments):
    return {"out": launch.by_group(given["in"])[:, ::-1]}


@TABLE.case("shared.cu", to_each({"out": ("f8", 1)}, **{"in": _plain_ints}), shared=lambda launch: 12 * launch.items)
def dynamic_bytes(launch: Launch, given: Arguments):
    v = launch.by_group(given["in"])
    tens = np.sign(v) * (abs(v) % 10)
    return {"out": v[:, ::-1] * 0.5 + np.roll(tens, -1, axis=1) + 2}


@TABLE.case("shared.cu", to_each({"out": ("f4", 1)}, **{"in": small}), launches=(Launch((3,), (64,)),))
def aligned_structs(launch: Launch, given: Arguments):
    v = launch.by_group(given["in"])[:, ::-1]
    return {"out": 10 * v + 20 + np.arange(launch.items)[::-1] + 1 + 32}


@TABLE.case("shared.cu", to_each({"out": ("i4", 1)}))
def four_dimensional(launch: Launch, given: Arguments):
    return {"out": np.arange(120).reshape(2, 3, 4, 5)[::-1, ::-1, ::-1, ::-1].reshape(-1)[_index(launch) % 120]}
