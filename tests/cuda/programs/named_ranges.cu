// SPDX-License-Identifier: Apache-2.0
// Ranges that a program names for a profiler: nobody listens.
#include "check.h"
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "range";
  CHECK(nvtxRangePushA("outer") == NVTX_NO_PUSH_POP_TRACKING && nvtxRangePushEx(&event) == NVTX_NO_PUSH_POP_TRACKING);
  CHECK(nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING);
  nvtxRangeEnd(nvtxRangeStart("another"));
  nvtxDomainHandle_t domain = nvtxDomainCreate("domain");
  nvtxDomainRangePushEx(domain, &event);
  nvtxDomainRangePop(domain);
  nvtxDomainDestroy(domain);
  nvtxMark("end");
  puts("ok");
}
