# SPDX-License-Identifier: Apache-2.0
"""Special registers: the place of a work-item in its launch, clocks and the like. A cluster is one block.

Source: PTX ISA 9.0, chapter 10 "Special Registers".
"""

from __future__ import annotations

import re
from typing import Final, Protocol

from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.types import Type
from lanewise.ir.values import Value, i32, i64

_PLACES: Final = re.compile(r"%(tid|ntid|ctaid|nctaid)\.([xyz])").fullmatch
_LANES: Final = re.compile(r"%(laneid|warpid|nwarpid|smid|nsmid|gridid|lanemask_(?:eq|le|lt|ge|gt))").fullmatch
_CLUSTER: Final = re.compile(r"%(cluster_ctaid|cluster_nctaid|clusterid|nclusterid)\.([xyz])").fullmatch
_COUNTERS: Final = re.compile(r"%pm[0-7](?:_64)?").fullmatch
"""Counters of the performance monitor: 0."""
_ONES: Final = {
    "%cluster_ctarank": 0,
    "%cluster_nctarank": 1,
    "%is_explicit_cluster": 0,
    "WARP_SZ": 32,
    "%warpsize": 32,
}
_CLOCKS: Final[dict[str, tuple[str, Type, int]]] = {
    "%clock": ("clock", ty.I32, 0),
    "%clock64": ("clock64", ty.I64, 0),
    "%clock_hi": ("clock64", ty.I64, 32),
    "%globaltimer": ("globaltimer", ty.I64, 0),
    "%globaltimer_lo": ("globaltimer", ty.I64, 0),
    "%globaltimer_hi": ("globaltimer", ty.I64, 32),
}


class CallIntrinsic(Protocol):
    """Calls `llvm.NAME`."""

    def __call__(self, name: str, result: Type, /, *arguments: Value) -> Value: ...


def read(name: str, call: CallIntrinsic, build: Builder) -> Value:
    """The value of a special register: 32 bits, clocks of 64 excepted."""
    if place := _PLACES(name):
        return _sreg(call, f"{place[1]}.{place[2]}", ty.I32)
    if lane := _LANES(name):
        return _sreg(call, lane[1].replace("_", "."), ty.I32)
    if cluster := _CLUSTER(name):
        number = {"clusterid": "ctaid", "nclusterid": "nctaid"}.get(cluster[1])
        if number is not None:
            return _sreg(call, f"{number}.{cluster[2]}", ty.I32)
        return i32(cluster[1] == "cluster_nctaid")
    if name in _ONES:
        return i32(_ONES[name])
    if _COUNTERS(name):
        return i64(0) if name.endswith("64") else i32(0)
    if name in _CLOCKS:
        return _clock(call, build, *_CLOCKS[name], half=name.endswith(("_lo", "_hi")))
    if name.endswith(".w"):
        return i32(1 if name.startswith("%n") else 0)
    raise RefusedError(f"{name} is not declared, and no special register that is supported")


def _sreg(call: CallIntrinsic, name: str, type_: Type) -> Value:
    return call(f"nvvm.read.ptx.sreg.{name}", type_)


def _clock(call: CallIntrinsic, build: Builder, name: str, type_: Type, shift: int, half: bool) -> Value:
    value = _sreg(call, name, type_)
    if shift:
        value = build.binary("lshr", value, i64(shift))
    return build.cast("trunc", value, ty.I32) if half else value
