// SPDX-License-Identifier: Apache-2.0
// Kernels that fail: which error code that is, and what to tell the user beside it.
#include "api.h"
#include "kernel_launches.h"

#include <signal.h>

namespace lw_cudart {

static cudaError_t error_of_fault(const lw_status &status) {
  if (status.access == LW_EXECUTE)
    return cudaErrorInvalidPc;
  switch (status.signal) {
  case SIGBUS:
    return cudaErrorMisalignedAddress;
  case SIGILL:
    return cudaErrorIllegalInstruction;
  case SIGFPE:
    return cudaErrorLaunchFailure;
  default:
    return cudaErrorIllegalAddress;
  }
}

static cudaError_t error_of_status(const lw_status &status) {
  switch (status.kind) {
  case LW_ASSERT:
    return cudaErrorAssert;
  case LW_OUT_OF_MEMORY:
    return cudaErrorLaunchOutOfResources;
  case LW_CANCELLED:
    return cudaErrorContextIsDestroyed;
  case LW_FAULT:
    return error_of_fault(status);
  case LW_STACK_OVERFLOW:
    return cudaErrorHardwareStackError;
  case LW_DEADLOCK:
  case LW_BARRIER:
  case LW_STUCK:
    return cudaErrorLaunchTimeout;
  case LW_OVERRUN:
    return cudaErrorIllegalAddress;
  default:
    return cudaErrorLaunchFailure;
  }
}

struct Text {
  char *at;
  size_t left;
  __attribute__((format(printf, 2, 3))) void add(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(at, left, format, arguments);
    va_end(arguments);
    size_t length = written < 0 ? 0 : static_cast<size_t>(written) < left ? static_cast<size_t>(written) : left - 1;
    at += length;
    left -= length;
  }
};

static void describe_address(Text &text, uint64_t address) {
  enum : uint64_t { NULL_PAGES = 64 << 10, NEAR = 1 << 30 };
  lw_allocation found;
  text.add(" at address 0x%llx", static_cast<unsigned long long>(address));
  if (address < NULL_PAGES) {
    text.add(", which a null pointer leads to");
    return;
  }
  if (!lw_memory_nearest(reinterpret_cast<void *>(address), &found))
    return;
  static const char *const kinds[] = {"", "device", "pinned host", "managed", "registered host", "variable's"};
  const char *kind = found.kind <= LW_VARIABLE_MEMORY ? kinds[found.kind] : "";
  uint64_t start = reinterpret_cast<uint64_t>(found.address), end = start + found.bytes;
  uint64_t distance = address >= end ? address - end : address < start ? start - address : address - start;
  if (distance > NEAR)
    return;
  unsigned long long shown = distance, bytes = found.bytes;
  if (address == end)
    text.add(", just after");
  else if (address > end)
    text.add(", %llu bytes after the end of", shown);
  else if (address < start)
    text.add(", %llu bytes before", shown);
  else
    text.add(", at byte %llu of", shown);
  text.add(" an array of %llu bytes of %s memory", bytes, kind);
}

static const char *access_of(const lw_status &status) {
  static const char *const accesses[] = {"an access", "a read", "a write", "an access", "an access", "a jump"};
  return accesses[status.access <= LW_EXECUTE ? status.access : 0];
}

static void describe_failure(Text &text, const lw_status &status) {
  switch (status.kind) {
  case LW_OVERRUN:
    text.add("a write outside of an array");
    describe_address(text, status.address);
    break;
  case LW_FAULT:
    if (status.signal == SIGFPE)
      text.add("a division by zero, or one that overflows");
    else if (status.signal == SIGILL)
      text.add("an instruction that this processor does not have");
    else
      text.add("%s of memory that is not there", access_of(status));
    if (status.access != LW_NO_ADDRESS && status.access != LW_UNKNOWN_ADDRESS && status.signal != SIGFPE &&
        status.signal != SIGILL)
      describe_address(text, status.address);
    break;
  case LW_TRAP:
    text.add("__trap()");
    break;
  case LW_ASSERT:
    text.add("assertion `%s` failed", status.message);
    break;
  case LW_OUT_OF_MEMORY:
    text.add("no memory for %s", status.message[0] != '\0' ? status.message : "its threads");
    break;
  case LW_STACK_OVERFLOW:
    text.add("the stack of a thread is full");
    break;
  case LW_NOT_COOPERATIVE:
    text.add("grid.sync() needs cudaLaunchCooperativeKernel");
    break;
  case LW_BAD_FREE:
    text.add("free() of what malloc() has not given, or of what was freed before");
    break;
  case LW_DEADLOCK:
    text.add("a barrier of the grid that not all blocks reach: %s", status.message);
    break;
  case LW_STUCK:
    text.add("all threads wait in loops for what nobody changes");
    break;
  case LW_BARRIER:
    text.add("%s", status.message[0] ? status.message : "threads of a block wait at several barriers");
    break;
  default:
    text.add("%s", status.message[0] ? status.message : "it failed");
  }
}

static void on_failure(lw_queue *, const lw_kernel_launch *launch, const lw_status *status) {
  cudaError_t error = error_of_status(*status);
  const uint32_t *b = status->block, *t = status->thread;
  if (status->kind == LW_ASSERT) // as NVIDIA's runtime prints it
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", status->file,
            status->line, status->function, b[0], b[1], b[2], t[0], t[1], t[2], status->message);
  char line[1200];
  Text text = {line, sizeof line};
  text.add("kernel %s, block (%u, %u, %u)", launch->kernel->name, b[0], b[1], b[2]);
  if ((status->known & LW_KNOWS_THREAD) || status->kind == LW_TRAP || status->kind == LW_ASSERT)
    text.add(", thread (%u, %u, %u)", t[0], t[1], t[2]);
  if ((status->known & LW_KNOWS_PLACE) && status->file[0])
    text.add(", %s:%u", status->file, status->line);
  text.add(": ");
  describe_failure(text, *status);
  say("%s (%s)", line, cudaGetErrorName(error));
  set_sticky_error(error);
}

// What a GPU lets pass: reads of what lies beside an array, and writes to what its size was rounded up by. Once a kernel.
static void on_stray(lw_queue *, const lw_kernel_launch *launch, const lw_status *status) {
  enum { MOST = 64 };
  static Lock lock;
  static const lw_kernel_image *told[MOST];
  static int count;
  {
    Held held(lock);
    for (int i = 0; i < count; ++i)
      if (told[i] == launch->kernel)
        return;
    if (count < MOST)
      told[count++] = launch->kernel;
  }
  char line[1200];
  Text text = {line, sizeof line};
  text.add("warning: kernel %s: %s beside an array", launch->kernel->name, access_of(*status));
  describe_address(text, status->address);
  say("%s; a GPU lets that pass (LANEWISE_STRICT_BOUNDS=1 makes it an error)", line);
}

void prepare_for_launches() {
  static int done;
  if (__builtin_expect(__atomic_load_n(&done, __ATOMIC_ACQUIRE), 1))
    return;
  lw_set_failure_hook(on_failure);
  lw_set_stray_hook(on_stray);
  lw_tolerate_strays(!wants("LANEWISE_STRICT_BOUNDS"));
  if (wants("LANEWISE_HOST_POINTERS"))
    lw_allow_host_pointers(1);
  __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
}

} // namespace lw_cudart
