// SPDX-License-Identifier: Apache-2.0
// NVTX, by which programs name ranges of time for a profiler, as it is when no profiler listens: nothing is recorded.
#ifndef NVTX_VERSION
#define NVTX_VERSION 3

#include <stddef.h>
#include <stdint.h>

#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define LW_NVTX_IGNORES(result, name, parameters, value)                                                               \
  static inline result name parameters { return value; }
LW_NVTX_IGNORES(void, nvtxInitialize, (const void *reserved), (void)reserved)
LW_NVTX_IGNORES(void, nvtxMarkA, (const char *text), (void)text)
LW_NVTX_IGNORES(void, nvtxMarkW, (const wchar_t *text), (void)text)
LW_NVTX_IGNORES(void, nvtxMarkEx, (const nvtxEventAttributes_t *event), (void)event)
LW_NVTX_IGNORES(int, nvtxRangePushA, (const char *text), ((void)text, NVTX_NO_PUSH_POP_TRACKING))
LW_NVTX_IGNORES(int, nvtxRangePushW, (const wchar_t *text), ((void)text, NVTX_NO_PUSH_POP_TRACKING))
LW_NVTX_IGNORES(int, nvtxRangePushEx, (const nvtxEventAttributes_t *event), ((void)event, NVTX_NO_PUSH_POP_TRACKING))
LW_NVTX_IGNORES(int, nvtxRangePop, (void), NVTX_NO_PUSH_POP_TRACKING)
LW_NVTX_IGNORES(nvtxRangeId_t, nvtxRangeStartA, (const char *text), ((void)text, 0))
LW_NVTX_IGNORES(nvtxRangeId_t, nvtxRangeStartW, (const wchar_t *text), ((void)text, 0))
LW_NVTX_IGNORES(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *event), ((void)event, 0))
LW_NVTX_IGNORES(void, nvtxRangeEnd, (nvtxRangeId_t range), (void)range)
LW_NVTX_IGNORES(void, nvtxNameCategoryA, (uint32_t category, const char *name), ((void)category, (void)name))
LW_NVTX_IGNORES(void, nvtxNameOsThreadA, (uint32_t thread, const char *name), ((void)thread, (void)name))
LW_NVTX_IGNORES(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *name), ((void)name, (nvtxDomainHandle_t)0))
LW_NVTX_IGNORES(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain), (void)domain)
LW_NVTX_IGNORES(nvtxStringHandle_t, nvtxDomainRegisterStringA, (nvtxDomainHandle_t domain, const char *text),
                ((void)domain, (void)text, (nvtxStringHandle_t)0))
LW_NVTX_IGNORES(void, nvtxDomainMarkEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
                ((void)domain, (void)event))
LW_NVTX_IGNORES(int, nvtxDomainRangePushEx, (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event),
                ((void)domain, (void)event, NVTX_NO_PUSH_POP_TRACKING))
LW_NVTX_IGNORES(int, nvtxDomainRangePop, (nvtxDomainHandle_t domain), ((void)domain, NVTX_NO_PUSH_POP_TRACKING))
LW_NVTX_IGNORES(nvtxRangeId_t, nvtxDomainRangeStartEx,
                (nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event), ((void)domain, (void)event, 0))
LW_NVTX_IGNORES(void, nvtxDomainRangeEnd, (nvtxDomainHandle_t domain, nvtxRangeId_t range),
                ((void)domain, (void)range))
#undef LW_NVTX_IGNORES

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#endif
