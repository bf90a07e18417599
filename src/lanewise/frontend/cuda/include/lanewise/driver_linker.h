// SPDX-License-Identifier: Apache-2.0
// The driver API for the host: what makes a module of PTX while the program runs.
#ifndef LANEWISE_DRIVER_LINKER_H
#define LANEWISE_DRIVER_LINKER_H

typedef struct CUlinkState_st *CUlinkState;
typedef enum CUjitInputType_enum {
  CU_JIT_INPUT_CUBIN = 0,
  CU_JIT_INPUT_PTX = 1,
  CU_JIT_INPUT_FATBINARY = 2,
  CU_JIT_INPUT_OBJECT = 3,
  CU_JIT_INPUT_LIBRARY = 4,
  CU_JIT_INPUT_NVVM = 5
} CUjitInputType;

__LW_BEGIN_C
CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, __SIZE_TYPE__ bytes, const char *name,
                       unsigned int count, CUjit_option *options, void **values);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                       CUjit_option *options, void **values);
CUresult cuLinkComplete(CUlinkState state, void **module, __SIZE_TYPE__ *bytes);
CUresult cuLinkDestroy(CUlinkState state);
__LW_END_C

#endif
