# SPDX-License-Identifier: Apache-2.0
"""Random kernels with a fault planted at random: python -m tests.fuzz.planting COUNT [--seed SEED]

An index is shifted, a barrier taken away, or an initialisation dropped. The kernel is compiled with all checks, and
what the reference device tells, the CPU device must tell: each fault of the same kind at the same line in the same
array (of races and of reads of what nobody has written, at any line). Nor may the CPU device tell of a race in an array
in which the reference device finds none. Most planted faults are none, such as a shift that stays within the array.
Failing kernels are written to out/fuzz, with what each device told. The exit status is 1 if there are any.
"""

import argparse
import contextlib
import io
import re
import secrets
import sys
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import lanewise as lw
from lanewise.program.source.compilation import compile_source

from .choices import Choices
from .kernel import RandomKernel, random_kernel
from .opening import session
from .running import OPTIONS
from .worker import FOLDER

SHIFTS: Final = ("- 1", "+ 1", "- 70", "+ 70", "- 5000", "+ 5000", "- 1000000", "+ 1000000")
ENDED: Final = "ended: "
"""Starts what is told of a launch that the device has ended."""

_INDEXED: Final = re.compile(r"(?<!\w )\b(?:in|fin|words|wave|table|line\d+|swapped\[[01]\]|counters\d+|kept\d+)\[")
"""Not where arrays are declared, which have a type before them."""
_BARRIER: Final = re.compile(r"()__syncthreads\(\);")
_INITIAL: Final = re.compile(
    r"(\bkept\d+\[\d+\]) = \{[^;{}]*\};|^() *swapped\[0\]\[item\] = .*$|^() *for \(int e = 0; item == 0.*$",
    re.MULTILINE,
)
"""Initialisations; what is taken away leaves the first group, as with `_BARRIER`."""
_PATTERNS: Final = {"index": _INDEXED, "barrier": _BARRIER, "initial": _INITIAL}
_ARRAY: Final = re.compile(r"\b(?:swapped|counters\d+|kept\d+)\b")


class Told(NamedTuple):
    """A fault, as devices are compared by it."""

    kind: str
    line: int
    """0 for a race, and for a read of what nobody has written: of several accesses to an array, which one meets another
    depends on the order that they come in."""
    name: str


def planted(kernel: RandomKernel, random: Random) -> RandomKernel:
    """The kernel with one change; itself if it has nothing to be changed."""
    body = kernel.body
    for kind in random.sample(tuple(_PATTERNS), len(_PATTERNS)):
        places = [place for place in _PATTERNS[kind].finditer(body) if kind != "initial" or _is_read(body, place[0])]
        if places:
            return replace(kernel, body=_changed(body, kind, random.choice(places), random))
    return kernel


def _changed(body: str, kind: str, place: re.Match[str], random: Random) -> str:
    if kind == "index":
        end = _closing(body, place.end())
        return f"{body[: place.end()]}({body[place.end() : end]}) {random.choice(SHIFTS)}{body[end:]}"
    return f"{body[: place.start()]}{place[place.lastindex or 0]};{body[place.end() :]}"


def _is_read(body: str, initialisation: str) -> bool:
    """True if an array is named more often than where it is declared and initialised."""
    found = _ARRAY.search(initialisation)
    assert found is not None
    return len(re.findall(rf"\b{found[0]}\b", body)) > 1 + len(re.findall(rf"\b{found[0]}\b", initialisation))


def _closing(text: str, at: int) -> int:
    """The place of the bracket that closes what is open at a place."""
    depth = 1
    while depth:
        depth += {"[": 1, "]": -1}.get(text[at], 0)
        at += 1
    return at - 1


def told(kernel: RandomKernel, module: lw.Module, device: str) -> set[Told] | str:
    """The faults that a device tells of a kernel, or, if it ends the launch, why."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            program = module[kernel.name]
            kernel.launch(program, kernel.arguments()[: len(program.params)], device)
        except lw.CheckError as error:
            return {
                Told(fault.kind, 0 if fault.kind in ("unwritten", "race") else fault.line, fault.name)
                for fault in error.faults
            }
        except lw.LaunchError as error:
            return ENDED + str(error)
    return set()


def missed(kernel: RandomKernel) -> tuple[str, str]:
    """The kinds of faults that the reference device tells, and what of them the CPU device does not, or which races it
    makes up; "" for none."""
    module = compile_source(session(), kernel.source, language="cuda", options=OPTIONS, checked=True)
    wanted, found = told(kernel, module, "reference"), told(kernel, module, "cpu")
    if isinstance(wanted, str):
        return "end of the launch", ""
    kinds = " and ".join(sorted({fault.kind for fault in wanted}))
    if isinstance(found, str):
        return kinds, f"{sorted(wanted)}; cpu: {found}" if wanted else ""
    made_up = {fault for fault in found - wanted if fault.kind == "race"}
    if made_up:
        return kinds, f"made up by cpu: {sorted(made_up)}; reference: {sorted(wanted)}"
    return kinds, f"{sorted(wanted - found)}; cpu: {sorted(found)}" if wanted - found else ""


def main(count: int, first: int) -> int:
    """Plant faults in the kernels of the seeds from `first`. Returns the exit status."""
    failures = 0
    kinds: Counter[str] = Counter()
    for seed in range(first, first + count):
        kernel = planted(random_kernel(Choices(seed)), Random(seed))
        kind, failure = missed(kernel)
        kinds[kind] += 1
        if failure:
            failures += 1
            FOLDER.mkdir(parents=True, exist_ok=True)
            path = FOLDER / f"planted-{seed}.cu"
            path.write_text(f"{kernel.source}\n// {failure}\n")
            print(f"kernel of seed {seed}: {failure}\n  {path}", flush=True)
    of_kinds = ", ".join(f"{n} {kind or 'nothing'}" for kind, n in kinds.most_common())
    print(
        f"{count} random kernels: the reference device told {of_kinds}; {failures or 'none'} missed or made up by cpu"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.planting")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=secrets.randbits(40))
    options = parser.parse_args()
    sys.exit(main(options.count, options.seed))
