# SPDX-License-Identifier: Apache-2.0
"""Expectations of templates, C++20, control flow, private memory and grids of several dimensions."""

import numpy as np

from ..case import Arguments, Array, Launch, Table
from .cases_floats import to_each
from .cases_types import small

TABLE = Table(__file__)

INDICES = np.dtype([(name, "u4", 3) for name in ("thread", "block", "block_size", "grid_size")])


def _index(launch: Launch) -> Array:
    return np.arange(launch.size)


def _ints(low: int, high: int):
    return lambda launch, rng: rng.integers(low, high, launch.size, np.int32)


# --- templates and C++20 ---


@TABLE.case("templates.cu", lambda launch, rng: {"data": small(launch, rng)}, kernel="scale<float, 4>")
def scale_floats(launch: Launch, given: Arguments):
    return {"data": given["data"] * 4}


@TABLE.case("templates.cu", lambda launch, rng: {"data": _ints(0, 99)(launch, rng)}, kernel="scale<int, -3>")
def scale_ints(launch: Launch, given: Arguments):
    return {"data": given["data"] * -3}


@TABLE.case(
    "templates.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.int32),
        "in": _ints(0, 1000)(launch, rng),
        "n": launch.size - 3,
    },
    kernel="class_template<int>",
)
def class_template(launch: Launch, given: Arguments):
    v = given["in"][: given["n"]]
    return {"out": [v[i::2].sum() // max(v[i::2].size, 1) for i in range(launch.size)]}


@TABLE.case(
    "templates.cu",
    lambda launch, rng: {
        "out": np.zeros(launch.size, np.int8),
        "in": rng.integers(-128, 128, launch.size, np.int8),
        "n": launch.size,
    },
    kernel="class_template<char>",
)
def explicit_specialisation(launch: Launch, given: Arguments):
    return {"out": given["in"][::-1]}


@TABLE.case("templates.cu", to_each({"out": ("i4", 1)}))
def fold_expression(launch: Launch, given: Arguments):
    return {"out": 1 + _index(launch) + 2 + 3 + ord("a")}


@TABLE.case("templates.cu", to_each({"out": ("f4", 1)}))
def static_polymorphism(launch: Launch, given: Arguments):
    return {"out": 8 * _index(launch) ** 2}


@TABLE.case("templates.cu", to_each({"out": ("i4", 1)}))
def constant_expressions(launch: Launch, given: Arguments):
    return {"out": 720 + (_index(launch) % 8) ** 3}


@TABLE.case("templates.cu", to_each({"out": ("f4", 1)}))
def lambdas(launch: Launch, given: Arguments):
    # The sum over x = 0, 0.5, ..., 3.5 of (slope x + 1) / 2.
    return {"out": 7 * _index(launch) + 4 + 8000 + 1 + 6}


@TABLE.case("templates.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(0, 9)}))
def overloads(launch: Launch, given: Arguments):
    return {"out": np.full(launch.size, 1 + 20 + 300 + 4000 + 50000 + 111 + 103 + 6)}


@TABLE.case("templates.cu", to_each({"out": ("i4", 1)}))
def modern_syntax(launch: Launch, given: Arguments):
    return {"out": 1 + 1 + 9 + 1 + 100 * _index(launch) + 3}


@TABLE.case("templates.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(-99, 99)}))
def references(launch: Launch, given: Arguments):
    return {"out": given["in"] * 10 + np.where(_index(launch) % 2, 1, 2)}


@TABLE.case("concepts.cu", to_each({"out": ("i4", 1)}), options=("-std=c++20",))
def concepts(launch: Launch, given: Arguments):
    i = _index(launch)
    return {"out": i * 2 + 1000 * (i + 5)}


@TABLE.case("concepts.cu", to_each({"out": ("f4", 1)}), options=("-std=c++20",))
def cpp20_syntax(launch: Launch, given: Arguments):
    i = _index(launch)
    return {"out": np.where(i % 2, -1, 1) * (1 + 49 + 0.5 + i + 1)}


# --- control flow and private memory ---


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(-1000, 1000)}))
def dense_switch(launch: Launch, given: Arguments):
    v = given["in"]
    choices = [v * 0 + 5, v * 2, v - 1, v - 1, v * 0 + 9, v * 0 + 11, v * 0, v * 0 - 7]
    return {"out": np.choose(v & 7, choices)}


def _rare(launch: Launch, rng: np.random.Generator) -> Array:
    return rng.choice(np.array([-1000, 7, 1 << 20, ord("x"), 0, 8], np.int32), launch.size)


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _rare}))
def sparse_switch(launch: Launch, given: Arguments):
    meaning = {-1000: 1, 7: 2, 1 << 20: 3, ord("x"): 4}
    return {"out": [meaning.get(v, 5) for v in given["in"].tolist()]}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(1, 300)}))
