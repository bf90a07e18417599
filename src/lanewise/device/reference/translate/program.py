# SPDX-License-Identifier: Apache-2.0
"""A kernel as Python source, with all functions that it may call."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from lanewise.device.reference.arithmetic.operations import Operations
from lanewise.device.reference.memory.symbols import SymbolTable
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.translate.locations import Locations
from lanewise.device.reference.translate.reach import Reach
from lanewise.errors import CompileError
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module

Bind = Callable[[Services], Callable[..., Any]]


class Line(NamedTuple):
    """A line of the source, and the instruction that it was made from."""

    indent: int
    text: str
    instruction: Instruction | None = None


class PythonProgram(NamedTuple):
    """The data that a launch needs to run a kernel."""

    source: str
    kernel: str
    """Name of the kernel's function in the source."""
    waits: bool
    """True if that function is a generator."""
    meets_grid: bool
    """True if its groups may wait for one another."""
    warp_size: int
    """Number of lanes of its warps."""
    by_address: dict[int, tuple[str, str]]
    """Name in the source and type of each function that may be called through a pointer, by address."""
    constants: dict[str, Any]
    """Values of names in the source that are the same in every launch."""
    bindings: dict[str, Bind]
    """Values of names in the source that depend on the services of a launch."""
    instructions: tuple[Instruction | None, ...]
    """The instruction that each line of the source was made from."""
    watched: tuple[Instruction, ...]
    """Accesses that may be of shared memory, by the numbers that are passed to `races.py`."""
    blocks: dict[str, list[Block]]
    """Blocks of each function in the source, by their number in its variable `at`."""


class ProgramBuilder:
    """Collects the names that the source refers to. `function_translator.py` makes the lines of each function."""

    def __init__(
        self,
        module: Module,
        operations: Operations,
        symbols: SymbolTable,
        locations: Locations,
        reach: Reach,
        *,
        notes_races: bool = False,
    ) -> None:
        """`notes_races`: the program tells of all accesses to shared and global memory (`race_notes.py`)."""
        self.module: Final = module
        self.operations: Final = operations
        self.symbols: Final = symbols
        self.locations: Final = locations
        self.reach: Final = reach
        self.notes_races: Final = notes_races
        self.constants: Final[dict[str, Any]] = {}
        self.bindings: Final[dict[str, Bind]] = {}
        self.blocks: Final[dict[str, list[Block]]] = {}
        self.watched: Final[list[Instruction]] = []
        self.has_shared_memory: Final = any(v.type.addrspace == SHARED for v in module.variables)
        self._known: Final[dict[Any, str]] = {}
        self._functions: Final = {f: f"function_{i}" for i, f in enumerate(reach.functions)}

    def function_name(self, function: Function) -> str:
        return self._functions[function]

    def shared_constant(self, key: Any, hint: str, make: Callable[[], Any]) -> str:
        """The name of a constant, made once per key."""
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.constant(hint, make())
        return found

    def constant(self, hint: str, value: Any) -> str:
        """A new name for a constant."""
        name = "".join(c if c.isalnum() else "_" for c in hint)
        if name in self.constants:
            name = f"{name}_{len(self.constants)}"
        self.constants[name] = value
        return name

    def binding(self, hint: str, bind: Bind) -> str:
        """A new name for a value that each launch makes for itself."""
        name = f"{hint}_{len(self.bindings)}"
        self.bindings[name] = bind
        return name

    def shared_binding(self, name: str, bind: Bind) -> str:
        """The name `name`, bound once."""
        self.bindings.setdefault(name, bind)
        return name

    def refusal(self, instruction: Instruction | None, text: str) -> CompileError:
        """The error for an instruction that the reference device can't do."""
        place = self.locations.place(instruction)
        message = f"{place}: error: {text}" if place else text
        return CompileError(message, (message,))

    def build(self, kernel: Function, lines: list[Line]) -> PythonProgram:
        return PythonProgram(
            source="".join(f"{' ' * line.indent}{line.text}\n" for line in lines),
            kernel=self.function_name(kernel),
            waits=self.reach.waits(kernel),
            meets_grid=self.reach.meets_grid,
            warp_size=self.reach.warp_size,
            by_address={
                self.symbols.address(f): (self.function_name(f), str(f.value_type)) for f in self.reach.by_address
            },
            constants=self.constants,
            bindings=self.bindings,
            instructions=tuple(line.instruction for line in lines),
            watched=tuple(self.watched),
            blocks=self.blocks,
        )
