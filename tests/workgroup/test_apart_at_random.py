# SPDX-License-Identifier: Apache-2.0
"""Random loops that store through some pointers and load through others, on arrays that overlap in some way or not."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

import lanewise as lw

KERNELS, LAUNCHES = 24, 8
NAMES = ("a", "b", "c", "d")
LENGTH, WORDS = 16, 80
"""Numbers that a kernel may touch of each array, and of the memory that arrays are parts of."""


def lines(rng: random.Random, depth: int, counters: tuple[str, ...]) -> Iterator[str]:
    """Statements; `t` is a variable of the work-item, `counters` are those of the loops around."""

    def element() -> str:
        name, by = rng.choice(NAMES), rng.choice(("t", *counters, *counters))
        return f"{name}[{rng.choice((str(rng.randrange(LENGTH)), f'({by} + {rng.randrange(4)}) & {LENGTH - 1}'))}]"

    for number in range(rng.randint(1, 3)):
        kind = rng.randrange(8 if depth < 2 else 5)
        if kind < 3:
            yield f"{element()} {rng.choice(('=', '+=', '^='))} {element()} * {rng.randrange(1, 9)}u + t;"
        elif kind == 3:
            yield f"t {rng.choice(('=', '+=', '^='))} {element()};"
        elif kind == 4:
            yield f"if ({element()} & {rng.choice((1, 2, 4))}) {element()} = t;"
        else:
            counter = f"k{depth}{number}"
            end = rng.choice(("n", "3", "n & 3"))
            yield f"for (unsigned {counter} = 0; {counter} < ({end}); ++{counter}) {{"
            yield from lines(rng, depth + 1, (*counters, counter))
            yield "}"


def kernel(rng: random.Random, number: int) -> str:
    parameters = ", ".join(f"{rng.choice(('', 'const '))}unsigned *{name}_" for name in NAMES)
    plain = " ".join(f"unsigned *{name} = (unsigned *){name}_;" for name in NAMES)
    body = "\n    ".join(lines(rng, 0, ("n",)))
    return f"""extern "C" __global__ void k{number}({parameters}, unsigned n) {{
    {plain}
    unsigned t = n;
    for (unsigned r = 0; r < 3; ++r) {{
    {body}
    }}
    d[t & 15] = t;
}}"""


def places(rng: random.Random) -> list[tuple[int, int]]:
    """Which memory each array is part of, and where it begins there."""
    kind = rng.randrange(3)
    if kind == 0:
        return [(number, 0) for number in range(len(NAMES))]
    memories = 1 if kind == 1 else 2
    return [(rng.randrange(memories), rng.randrange(0, WORDS - LENGTH + 1, rng.choice((1, 8, 16)))) for _ in NAMES]


@pytest.mark.parametrize("seed", range(3))
def test_the_reference_device_agrees(seed: int):
    rng = random.Random(seed)
    module = lw.compile("\n".join(kernel(rng, number) for number in range(KERNELS)), language="cuda")
    counted_on = 0
    for number in range(KERNELS):
        used = module[f"k{number}"]
        counted_on += "overlap no other array" in used.remarks(1)[-1]
        for launch in range(LAUNCHES):
            where, n = places(rng), rng.randrange(6)
            start = np.random.default_rng(launch).integers(0, 1 << 32, (len(NAMES), WORDS), np.uint32)
            found: list[list[list[int]]] = []
            for device in ("cpu", "reference"):
                memory = [row.copy() for row in start]
                arrays = [memory[of][at : at + LENGTH] for of, at in where]
                used.launch(1, 1, (*arrays, n), device=device)
                found.append([row.tolist() for row in memory])
            assert found[0] == found[1], f"kernel k{number} of seed {seed}, arrays at {where}, n = {n}"
    assert counted_on > KERNELS // 3
