# SPDX-License-Identifier: Apache-2.0
"""A module of LLVM IR in LLVM's own memory: parsed, verified, edited a little, printed."""

import ctypes
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple, Self, final

from lanewise.llvm.binding import llvm, unlocked
from lanewise.llvm.errors import LlvmError

_KEEPS_OUT_OF_LINE = frozenset({"noinline", "optnone"})
_ASKED_OF_LOOPS = tuple(
    f'"llvm.loop.{asked}'
    for asked in (
        "unroll.enable",
        "unroll.full",
        "unroll.count",
        "unroll_and_jam",
        "vectorize",
        "interleave",
        "distribute",
    )
)


class FunctionInfo(NamedTuple):
    """A function of a module; its attributes as LLVM prints them, one string per position."""

    name: str
    is_declaration: bool
    linkage: str
    attributes: tuple[str, ...]


@final
class LlvmModule:
    """A verified module in an LLVM context of its own.

    Two threads may work on two modules at once, not on the same one.
    """

    __slots__ = ("_context", "handle", "has_forced_loops")

    def __init__(self, text: str) -> None:
        """The same as `parse`, without verifying."""
        self._context: Any = None
        self.handle: Any = None
        """llvmlite's ModuleRef; internal to this package."""
        self.has_forced_loops = _may_force_loops(text)
        """The text may have asked for transformations of loops, of which LLVM warns if it can't make them."""
        self._context = unlocked().create_context()
        with llvm().ffi.OutputString() as error:
            module = unlocked().parse(self._context, ctypes.c_char_p(text.encode()), error)
            if error:
                raise LlvmError(str(error).strip())
        self.handle = llvm().ModuleRef(module, None)

    def __del__(self) -> None:
        # A module is closed before its context. The garbage collector has no such order for llvmlite's own objects,
        # so the context is none of them.
        if self._context is None or sys.is_finalizing():
            return
        if self.handle is not None:
            self.handle.close()
        unlocked().dispose_context(self._context)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse and verify textual IR. Raises `LlvmError` with LLVM's message, with line numbers in `text`."""
        module = cls(text)
        module.verify()
        return module

    @classmethod
    def linked(cls, texts: Sequence[str]) -> Self:
        """One module of several texts, at least one. Raises `LlvmError` with LLVM's message, for example on a symbol
        that two of them define."""
        whole = cls(texts[0])
        for text in texts[1:]:
            whole.has_forced_loops |= _may_force_loops(text)
            with llvm().ffi.OutputString() as error:
                part = unlocked().parse(whole._context, ctypes.c_char_p(text.encode()), error)
                if error:
                    raise LlvmError(str(error).strip())
            try:
                whole.handle.link_in(llvm().ModuleRef(part, None))
            except RuntimeError as error:
                raise LlvmError(str(error).strip()) from None
        whole.verify()
        return whole

    def verify(self) -> None:
        """Raise `LlvmError` with every rule of LLVM that the module breaks."""
        try:
            self.handle.verify()
        except RuntimeError as error:
            raise LlvmError(str(error).strip()) from None

    def text(self) -> str:
        """The module as textual IR."""
        return str(self.handle)

    def has_blocks(self, most: int) -> bool:
        """Return whether a function has more than `most` blocks."""
        return any(sum(1 for _ in function.blocks) > most for function in self.handle.functions)

    def functions(self) -> list[FunctionInfo]:
        """All functions, in order, the declared ones included."""
        return [
            FunctionInfo(function.name, bool(function.is_declaration), function.linkage.name, _attributes(function))
            for function in self.handle.functions
        ]

    def set_internal(self, name: str) -> None:
        """Set internal linkage for the definition `name`, so that it may be removed once all its calls are inlined."""
        self._function(name).linkage = "internal"

    def always_inline(self, name: str) -> bool:
        """Mark the definition `name` so that the pass `always-inline` inlines every direct call of it.

        Returns False, without a change, if it has `noinline` or `optnone`, which LLVM doesn't allow together with it:
        llvmlite can add attributes, not remove them.
        """
        function = self._function(name)
        if any(_KEEPS_OUT_OF_LINE & set(attributes.split()) for attributes in _attributes(function)):
            return False
        function.add_function_attribute("alwaysinline")
        return True

    def _function(self, name: str) -> Any:
        try:
            function = self.handle.get_function(name)
        except NameError:
            raise KeyError(f"the module has no function {name!r}") from None
        if function.is_declaration:
            raise ValueError(f"{name!r} is declared, not defined")
        return function


def text_of_bitcode(data: bytes) -> str:
    """The text of a module in bitcode of this or any older version of LLVM. Raises `LlvmError` for what is none;
    damaged bitcode may end the process."""
    binding = llvm()
    try:
        module = binding.parse_bitcode(data, binding.create_context())
    except RuntimeError as error:
        raise LlvmError(str(error).strip()) from None
    with module:
        return str(module)


def verify(text: str) -> None:
    """Raise `LlvmError` unless `text` is a module that LLVM accepts."""
    LlvmModule.parse(text)


def _may_force_loops(text: str) -> bool:
    return any(asked in text for asked in _ASKED_OF_LOOPS)


def _attributes(function: Any) -> tuple[str, ...]:
    return tuple(attribute.decode() for attribute in function.attributes)
