# SPDX-License-Identifier: Apache-2.0
"""The lines of a function's source.

`inspect.getsourcelines` splits the text into tokens to find the last line, which is the slowest part of reading a
function. Indentation says as much, unless a string or a bracket goes on at the margin: then what was found doesn't
parse, since it isn't closed, and `inspect` is asked.
"""

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Sequence
from typing import Any


def parsed_function(function: Callable[..., Any]) -> tuple[ast.stmt, int]:
    """The first statement of a function's source, with the decorators, and the number of its first line. OSError or
    TypeError for a function without source."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is not None:
        linecache.checkcache(code.co_filename)  # the file may have been written anew, and imported again
        found = _by_indentation(linecache.getlines(code.co_filename, function.__globals__), code.co_firstlineno)
        if found is not None and isinstance(found, ast.FunctionDef) and found.name == code.co_name:
            return found, code.co_firstlineno
    lines, first = inspect.getsourcelines(function)
    return ast.parse(textwrap.dedent("".join(lines))).body[0], first


def _by_indentation(lines: Sequence[str], first: int) -> ast.stmt | None:
    """The statement that starts in a line, if it ends before the next line at its margin or left of it."""
    if not 1 <= first <= len(lines):
        return None
    margin = _indentation(lines[first - 1])
    taken: list[str] = []
    in_body = False
    for line in lines[first - 1 :]:
        text = line.strip()
        if in_body and text and text[0] not in "#)" and _indentation(line) <= margin:
            break
        if len(line) - len(line.lstrip()) < margin and text:  # a comment or the like
            line = f"{' ' * margin}{line}"
        taken.append(line[margin:] if text else line)
        in_body = in_body or text.startswith(("def ", "async def "))
    try:
        return ast.parse("".join(taken)).body[0]
    except (SyntaxError, IndexError):
        return None


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
