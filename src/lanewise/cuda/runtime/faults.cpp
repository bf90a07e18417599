// SPDX-License-Identifier: Apache-2.0
// Kernels that failed: the error that stays, and a report on standard error.
#include "runtime.h"

namespace {

cudaError_t error_of(const lw_status &status) {
  switch (status.kind) {
  case LW_ASSERT:
    return cudaErrorAssert;
  case LW_FAULT:
    return status.signal == 4 ? cudaErrorIllegalInstruction : cudaErrorIllegalAddress; // SIGILL
  case LW_OVERRUN:
    return cudaErrorIllegalAddress;
  case LW_STACK_OVERFLOW:
    return cudaErrorHardwareStackError;
  case LW_STUCK:
    return cudaErrorLaunchTimeout;
  case LW_OUT_OF_MEMORY:
    return cudaErrorMemoryAllocation;
  default:
    return cudaErrorLaunchFailure;
  }
}

// The array that `address` is near, relative to which it is told.
void describe_address(char *into, size_t room, uint64_t address) {
  enum : uint64_t { NULL_PAGES = 64 << 10, NEAR = 1 << 30 };
  unsigned long long shown = address;
  lw_allocation found;
  if (address < NULL_PAGES) {
    snprintf(into, room, "address 0x%llx, a null pointer", shown);
    return;
  }
  if (!lw_memory_nearest(reinterpret_cast<const void *>(address), &found)) {
    snprintf(into, room, "address 0x%llx, in no array", shown);
    return;
  }
  uint64_t start = reinterpret_cast<uint64_t>(found.address), end = start + found.bytes;
  unsigned long long bytes = found.bytes;
  if (address >= start && address < end)
    snprintf(into, room, "address 0x%llx, in an array of %llu bytes", shown, bytes);
  else if (address == end)
    snprintf(into, room, "address 0x%llx, just after an array of %llu bytes", shown, bytes);
  else if (address > end && address - end < NEAR)
    snprintf(into, room, "address 0x%llx, %llu bytes after the end of an array of %llu bytes", shown,
             static_cast<unsigned long long>(address - end), bytes);
  else if (address < start && start - address < NEAR)
    snprintf(into, room, "address 0x%llx, %llu bytes before an array of %llu bytes", shown,
             static_cast<unsigned long long>(start - address), bytes);
  else
    snprintf(into, room, "address 0x%llx, in no array", shown);
}

void describe_failure(char *into, size_t room, const lw_status &status) {
  static const char *const accesses[] = {"access to", "read of", "write to", "access to", "access to", "jump to"};
  char address[256];
  describe_address(address, sizeof address, status.address);
  switch (status.kind) {
  case LW_TRAP:
    snprintf(into, room, "__trap()");
    break;
  case LW_ASSERT:
    snprintf(into, room, "assertion `%s' failed", status.message);
    break;
  case LW_FAULT:
    if (status.signal == 8) // SIGFPE
      snprintf(into, room, "division of an integer by zero");
    else if (status.access == LW_NO_ADDRESS || status.access == LW_UNKNOWN_ADDRESS)
      snprintf(into, room, "access to an address that can't be");
    else
      snprintf(into, room, "%s %s", accesses[status.access < 6 ? status.access : 0], address);
    break;
  case LW_OVERRUN:
    snprintf(into, room, "write outside of an array, to %s", address);
    break;
  case LW_STACK_OVERFLOW:
    snprintf(into, room, "the stack is full: too deep a recursion, or too large local arrays");
    break;
  case LW_STUCK:
    snprintf(into, room, "all threads wait for what no running thread will change");
    break;
  case LW_NOT_COOPERATIVE:
    snprintf(into, room, "grid synchronisation in a launch that is not cooperative");
    break;
  case LW_OUT_OF_MEMORY:
    snprintf(into, room, "no memory for the launch");
    break;
  default:
    snprintf(into, room, "%s", *status.message != '\0' ? status.message : "it failed");
  }
}

void on_failure(lw_queue *, const lw_kernel_launch *launch, const lw_status *status) {
  set_sticky(error_of(*status));
  char what[1400], where[128] = "", line[1200] = "";
  describe_failure(what, sizeof what, *status);
  if (status->known & LW_KNOWS_THREAD)
    snprintf(where, sizeof where, " in block (%u, %u, %u), thread (%u, %u, %u)", status->block[0], status->block[1],
             status->block[2], status->thread[0], status->thread[1], status->thread[2]);
  else if (status->known & LW_KNOWS_BLOCK)
    snprintf(where, sizeof where, " in block (%u, %u, %u)", status->block[0], status->block[1], status->block[2]);
  if (*status->file != '\0')
    snprintf(line, sizeof line, ", %s:%u", status->file, status->line);
  fprintf(stderr, "lanewise: kernel %s: %s%s%s\n", launch->kernel->name, what, where, line);
}

void on_stray(lw_queue *, const lw_kernel_launch *launch, const lw_status *status) {
  static char told[64][256];
  static int count;
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  char address[256];
  describe_address(address, sizeof address, status->address);
  Lock lock(mutex);
  for (int i = 0; i < count; ++i)
    if (strncmp(told[i], launch->kernel->name, sizeof told[i] - 1) == 0)
      return;
  if (count < 64)
    strncpy(told[count++], launch->kernel->name, sizeof told[0] - 1);
  fprintf(stderr,
          "lanewise: warning: kernel %s: %s %s; a GPU lets that pass (LANEWISE_STRICT_BOUNDS=1 makes it an error)\n",
          launch->kernel->name, status->access == LW_READ ? "read of" : "write to", address);
}

} // namespace
