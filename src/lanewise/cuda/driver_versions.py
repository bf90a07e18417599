# SPDX-License-Identifier: Apache-2.0
"""Functions of the driver API under the names that NVIDIA's library has for their present form.

`cuda.h` turns `cuMemAlloc` into `cuMemAlloc_v2`, since an older library has another function of the plain name. Here
the plain name is the present form. Programs that look functions up in the library ask for the names with a version.

Source: CUDA Driver API 12.8; the versions are those of its "Driver Entry Point Access".
"""

from collections.abc import Collection, Mapping
from typing import Final

_SECOND: Final = """
cuDeviceTotalMem cuDeviceGetUuid cuDevicePrimaryCtxRelease cuDevicePrimaryCtxReset cuDevicePrimaryCtxSetFlags
cuCtxCreate cuCtxDestroy cuCtxPushCurrent cuCtxPopCurrent
cuModuleGetGlobal cuLinkCreate cuLinkAddData cuLinkAddFile
cuMemGetInfo cuMemAlloc cuMemAllocPitch cuMemAllocHost cuMemFree cuMemGetAddressRange cuMemHostGetDevicePointer
cuMemHostRegister
cuMemcpyHtoD cuMemcpyDtoH cuMemcpyDtoD cuMemcpyHtoDAsync cuMemcpyDtoHAsync cuMemcpyDtoDAsync
cuMemcpyDtoA cuMemcpyAtoD cuMemcpyHtoA cuMemcpyAtoH cuMemcpyAtoA cuMemcpyHtoAAsync cuMemcpyAtoHAsync
cuMemcpy2D cuMemcpy2DUnaligned cuMemcpy2DAsync cuMemcpy3D cuMemcpy3DAsync
cuMemsetD8 cuMemsetD16 cuMemsetD32 cuMemsetD2D8 cuMemsetD2D16 cuMemsetD2D32
cuArrayCreate cuArrayGetDescriptor cuArray3DCreate cuArray3DGetDescriptor
cuStreamDestroy cuStreamBeginCapture cuEventDestroy cuEventElapsedTime
cuTexRefSetAddress cuTexRefGetAddress cuTexRefSetAddress2D cuGraphicsResourceGetMappedPointer
"""
"""Functions whose present form is the second one."""
_THIRD: Final = "cuTexRefSetAddress2D"


def versioned_names(defined: Collection[str]) -> Mapping[str, str]:
    """The names with a version, each with the function of `defined` that it is another name of."""
    forms = {f"{name}_v2": name for name in _SECOND.split()} | {f"{name}_v3": name for name in _THIRD.split()}
    return {form: name for form, name in forms.items() if name in defined}