def collatz(launch: Launch, given: Arguments):
    def steps(v: int) -> int:
        count = 0
        while v != 1:
            v, count = (v // 2 if v % 2 == 0 else 3 * v + 1), count + 1
        return count

    return {"out": [steps(v) for v in given["in"].tolist()]}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(0, 1000)}))
def nested_loops_with_exits(launch: Launch, given: Arguments):
    def found(v: int) -> int:
        for i in range(2, 10):
            for j in range(i, 10):
                if i != v and i * j == v:
                    return i * 100 + j
        return -1

    return {"out": [found(v) for v in (given["in"] % 50).tolist()]}


@TABLE.case(
    "control.cu",
    lambda launch, rng: {
        "out": np.full(launch.size, 77, np.int32),
        "in": _ints(-300, 1000)(launch, rng),
        "n": launch.size - 5,
    },
)
def early_returns(launch: Launch, given: Arguments):
    def result(v: int) -> int:
        return -1 if v < 0 else next((k for k in range(10) if v % (k + 2) == 0), 100)

    return {"out": [result(v) for v in given["in"][:-5].tolist()] + [77] * 5}


def _table(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {
        "out": np.zeros(launch.size, np.int32),
        "in": _ints(-20, 40)(launch, rng),
        "table": rng.integers(-5, 5, 20, np.int32),
        "n": 20,
    }


@TABLE.case("control.cu", _table)
def short_circuits(launch: Launch, given: Arguments):
    i = given["in"]
    within = (i >= 0) & (i < 20)
    value = given["table"][np.clip(i, 0, 19)]
    third = np.where(i < 0, -i, np.where(i >= 20, i - 20, value))
    return {"out": (within & (value > 0)) + 2 * (~within | (value % 2 == 0)) + 4 * third}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(0, 1 << 30)}))
def local_array(launch: Launch, given: Arguments):
    def most_frequent(v: int) -> int:
        counts = [str(v).count(str(digit)) if v else 0 for digit in range(10)]
        best = max(counts)
        return counts.index(best) * 100 + best

    return {"out": [most_frequent(v) for v in given["in"].tolist()]}


@TABLE.case("control.cu", to_each({"out": ("f4", 1)}, **{"in": small}))
def local_matrix(launch: Launch, given: Arguments):
    i = _index(launch)
    rows, places = np.arange(1, 4)[:, None], np.arange(4)
    m = given["in"][:, None, None] * rows - places
    r, c = i % 3, i % 4
    m[i, r, c] += m[i, 2 - r, 3 - c]
    return {"out": m.sum(axis=(1, 2)) * 2 + m[i, (r + 1) % 3, c]}


@TABLE.case(
    "control.cu",
    to_each({"out": ("i4", 12)}, **{"in": lambda launch, rng: rng.integers(0, 50, 12 * launch.size, np.int32)}),
)
def sort_in_private(launch: Launch, given: Arguments):
    return {"out": np.sort(given["in"].reshape(-1, 12), axis=1)}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}))
def pointers_to_pointers(launch: Launch, given: Arguments):
    out: list[int] = []
    for i in range(launch.size):
        values = [10, 20, 30, 40]
        place = 3 - i % 4
        values[place] = (values[place] + 1) * 2
        values[0] += 1
        out.append(sum(value * 100**k for k, value in enumerate(values)))
    return {"out": out}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}), launches=(Launch((2,), (4,)),))
def linked_list(launch: Launch, given: Arguments):
    # Steps of 1 to 4 round five places visit each once, so the list holds 5, 4, 3, 2, 1.
    return {"out": np.full(launch.size, 54321)}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}), launches=(Launch((5,), (64,)), Launch((1,), (10,))))
def one_function_three_memories(launch: Launch, given: Arguments):
    return {"out": 3 * _index(launch)}


@TABLE.case("control.cu", to_each({"out": ("i4", 1)}, **{"in": _ints(0, 100)}), launches=(Launch((2,), (64,)),))
def hints(launch: Launch, given: Arguments):
    v = given["in"][:16]
    return {"out": sum(v[(_index(launch) + k) % 16] for k in range(4)) * 27 + 32}


# --- grids ---


