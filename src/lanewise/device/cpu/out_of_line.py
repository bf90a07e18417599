# SPDX-License-Identifier: Apache-2.0
"""Functions of a program that can't be inlined into its kernels, as machine code that all of them share."""

import ctypes
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from lanewise.backend.host.features import features, has_fused_multiply_add
from lanewise.cache import Cache, key
from lanewise.device.cpu.tables import load_with_addresses
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.garbage import with_rare_searches
from lanewise.log import looked_up, step
from lanewise.workgroup.layout import abi

if TYPE_CHECKING:
    from lanewise.pipelines.source import Source

OBJECT: Final = "outlined.so"
FACTS: Final = "outlined.json"
"""Names of the machine code and its facts in the cache, and below `cpu/` in a program: in saved modules, too, so they
stay as they are."""


class OutOfLineFacts(NamedTuple):
    """Facts about the machine code, as in `workgroup.out_of_line_object.OutOfLineObject`."""

    functions: tuple[str, ...]
    refusals: Mapping[str, str]
    variables: tuple[str, ...]


class OutOfLineCode(NamedTuple):
    """A shared object, as a file or in memory, with the table `abi.FUNCTIONS_SYMBOL`."""

    shared_object: Path | bytes
    facts: OutOfLineFacts


class LoadedFunctions(NamedTuple):
    """Out-of-line functions in memory. `library` keeps them there."""

    addresses: Mapping[str, int]
    """Address of each function, by symbol."""
    refusals: Mapping[str, str]
    library: ctypes.CDLL
    shared_object: Path | bytes
    """The file or bytes that they were loaded from."""

    def require(self, symbols: Iterable[str], kernel: str) -> None:
        """Raise CompileError if a function that `kernel` may call can't run on the CPU."""
        for symbol in symbols:
            if symbol in self.refusals:
                raise CompileError(f"kernel {kernel} may call what the CPU device can't run: {self.refusals[symbol]}")


def load_out_of_line(program: Program, cache: Cache, variable: Callable[[str], int]) -> LoadedFunctions:
    """The out-of-line functions of `program`. `variable` returns the address of a variable. CompileError, Error."""
    code = out_of_line_code(program, cache)
    facts = code.facts

    def addresses(library: ctypes.CDLL) -> dict[str, int]:
        table = (ctypes.c_void_p * len(facts.functions)).in_dll(library, abi.FUNCTIONS_SYMBOL)
        return {symbol: address or 0 for symbol, address in zip(facts.functions, table, strict=True)}

    def address(library: ctypes.CDLL, symbol: str) -> int:
        own = addresses(library)
        return own[symbol] if symbol in own else variable(symbol)

    library = load_with_addresses(code.shared_object, facts.variables, address)
    return LoadedFunctions(addresses(library), facts.refusals, library, code.shared_object)


def out_of_line_code(program: Program, cache: Cache) -> OutOfLineCode:
    """The machine code: embedded in the program, from the cache, or compiled now."""
    if f"cpu/{OBJECT}" in program.files:
        return OutOfLineCode(program.files[f"cpu/{OBJECT}"], facts_from_json(program.files[f"cpu/{FACTS}"]))
    entry = key("out-of-line", program.key, features())
    facts, shared_object = cache.get(entry, FACTS), cache.get(entry, OBJECT)
    looked_up(f"machine code of out-of-line functions of {program.name}", found=None not in (facts, shared_object))
    if facts is not None and shared_object is not None:
        try:
            return OutOfLineCode(shared_object, facts_from_json(facts.read_bytes()))
        except (OSError, ValueError, TypeError):
            pass  # a broken entry is a miss
    fused = has_fused_multiply_add()
    if program.foreign:
        from lanewise.child import in_child  # most programs are not

        compiled, found = in_child(
            f"{program.name}: functions that kernels call", _compile, program.linked(fused=fused)
        )
    else:
        compiled, found = _compile(program.reader(fused=fused))
    cache.put(entry, {OBJECT: compiled, FACTS: facts_json(found)})
    return OutOfLineCode(compiled, found)


@with_rare_searches
def _compile(source: "Source") -> tuple[bytes, OutOfLineFacts]:
    from lanewise.backend.host.compile import compile_shared_object  # a warm start needs none of these
    from lanewise.ir.writer import write_module
    from lanewise.pipelines.out_of_line_functions import compile_out_of_line

    with step("isolate and simplify out-of-line functions"):
        made = compile_out_of_line(source, fused=has_fused_multiply_add())
    facts = OutOfLineFacts(made.functions, made.refusals, made.variables)
    return compile_shared_object(write_module(made.module)), facts


def facts_json(facts: OutOfLineFacts) -> bytes:
    """A list of the fields in order."""
    return json.dumps(facts).encode()


def facts_from_json(data: bytes) -> OutOfLineFacts:
    functions, refusals, variables = json.loads(data)
    return OutOfLineFacts(tuple(functions), dict(refusals), tuple(variables))
