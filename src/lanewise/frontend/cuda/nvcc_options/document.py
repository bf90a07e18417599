# SPDX-License-Identifier: Apache-2.0
"""The document of nvcc's options, docs/nvcc-options.md, written from the table.

python -m lanewise.frontend.cuda.nvcc_options.document > docs/nvcc-options.md
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lanewise.frontend.cuda.nvcc_options.table import ERRORS, HONOURED, IGNORED, JOINED, REFUSED, Option

_HEAD: Final = """\
# nvcc's options

`options=[...]` of `lw.compile` and `--option` of the command line take clang's options, and those of nvcc and NVRTC by
their own names. Each may have one hyphen or two, and its value after `=` or as the next argument. So the flags of a
makefile can be given as they are:

```python
import lanewise as lw

source = "__global__ void k(int *p) { p[0] = __CUDA_ARCH__; }"
flags = "-O3 -std=c++20 -gencode=arch=compute_90,code=sm_90 --extended-lambda -Xptxas -v -lcublas"
module = lw.compile(source, language="cuda", options=flags.split())
assert ".target sm_90" in module.ptx()
for note in module.warnings:
    print(note)  # note: option '-Xptxas -v' is ignored: ptxas, which turns PTX into machine code, isn't run
```

An option that is in none of the tables goes to clang as it is: `-I`, `-D`, `-U`, `-include`, `-isystem`, `-O2`, `-g`
and `-w` are the same there. Clang refuses what it doesn't know.

This file is made by `make docs` from `src/lanewise/frontend/cuda/nvcc_options/table.py`.
"""


def document() -> str:
    """The whole document."""
    return "".join(
        (
            _HEAD,
            *_section("Honoured", "meaning", (*HONOURED, *ERRORS)),
            *_section("Ignored, with a note among the warnings", "because", (*IGNORED, *JOINED)),
            *_section("Refused", "because", REFUSED),
        )
    )


def _section(title: str, heading: str, options: Iterable[Option]) -> Iterator[str]:
    yield f"\n## {title}\n\n| option | {heading} |\n| --- | --- |\n"
    for option in options:
        names = ", ".join(f"`{_shown(name, option)}`" for name in option.names)
        yield f"| {names} | {option.meaning} |\n"


def _shown(name: str, option: Option) -> str:
    """The name as it is usually written: long ones with two hyphens."""
    if option in JOINED:
        return f"-{name}NAME"
    hyphens = "--" if "-" in name.removeprefix("expt-") and not name.startswith(("W", "prec-")) else "-"
    return f"{hyphens}{name}" + ("=..." if option.takes_value else "")


if __name__ == "__main__":
    print(document(), end="")