@TABLE.case(
    "grids.cu",
    lambda launch, rng: {"out": np.zeros(launch.size, INDICES)},
    launches=(Launch((2, 3, 4), (4, 3, 2)), Launch((5,), (7,)), Launch((1, 4), (2, 8))),
)
def all_indices(launch: Launch, given: Arguments):
    def places(extents: tuple[int, ...]) -> tuple[Array, Array]:
        whole = np.array((*extents, 1, 1)[:3])
        return np.stack(np.unravel_index(np.arange(whole.prod()), whole, order="F"), axis=-1), whole

    out = np.zeros((launch.groups, launch.items), INDICES)
    threads, out["block_size"] = places(launch.block)
    blocks, out["grid_size"] = places(launch.grid)
    out["thread"], out["block"] = threads[None], blocks[:, None]
    return {"out": out}


def _volume(launch: Launch, rng: np.random.Generator) -> Arguments:
    return {"out": np.zeros((5, 7, 9), np.int32), "nx": 9, "ny": 7, "nz": 5}


@TABLE.case("grids.cu", _volume, launches=(Launch((3, 2, 3), (4, 4, 2)), Launch((1, 1, 1), (10, 7, 6))))
def volume(launch: Launch, given: Arguments):
    z, y, x = np.indices((5, 7, 9))
    return {"out": x + 100 * y + 10000 * z}


def _saxpy(launch: Launch, rng: np.random.Generator) -> Arguments:
    n = 1000
    y, x = rng.integers(-99, 99, (2, n)).astype(np.float32)
    return {"y": y, "x": x, "a": 2.5, "n": n}


@TABLE.case("grids.cu", _saxpy)
def grid_stride(launch: Launch, given: Arguments):
    return {"y": 2.5 * given["x"] + given["y"]}


@TABLE.case(
    "grids.cu",
    lambda launch, rng: {"out": np.zeros((33, 50), np.int32), "width": 50, "height": 33},
    launches=(Launch((2, 3), (8, 4)), Launch((9, 9), (16, 16))),
)
def grid_stride_2d(launch: Launch, given: Arguments):
    y, x = np.indices((33, 50))
    return {"out": y * 1000 + x}


@TABLE.case("grids.cu", to_each({"out": ("i4", 1)}), kernel="defined_from_outside", defines={"FACTOR": 7})
def defined_as_seven(launch: Launch, given: Arguments):
    return {"out": 7 * _index(launch)}


@TABLE.case("grids.cu", to_each({"out": ("i4", 1)}), kernel="defined_from_outside")
def not_defined(launch: Launch, given: Arguments):
    return {"out": _index(launch)}


# --- a program with host code ---


@TABLE.case("control.cu", to_each({"out": ("u4", 1)}))
def continue_before_the_exit(launch: Launch, given: Arguments):
    def result(h: int, i: int) -> int:
        while True:
            h, i = h * 3 + i, i + 1
            if h & 1:
                continue
            h, i = h + i, i + 3
            if i >= 10:
                return (h * 100 + i) & 0xFFFFFFFF

    return {"out": [result(0, item % 4) for item in range(launch.size)]}


@TABLE.case("control.cu", to_each({"out": ("u4", 1)}, n=lambda launch, rng: 10))
def continue_before_a_uniform_exit(launch: Launch, given: Arguments):
    def result(item: int) -> int:
        h, round_ = item, 0
        while True:
            h = (h * 3 + item + round_) & 0xFFFFFFFF
            round_ += 1
            if h >> 2 & 1:
                h ^= 5
                continue
            h += 7
            if round_ >= given["n"]:
                return (h * 100 + round_) & 0xFFFFFFFF

    return {"out": [result(item) for item in range(launch.size)]}


@TABLE.case(
    "program.cu",
    lambda launch, rng: {"data": small(launch, rng), "by": 2.5, "n": launch.size - 1},
    kernel="multiply<float>",
)
def instantiated_by_a_launch(launch: Launch, given: Arguments):
    data = given["data"]
    data[:-1] *= 2.5
    return {"data": data}


@TABLE.case(
    "program.cu",
    lambda launch, rng: {"data": np.arange(launch.size), "by": -3, "n": launch.size},
    kernel="multiply<long long>",
)
def instantiated_by_another_launch(launch: Launch, given: Arguments):
    return {"data": given["data"] * -3}


@TABLE.case("program.cu", to_each({"out": ("i4", 1)}))
def both_sides(launch: Launch, given: Arguments):
    return {"out": (_index(launch) + 7) // 8 * 8}
