# SPDX-License-Identifier: Apache-2.0
"""Parser of words, numbers and constant expressions at a position among the tokens.

Source: PTX ISA 9.0, 4.5 "Constants". Signedness follows ptxas 13.0: results of `~` and `%` are unsigned, those of
comparisons signed. Shifts and conditional expressions take it from the operand that they pass on; others are signed if
both operands are.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError
from lanewise.ptx.language.lexer import Source
from lanewise.ptx.language.operands import Immediate

_MAXIMAL_DEPTH: Final = 60
"""Limit on nested brackets. Programs have 3 or 4; the bound keeps garbage from exhausting Python's stack."""

_MASK: Final = (1 << 64) - 1
_IDENTIFIER: Final = re.compile(r"(?:[a-zA-Z_]|[$%][\w$])[\w$]*", re.ASCII).fullmatch
_INTEGER: Final = re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*").fullmatch
_BITS: Final = re.compile(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}").fullmatch
_DECIMAL: Final = re.compile(r"(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+", re.ASCII).fullmatch
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*+"').fullmatch
_ENDS: Final = frozenset({",", ";", "]", "}", ")"})
"""Tokens after a number that is not part of an expression."""

_PRECEDENCES: Final = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8,
    "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_WARP_SIZE: Final = 32

Typed = tuple[int, bool]
"""A value of 64 bits, and True if it is a .u64, False if it is an .s64."""


def _typed(value: int, unsigned: bool) -> Typed:
    value &= _MASK
    return (value if unsigned or not value >> 63 else value - (1 << 64)), unsigned


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _computed(operator: str, left: Typed, right: Typed) -> Typed:
    a, b = left[0], right[0]
    match operator:
        case "&&":
            return int(bool(a) and bool(b)), False
        case "||":
            return int(bool(a) or bool(b)), False
        case "<<":
            return _typed(a << (b & 63), left[1])
        case ">>":
            return _typed(a >> (b & 63), left[1])
        case "%":
            return _typed((a & _MASK) % (b & _MASK), True)
        case _:
            return _arithmetic(operator, _typed(a, left[1] or right[1]), _typed(b, left[1] or right[1]))


def _arithmetic(operator: str, left: Typed, right: Typed) -> Typed:
    """Result for two values of one type, after C's usual conversions."""
    (a, unsigned), (b, _) = left, right
    match operator:
        case "+":
            return _typed(a + b, unsigned)
        case "-":
            return _typed(a - b, unsigned)
        case "*":
            return _typed(a * b, unsigned)
        case "/":
            return _typed(_quotient(a, b), unsigned)
        case "&":
            return a & b, unsigned
        case "|":
            return a | b, unsigned
        case "^":
            return a ^ b, unsigned
        case "==":
            return int(a == b), False
        case "!=":
            return int(a != b), False
        case "<":
            return int(a < b), False
        case "<=":
            return int(a <= b), False
        case ">":
            return int(a > b), False
        case _:
            return int(a >= b), False


