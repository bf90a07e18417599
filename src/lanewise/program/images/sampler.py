# SPDX-License-Identifier: Apache-2.0
"""Samplers of OpenCL C: the arguments for `sampler_t`."""

from collections.abc import Callable
from typing import Any, Final, Literal, final

from lanewise.errors import Error, LaunchTypeError
from lanewise.program.arguments.numbers import described

_FILTERS: Final = {"nearest": 0x10, "linear": 0x20}
_ADDRESSES: Final = {"none": 0, "clamp_to_edge": 2, "clamp": 4, "repeat": 6, "mirrored_repeat": 8}
_NEED_NORMALIZED: Final = ("repeat", "mirrored_repeat")


@final
class Sampler:
    """A sampler, for a parameter of type `sampler_t`.

        k.ndrange(8)(image, lw.Sampler("linear", "repeat", normalized=True), out)

    `filter`: "nearest" or "linear". `address`: the texel for coordinates outside: "clamp_to_edge", the nearest;
    "clamp", the border's; "repeat" and "mirrored_repeat", with normalised coordinates; "none", undefined. `normalized`:
    coordinates run from 0 to 1.

    Raises Error for what OpenCL C doesn't allow. Source: The OpenCL C Specification 3.0, 6.15.15.1.
    """

    def __init__(
        self,
        filter: Literal["nearest", "linear"] = "nearest",
        address: Literal["none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"] = "clamp_to_edge",
        normalized: bool = False,
    ) -> None:
        for name, value, known in (("filter", filter, _FILTERS), ("address", address, _ADDRESSES)):
            if value not in known:
                raise Error(f"sampler: {name} is {' or '.join(map(repr, known))}, not {value!r}")
        if address in _NEED_NORMALIZED and not normalized:
            raise Error(f"sampler: address={address!r} needs normalized=True")
        self.bits: Final = _FILTERS[filter] | _ADDRESSES[address] | int(bool(normalized))
        """The number that CLK_FILTER_LINEAR and the like of a kernel's source make."""
        self._shown: Final = f"<sampler {filter}, {address}{', normalized' if normalized else ''}>"

    def __repr__(self) -> str:
        return self._shown


def sampler_converter(what: str) -> Callable[[Any], tuple[int, object]]:
    """A converter of arguments for `sampler_t`."""

    def convert(value: Any) -> tuple[int, object]:
        if type(value) is not Sampler:
            raise LaunchTypeError(f"{what}: expected an lw.Sampler for sampler_t, not {described(value)}")
        return value.bits, None

    return convert
