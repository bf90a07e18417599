// SPDX-License-Identifier: Apache-2.0
// Functions of the driver API that refuse their work: programs that open the driver look for all functions that they know,
// whether they call them or not.
#include "api.h"
#include "driver.h"

namespace lw_cudart {

#define REFUSED(name, what)                                                                                            \
  LW_API CUresult name() {                                                                                             \
    return DRIVER_CALL(NOTHING, { return fail(cudaErrorNotSupported, what " are not supported"); });                   \
  }

REFUSED(cuModuleGetTexRef, "texture references of the driver API")
REFUSED(cuTexRefCreate, "texture references of the driver API")
REFUSED(cuTexRefDestroy, "texture references of the driver API")
REFUSED(cuTexRefSetArray, "texture references of the driver API")
REFUSED(cuTexRefSetAddress, "texture references of the driver API")
REFUSED(cuTexRefSetAddress2D, "texture references of the driver API")
REFUSED(cuTexRefSetFormat, "texture references of the driver API")
REFUSED(cuTexRefSetAddressMode, "texture references of the driver API")
REFUSED(cuTexRefSetFilterMode, "texture references of the driver API")
REFUSED(cuTexRefSetFlags, "texture references of the driver API")
REFUSED(cuTexRefGetArray, "texture references of the driver API")
REFUSED(cuTexRefGetAddress, "texture references of the driver API")
REFUSED(cuTexRefGetAddressMode, "texture references of the driver API")
REFUSED(cuTexRefGetFilterMode, "texture references of the driver API")
REFUSED(cuTexRefGetFormat, "texture references of the driver API")
REFUSED(cuTexRefGetFlags, "texture references of the driver API")
REFUSED(cuParamSetTexRef, "texture references of the driver API")

REFUSED(cuModuleGetSurfRef, "surface references of the driver API")
REFUSED(cuSurfRefSetArray, "surface references of the driver API")
REFUSED(cuSurfRefGetArray, "surface references of the driver API")

REFUSED(cuMipmappedArrayCreate, "arrays of several levels")
REFUSED(cuMipmappedArrayDestroy, "arrays of several levels")
REFUSED(cuMipmappedArrayGetLevel, "arrays of several levels")

REFUSED(cuIpcGetEventHandle, "memory and events of other processes")
REFUSED(cuIpcOpenEventHandle, "memory and events of other processes")
REFUSED(cuIpcGetMemHandle, "memory and events of other processes")
REFUSED(cuIpcOpenMemHandle, "memory and events of other processes")
REFUSED(cuIpcCloseMemHandle, "memory and events of other processes")

REFUSED(cuGraphicsUnregisterResource, "graphics")
REFUSED(cuGraphicsMapResources, "graphics")
REFUSED(cuGraphicsUnmapResources, "graphics")
REFUSED(cuGraphicsResourceGetMappedPointer, "graphics")
REFUSED(cuGraphicsResourceSetMapFlags, "graphics")
REFUSED(cuGraphicsSubResourceGetMappedArray, "graphics")
REFUSED(cuGraphicsGLRegisterBuffer, "graphics")
REFUSED(cuGraphicsGLRegisterImage, "graphics")
REFUSED(cuGLCtxCreate, "graphics")

REFUSED(cuMemcpyDtoA, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyAtoD, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyHtoA, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyAtoH, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyAtoA, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyHtoAAsync, "copies between arrays and memory without a shape")
REFUSED(cuMemcpyAtoHAsync, "copies between arrays and memory without a shape")

REFUSED(cuMemsetD2D8, "fills of rows")
REFUSED(cuMemsetD2D16, "fills of rows")
REFUSED(cuMemsetD2D32, "fills of rows")

REFUSED(cuCtxAttach, "contexts that are attached to")
REFUSED(cuCtxDetach, "contexts that are attached to")

REFUSED(cuGetExportTable, "tables of functions without a public description")

#undef REFUSED

} // namespace lw_cudart
