# SPDX-License-Identifier: Apache-2.0
"""Random programs: a module of Python with a few functions, and what makes their arguments."""

from __future__ import annotations

from typing import Final, NamedTuple

from tests.fuzz.choices import Choices

from .helpers import random_helper
from .nests import Nest, Writer
from .operations import Expression
from .statements import indented

FUNCTIONS: Final = 5

_OPENING: Final = """\
# Random program {seed}. Each function takes what its inputs_... makes.
import math

import numpy as np
from tests.frontend.python.generator.values import records, values

import lanewise as lw
"""


class Program(NamedTuple):
    """A module's text, and its functions."""

    seed: int
    source: str
    nests: tuple[Nest, ...]


def random_program(seed: int, functions: int = FUNCTIONS) -> Program:
    choices = Choices(seed)
    jit = choices.pick(("@lw.jit(exact=True)", "@lw.jit(exact=True)", "@lw.jit(exact=True, boundscheck=True)"))
    constants = (
        Expression("WHOLE", int, *2 * [choices.pick((3, -7, 10))], whole=True),
        Expression("PART", float, *2 * [choices.pick((0.75, -1.5))], whole=True),
    )
    helpers = tuple(random_helper(choices, f"helper{i}", constants) for i in range(1, 3))
    nests = tuple(Writer(choices, f"f{i}", jit, constants, helpers).write() for i in range(1, functions + 1))
    parts = [f"{constant.text} = {constant.low}" for constant in constants]
    parts = [_OPENING.format(seed=seed), "\n".join(parts)]
    parts += ["\n\n" + "\n".join(helper.text) for helper in helpers]
    for nest in nests:
        parts += ["\n\n" + "\n".join(nest.lines), "\n\n" + "\n".join(_inputs(nest))]
    return Program(seed, "\n".join(parts) + "\n", nests)


def _inputs(nest: Nest) -> list[str]:
    made = [f"{name} = {text}" for name, text in zip(nest.parameters, nest.inputs, strict=True)]
    return [f"def inputs_{nest.name}():", *indented([*made, f"return ({', '.join(nest.parameters)},)"])]