class ConstantParser:
    """Parser state and constants; `i` is the index of the next token in `t`."""

    __slots__ = ("_depth", "_immediates", "i", "source", "t")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.t = source.tokens
        self.i: int = 0
        self._immediates: dict[str, Immediate] = {}
        self._depth = 0

    # -- tokens ------------------------------------------------------------------------------------------------

    def wrong(self, expected: str) -> CompileError:
        """The error for an unexpected next token."""
        at, starts = self.i, self.source.starts
        found = self.t[at]
        if not found and at:
            return self._behind(f"expected {expected}, but the text ends behind {self.source.shown(at - 1)}")
        if found[:1] == '"' and not _STRING(found):
            return self.source.error(starts[at], "the string that begins here is not closed on its line")
        what = f"found {self.source.shown(at)}" if found else "but the text is empty"
        return self.source.error(starts[at], f"expected {expected}, {what}")

    def missing(self, expected: str) -> CompileError:
        """The error for a missing separator or terminator, placed at the end of the previous line if the next token
        starts a line."""
        at, source = self.i, self.source
        if self.t[at] and at and source.line(source.starts[at - 1]) < source.line(source.starts[at]):
            before, found = source.shown(at - 1), source.shown(at)
            return self._behind(f"expected {expected} behind {before}, but a line with {found} comes next")
        return self.wrong(expected)

    def _behind(self, message: str) -> CompileError:
        """An error at the end of the token before the next one."""
        return self.source.error(self.source.starts[self.i - 1] + len(self.t[self.i - 1]), message)

    def expect(self, token: str) -> None:
        if self.t[self.i] != token:
            raise self.missing(f"{token!r}")
        self.i += 1

    def accept(self, token: str) -> bool:
        if self.t[self.i] == token:
            self.i += 1
            return True
        return False

    def word(self, expected: str) -> str:
        """An identifier; `expected` says in an error what it is."""
        token = self.t[self.i]
        if not _IDENTIFIER(token):
            raise self.wrong(expected)
        self.i += 1
        return token

    def string(self, expected: str) -> None:
        """Skip a string."""
        if not _STRING(self.t[self.i]):
            raise self.wrong(expected)
        self.i += 1

    def deeper(self) -> None:
        self._depth += 1
        if self._depth > _MAXIMAL_DEPTH:
            raise self.source.error(self.source.starts[self.i], f"brackets are nested more than {_MAXIMAL_DEPTH} deep")

    def back(self) -> None:
        self._depth -= 1

    # -- constants ---------------------------------------------------------------------------------------------

    def immediate(self) -> Immediate:
        """A number, or an expression of numbers, evaluated in 64 bits."""
        t, begin = self.t, self.i
        token = t[begin]
        if token and t[begin + 1] in _ENDS:
            found = self._immediates.get(token)
            if found is None:
                found = self._immediates[token] = self._number(token)
            self.i += 1
            return found
        floating = self._signed_decimal()
        if floating is not None:
            return floating
        value = self._expression()
        return Immediate(("" if self.i - begin <= 2 else " ").join(t[begin : self.i]), value[0])

    def whole_number(self) -> int:
        """A whole number, or an expression of whole numbers."""
        token = self.t[self.i]
        if token in ("+", "-") and self.t[self.i + 1].isdigit() and self.t[self.i + 2] in _ENDS:
            self.i += 2
            return int(f"{token}1") * self._integer(self.i - 1)
        return self._expression()[0]

    def plain_number(self, expected: str = "a number") -> int:
        """A whole number that is one token; `expected` says in an error what it is."""
        if not self.t[self.i][:1].isalnum():
            raise self.wrong(expected)
        value = self._integer(self.i)
        self.i += 1
        return value

    def _number(self, token: str) -> Immediate:
        """The number in the next token, which is not consumed."""
        if _BITS(token):
            return Immediate(token, int(token[2:], 16))
        if _DECIMAL(token):
            return Immediate(token, float(token))
        return Immediate(token, self._integer(self.i))

    def _signed_decimal(self) -> Immediate | None:
        at, negative = self.i, False
        while self.t[at] in ("-", "+"):
            negative ^= self.t[at] == "-"
            at += 1
        token = self.t[at]
        if _DECIMAL(token):
            text = f"-{token}" if negative else token
            self.i = at + 1
            return Immediate(text, float(text))
        return None

    def _integer(self, at: int) -> int:
        """The value of the token at `at`."""
        token = self.t[at]
        digits = token.removesuffix("U")
        if not _INTEGER(digits):
            if token == "WARP_SZ":
                return _WARP_SIZE
            self.i = at
            if not token[:1].isdecimal():
                raise self.wrong("a number")
            if _BITS(token) or _DECIMAL(token):
                raise self.wrong("a whole number")
            rule = ": 0f takes 8 hexadecimal digits, 0d takes 16" if token[:2].lower() in ("0f", "0d") else ""
            raise self.source.error(self.source.starts[at], f"{self.source.shown(at)} is no number of PTX{rule}")
        prefix = digits[1:2]
        if prefix and prefix in "xXbB":
            value = int(digits, 0)
        elif digits[0] == "0":
            value = int(digits, 8)
        else:
            value = int(digits) if len(digits) <= 20 else _MASK + 1
        if value > _MASK:
            raise self.source.error(self.source.starts[at], f"{self.source.shown(at)} has more than 64 bits")
        return value

    def _expression(self) -> Typed:
        value = self._binary(1)
        if self.accept("?"):
            self.deeper()
            first = self._expression()
            self.expect(":")
            second = self._expression()
            self.back()
            value = first if value[0] else second
        return value

    def _binary(self, weakest: int) -> Typed:
        """An expression of operators with at least the precedence `weakest`."""
        left = self._unary()
        while (level := _PRECEDENCES.get(self.t[self.i], 0)) >= weakest:
            at = self.i
            self.i += 1
            self.deeper()
            right = self._binary(level + 1)
            self.back()
            operator = self.t[at]
            if operator in "/%" and not right[0]:
                raise self.source.error(self.source.starts[at], "a division by zero in a constant expression")
            left = _computed(operator, left, right)
        return left

    def _unary(self) -> Typed:
        token = self.t[self.i]
        if token not in ("-", "+", "~", "!", "("):
            value = self.plain_number()
            return _typed(value, value >> 63 > 0 or token[-1] == "U")
        self.deeper()
        self.i += 1
        if token == "(" and self.t[self.i] in (".s64", ".u64"):
            unsigned = self.t[self.i] == ".u64"
            self.i += 1
            self.expect(")")
            result = _typed(self._unary()[0], unsigned)
        elif token == "(":
            result = self._expression()
            self.expect(")")
        else:
            value, unsigned = self._unary()
            match token:
                case "-":
                    result = _typed(-value, unsigned)
                case "+":
                    result = value, unsigned
                case "~":
                    result = _typed(~value, True)
                case _:
                    result = int(not value), False
        self.back()
        return result
