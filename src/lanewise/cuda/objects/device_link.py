# SPDX-License-Identifier: Apache-2.0
"""Device code of several files, linked and compiled (`nvcc -dlink`)."""

from collections.abc import Sequence
from typing import Final

from lanewise.cache import key
from lanewise.cuda.objects.device_code import DeviceCode
from lanewise.cuda.objects.device_objects import device_objects
from lanewise.cuda.objects.fat_binary import ID_BYTES
from lanewise.cuda.objects.linked_unit import LinkedUnit
from lanewise.frontend.given_options import DEFAULT_ARCH
from lanewise.log import looked_up
from lanewise.program.source.translation import translate
from lanewise.session import Session
from lanewise.toolchain import join_objects

_OBJECT: Final = "unit.o"


def link_device_code(
    session: Session, name: str, codes: Sequence[DeviceCode], gpus: Sequence[str] = (), mapping: str = "auto"
) -> bytes:
    """The object file of the kernels of a program called `name`, whose files were compiled with `relocatable`, with PTX
    for the architectures `gpus`. CompileError for a symbol that two files define, or none."""
    unit = LinkedUnit(name, tuple(codes), DEFAULT_ARCH)
    request = key("device link", unit.digest, mapping, *gpus)
    found = session.cache.get(request, _OBJECT)
    looked_up(f"device code of {name}", found=found is not None)
    if found is not None:
        return found.read_bytes()
    translation = translate(unit, {"mapping": mapping}, session.cache)
    sizes = {kernel: of for code in codes for kernel, of in code.sizes.items()}
    objects = device_objects(translation, request[: 2 * ID_BYTES], name, lambda: sizes, gpus, linked=True)
    data = join_objects(objects)
    session.cache.put(request, {_OBJECT: data})
    return data
