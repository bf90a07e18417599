# SPDX-License-Identifier: Apache-2.0
"""The process of a peer, `lanewise`, `untiled`, `rows`, `numba` or `numpy`: python -m bench.loops.worker PEER

`untiled` is Lanewise without register tiling, `rows` without packed columns. Processes answer lines as
`bench.cpu.worker` does, but load by the name of a case and its size:

    load CASE SIZE    compile the loops, run them once, compare with NumPy; the nanoseconds of that run
"""

from __future__ import annotations

import copy
import functools
import sys
from time import perf_counter_ns

import numpy as np
from bench.cpu.peers import Prepared
from bench.cpu.worker import serve

from .workload import Case, Values, case


def main() -> None:
    peers = {"lanewise": _lanewise, "untiled": _untiled, "rows": _rows, "numba": _numba, "numpy": _numpy}
    serve(peers[sys.argv[1]])


def _lanewise():
    import lanewise

    return f"Lanewise {lanewise.__version__}", _load


def _untiled():
    import lanewise

    lanewise.jit = functools.partial(lanewise.jit, tiling="none")  # before the first import of a workload
    return f"Lanewise {lanewise.__version__} without tiling", _load


def _rows():
    import lanewise

    lanewise.jit = functools.partial(lanewise.jit, tiling="rows")
    return f"Lanewise {lanewise.__version__} without packed columns", _load


def _numba():
    from .numba_peer import VERSION, stand_in

    stand_in()
    return VERSION, _load


def _numpy():
    return f"NumPy {np.__version__}", _load_reference


def _load(name: str, size: str) -> tuple[int, Prepared]:
    """AssertionError if the results are wrong."""
    loaded, arguments, expected = _problem(name, int(size))
    function = loaded.workload.function
    start = perf_counter_ns()
    returned = function(*arguments)
    nanoseconds = perf_counter_ns() - start
    wrong = loaded.difference(loaded.written(returned, arguments), expected)
    assert not wrong, wrong
    return nanoseconds, Prepared(lambda: function(*arguments), list)


def _load_reference(name: str, size: str) -> tuple[int, Prepared]:
    loaded = case(name)
    assert loaded.workload.natural, "no natural form"
    arguments = loaded.arguments(int(size))
    return 0, Prepared(lambda: loaded.workload.reference(*arguments), list)


def _problem(name: str, size: int) -> tuple[Case, Values, Values]:
    loaded = case(name)
    arguments = loaded.arguments(size)
    return loaded, arguments, loaded.workload.reference(*copy.deepcopy(arguments))


if __name__ == "__main__":
    main()
