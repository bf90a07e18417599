# SPDX-License-Identifier: Apache-2.0
"""How long `import lanewise` takes beside numpy, in new processes.

python bench/import_time.py [TIMES]
"""

import sys
import tempfile
from pathlib import Path

from fresh_process import Row, milliseconds, show

IMPORT = """
import {before}, time
start = time.perf_counter()
import {package}
print(1e3 * (time.perf_counter() - start))
"""

LLVM_IS_NOT_LOADED = """
import lanewise, sys
print(sum(name.partition(".")[0] == "llvmlite" for name in sys.modules))
"""


def main() -> None:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"

        def imported(package: str, before: str) -> list[float]:
            code = IMPORT.format(package=package, before=before)
            return [milliseconds(code, cache) for _ in range(times)]

        if milliseconds(LLVM_IS_NOT_LOADED, cache):
            raise SystemExit("import lanewise loads llvmlite")
        rows = [
            Row("import lanewise, after numpy", 30, imported("lanewise", "numpy")),
            Row("import numpy", None, imported("numpy", "os")),
        ]
    show(f"Import, {times} new processes each", rows)


if __name__ == "__main__":
    main()
