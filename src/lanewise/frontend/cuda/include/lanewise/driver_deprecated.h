// SPDX-License-Identifier: Apache-2.0
// The driver API for the host: what newer functions have replaced.
#ifndef LANEWISE_DRIVER_DEPRECATED_H
#define LANEWISE_DRIVER_DEPRECATED_H

typedef struct CUdevprop_st {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int sharedMemPerBlock;
  int totalConstantMemory;
  int SIMDWidth;
  int memPitch;
  int regsPerBlock;
  int clockRate;
  int textureAlign;
} CUdevprop;
typedef enum CUsharedconfig_enum {
  CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0,
  CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
  CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
} CUsharedconfig;

__LW_BEGIN_C
CUresult cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes);
CUresult cuParamSetSize(CUfunction function, unsigned int bytes);
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value);
CUresult cuParamSetf(CUfunction function, int offset, float value);
CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes);
CUresult cuLaunch(CUfunction function);
CUresult cuLaunchGrid(CUfunction function, int width, int height);
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig *config);
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
__LW_END_C

#endif
